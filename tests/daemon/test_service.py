"""The service: what the units and the agent say, and how they are put in place and taken away."""

from __future__ import annotations

import os
import plistlib
import re
import resource
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_compactd import service
from hypo_compactd.canary import PERIOD_S
from hypo_compactd.canary_file import CanaryFile
from hypo_compactd.cli import main
from hypo_compactd.errors import ExitCode, RefusedError, exit_codes
from hypo_compactd.service import (
    CARRIED,
    LABEL,
    LOCALE,
    MARKER,
    UNIT,
    ServiceError,
    carried,
    launchd_agent,
    strict_drop_in,
    systemd_unit,
)
from hypo_compactd.service_manager import (
    ANSWER_S,
    READY_S,
    Answer,
    Done,
    Launchd,
    Systemd,
    Unit,
    install_steps,
    parse_unit,
    run_command,
    time_limit_s,
)
from hypo_compactd.supervisor import FEEDINGS, LATE_LIMIT

SYSTEMD = Path(__file__).parents[2] / "systemd"
LINUX = "/home/you/.local/share/pipx/venvs/hypo-compactd/bin/python"
MACOS = "/Users/you/.local/pipx/venvs/hypo-compactd/bin/python"
SAMPLES = {
    UNIT: systemd_unit(LINUX),
    "hypo-compactd@.service": systemd_unit(LINUX, template=True),
    f"{LABEL}.plist": launchd_agent(MACOS, "/Users/you"),
    "strict.conf": strict_drop_in("/home/you/.local/state/hypo-compactd"),
}
ARGUMENTS = ["-P", "-m", "hypo_compactd", "run", "--all"]

NASTY = [
    "/opt/python",
    "/home/your name/bin/python",
    "/srv/100%/python",
    "/srv/%h/%%/python",
    "/srv/$HOME/${HOME}/$$/python",
    "/srv/it's/python",
    '/srv/"quoted"/python',
    "/srv/back\\slash\\x41\\n/python",
    "/srv/ends in\\",
    "/srv/数据 é/python",
    "/srv/a=b/python",
    "/srv/a;b #c ;/python",
    "/srv/-@+!:|/python",
    "/srv/a&b<c>]]>/python",
    "/srv/%i '\"\\$(id)`id`/python",
]
UNUSABLE = ["", "python", "/a\nb/python", "/a\tb", "/a\x00b", "/a\x7fb", "/a\x1b[2Jb", "/a\udcffb"]

_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "s": " "}


def split(line: str) -> list[str]:
    """Split a command line by systemd's rules (systemd.syntax(7), Quoting), then undo the doubled specifier sign."""
    words: list[str] = []
    word: str | None = None
    quote = ""
    at = 0
    while at < len(line):
        char = line[at]
        at += 1
        if quote and char == quote:
            quote = ""
        elif char == "\\":
            escape = line[at]
            at += 1
            assert escape in _ESCAPES or escape in "\\\"'", f"\\{escape} is an escape of more letters: not used"
            word = (word or "") + _ESCAPES.get(escape, escape)
        elif not quote and char in "\"'":
            quote, word = char, word or ""
        elif not quote and char == " ":
            words, word = [*words, word] if word is not None else words, None
        else:
            word = (word or "") + char
    assert not quote, "the quote is closed"
    words = [*words, word] if word is not None else words
    assert all(re.fullmatch(r"(?:[^%]|%%)*", one) for one in words), "no specifier"
    return [one.replace("%%", "%") for one in words]


def directive(unit: str, name: str) -> list[str]:
    return re.findall(rf"^{name}=(.*)$", unit, re.MULTILINE)


def exec_words(interpreter: str) -> list[str]:
    (line,) = directive(systemd_unit(interpreter), "ExecStart")
    first, *rest = split(line)
    assert first.startswith(":"), "without it systemd would take $ for a variable"
    return [first[1:], *rest]


