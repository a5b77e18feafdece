"""The service with the service manager: put in place, started, taken away.

What is there already is asked first, what is to be done is decided from that, then it is done. So a
second install changes nothing, and one that was broken off is finished by the next.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from hypo_compactd.errors import RefusedError
from hypo_compactd.messages import printable
from hypo_compactd.reader import describe, kind_of
from hypo_compactd.service import LABEL, MARKER, STOP_S, UNIT, ServiceError
from hypo_compactd.writer import write_private
from hypo_strategies.text.phrase import Value, phrase

FILE_LIMIT = 64 * 1024
"""Bytes of a unit or an agent that are read; ours have three thousand."""

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
"""Runs a command and waits for its end; raises ServiceError where there is no such program."""


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
        ServiceError: there is no such program, or it cannot be started.
    """
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and words of our own
            words, check=False, capture_output=True, stdin=subprocess.DEVNULL, encoding="utf-8", errors="replace"
        )
    except FileNotFoundError:
        raise ServiceError(
            "{program}: no such program; choose another --manager, or start `hypo-compactd run --all` in another way",
            program=words[0],
        ) from None
    except OSError as error:
        raise ServiceError("{program} cannot be started: {reason}", program=words[0], reason=describe(error)) from None
    return Answer(done.returncode, done.stdout, done.stderr)


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
            RefusedError: a file that is not ours is in its place.
            ServiceError: the manager is not there, cannot be reached, or refuses.
            OSError: the file cannot be written.
        """
        present = _present(self.file, force=force)
        unit = self._unit()
        changed = present != text
        if changed:
            _write(self.file, text)
        steps = install_steps(unit, changed=changed, start=start)
        for words in steps:
            self._told(*words)
        if not changed and not steps:
            return Done.CURRENT
        return Done.STARTED if start else Done.WRITTEN

    def uninstall(self) -> Done:
        """Stop the service and remove what `install` has made; raises what that raises."""
        present = _present(self.file, force=False)
        unit = self._unit()
        wanted = self.file.parent / "default.target.wants" / UNIT
        if present is None and unit == Unit() and not wanted.is_symlink():
            return Done.ABSENT
        # Where the manager does not find our file, `disable` is refused; that must not keep the file there.
        if present is None or self._systemctl("disable", "--now", UNIT).code != 0:
            if unit.begun:
                self._told("stop", UNIT)
            wanted.unlink(missing_ok=True)
        self.file.unlink(missing_ok=True)
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
        present = _present(self.file, force=force)
        loaded = self._loaded()
        changed = present != text
        if changed:
            _write(self.file, text)
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
        present = _present(self.file, force=False)
        loaded = self._loaded()
        if present is None and not loaded:
            return Done.ABSENT
        if loaded:
            self._unload()
        self.file.unlink(missing_ok=True)
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


def _present(path: Path, *, force: bool) -> str | None:
    """Return what stands in our file, None when there is none; with `force` "" for a file that is not ours.

    Raises:
        RefusedError: the file is not ours.
        OSError: it cannot be read.
    """
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    text = _text(path) if stat.S_ISREG(mode) else ""
    if MARKER in text:
        return text
    if force:
        return ""
    raise RefusedError(
        "{path}: is {kind} that hypo-compactd has not made; move it away, or install over it with --force",
        path=printable(str(path)),
        kind=kind_of(mode),
    )


def _text(path: Path) -> str:
    with path.open("rb") as stream:
        return stream.read(FILE_LIMIT).decode("utf-8", "replace")


def _write(path: Path, text: str) -> None:
    write_private(path, text.encode())
    path.chmod(0o644)  # launchd takes no agent that others may write, whatever the user's umask


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
