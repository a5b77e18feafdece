"""The checks of `doctor`, by tables, and what is read back from a unit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hypo_compactd.catalogue import SENTENCES
from hypo_compactd.doctor import checks, unit
from hypo_compactd.doctor.checks import examine
from hypo_compactd.doctor.facts import Blocked, Closed, Machine, OwnFolder, Remedy, Service, Tree, Unusable
from hypo_compactd.doctor.hindrance import Hindrance
from hypo_compactd.git import Rule
from hypo_compactd.gitignore import Cure, Unignored
from hypo_compactd.inotify import INSTANCES, QUEUE, WATCHES, Limit
from hypo_compactd.judge import Life
from hypo_compactd.messages import message
from hypo_compactd.service import launchd_agent, systemd_unit
from hypo_strategies.api import Finding
from hypo_strategies.text.phrase import Phrase, phrase, places

GOOD = Machine(
    limits={
        WATCHES: Limit("fs.inotify.max_user_watches", 8192),
        INSTANCES: Limit("fs.inotify.max_user_instances", 128),
        QUEUE: Limit("fs.inotify.max_queued_events", 16384),
    },
    folders=200,
    projects=20,
    kept=True,
)
TREE = Tree("tide", "/home/you/projects/tide", own_version="1.2")


def limit(which: str, value: int) -> dict[str, Limit]:
    return {**GOOD.limits, which: replace(GOOD.limits[which], value=value)}


SERVICE = Service("/home/you/unit", "/venv/bin/python", present=True, manager="systemd", enabled=True, state="active")
AGENT = replace(SERVICE, manager="launchd", enabled=None, state="")

LOOK = "systemctl --user status hypo-compactd.service"
INSTALL = "hypo-compactd service install"

CLOSED = Phrase("c: permission denied")


def said(found: Hindrance) -> str:
    return message(found.key, "en", **found.values)


def test_nothing_hinders_where_all_is_well() -> None:
    assert not [one for one in examine(GOOD, [TREE]) if one.hindrances]


MACHINES: list[tuple[str, Machine, list[str], list[str]]] = [
    (
        "inotify watches",
        replace(GOOD, limits=limit(WATCHES, 203)),
        ["fs.inotify.max_user_watches is 203, the listed projects (20) need 204"],
        [
            "sudo sysctl fs.inotify.max_user_watches=524288",
            "echo fs.inotify.max_user_watches=524288 | sudo tee /etc/sysctl.d/60-fs.inotify.max_user_watches.conf",
        ],
    ),
    ("inotify watches", replace(GOOD, limits=limit(WATCHES, 204)), [], []),
    (
        "inotify watches",
        replace(GOOD, full=WATCHES, limits=limit(WATCHES, 600_000)),
        ["fs.inotify.max_user_watches is 600000, and all of it is taken"],
        [
            "sudo sysctl fs.inotify.max_user_watches=2097152",
            "echo fs.inotify.max_user_watches=2097152 | sudo tee /etc/sysctl.d/60-fs.inotify.max_user_watches.conf",
        ],
    ),
    ("inotify watches", replace(GOOD, full=WATCHES, limits={}), [], []),
    (
        "inotify instances",
        replace(GOOD, full=INSTANCES),
        ["fs.inotify.max_user_instances is 128, and all of it is taken"],
        [
            "sudo sysctl fs.inotify.max_user_instances=512",
            "echo fs.inotify.max_user_instances=512 | sudo tee /etc/sysctl.d/60-fs.inotify.max_user_instances.conf",
        ],
    ),
    (
        "inotify instances",
        replace(GOOD, watchdog="6.0.0"),
        ["fs.inotify.max_user_instances is 128, the listed projects (20) need 272"],
        [
            "sudo sysctl fs.inotify.max_user_instances=1024",
            "echo fs.inotify.max_user_instances=1024 | sudo tee /etc/sysctl.d/60-fs.inotify.max_user_instances.conf",
        ],
    ),
    ("inotify instances", replace(GOOD, watchdog="6.0.0", folders=92), [], []),
    (
        "inotify instances",
        replace(GOOD, limits={INSTANCES: Limit("user.max_inotify_instances", 0)}),
        ["user.max_inotify_instances is 0"],
        [
            "sudo sysctl user.max_inotify_instances=512",
            "echo user.max_inotify_instances=512 | sudo tee /etc/sysctl.d/60-user.max_inotify_instances.conf",
        ],
    ),
    (
        "inotify queue",
        replace(GOOD, limits=limit(QUEUE, 1024)),
        ["fs.inotify.max_queued_events is 1024, it should be 4096 at least"],
        [
            "sudo sysctl fs.inotify.max_queued_events=65536",
            "echo fs.inotify.max_queued_events=65536 | sudo tee /etc/sysctl.d/60-fs.inotify.max_queued_events.conf",
        ],
    ),
    (
        "inotify queue",
        replace(GOOD, overflows=3, limits=limit(QUEUE, 65536)),
        ["events were dropped 3 times"],
        [
            "sudo sysctl fs.inotify.max_queued_events=131072",
            "echo fs.inotify.max_queued_events=131072 | sudo tee /etc/sysctl.d/60-fs.inotify.max_queued_events.conf",
        ],
    ),
    (
        "open files",
        replace(GOOD, descriptors=83),
        ["ulimit -n is 83, the listed projects (20) need 84"],
        ["ulimit -n 1024"],
    ),
    ("open files", replace(GOOD, descriptors=84), [], []),
    (
        "open files",
        replace(GOOD, watchdog="6.0.0", descriptors=512, limits={}),
        ["ulimit -n is 512, the listed projects (20) need 696"],
        ["ulimit -n 1024"],
    ),
    (
        "watchdog",
        replace(GOOD, watchdog="", python="/my venv/python"),
        ["watchdog is not installed"],
        ["'/my venv/python' -m pip install 'watchdog>=6.0,<8'"],
    ),
    (
        "watchdog",
        replace(GOOD, watchdog="5.0.3"),
        ["watchdog is version 5.0.3"],
        ["python3 -m pip install 'watchdog>=6.0,<8'"],
    ),
    (
        "watchdog",
        replace(GOOD, watchdog="8.0"),
        ["watchdog is version 8.0"],
        ["python3 -m pip install 'watchdog>=6.0,<8'"],
    ),
    ("watchdog", replace(GOOD, watchdog="6.0.0", limits={}), [], []),
    (
        "gawk",
        replace(GOOD, gawk=False, awk="mawk", installer="sudo apt-get install"),
        ["no gawk (awk is mawk)"],
        ["sudo apt-get install gawk"],
    ),
    ("gawk", replace(GOOD, gawk=False, awk=""), ["no gawk (awk is none)"], []),
    *(
        (check, facts, [f"/a b: permission denied: {what}"], commands)
        for remedy, commands in {
            Remedy.OPEN: ["chmod u+rwx '/a b'"],
            Remedy.TAKE: ["sudo chown -R \"$(id -un)\" '/a b'"],
            Remedy.MAKE: ["sudo install -d -m 700 -o \"$(id -un)\" '/a b'"],
            Remedy.NONE: [],
        }.items()
        for folder in (OwnFolder("/a b", Phrase("permission denied"), remedy),)
        for check, facts, what in (
            ("state folder", replace(GOOD, state_folder=folder), "what views were made from cannot be remembered"),
            ("list folder", replace(GOOD, list_folder=folder), "no project can be added to the list"),
        )
    ),
    *(
        (check, facts, ["c: permission denied"], commands)
        for one, commands in (
            (Unusable("/a b", CLOSED, closed=Closed("/a b", folder=False)), ["chmod u+r '/a b'"]),
            (Unusable("/a/b", CLOSED, closed=Closed("/a")), ["chmod u+rwx /a"]),
            (Unusable("/a/b", CLOSED, closed=Closed("/a", own=False)), ['sudo chown "$(id -un)" /a']),
            (Unusable("/a b", CLOSED, Remedy.EDIT), ["${EDITOR:-vi} '/a b'"]),
            (Unusable("/a b", CLOSED, Remedy.REMOVE), ["rm '/a b'"]),
            (Unusable("/a b", CLOSED, Remedy.MOVE), ["mv '/a b' '/a b.moved'"]),
            (Unusable("/a b", CLOSED), []),
        )
        for check, facts in (
            ("projects", replace(GOOD, lists=(one,))),
            ("global configuration", replace(GOOD, configuration=one)),
        )
    ),
    (
        "list folder",
        replace(
            GOOD,
            list_folder=OwnFolder("/a", Phrase("permission denied"), Remedy.OPEN),
            lists=(Unusable("/a/b", CLOSED, closed=Closed("/a")),),
        ),
        ["/a: permission denied"],
        ["chmod u+rwx /a"],
    ),
    ("projects", replace(GOOD, findings=(Finding("f", Phrase("x"), 1),)), ["f:1: x"], []),
    ("projects", replace(GOOD, gone=("/a b",)), ["/a b: no such folder"], ["hypo-compactd projects remove '/a b'"]),
    (
        "service",
        replace(GOOD, service=replace(SERVICE, present=False, outdated=True, enabled=False)),
        ["/home/you/unit: the Python that it starts is gone (/venv/bin/python)"],
        [INSTALL],
    ),
    (
        "service",
        replace(GOOD, service=replace(SERVICE, state=""), kept=False),
        ["no daemon keeps any of the listed projects"],
        [LOOK, INSTALL],
    ),
    ("service", replace(GOOD, service=AGENT, kept=False), ["no daemon keeps any of the listed projects"], [INSTALL]),
    ("service", replace(GOOD, service=AGENT, keepers=(7,)), [], []),
    ("service", replace(GOOD, service=SERVICE, kept=None), [], []),
    ("service", replace(GOOD, service=None, kept=False), [], []),
    (
        "service",
        replace(GOOD, service=replace(SERVICE, outdated=True)),
        ["/home/you/unit: it is not what hypo-compactd service show gives"],
        [INSTALL],
    ),
    (
        "service",
        replace(GOOD, service=replace(SERVICE, enabled=False), keepers=(7,)),
        ["/home/you/unit: the service is not enabled"],
        [INSTALL],
    ),
    # A daemon in a terminal may keep all: the service could not start beside it.
    (
        "service",
        replace(GOOD, service=replace(SERVICE, enabled=False, state="inactive"), keepers=(7, 8)),
        ["the service is not enabled"],
        ["kill 7 8", INSTALL],
    ),
    (
        "service",
        replace(GOOD, service=replace(SERVICE, state="failed"), keepers=(7, 8)),
        ["the service has failed; it has not started the daemon that keeps projects (process 7, 8)"],
        [LOOK, "kill 7 8", INSTALL],
    ),
    (
        "service",
        replace(GOOD, service=replace(SERVICE, state="failed"), kept=False),
        ["/home/you/unit: the service has failed"],
        [LOOK, INSTALL],
    ),
    (
        "service",
        replace(GOOD, service=replace(SERVICE, outdated=True, state="failed")),
        ["it is not what", "the service has failed"],
        [INSTALL, LOOK, INSTALL],
    ),
    # Stopped by its user, who has another one run for now.
    ("service", replace(GOOD, service=replace(SERVICE, state="inactive"), keepers=(7,)), [], []),
]

TREES: list[tuple[str, Tree, list[str], list[str]]] = [
    (".pipeline", replace(TREE, root_error=Phrase("tide/.pipeline: is empty")), ["tide/.pipeline: is empty"], []),
    (
        "permissions",
        replace(TREE, root_error=Phrase("x"), closed=(Closed("/p"),)),
        ["/p: this user"],
        ["chmod u+rwx /p"],
    ),
    (
        "configuration",
        replace(TREE, findings=(Phrase("c:3: bad"), Phrase("d"))),
        ["tide: c:3: bad", "tide: d"],
        [],
    ),
    (
        "configuration",
        replace(TREE, configuration=Unusable("/c", Phrase("c:3: bad"), Remedy.EDIT)),
        ["tide: c:3: bad"],
        ["${EDITOR:-vi} /c"],
    ),
    (
        "configuration",
        replace(TREE, configuration=Unusable("/c", CLOSED, closed=Closed("/c", folder=False)), closed=()),
        ["tide: c: permission denied"],
        ["chmod u+r /c"],
    ),
    (
        "permissions",
        replace(TREE, configuration=Unusable("/p/c", CLOSED, closed=Closed("/p")), closed=(Closed("/p"),)),
        ["/p: this user cannot read it"],
        ["chmod u+rwx /p"],
    ),
    (
        "view files",
        replace(TREE, blocked=(Blocked("/a b", phrase("a FIFO")),)),
        ["/a b: is a FIFO where a view belongs"],
        ["rm '/a b'"],
    ),
    (
        "view files",
        replace(TREE, blocked=(Blocked("/a", phrase("a folder"), remedy=Remedy.MOVE),)),
        ["/a: is a folder where a view belongs"],
        ["mv /a /a.moved"],
    ),
    (
        "view files",
        replace(TREE, blocked=(Blocked("/a", phrase("a file"), folder=True, remedy=Remedy.MOVE),)),
        ["/a: is a file where a folder belongs"],
        ["mv /a /a.moved"],
    ),
    (
        "permissions",
        replace(TREE, closed=(Closed("/a b"),)),
        ["/a b: this user cannot read it"],
        ["chmod u+rwx '/a b'"],
    ),
    (
        "permissions",
        replace(TREE, closed=(Closed("/f", folder=False),)),
        ["/f: this user cannot read"],
        ["chmod u+r /f"],
    ),
    (
        "permissions",
        replace(TREE, closed=(Closed("/d", write=True),)),
        ["/d: this user cannot write"],
        ["chmod u+rwx /d"],
    ),
    (
        "permissions",
        replace(TREE, closed=(Closed("/d", own=False),)),
        ["/d: this user cannot read it"],
        ['sudo chown "$(id -un)" /d'],
    ),
    ("permissions", replace(TREE, closed=(Closed("/d", write=True, read_only=True),)), ["/d: is on a read-only"], []),
    (
        "permissions",
        replace(TREE, closed=tuple(Closed(f"/{number}") for number in range(12))),
        [*(f"/{number}: " for number in range(10)), "tide: 2 more places are closed"],
        [f"chmod u+rwx /{number}" for number in range(10)],
    ),
    ("file system", replace(TREE, silent="9p"), ["tide: its file system (9p)"], []),
    (
        ".gitignore",
        replace(TREE, unignored=(Unignored(("a", "b")),)),
        ["tide: git does not ignore a, b"],
        ["hypo-compactd init /home/you/projects/tide"],
    ),
    (
        ".gitignore",
        replace(TREE, unignored=(Unignored(("a",), Rule("/top/.gitignore", 3, "!a")),)),
        ["tide: git does not ignore a, since /top/.gitignore:3 (!a) takes them back"],
        ["hypo-compactd init /home/you/projects/tide"],
    ),
    (
        ".gitignore",
        replace(TREE, unignored=(Unignored(("a",), Rule("/a b/.gitignore", 3, "!*"), Cure.APPEND),)),
        ["tide: git does not ignore a, since /a b/.gitignore:3 (!*) takes them back"],
        [r"printf '\n%s\n' '*.compact.*' >>'/a b/.gitignore'"],
    ),
    (
        ".gitignore",
        replace(TREE, unignored=(Unignored(("a",), None, Cure.ASK),)),
        ["tide: git does not ignore a"],
        ["git -C /home/you/projects/tide check-ignore --no-index --verbose --non-matching a"],
    ),
    (".gitignore", replace(TREE, gitignore=Phrase("/g: is a FIFO")), ["/g: is a FIFO"], []),
    (
        "git repository",
        replace(TREE, foreign="/a b"),
        ["/a b: the repository belongs to another user"],
        ["git config --global --add safe.directory '/a b'"],
    ),
    (
        "tracked views",
        replace(TREE, tracked=("a b", "c")),
        ["tide: git tracks a b, c"],
        ["git -C /home/you/projects/tide rm --cached --force --quiet -- 'a b' c"],
    ),
    (
        "daemon",
        replace(TREE, life=Life.HUNG, pid=7, silent_s=61.4, version="0"),
        ["tide: the daemon (process 7) holds it and has given no sign of life for 61 s"],
        ["kill -KILL 7", "hypo-compactd run /home/you/projects/tide"],
    ),
    ("daemon", replace(TREE, life=Life.HUNG), ["no sign of life"], []),
    (
        "daemon",
        replace(TREE, left=True, pid=7),
        ["tide: the daemon (process 7) was killed or died"],
        ["hypo-compactd run /home/you/projects/tide"],
    ),
    (
        "daemon",
        replace(TREE, life=Life.RUNNING, pid=7, version="1.1"),
        ["tide: the daemon (process 7) is version 1.1, this program is 1.2"],
        ["kill 7", "hypo-compactd run /home/you/projects/tide"],
    ),
    ("daemon", replace(TREE, life=Life.RUNNING, pid=7, version="1.2"), [], []),
    # What a service keeps is left to the service: a daemon in the terminal would keep one project and leave the others.
    (
        "daemon",
        replace(TREE, life=Life.RUNNING, pid=7, version="1.1", service="systemd"),
        ["is version 1.1"],
        ["systemctl --user restart hypo-compactd.service"],
    ),
    (
        "daemon",
        replace(TREE, life=Life.RUNNING, pid=7, version="1.1", service="launchd"),
        ["is version 1.1"],
        ["launchctl kickstart -k gui/$(id -u)/io.github.hypo-compactd"],
    ),
    ("daemon", replace(TREE, left=True, pid=7, service="systemd"), ["or died"], ["hypo-compactd service install"]),
    ("daemon", replace(TREE, life=None), [], []),
]


def hold(examined: list[checks.Examined], check: str, sentences: list[str], commands: list[str]) -> None:
    found = {one.check: one.hindrances for one in examined if one.hindrances}
    assert set(found) == ({check} if sentences else set())
    hindrances = found.get(check, ())
    assert len(hindrances) == len(sentences)
    for hindrance, sentence in zip(hindrances, sentences, strict=True):
        assert said(hindrance).startswith(sentence) or f" {sentence}" in said(hindrance)
        assert set(hindrance.values) == places(SENTENCES[hindrance.key][0])
        assert message(hindrance.key, "zh-CN", **hindrance.values)
    assert [command for hindrance in hindrances for command in hindrance.commands] == commands


@pytest.mark.parametrize(("check", "facts", "sentences", "commands"), MACHINES)
def test_of_the_machine(check: str, facts: Machine, sentences: list[str], commands: list[str]) -> None:
    hold(examine(facts, []), check, sentences, commands)


@pytest.mark.parametrize(("check", "facts", "sentences", "commands"), TREES)
def test_of_a_project(check: str, facts: Tree, sentences: list[str], commands: list[str]) -> None:
    hold(examine(GOOD, [facts]), check, sentences, commands)


def test_every_check_has_a_fault_in_the_tables() -> None:
    faults = {check for check, _, sentences, _ in (*MACHINES, *TREES) if sentences}

    assert faults == {*checks.MACHINE_CHECKS, *checks.TREE_CHECKS}


# What a unit starts


@pytest.mark.parametrize(
    "python",
    ["/usr/bin/python3", "/home/you/my venv/bin/python", '/odd/%h/$x/"quoted"/back\\slash/python', "/café/python"],
)
def test_the_interpreter_of_a_unit_and_of_an_agent_is_found_again(python: str) -> None:
    assert unit.interpreter(systemd_unit(python)) == python
    assert unit.interpreter(systemd_unit(python, template=True)) == python
    assert unit.interpreter(launchd_agent(python, "/home/you")) == python


@pytest.mark.parametrize("text", ["", "ExecStart=", "<?xml broken", "[Service]", "ExecStart=-m hypo_compactd"])
def test_a_file_that_does_not_say_it_names_none(text: str) -> None:
    assert unit.interpreter(text) == ""


VARIABLES = {
    "HYPO_COMPACTD_STATE_DIR": '/odd/%h/$x/"quoted"/back\\slash',
    "XDG_STATE_HOME": "/a b",
    "LANG": "zh_CN.UTF-8",
}


@pytest.mark.parametrize("variables", [{}, VARIABLES])
def test_what_this_version_has_written_is_not_outdated_whichever_python_and_variables_it_names(
    variables: dict[str, str],
) -> None:
    text, agent = systemd_unit("/my venv/python", variables), launchd_agent("/my venv/python", "/home/you", variables)

    assert unit.environment(text) == unit.environment(agent) == variables
    assert not unit.outdated(text, "/home/you")
    assert not unit.outdated(agent, "/home/you")


@pytest.mark.parametrize(
    "text",
    [
        systemd_unit("/usr/bin/python3").replace("RestartSec=2", "RestartSec=7"),
        systemd_unit("/usr/bin/python3", template=True),
        systemd_unit("/usr/bin/python3") + "ExecStart=",
        launchd_agent("/usr/bin/python3", "/home/you").replace("<integer>5<", "<integer>6<"),
        launchd_agent("/usr/bin/python3", "/home/another"),
        "",
        "<?xml broken",
        "<?xml version='1.0'?><plist><string>x</string></plist>",
    ],
)
def test_all_else_is_outdated(text: str) -> None:
    assert unit.outdated(text, "/home/you")