def verified(folder: Path, *units: str) -> str:
    """Return what systemd has to say of unit files in a folder."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze here")
    runtime = folder / "runtime"
    runtime.mkdir(mode=0o700, exist_ok=True)
    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", *(os.fspath(folder / unit) for unit in units)],
        env={"PATH": os.environ["PATH"], "HOME": os.fspath(folder), "XDG_RUNTIME_DIR": os.fspath(runtime)},
        capture_output=True,
        text=True,
        check=False,
    )
    return f"{done.stdout}{done.stderr}{done.returncode or ''}"


# What is written


@pytest.mark.parametrize("name", SAMPLES)
def test_the_files_in_the_folder_systemd_are_what_the_program_writes(name: str, pytestconfig: pytest.Config) -> None:
    if pytestconfig.getoption("--update-cases"):
        (SYSTEMD / name).write_text(SAMPLES[name], "utf-8")

    assert (SYSTEMD / name).read_text("utf-8") == SAMPLES[name], "--update-cases writes it anew"


@pytest.mark.parametrize(
    ("arguments", "name", "sample"),
    [
        (["--manager", "systemd"], UNIT, LINUX),
        (["--manager", "systemd", "--template"], "hypo-compactd@.service", LINUX),
        (["--manager", "launchd"], f"{LABEL}.plist", MACOS),
        (["--manager", "systemd", "--strict"], "strict.conf", LINUX),
    ],
)
def test_show_prints_the_same_for_this_python(
    arguments: list[str], name: str, sample: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in (*CARRIED, *LOCALE):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", "/home/you" if name == "strict.conf" else "/Users/you")
    monkeypatch.setattr(sys, "executable", sample)

    assert main(["service", "show", *arguments]) == ExitCode.OK
    assert capsys.readouterr().out == (SYSTEMD / name).read_text("utf-8")


@pytest.mark.parametrize(("platform", "start"), [("linux", "# Made by"), ("darwin", "<?xml")])
def test_without_a_choice_the_manager_is_the_system_s(
    platform: str, start: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)

    assert main(["service", "show"]) == ExitCode.OK
    assert capsys.readouterr().out.startswith(start)


def test_the_readme_names_every_file_and_every_command_that_it_needs() -> None:
    text = (SYSTEMD / "README.md").read_text("utf-8")
    files = {path.name for path in SYSTEMD.iterdir()} - {"README.md"}

    assert files == {*SAMPLES}
    assert all(f"`{name}`" in text for name in files)
    assert all(f"`{name}`" in text for name in (*CARRIED, *LOCALE))
    assert f"after {service.WATCHDOG_S} s without a sign of life" in text
    assert f"at most every {service.THROTTLE_S} s" in text


@pytest.mark.parametrize("interpreter", NASTY)
def test_whatever_the_path_exactly_that_program_is_run(interpreter: str) -> None:
    words = exec_words(interpreter)
    if words[0] == "/bin/sh":
        assert words[:3] == ["/bin/sh", "-c", 'exec "$0" "$@"']
        words = words[3:]

    assert words == [interpreter, *ARGUMENTS]


@pytest.mark.parametrize("interpreter", NASTY)
def test_systemd_takes_every_path_without_a_word(interpreter: str, tmp_path: Path) -> None:
    real = tmp_path / "root" / interpreter.lstrip("/")
    real.parent.mkdir(parents=True)
    real.symlink_to(sys.executable)
    (tmp_path / UNIT).write_text(systemd_unit(os.fspath(real)), "utf-8")

    assert verified(tmp_path, UNIT) == ""


@pytest.mark.parametrize("interpreter", NASTY)
def test_the_way_round_what_systemd_does_not_take_starts_that_program(interpreter: str, tmp_path: Path) -> None:
    real = tmp_path / "root" / interpreter.lstrip("/")
    real.parent.mkdir(parents=True)
    real.write_text('#!/bin/sh\nprintf "%s\\n" $$ "$0" "$@"\n', "utf-8")
    real.chmod(0o700)
    with subprocess.Popen(exec_words(os.fspath(real)), stdout=subprocess.PIPE, text=True) as process:
        printed = process.communicate()[0].splitlines()

    assert printed == [str(process.pid), os.fspath(real), *ARGUMENTS], "and as the very process that systemd knows"


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn")), min_size=1))
def test_every_path_that_can_be_told_is_one_word(text: str) -> None:
    assert exec_words(f"/{text}")[-6:] == [f"/{text}", *ARGUMENTS]
    assert plistlib.loads(launchd_agent(f"/{text}", "/").encode())["ProgramArguments"][0] == f"/{text}"


@pytest.mark.parametrize("interpreter", UNUSABLE)
def test_a_path_that_cannot_be_told_is_refused(interpreter: str) -> None:
    for render in (systemd_unit, lambda path: launchd_agent(path, "/Users/you")):
        with pytest.raises(ServiceError) as refused:
            render(interpreter)
        assert str(refused.value).isprintable()


def test_a_home_that_cannot_be_told_is_refused() -> None:
    with pytest.raises(ServiceError, match="HOME"):
        launchd_agent(MACOS, "/Users/y\nou")


def test_in_a_virtual_environment_its_own_python_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    main(["service", "show", "--manager", "systemd"])
    words = split(directive(capsys.readouterr().out, "ExecStart")[0])

    assert words[0] == f":{sys.executable}"


def test_systemd_takes_the_units_without_a_word(tmp_path: Path) -> None:
    (tmp_path / UNIT).write_text(systemd_unit(sys.executable), "utf-8")
    (tmp_path / "hypo-compactd@.service").write_text(systemd_unit(sys.executable, template=True), "utf-8")

    assert verified(tmp_path, UNIT, "hypo-compactd@home-you-projects-tide.service") == ""


def test_systemd_takes_the_strict_drop_in_without_a_word(tmp_path: Path) -> None:
    (tmp_path / UNIT).write_text(systemd_unit(sys.executable), "utf-8")
    (tmp_path / f"{UNIT}.d").mkdir()
    text = strict_drop_in('/srv/of "mine" 100%/%h \'s')
    (tmp_path / f"{UNIT}.d" / "strict.conf").write_text(text, "utf-8")

    assert verified(tmp_path, UNIT) == ""
    assert ['-/srv/of "mine" 100%/%h \'s'] in [split(one) for one in directive(text, "ReadWritePaths") if "srv" in one]


def test_a_state_folder_that_a_unit_cannot_name_is_refused() -> None:
    with pytest.raises(ServiceError, match="HYPO_COMPACTD_STATE_DIR"):
        strict_drop_in("/srv/a\nReadWritePaths=/")


@pytest.mark.parametrize("variable", ["HYPO_COMPACTD_STATE_DIR", "HYPO_COMPACTD_CONFIG_DIR"])
@pytest.mark.parametrize("action", ["show", "install"])
def test_a_variable_that_the_daemon_cannot_be_told_is_refused(
    action: str, variable: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(variable, "relative")

    assert main(["service", action, "--manager", "systemd"]) == ExitCode.BAD_INPUT
    assert f"{variable}：relative" in capsys.readouterr().err
    assert not (tmp_path / "home").exists()


def test_a_directive_that_systemd_does_not_know_would_be_seen(tmp_path: Path) -> None:
    text = systemd_unit(sys.executable).replace("LockPersonality=", "LockPersonalty=")
    (tmp_path / UNIT).write_text(text, "utf-8")

    assert "LockPersonalty" in verified(tmp_path, UNIT)


@pytest.mark.parametrize("name", [UNIT, "hypo-compactd@.service"])
def test_the_units_have_nothing_that_a_user_unit_ignores_or_fails_by(name: str) -> None:
    harmful = (
        "Protect|Private|ReadWritePaths|ReadOnlyPaths|InaccessiblePaths|CapabilityBoundingSet|AmbientCapabilities"
        "|User=|Group=|DynamicUser|LogNamespace|RemoveIPC|StateDirectory|RestartSteps|RestartMaxDelaySec|UMask"
    )

    assert not re.search(rf"^(?:{harmful})", SAMPLES[name], re.MULTILINE)


def test_the_two_units_differ_only_in_what_they_keep() -> None:
    one, all_of_them = (
        [line for line in SAMPLES[name].splitlines() if not line.startswith(("#", "Description=", "ExecStart="))]
        for name in ("hypo-compactd@.service", UNIT)
    )

    assert one == all_of_them
    assert directive(SAMPLES["hypo-compactd@.service"], "ExecStart")[0].endswith(" run %f")


def test_a_new_start_follows_no_exit_code_that_it_does_not_mend() -> None:
    (codes,) = directive(SAMPLES[UNIT], "RestartPreventExitStatus")

    assert codes.split() == [str(code) for code in exit_codes() if code > 63]
    assert {ExitCode.USAGE, ExitCode.BAD_INPUT, ExitCode.BUSY, ExitCode.BAD_CONFIGURATION} == set(
        map(int, codes.split())
    )


def test_the_watchdog_waits_for_longer_than_a_healthy_daemon_may_be_silent() -> None:
    assert directive(SAMPLES[UNIT], "WatchdogSec") == [str(service.WATCHDOG_S)]
    assert service.WATCHDOG_S > PERIOD_S + LATE_LIMIT * 2.0 + 10
    assert service.WATCHDOG_S / FEEDINGS >= PERIOD_S, "else the daemon would have to send more canaries"


def test_the_agent_is_what_launchd_expects() -> None:
    agent = plistlib.loads(SAMPLES[f"{LABEL}.plist"].encode())

    assert agent["Label"] == LABEL
    assert agent["ProgramArguments"] == [
        MACOS,
        *ARGUMENTS,
        "--log-file",
        "/Users/you/Library/Logs/hypo-compactd.log",
    ]
    assert agent["KeepAlive"] == {"SuccessfulExit": False}
    assert agent["RunAtLoad"] is True
    assert agent["ThrottleInterval"] >= 10, "launchd takes no less"
    assert agent["ExitTimeOut"] == service.STOP_S
    assert agent["ProcessType"] == "Standard"
    assert agent["StandardErrorPath"].startswith("/Users/you/Library/Logs/")
    assert not {"WatchPaths", "Umask", "UserName", "QueueDirectories"} & set(agent)
    paths = [agent[key] for key in ("StandardOutPath", "StandardErrorPath")]
    assert all(path.startswith("/") for path in paths), "launchd knows no ~"


def test_where_our_files_are_is_told_to_the_daemon() -> None:
    environment = carried(
        {
            "HYPO_COMPACTD_STATE_DIR": '/srv/50% "state"',
            "XDG_STATE_HOME": "",
            "XDG_CONFIG_HOME": "relative",
            "HOME": "/home/you",
            "LANG": "zh_CN.UTF-8",
            "LC_ALL": "",
            "LC_MESSAGES": "a\nb",
        }
    )
    unit = systemd_unit(LINUX, environment)
    agent = plistlib.loads(launchd_agent(MACOS, "/Users/you", environment).encode())

    assert environment == {"HYPO_COMPACTD_STATE_DIR": '/srv/50% "state"', "LANG": "zh_CN.UTF-8"}
    assert "Environment=LANG=zh_CN.UTF-8\n" in unit
    assert ['HYPO_COMPACTD_STATE_DIR=/srv/50% "state"'] in [split(one) for one in directive(unit, "Environment")]
    assert agent["EnvironmentVariables"]["HYPO_COMPACTD_STATE_DIR"] == '/srv/50% "state"'
    with pytest.raises(ServiceError, match="XDG_STATE_HOME"):
        systemd_unit(LINUX, {"XDG_STATE_HOME": "/a\nExecStartPre=/bin/evil"})


# systemd


class FakeSystemctl:
    """A user manager: what it has loaded, whether the unit is enabled, what it does; and every command but `show`."""

    def __init__(self, home: Path) -> None:
        self.file = home / ".config" / "systemd" / "user" / UNIT
        self.link = self.file.parent / "default.target.wants" / UNIT
        self.loaded: str | None = None
        self.active = "inactive"
        self.started_with: str | None = None
        self.told: list[str] = []
        self.fails: dict[str, Answer] = {}

    def __call__(self, words: Sequence[str]) -> Answer:
        program, scope, verb, *rest = words
        assert (program, scope) == ("systemctl", "--user")
        if verb in self.fails:
            return self.fails[verb]
        if verb == "show":
            return Answer(0, self.properties)
        self.told.append(" ".join((verb, *rest)))
        if verb == "daemon-reload":
            self.loaded = self.text
        elif verb == "reset-failed":
            assert rest == [UNIT]
            if self.active != "failed":
                return Answer(1, "", f"Failed to reset failed state of unit {UNIT}: Unit {UNIT} not loaded.")
            self.active = "inactive"
        else:
            assert rest[-1] == UNIT
            self.change(verb, "--now" in rest)
        return Answer(0)

    def change(self, verb: str, now: bool) -> None:  # noqa: FBT001 - as it is said to systemctl
        if verb == "enable":
            self.link.parent.mkdir(exist_ok=True)
            self.link.unlink(missing_ok=True)
            self.link.symlink_to(self.file)
        elif verb == "disable":
            self.link.unlink(missing_ok=True)
            if self.file.is_symlink():
                self.file.unlink()
        if verb == "restart" or (verb == "enable" and now and self.active != "active"):
            assert self.active != "failed", "the limit on starts would still hold"
            self.active, self.started_with = "active", self.loaded
        elif verb == "stop" or (verb == "disable" and now):
            self.active = "failed" if self.active == "failed" else "inactive"

    @property
    def text(self) -> str | None:
        return self.file.read_text("utf-8", "replace") if self.file.is_file() else None

    @property
    def properties(self) -> str:
        enabled = "" if self.text is None else "enabled" if self.link.is_symlink() else "disabled"
        outdated = "yes" if self.loaded not in (None, self.text) else "no"
        return f"ActiveState={self.active}\nUnitFileState={enabled}\nNeedDaemonReload={outdated}\n"


@pytest.fixture(name="systemctl")
def _systemctl(tmp_path: Path) -> FakeSystemctl:
    return FakeSystemctl(tmp_path / "home")


@pytest.fixture(name="systemd")
def _systemd(tmp_path: Path, systemctl: FakeSystemctl) -> Systemd:
    return Systemd(tmp_path / "home", {}, systemctl)


TEXT = systemd_unit(LINUX)
NEWER = TEXT.replace("RestartSec=2", "RestartSec=3")


def files_in(folder: Path) -> list[str]:
    return sorted(os.fspath(one.relative_to(folder)) for one in folder.rglob("*") if not one.is_dir())


def test_install_writes_enables_and_starts(systemd: Systemd, systemctl: FakeSystemctl) -> None:
    assert systemd.install(TEXT, start=True, force=False) is Done.STARTED
    assert systemctl.told == ["daemon-reload", f"enable --now {UNIT}"]
    assert systemctl.text == systemctl.started_with == TEXT
    assert systemctl.file.stat().st_mode & 0o777 == 0o644


def test_a_second_install_changes_nothing(systemd: Systemd, systemctl: FakeSystemctl) -> None:
    systemd.install(TEXT, start=True, force=False)
    systemctl.told.clear()
    before = systemctl.file.stat()

    assert systemd.install(TEXT, start=True, force=False) is Done.CURRENT
    assert systemctl.told == []
    assert systemctl.file.stat() == before


def test_without_a_start_it_is_only_enabled(systemd: Systemd, systemctl: FakeSystemctl) -> None:
    assert systemd.install(TEXT, start=False, force=False) is Done.WRITTEN
    assert systemctl.active == "inactive"
    assert systemctl.link.is_symlink()
    assert systemd.install(TEXT, start=False, force=False) is Done.CURRENT
    assert systemd.install(TEXT, start=True, force=False) is Done.STARTED


def test_a_unit_that_changed_is_loaded_and_started_anew(systemd: Systemd, systemctl: FakeSystemctl) -> None:
    systemd.install(TEXT, start=True, force=False)
    systemctl.told.clear()

    assert systemd.install(NEWER, start=True, force=False) is Done.STARTED
    assert systemctl.told == ["daemon-reload", f"restart {UNIT}"]
    assert systemctl.started_with == NEWER


@pytest.mark.parametrize("broken_off", ["daemon-reload", "enable"])
def test_an_install_that_was_broken_off_is_finished_by_the_next(
    broken_off: str, systemd: Systemd, systemctl: FakeSystemctl
) -> None:
    systemctl.fails[broken_off] = Answer(1, "", "Connection reset by peer")
    with pytest.raises(ServiceError, match="Connection reset by peer"):
        systemd.install(TEXT, start=True, force=False)
    systemctl.fails.clear()
    systemd.install(TEXT, start=True, force=False)

    assert systemctl.active == "active"
    assert systemctl.link.is_symlink()


def test_a_newer_unit_that_was_not_loaded_is_loaded_by_the_next_install(
    systemd: Systemd, systemctl: FakeSystemctl
) -> None:
    systemd.install(TEXT, start=True, force=False)
    systemctl.fails["daemon-reload"] = Answer(1, "", "Connection reset by peer")
    with pytest.raises(ServiceError):
        systemd.install(NEWER, start=True, force=False)
    systemctl.fails.clear()
    systemd.install(NEWER, start=True, force=False)

    assert systemctl.started_with == NEWER


def test_one_that_failed_too_often_is_started_again(systemd: Systemd, systemctl: FakeSystemctl) -> None:
    systemd.install(TEXT, start=True, force=False)
    systemctl.active = "failed"

    assert systemd.install(TEXT, start=True, force=False) is Done.STARTED
    assert systemctl.active == "active"


def test_uninstall_leaves_nothing(systemd: Systemd, systemctl: FakeSystemctl, tmp_path: Path) -> None:
    systemd.install(TEXT, start=True, force=False)

    assert systemd.uninstall() is Done.REMOVED
    assert files_in(tmp_path / "home") == []
    assert systemctl.active == "inactive"
    assert systemctl.loaded is None
    assert systemd.uninstall() is Done.ABSENT


def test_uninstall_clears_a_failed_state(systemd: Systemd, systemctl: FakeSystemctl) -> None:
    systemd.install(TEXT, start=True, force=False)
    systemctl.active = "failed"

    systemd.uninstall()

    assert systemctl.active == "inactive"


def test_uninstall_clears_what_is_left_of_a_unit_that_somebody_removed(
    systemd: Systemd, systemctl: FakeSystemctl, tmp_path: Path
) -> None:
    systemd.install(TEXT, start=True, force=False)
    systemctl.file.unlink()

    assert systemd.uninstall() is Done.REMOVED
    assert files_in(tmp_path / "home") == []
    assert systemctl.active == "inactive"


def test_uninstall_where_nothing_is_changes_nothing(systemd: Systemd, systemctl: FakeSystemctl) -> None:
    assert systemd.uninstall() is Done.ABSENT
    assert systemctl.told == []


def put_link(path: Path) -> None:
    path.symlink_to(os.devnull)


def put_own_unit(path: Path) -> None:
    path.write_text("[Service]\nExecStart=/bin/true\n", "utf-8")


def put_bytes(path: Path) -> None:
    path.write_bytes(b"\xff\xfe" * 100_000)


@pytest.mark.parametrize("put", [put_own_unit, put_link, put_bytes, os.mkfifo])
def test_a_file_that_is_not_ours_is_written_over_only_by_force(
    put: Callable[[Path], None], systemd: Systemd, systemctl: FakeSystemctl
) -> None:
    systemd.file.parent.mkdir(parents=True)
    put(systemd.file)
    before = systemd.file.lstat()
    with pytest.raises(RefusedError, match="--force"):
        systemd.install(TEXT, start=True, force=False)
    with pytest.raises(RefusedError):
        systemd.uninstall()
    assert systemd.file.lstat() == before
    assert systemctl.told == []

    assert systemd.install(TEXT, start=True, force=True) is Done.STARTED
    assert systemctl.text == TEXT
    assert not systemd.file.is_symlink()


def test_what_is_not_ours_is_left_to_its_user_by_uninstall(systemd: Systemd) -> None:
    systemd.file.parent.mkdir(parents=True)
    put_own_unit(systemd.file)
    with pytest.raises(RefusedError, match="remove it yourself") as refused:
        systemd.uninstall()

    assert "--force" not in str(refused.value)


@pytest.mark.parametrize("force", [False, True])
def test_a_folder_in_its_place_is_named_and_never_written_over(
    systemd: Systemd, systemctl: FakeSystemctl, *, force: bool
) -> None:
    systemd.file.mkdir(parents=True)
    with pytest.raises(RefusedError) as refused:
        systemd.install(TEXT, start=True, force=force)

    assert str(refused.value) == f"{systemd.file}: is a folder; move it away, and install again"
    assert systemctl.told == []


@pytest.mark.parametrize("there", [True, False])
def test_a_unit_in_a_folder_of_dotfiles_is_written_there(
    systemd: Systemd, systemctl: FakeSystemctl, tmp_path: Path, *, there: bool
) -> None:
    real = tmp_path / "dotfiles" / UNIT
    real.parent.mkdir()
    systemd.file.parent.mkdir(parents=True)
    systemd.file.symlink_to("../../../../dotfiles/" + UNIT)
    if there:
        real.write_text(NEWER, "utf-8")

    assert systemd.install(TEXT, start=True, force=False) is Done.STARTED
    assert systemd.file.is_symlink()
    assert real.read_text("utf-8") == systemctl.started_with == TEXT
    assert systemd.install(TEXT, start=True, force=False) is Done.CURRENT
    assert systemd.uninstall() is Done.REMOVED
    assert files_in(tmp_path) == []


@pytest.mark.parametrize("force", [False, True])
def test_what_a_link_leads_to_is_not_written_where_it_is_not_ours(
    systemd: Systemd, tmp_path: Path, *, force: bool
) -> None:
    real = tmp_path / "precious"
    put_own_unit(real)
    before = real.read_bytes()
    systemd.file.parent.mkdir(parents=True)
    systemd.file.symlink_to(real)
    if force:
        systemd.install(TEXT, start=True, force=True)
    else:
        with pytest.raises(RefusedError, match="symbolic link"):
            systemd.install(TEXT, start=True, force=False)
        with pytest.raises(RefusedError, match="symbolic link"):
            systemd.uninstall()

    assert real.read_bytes() == before
    assert systemd.file.is_symlink() is not force


def test_a_link_that_leads_nowhere_is_not_ours_to_remove(systemd: Systemd) -> None:
    systemd.file.parent.mkdir(parents=True)
    systemd.file.symlink_to("nowhere")

    assert systemd.uninstall() is Done.ABSENT
    assert systemd.file.is_symlink()


@pytest.mark.parametrize("target", ["loop.service", UNIT])
def test_a_link_in_a_circle_is_refused(target: str, systemd: Systemd) -> None:
    systemd.file.parent.mkdir(parents=True)
    systemd.file.symlink_to(target)
    systemd.file.with_name("loop.service").symlink_to(UNIT)
    with pytest.raises(RefusedError):
        systemd.install(TEXT, start=True, force=False)


def test_where_the_disk_is_full_the_file_is_named_and_the_old_one_stays(
    systemd: Systemd, systemctl: FakeSystemctl
) -> None:
    """As large as files may be here: the system refuses as it does on a full disk, after some of it was written."""
    systemd.install(NEWER, start=True, force=False)
    systemctl.told.clear()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(ServiceError) as refused:
            systemd.install(TEXT, start=True, force=False)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert str(refused.value) == (
        f"{systemd.file} cannot be written: file too large; "
        "make room on its disk, or its folder writable, and try again"
    )
    assert systemctl.told == []
    assert systemctl.text == NEWER
    assert files_in(systemd.file.parent) == ["default.target.wants/" + UNIT, UNIT]


def test_it_is_on_the_disk_before_systemd_is_told_of_it(systemd: Systemd, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[tuple[bool, bool]] = []

    def fsync(descriptor: int) -> None:
        flushed.append((stat.S_ISREG(os.fstat(descriptor).st_mode), systemd.file.exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    systemd.install(TEXT, start=True, force=False)

    assert flushed == [(True, False), (False, True)], "the text before it has its name, then the folder"


@pytest.mark.parametrize("action", ["install", "install again", "uninstall", "uninstall what is not there"])
def test_what_a_kill_has_left_beside_the_unit_is_swept(action: str, systemd: Systemd, tmp_path: Path) -> None:
    if action in {"install again", "uninstall"}:
        systemd.install(TEXT, start=True, force=False)
    left = systemd.file.with_name(f"{UNIT}.tmp")
    left.parent.mkdir(parents=True, exist_ok=True)
    left.write_text("half of it", "utf-8")
    if action.startswith("uninstall"):
        systemd.uninstall()
        assert files_in(tmp_path / "home") == []
    else:
        systemd.install(TEXT, start=True, force=False)
        assert not left.exists()


@pytest.mark.parametrize(
    ("given_place", "place"),
    [
        ("/srv/configuration", "/srv/configuration"),
        ("relative", "/home/you/.config"),
        ("", "/home/you/.config"),
    ],
)
def test_the_unit_stands_in_the_configuration_folder(given_place: str, place: str) -> None:
    one = Systemd(Path("/home/you"), {"XDG_CONFIG_HOME": given_place})

    assert one.file == Path(place) / "systemd" / "user" / UNIT


@pytest.mark.parametrize(
    "complaint",
    [
        "Failed to connect to bus: No medium found\n",
        "Failed to connect to bus: $DBUS_SESSION_BUS_ADDRESS and $XDG_RUNTIME_DIR not defined\n",
        "Failed to connect to user scope bus via local transport: No such file or directory\n",
        "System has not been booted with systemd as init system (PID 1). Can't operate.\n",
    ],
)
def test_without_a_user_manager_it_is_said_what_to_do_and_nothing_is_written(
    complaint: str, systemd: Systemd, systemctl: FakeSystemctl, tmp_path: Path
) -> None:
    systemctl.fails["show"] = Answer(1, "", complaint)
    with pytest.raises(ServiceError, match="enable-linger") as refused:
        systemd.install(TEXT, start=True, force=False)

    assert complaint.strip() in str(refused.value)
    assert not (tmp_path / "home").exists()


def test_what_systemctl_complains_of_is_shown_on_one_line(systemd: Systemd, systemctl: FakeSystemctl) -> None:
    systemctl.fails["enable"] = Answer(1, "", "Job failed.\n\nSee \x1b[1mstatus\x1b[0m.\n")
    with pytest.raises(ServiceError) as refused:
        systemd.install(TEXT, start=True, force=False)

    assert str(refused.value) == (
        f"systemctl --user enable --now {UNIT} failed (exit code 1): Job failed.; See \\x1b[1mstatus\\x1b[0m."
    )


@pytest.mark.parametrize(
    ("answer", "folder"),
    [
        (Answer(0, "UnitPath=/home/you/cfg/systemd/user /etc/systemd/user\n"), "cfg"),
        (Answer(0, "UnitPath=/home/you/.config/systemd/user /etc/systemd/user\n"), ".config"),
        (Answer(1, "", "Failed to connect to bus"), "cfg"),
    ],
)
def test_a_variable_that_the_manager_does_not_know_of_puts_the_unit_nowhere_else(answer: Answer, folder: str) -> None:
    one = Systemd(Path("/home/you"), {"XDG_CONFIG_HOME": "/home/you/cfg"}, lambda _words: answer)

    assert one.file == Path("/home/you", folder, "systemd/user", UNIT)


def test_a_unit_that_the_manager_does_not_find_is_removed_all_the_same(tmp_path: Path) -> None:
    manager = FakeSystemctl(tmp_path)
    one = Systemd(tmp_path, {}, manager)
    one.install(systemd_unit(LINUX), start=True, force=False)
    manager.fails["disable"] = Answer(1, "", f"Failed to disable unit: Unit file {UNIT} does not exist.")

    assert one.uninstall() is Done.REMOVED
    assert not manager.file.exists()
    assert not manager.link.is_symlink()


def test_what_systemd_says_of_a_unit_is_understood() -> None:
    assert parse_unit("ActiveState=failed\nUnitFileState=enabled\nNeedDaemonReload=yes\n") == Unit(
        "failed", "enabled", outdated=True
    )
    assert parse_unit("ActiveState=inactive\nUnitFileState=\nNeedDaemonReload=no\n") == Unit()
    assert parse_unit("") == Unit()


@pytest.mark.parametrize("active", ["active", "reloading", "activating", "deactivating", "inactive", "failed"])
@pytest.mark.parametrize("enabled", ["enabled", "disabled", ""])
@pytest.mark.parametrize("changed", [True, False])
def test_whatever_the_state_a_started_unit_runs_as_it_is_written(active: str, enabled: str, *, changed: bool) -> None:
    unit = Unit(active, enabled)
    steps = install_steps(unit, changed=changed, start=True)
    verbs = [step[0] for step in steps]

    assert (verbs[:1] == ["daemon-reload"]) == changed, "before all else"
    restarted = unit.begun and changed
    assert ("enable" in verbs) == (enabled != "enabled" or not (unit.up or restarted))
    assert ("restart" in verbs) == restarted
    # A unit that fails again and again is between two starts most of the time: that is not «current».
    assert steps or (active in {"active", "reloading"} and enabled == "enabled" and not changed)
    assert ("reset-failed" in verbs) == (active == "failed")


# launchd


class FakeLaunchctl:
    """launchd as far as one agent goes: what it was loaded from, and how often it still answers after a bootout."""

    def __init__(self, file: Path, uid: int) -> None:
        self.domain = f"gui/{uid}"
        self.file = file
        self.loaded: str | None = None
        self.lingers = 0
        self.disabled = False
        self.told: list[str] = []
        self.fails: dict[str, Answer] = {}

    def __call__(self, words: Sequence[str]) -> Answer:
        program, verb, where, *rest = words
        assert program == "launchctl"
        assert where == (self.domain if verb == "bootstrap" else f"{self.domain}/{LABEL}")
        if verb == "enable":
            self.disabled = False
            return self.fails.get(verb, Answer(0))
        if verb == "print":
            self.lingers -= 1
            return Answer(0 if self.loaded is not None or self.lingers >= 0 else 113)
        self.told.append(verb)
        if verb in self.fails:
            return self.fails[verb]
        if verb == "bootstrap":
            assert rest == [os.fspath(self.file)]
            if self.disabled:
                return Answer(5, "", "Bootstrap failed: 5: Input/output error")
            assert self.loaded is None
            assert self.lingers < 0, "it would fail: the old one has not ended"
            self.loaded = self.file.read_text("utf-8")
        elif verb == "bootout":
            assert self.loaded is not None
            self.loaded, self.lingers = None, 3
            return Answer(36, "", "Boot-out failed: 36: Operation now in progress")
        elif verb == "kickstart":
            assert self.loaded is not None
            return Answer(37, "", "already in progress")
        return Answer(0)


@pytest.fixture(name="launchctl")
def _launchctl(tmp_path: Path) -> FakeLaunchctl:
    return FakeLaunchctl(tmp_path / "home" / "Library" / "LaunchAgents" / f"{LABEL}.plist", 501)


@pytest.fixture(name="launchd")
def _launchd(tmp_path: Path, launchctl: FakeLaunchctl) -> Launchd:
    return Launchd(tmp_path / "home", 501, launchctl, lambda _seconds: None)


AGENT = launchd_agent(MACOS, "/Users/you")
NEWER_AGENT = launchd_agent(MACOS, "/Users/you", {"XDG_STATE_HOME": "/srv"})


def test_an_agent_is_written_loaded_and_started(launchd: Launchd, launchctl: FakeLaunchctl) -> None:
    before = os.umask(0o002)
    try:
        assert launchd.install(AGENT, start=True, force=False) is Done.STARTED
    finally:
        os.umask(before)

    assert launchctl.told == ["bootstrap", "kickstart"]
    assert launchctl.loaded == AGENT
    assert launchd.file.stat().st_mode & 0o777 == 0o644, "launchd takes none that others may write"


def test_a_second_install_of_an_agent_changes_nothing(launchd: Launchd, launchctl: FakeLaunchctl) -> None:
    launchd.install(AGENT, start=True, force=False)
    launchctl.told.clear()
    before = launchd.file.stat()

    assert launchd.install(AGENT, start=True, force=False) is Done.CURRENT
    assert launchctl.told == ["kickstart"], "which starts one that was stopped, and leaves one that runs"
    assert launchd.file.stat() == before


def test_an_agent_that_changed_is_loaded_anew_once_the_old_one_has_ended(
    launchd: Launchd, launchctl: FakeLaunchctl
) -> None:
    launchd.install(AGENT, start=True, force=False)
    launchctl.told.clear()

    assert launchd.install(NEWER_AGENT, start=True, force=False) is Done.STARTED
    assert launchctl.told == ["bootout", "bootstrap", "kickstart"]
    assert launchctl.loaded == NEWER_AGENT


def test_an_agent_that_does_not_end_is_no_success(launchd: Launchd, launchctl: FakeLaunchctl) -> None:
    launchd.install(AGENT, start=True, force=False)
    launchctl.fails["bootout"] = Answer(0)
    with pytest.raises(ServiceError, match="has not ended"):
        launchd.install(NEWER_AGENT, start=True, force=False)


def test_without_a_start_an_agent_is_only_written(launchd: Launchd, launchctl: FakeLaunchctl) -> None:
    assert launchd.install(AGENT, start=False, force=False) is Done.WRITTEN
    assert launchctl.told == []
    assert launchd.install(AGENT, start=False, force=False) is Done.CURRENT
    assert launchd.install(AGENT, start=True, force=False) is Done.STARTED
    assert launchctl.loaded == AGENT


@pytest.mark.parametrize("start", [True, False])
def test_an_agent_that_its_user_has_disabled_is_enabled(
    launchd: Launchd, launchctl: FakeLaunchctl, *, start: bool
) -> None:
    launchctl.disabled = True
    launchd.install(AGENT, start=start, force=False)

    assert not launchctl.disabled
    assert (launchctl.loaded is not None) is start


def test_uninstall_of_an_agent_leaves_nothing(launchd: Launchd, launchctl: FakeLaunchctl, tmp_path: Path) -> None:
    launchd.install(AGENT, start=True, force=False)
    launchd.file.with_name(f"{LABEL}.plist.tmp").touch()

    assert launchd.uninstall() is Done.REMOVED
    assert files_in(tmp_path / "home") == []
    assert launchctl.loaded is None
    assert launchd.uninstall() is Done.ABSENT


def test_an_agent_that_is_not_ours_is_left_alone(launchd: Launchd, launchctl: FakeLaunchctl) -> None:
    launchd.file.parent.mkdir(parents=True)
    launchd.file.write_text(AGENT.replace(MARKER, "Made by hand"), "utf-8")
    with pytest.raises(RefusedError):
        launchd.install(AGENT, start=True, force=False)
    with pytest.raises(RefusedError):
        launchd.uninstall()

    assert launchctl.told == []


def test_what_launchctl_complains_of_is_shown(launchd: Launchd, launchctl: FakeLaunchctl) -> None:
    launchctl.fails["bootstrap"] = Answer(125, "", "Bootstrap failed: 125: Domain does not support specified action\n")
    with pytest.raises(ServiceError, match="Domain does not support specified action"):
        launchd.install(AGENT, start=True, force=False)


# The command


@pytest.fixture(name="program")
def _program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `systemctl` that notes what it is told and knows nothing of any unit."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "systemctl"
    program.write_text(f'#!/bin/sh\necho "$@" >>"{tmp_path}/told"\n', "utf-8")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", os.fspath(folder))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return program


def test_the_command_installs_and_uninstalls(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unit = tmp_path / "home" / ".config" / "systemd" / "user" / UNIT

    assert main(["service", "install", "--manager", "systemd"]) == ExitCode.OK
    assert f"{unit} 已安装" in capsys.readouterr().out
    assert unit.exists()
    assert main(["service", "uninstall", "--manager", "systemd"]) == ExitCode.OK
    assert f"{unit} 已卸载" in capsys.readouterr().out
    assert files_in(tmp_path / "home") == []
    assert (tmp_path / "told").read_text("utf-8").splitlines()[1:3] == [
        "--user daemon-reload",
        f"--user enable --now {UNIT}",
    ]


@pytest.mark.parametrize(
    ("text", "said"), [("output: {language: en}\n", "is installed; the daemon starts with"), ("output: [\n", "已安装")]
)
def test_the_command_speaks_the_language_of_the_global_configuration(
    text: str, said: str, program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "home" / ".hypo-workflow").mkdir(parents=True)
    (tmp_path / "home" / ".hypo-workflow" / "config.yaml").write_text(text, "utf-8")

    assert main(["service", "install", "--manager", "systemd", "--no-start"]) == ExitCode.OK
    assert said in capsys.readouterr().out


@pytest.mark.usefixtures("english_user")
@pytest.mark.parametrize("manager", ["systemd", "launchd"])
def test_without_the_manager_s_program_nothing_is_written(
    manager: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)

    assert main(["service", "install", "--manager", manager]) == ExitCode.UNEXPECTED
    assert "ctl: no such program" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "home").iterdir()] == [".hypo-workflow"]


def test_a_program_that_cannot_be_started_is_an_error(program: Path) -> None:
    program.chmod(0o600)
    program.write_text("", "utf-8")
    with pytest.raises(ServiceError, match="cannot be started"):
        run_command([os.fspath(program)])


def test_a_manager_that_does_not_answer_is_waited_for_no_longer(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hypo_compactd.service_manager.ANSWER_S", 0.2)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.defpath}")
    program.write_text("#!/bin/sh\nexec sleep 600\n", "utf-8")
    with pytest.raises(ServiceError, match=r"systemctl --user show \\x1b has not ended within 0.2 s"):
        run_command(["systemctl", "--user", "show", "\x1b"])


@pytest.mark.parametrize(
    ("words", "limit_s"),
    [
        ("systemctl --user show --property=UnitPath", ANSWER_S),
        ("systemctl --user daemon-reload", ANSWER_S),
        (f"systemctl --user enable {UNIT}", ANSWER_S),
        (f"systemctl --user enable --now {UNIT}", READY_S),
        (f"systemctl --user restart {UNIT}", READY_S),
        (f"systemctl --user disable --now {UNIT}", READY_S),
        ("launchctl bootstrap gui/501 /a.plist", ANSWER_S),
    ],
)
def test_only_what_waits_for_the_daemon_may_take_long(words: str, limit_s: int) -> None:
    assert time_limit_s(words.split()) == limit_s


@pytest.mark.usefixtures("program")
def test_uninstall_removes_the_canary_that_a_killed_daemon_has_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = tmp_path / "runtime"
    runtime.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", os.fspath(runtime))
    alive = CanaryFile()
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    dead = Path(alive.folder.replace(f"-{os.getpid()}-", f"-{ended.pid}-"))
    dead.mkdir()
    (dead / "canary").touch()

    assert main(["service", "uninstall", "--manager", "systemd"]) == ExitCode.OK
    assert [one.name for one in runtime.iterdir()] == [Path(alive.folder).name], "that of a daemon that runs stays"


def test_a_program_s_answer_may_be_any_bytes(program: Path) -> None:
    program.write_text("#!/bin/sh\nprintf '\\377' >&2\nexit 3\n", "utf-8")

    assert run_command(["systemctl"]) == Answer(3, "", "\ufffd")


@pytest.mark.parametrize(
    "arguments",
    [
        ["install", "--template"],
        ["uninstall", "--force"],
        ["uninstall", "--no-start"],
        ["show", "--no-start"],
        ["show", "--template", "--manager", "launchd"],
        ["show", "--strict", "--manager", "launchd"],
        ["install", "--strict"],
    ],
)
def test_an_option_that_belongs_elsewhere_is_wrong_usage(arguments: list[str]) -> None:
    assert main(["service", *arguments]) == ExitCode.USAGE
