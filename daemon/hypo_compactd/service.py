"""How a service manager keeps the daemon: the systemd user units and the launchd agent, as text; pure.

`systemd/` holds what this gives for a sample interpreter. Which directives work in a user unit, and
which are silently ignored or keep it from starting, was measured on systemd 252.
"""

from __future__ import annotations

import plistlib
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from hypo_compactd import PROGRAM
from hypo_compactd.canary import PERIOD_S
from hypo_compactd.errors import CompactdError, ExitCode, exit_codes
from hypo_compactd.judge import SILENCE_S
from hypo_compactd.messages import printable
from hypo_compactd.paths import STATE_DIR_VARIABLE
from hypo_compactd.registry import CONFIG_DIR_VARIABLE

UNIT = f"{PROGRAM}.service"
"""The name of the systemd unit; that of the one for a single project has an `@`."""

LABEL = f"io.github.{PROGRAM}"
"""The name of the launchd agent, in launchd's reverse-DNS form."""

MARKER = f"Made by {PROGRAM} service"
"""What the first comment of a file of ours says; a file without it is somebody else's."""

CARRIED = (CONFIG_DIR_VARIABLE, STATE_DIR_VARIABLE, "XDG_CONFIG_HOME", "XDG_STATE_HOME")
"""Variables that say where our files are. A shell sets them, a service manager does not know them: without them the
daemon would look for the projects, and put its locks, elsewhere than the commands."""

LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
"""By these `output.language: auto` is told: with another language than the shell's commands, the daemon and they would
write the views over and over."""

WATCHDOG_S = round(2 * SILENCE_S)
"""`status` calls a daemon that says nothing for half of this hung; then the manager acts."""

STOP_S = 10
"""How long the daemon may take to end before it is killed; it takes a second or two, also where a disk hangs."""

THROTTLE_S = 30
"""How far apart launchd's starts are at least. It cannot be told which exit codes a new start does not mend, so those
are tried again and again: this often costs nothing. A daemon that ran for longer is started anew at once."""

_NICE = 5

_NEVER_RESTART = " ".join(str(code) for code in exit_codes() if code >= ExitCode.USAGE)
"""Those of sysexits.h: wrong usage, bad input, a second daemon and a bad configuration do not mend themselves."""

_PLAIN = re.compile(r"[\w@:=+,./-]+", re.ASCII)

_SHELL = ("/bin/sh", "-c", 'exec "$0" "$@"')

_UNTELLABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
"""What a unit or a plist cannot hold: control characters, and what is not UTF-8."""


class Manager(StrEnum):
    """Who keeps the daemon running."""

    SYSTEMD = "systemd"
    LAUNCHD = "launchd"


class ServiceError(CompactdError):
    """The service manager cannot be told what to run, cannot be reached, or refuses."""


_HEAD = """\
# {marker}; `service install` writes it anew.
# What you want otherwise belongs into a drop-in: systemctl --user edit {unit}
"""

_TEMPLATE_HEAD = """\
# {marker} show --template.
# A user unit for one project; the instance's name is the escaped path of the project's folder.
# A project that {unit} keeps already is left to it.
"""

_UNIT = """\
[Unit]
Description={description}
# Five starts within five minutes, and it stays down: `systemctl --user status` then says failed.
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
# Started means: every project has been looked at. While the first looks run, the daemon asks for more time.
Type=notify
NotifyAccess=main
# ":" - a "$" in a path is no variable. -P - a random.py in the home folder is not the program's.
ExecStart={command}
ExecReload=kill -HUP $MAINPID
# The daemon gives a sign of life every {period} s, when a file event of its own has come back; in a storm of events that
# may take some 30 s more. `status` calls it hung after {silence} s.
WatchdogSec={watchdog}
# When the watchdog ends it, the log shows where each thread stood, and no copy of its memory is kept: that holds sources.
Environment=PYTHONFAULTHANDLER=1
LimitCORE=0
{environment}Restart=on-failure
RestartSec=2
# Wrong usage, bad input, a second daemon and a bad configuration do not mend themselves.
RestartPreventExitStatus={never}
# It ends within two seconds; views are replaced whole, so that killing it does no harm.
TimeoutStopSec={stop}

# It yields to whatever the user does; idle I/O could wait for ever, and the views with it.
Nice={nice}
IOSchedulingClass=best-effort
IOSchedulingPriority=7
# Where memory runs out it goes first: it is started anew and loses nothing.
OOMScoreAdjust=500
# Guards against running away. Two hundred projects take 115 MB and 1,739 threads; the largest log that is read, 64 MiB,
# takes 1.4 GB while its view is computed.
MemoryMax=2G
TasksMax=4096

# Only what works in a user unit without mounts of its own. ProtectSystem=, ProtectHome=, ReadWritePaths= and PrivateTmp=
# are silently ignored there without PrivateUsers=yes, PrivateDevices= and CapabilityBoundingSet= keep it from starting.
# No UMask=: 0077 would hide new views from others who may read their sources.
NoNewPrivileges=yes
SystemCallFilter=@system-service
# A call that is not on the list fails; it does not kill the daemon.
SystemCallErrorNumber=EPERM
SystemCallArchitectures=native
MemoryDenyWriteExecute=yes
# Nothing goes over the network; systemd and the journal are reached by AF_UNIX.
RestrictAddressFamilies=AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes

[Install]
WantedBy=default.target
"""


