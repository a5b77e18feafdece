"""The service with the service manager: put in place, started, taken away.

What is there already is asked first, what is to be done is decided from that, then it is done. So a
second install changes nothing, and one that was broken off is finished by the next.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from hypo_compactd import service_file
from hypo_compactd.messages import printable
from hypo_compactd.reader import describe
from hypo_compactd.service import LABEL, STOP_S, UNIT, ServiceError
from hypo_strategies.text.phrase import phrase

if TYPE_CHECKING:
    from hypo_strategies.text.phrase import Value

ANSWER_S = 30
"""How long a manager may take to answer; it takes a fraction of a second."""

READY_S = 600
"""How long it may take where it waits until the daemon has looked at every project, or has ended. The daemon asks for
more time as long as its first looks get on; systemd gives up by itself when it does not."""

_WAITS = frozenset({"--now", "restart", "stop"})

_NO_BUS = re.compile(r"Failed to connect to .*bus|not been booted with systemd")

_IN_PROGRESS = frozenset({36, 37})
"""launchctl's exit codes for "operation now in progress" and "already in progress": macOS's EINPROGRESS and EALREADY."""

_POLL_S = 0.25


@dataclass(frozen=True, slots=True)
class Answer:
    """How a command ended."""

    code: int
    out: str = ""
    err: str = ""


Runner = Callable[[Sequence[str]], Answer]
"""Runs a command and waits for its end; raises ServiceError where there is no such program, or it does not end."""


class Done(StrEnum):
    """What came of an install or uninstall."""

    STARTED = "started"
    """The service is installed and runs."""
    WRITTEN = "written"
    """The service is installed, and starts with the next login."""
    CURRENT = "current"
    """It was so already; nothing was changed."""
    REMOVED = "removed"
    ABSENT = "absent"
    """There was nothing to remove; nothing was changed."""


def run_command(words: Sequence[str]) -> Answer:
    """Run a program of the service manager and return how it ended.

    Raises:
        ServiceError: there is no such program, it cannot be started, or it does not end in time.
    """
    limit_s = time_limit_s(words)
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and words of our own
            words,
            check=False,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            errors="replace",
            timeout=limit_s,
        )
    except subprocess.TimeoutExpired:
        raise ServiceError(
            "{command} has not ended within {seconds} s; the service manager may still be at it: "
            "look with `hypo-compactd status --all`, and try again",
            command=printable(" ".join(words)),
            seconds=limit_s,
        ) from None
    except FileNotFoundError:
        raise ServiceError(
            "{program}: no such program; choose another --manager, or start `hypo-compactd run --all` in another way",
            program=words[0],
        ) from None
    except OSError as error:
        raise ServiceError("{program} cannot be started: {reason}", program=words[0], reason=describe(error)) from None
    return Answer(done.returncode, done.stdout, done.stderr)


def time_limit_s(words: Sequence[str]) -> int:
    """Return how long a command of the service manager may take, in seconds; pure."""
    return READY_S if _WAITS & {*words} else ANSWER_S


@dataclass(frozen=True, slots=True)
class Unit:
    """What systemd says of the unit (systemctl(1), `show`)."""

    active: str = "inactive"
    enabled: str = ""
    outdated: bool = False

    @property
    def up(self) -> bool:
        """Whether it runs and has said that it is ready."""
        return self.active in {"active", "reloading"}

    @property
    def begun(self) -> bool:
        """Whether it is up, on its way up, or about to be tried again after a failure."""
        return self.up or self.active == "activating"


@dataclass(frozen=True, slots=True)
class Systemd:
    """The service with systemd's user manager.

    Args:
        home: the user's home folder.
        environment: where `XDG_CONFIG_HOME` stands.
        run: runs `systemctl`.
    """

    home: Path
    environment: Mapping[str, str]
    run: Runner = run_command

    @property
    def file(self) -> Path:
        """`systemd/user/` in the user's configuration folder."""
        given = Path(self.environment.get("XDG_CONFIG_HOME", "")) / "systemd" / "user"
        folder = given if given.is_absolute() and self._looks_in(given) else self.home / ".config" / "systemd" / "user"
        return folder / UNIT

    def _looks_in(self, folder: Path) -> bool:
        """Return whether the manager looks for units in a folder: a shell may have set the variable for itself alone."""
        try:
            answer = self._systemctl("show", "--property=UnitPath")
        except ServiceError:
            return True
        return answer.code != 0 or f" {folder} " in f" {answer.out.strip().removeprefix('UnitPath=')} "

    def install(self, text: str, *, start: bool, force: bool) -> Done:
        """Put the service in place, and start it unless `start` is false; one that is older is replaced.

        Args:
            text: the unit or the agent.
            start: whether it is to run now.
            force: whether a file that is not ours may be written over.

        Raises:
            RefusedError: what is in its place is not ours.
            ServiceError: the file cannot be written; the manager is not there, cannot be reached, refuses, or does
                not answer.
            OSError: what is in its place cannot be read.
        """
        file = self.file
        present = service_file.to_install(file, force=force)
        service_file.sweep(file)
        unit = self._unit()
        changed = present != text
        if changed:
            service_file.write(file, text)
        steps = install_steps(unit, changed=changed, start=start)
        for words in steps:
            self._told(*words)
        if not changed and not steps:
            return Done.CURRENT
        return Done.STARTED if start else Done.WRITTEN

    def uninstall(self) -> Done:
        """Stop the service and remove what `install` has made; raises what that raises."""
        file = self.file
        ours = service_file.to_uninstall(file)  # found out before `disable`, which removes a link
        service_file.sweep(file)
        unit = self._unit()
        wanted = file.parent / "default.target.wants" / UNIT
        if not ours and unit == Unit() and not wanted.is_symlink():
            return Done.ABSENT
        # Where the manager does not find our file, `disable` is refused; that must not keep the file there.
        if not ours or self._systemctl("disable", "--now", UNIT).code != 0:
            if unit.begun:
                self._told("stop", UNIT)
            service_file.remove(wanted)
        for one in ours:
            service_file.remove(one)
        self._told("daemon-reload")
        self._systemctl("reset-failed", UNIT)  # that it is not known any more, since it has not failed, is no matter
        return Done.REMOVED

    def _unit(self) -> Unit:
        names = "ActiveState,UnitFileState,NeedDaemonReload"
        return parse_unit(self._told("show", UNIT, f"--property={names}"))

    def _told(self, *words: str) -> str:
        answer = self._systemctl(*words)
        if answer.code == 0:
            return answer.out
        if _NO_BUS.search(answer.err):
            raise ServiceError(
                "systemd's user manager cannot be reached ({reason}); log in as this user, not by su or sudo, "
                "or let it run without a login: loginctl enable-linger",
                reason=_reason(answer),
            )
        raise _refusal(("systemctl", "--user", *words), answer)

    def _systemctl(self, *words: str) -> Answer:
        return self.run(("systemctl", "--user", *words))


