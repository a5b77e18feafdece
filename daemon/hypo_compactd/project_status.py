"""What `status` knows of a project and of its views; `overview` finds it out."""

from __future__ import annotations

import os
import stat
import sys

from hypo_compactd.closed_list import ClosedList
from hypo_compactd.errors import ExitCode
from hypo_compactd.judge import Life
from hypo_compactd.status import Standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass as record

    from hypo_compactd.errors import CompactdError
    from hypo_compactd.judge import Verdict
    from hypo_compactd.paths import Project
    from hypo_strategies.api import Finding, Language
else:
    from hypo_compactd.record import record


class Freshness(ClosedList):
    """What a view is, compared with what its sources give: one of these words."""

    FRESH = "fresh"
    STALE = "stale"
    """Its sources give something else, or nothing; it would be written or withdrawn."""
    ABSENT = "absent"
    """There is rightly none."""
    CHANGING = "changing"
    """A source is being written without pause."""
    FAILED = "failed"
    """It cannot be made; the findings say why."""


_EVENTS = {"linux": "inotify", "darwin": "fsevents"}
"""What brings native events on each system."""


@record
class ViewStatus:
    """One view; paths, also those of its findings, are relative to the project.

    `age_s`: seconds since its file was last written, or found right though a source had changed;
    None where there is no file. `stale_s`: for how many seconds at least it has been stale, None where
    no source is newer than it: somebody has changed or removed the view, or an option or the program.
    """

    name: str
    file: str
    freshness: str
    tokens_before: int
    tokens_after: int
    findings: tuple[Finding, ...]
    age_s: float | None = None
    stale_s: float | None = None


@record
class Settings:
    """What the configuration says, as far as `status` tells of it.

    Attributes:
        auto, knowledge_auto: whether a daemon may write the views, and that of knowledge.
        findings: values that are not valid.
    """

    auto: bool = True
    knowledge_auto: bool = True
    findings: tuple[Finding, ...] = ()


@record
class Overview:
    """One project.

    Attributes:
        project: which.
        verdict: its daemon; None where our own folder does not let us see.
        settings: what the configuration says; None where it or the project cannot be read.
        views: every view in the registry's order; none where the project cannot be read.
        error: why the project cannot be read, or where the program itself failed.
        language: the project's; that of the global configuration where its own cannot be read.
    """

    project: Project
    verdict: Verdict | None = None
    settings: Settings | None = None
    views: tuple[ViewStatus, ...] = ()
    error: CompactdError | None = None
    language: Language = "zh-CN"

    @property
    def state(self) -> str:
        """How the project is kept: what its running daemon says, or else why there is none that says it."""
        if self.verdict is None:
            return "failed"
        if self.verdict.life is Life.RUNNING and self.verdict.report is not None:
            return str(self.verdict.report.standing)
        return str(self.verdict.life)

    @property
    def backend(self) -> str | None:
        """How its daemon learns of changes: `inotify`, `fsevents`, `polling`, `sweep`; None where none says it."""
        report = self.verdict.report if self.verdict else None
        if report is None:
            return None
        if report.held:
            return _EVENTS.get(sys.platform, "native")
        # Nothing is watched, and nothing polled either: as `--poll never` wants it.
        return "sweep" if report.standing is Standing.PARTIAL else "polling"

    @property
    def fresh(self) -> bool:
        """Whether every view is what its sources give."""
        return self.error is None and all(view.freshness in (Freshness.FRESH, Freshness.ABSENT) for view in self.views)

    @property
    def exit_code(self) -> int:
        """The exit code for this project alone; that no daemon runs does not count, that one hangs does."""
        if self.error is not None:
            return self.error.exit_code
        hung = self.verdict is not None and self.verdict.life is Life.HUNG
        return ExitCode.OK if self.fresh and not hung else ExitCode.STALE


def written(project: Project, place: str) -> int | None:
    """Return when a file was last written, in nanoseconds since the epoch; None where there is none."""
    try:
        status = os.lstat(f"{project.real_place}/{place}")
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns if stat.S_ISREG(status.st_mode) else None


def age_s(since_ns: int | None, now_ns: int) -> float | None:
    """Return seconds; a time in the future, which any program can give a file, is now."""
    return None if since_ns is None else max(0, now_ns - since_ns) / 1e9