_STRICT = """\
# A drop-in for {unit}: the daemon can write in the folders below and nowhere else.
# Put it into ~/.config/systemd/user/{unit}.d/strict.conf and name your folders.
#
# The trap: each folder named here is a mount of the unit's own. When it is deleted and made anew, or replaced by
# another, the daemon sees the new one but may not write in it ("read-only file system") until it is started anew.
# So name the folder above your projects, which stays, and not each project.

[Service]
# A user's manager can make mounts only in a user namespace; without this line it ignores those below (systemd 252).
# Files of other users, root's too, show as nobody's.
PrivateUsers=yes
# /usr, /etc and the like; this alone leaves /home as it is.
ProtectSystem=strict
ProtectHome=read-only

# "-": a folder that is missing must not keep the daemon from starting (226/NAMESPACE).
# The projects.
ReadWritePaths=-%h/projects
# Manifests, locks and the daemon's status. It must be there when the daemon starts, which cannot make it: mkdir -p
ReadWritePaths={state}
# Where the daemon makes an event of its own, to see that events come.
ReadWritePaths=-%t
"""


def systemd_unit(interpreter: str, environment: Mapping[str, str] | None = None, *, template: bool = False) -> str:
    """Return the systemd user unit.

    Args:
        interpreter: the absolute path of the Python that has this program; the link in a virtual
            environment, not what it leads to.
        environment: variables for the daemon.
        template: the unit for one project, `hypo-compactd@.service`, in place of the one for all.

    Raises:
        ServiceError: a unit cannot name the interpreter or hold a variable's value.
    """
    command = _exec_line([*_python(interpreter), "run", *(() if template else ("--all",))])
    head = _TEMPLATE_HEAD if template else _HEAD
    return head.format(marker=MARKER, unit=UNIT) + _UNIT.format(
        description="Compact views of %f" if template else "Compact views of Hypo-Workflow projects",
        command=f"{command} %f" if template else command,
        environment="".join(
            f"Environment={_quoted(f'{name}={_told(value, name)}')}\n" for name, value in (environment or {}).items()
        ),
        period=round(PERIOD_S),
        silence=round(SILENCE_S),
        watchdog=WATCHDOG_S,
        never=_NEVER_RESTART,
        stop=STOP_S,
        nice=_NICE,
    )


def strict_drop_in(state: str) -> str:
    """Return the drop-in that lets the daemon write in a few folders only; what holds the projects is its user's to say.

    Args:
        state: the absolute path of our state folder.

    Raises:
        ServiceError: a unit cannot name it.
    """
    return _STRICT.format(unit=UNIT, state=_quoted(f"-{_told(state, STATE_DIR_VARIABLE)}"))


def launchd_agent(interpreter: str, home: str, environment: Mapping[str, str] | None = None) -> str:
    """Return the launchd agent, a property list.

    Args:
        interpreter: as for `systemd_unit`.
        home: the user's home folder; the logs are in `Library/Logs` below it.
        environment: variables for the daemon.

    Raises:
        ServiceError: a property list cannot name the interpreter, the home or hold a variable's value.
    """
    logs = f"{_told(home, 'HOME')}/Library/Logs/{PROGRAM}"
    agent = {
        "Label": LABEL,
        # launchd never shortens what it redirects, so the daemon keeps its log itself.
        "ProgramArguments": [*_python(interpreter), "run", "--all", "--log-file", f"{logs}.log"],
        "EnvironmentVariables": {
            "PYTHONFAULTHANDLER": "1",
            **{name: _told(value, name) for name, value in (environment or {}).items()},
        },
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": THROTTLE_S,
        "ExitTimeOut": STOP_S,
        # "Background" would hold timers back for longer than the daemon believes in its events.
        "ProcessType": "Standard",
        # launchd's own limit, 256, is that of two hundred projects: each has one file open.
        "SoftResourceLimits": {"NumberOfFiles": 4096},
        "Nice": _NICE,
        "StandardOutPath": "/dev/null",
        # What comes before there is a log, such as a broken environment; nothing while it works.
        "StandardErrorPath": f"{logs}.stderr.log",
    }
    text = plistlib.dumps(agent, sort_keys=False).decode()
    return text.replace("<plist ", f"<!-- {MARKER}; `service install` writes it anew. -->\n<plist ", 1)


def carried(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of an environment that the daemon must have too: absolute paths, and the locale."""
    paths = {name: environment[name] for name in CARRIED if environment.get(name, "").startswith("/")}
    return paths | {name: environment[name] for name in LOCALE if _PLAIN.fullmatch(environment.get(name, ""))}


def _python(interpreter: str) -> list[str]:
    if not interpreter.startswith("/"):
        raise ServiceError(
            "Python does not know the path of its own program, so no service can start it; install {program} anew",
            program=PROGRAM,
        )
    return [_told(interpreter, "sys.executable"), "-P", "-m", "hypo_compactd"]


def _told(text: str, name: str) -> str:
    """Return `text` where a service manager can be told it; `name` says what it is."""
    if _UNTELLABLE.search(text):
        raise ServiceError(
            "{name}: {text} holds a character that no service manager can be told; use a path without it",
            name=name,
            text=printable(text),
        )
    return text


def _exec_line(words: Sequence[str]) -> str:
    """Return the value of `ExecStart=` that runs these words and no others (systemd.service(5), COMMAND LINES)."""
    if set(words[0]) & set("'\"\\"):
        # systemd takes no program whose own path holds these, quoted or not; as an argument it does.
        words = [*_SHELL, *words]
    return " ".join(_quoted(word) for word in (f":{words[0]}", *words[1:]))


def _quoted(word: str) -> str:
    """Return a word as it stands in a unit (systemd.syntax(7), Quoting): no specifier, no escape, one word."""
    if _PLAIN.fullmatch(word):
        return word
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'