def parse_unit(shown: str) -> Unit:
    """Return what `systemctl show` says of a unit, lines of `name=value`; pure."""
    values = dict(line.partition("=")[::2] for line in shown.splitlines())
    return Unit(
        active=values.get("ActiveState", "inactive"),
        enabled=values.get("UnitFileState", ""),
        outdated=values.get("NeedDaemonReload") == "yes",
    )


def install_steps(unit: Unit, *, changed: bool, start: bool) -> list[tuple[str, ...]]:
    """Return what systemctl is to be told so that the unit is enabled and, with `start`, runs as it is written; pure.

    Args:
        unit: what systemd says of it.
        changed: whether its file has just been written.
        start: whether it is to run.
    """
    old = changed or unit.outdated
    steps: list[tuple[str, ...]] = [("daemon-reload",)] if old else []
    if not start:
        return steps if unit.enabled == "enabled" else [*steps, ("enable", UNIT)]
    if unit.active == "failed":
        steps.append(("reset-failed", UNIT))  # else a limit on starts that was reached would still hold
    if unit.begun and old:
        return [*steps, *([] if unit.enabled == "enabled" else [("enable", UNIT)]), ("restart", UNIT)]
    if unit.enabled != "enabled" or not unit.up:
        steps.append(("enable", "--now", UNIT))  # it waits until the daemon is ready, or says that it fails
    return steps


@dataclass(frozen=True, slots=True)
class Launchd:
    """The service with launchd, in the user's own session.

    Args:
        home: the user's home folder.
        uid: the user's number.
        run: runs `launchctl`.
        sleep: waits for some seconds.
    """

    home: Path
    uid: int
    run: Runner = run_command
    sleep: Callable[[float], None] = field(default=time.sleep)

    @property
    def file(self) -> Path:
        """`~/Library/LaunchAgents/`; what stands there is loaded at each login."""
        return self.home / "Library" / "LaunchAgents" / f"{LABEL}.plist"

    def install(self, text: str, *, start: bool, force: bool) -> Done:
        """Do as `Systemd.install` does."""
        present = service_file.to_install(self.file, force=force)
        service_file.sweep(self.file)
        loaded = self._loaded()
        changed = present != text
        if changed:
            service_file.write(self.file, text)
        self._told("enable", self._target)  # one that its user has disabled is neither loaded now nor at a login
        if start:
            if loaded and changed:
                self._unload()
            if changed or not loaded:
                self._told("bootstrap", self._domain, os.fspath(self.file))
            # It runs at load; one that was loaded and has been stopped does not.
            self._told("kickstart", self._target, fine=_IN_PROGRESS)
        if not changed and (loaded or not start):
            return Done.CURRENT
        return Done.STARTED if start else Done.WRITTEN

    def uninstall(self) -> Done:
        """Do as `Systemd.uninstall` does."""
        ours = service_file.to_uninstall(self.file)
        service_file.sweep(self.file)
        loaded = self._loaded()
        if not ours and not loaded:
            return Done.ABSENT
        if loaded:
            self._unload()
        for one in ours:
            service_file.remove(one)
        return Done.REMOVED

    @property
    def _domain(self) -> str:
        return f"gui/{self.uid}"

    @property
    def _target(self) -> str:
        return f"{self._domain}/{LABEL}"

    def _loaded(self) -> bool:
        """Return whether launchd knows the agent; only the exit code of `print` is to be relied on."""
        return self.run(("launchctl", "print", self._target)).code == 0

    def _unload(self) -> None:
        """Unload the agent and wait until it has ended: launchctl may return before."""
        self._told("bootout", self._target, fine=_IN_PROGRESS)
        for _ in range(round((STOP_S + 5) / _POLL_S)):
            if not self._loaded():
                return
            self.sleep(_POLL_S)
        raise ServiceError("launchd has not ended {label} in time; try again", label=LABEL)

    def _told(self, *words: str, fine: frozenset[int] = frozenset()) -> None:
        answer = self.run(("launchctl", *words))
        if answer.code != 0 and answer.code not in fine:
            raise _refusal(("launchctl", *words), answer)


def _refusal(words: Sequence[str], answer: Answer) -> ServiceError:
    return ServiceError(
        "{command} failed (exit code {code}): {reason}",
        command=printable(" ".join(words)),
        code=answer.code,
        reason=_reason(answer),
    )


def _reason(answer: Answer) -> Value:
    """Return what a command complained of, on one line."""
    lines = [line.strip() for line in (answer.err or answer.out).splitlines() if line.strip()]
    return printable("; ".join(lines)) or phrase("it did not say why")
