"""What `status` says of a project: the daemon by what it has written, the views by their files.

Nothing is written and no lock is held, so that a look does not disturb whoever keeps the project.
Whether a view is fresh is never taken from the daemon, nor from the times that a file bears: either the record of the
last look still proves it (`freshness`), or all that a view is made of is read (`inspection`), so that a daemon that is
dead, deaf or mistaken cannot make a stale view look fresh.

Hooks wait for the answer, so nothing is imported here that a project whose views are fresh does not need.
"""

from __future__ import annotations

import time

from hypo_compactd.errors import CompactdError, ExitCode, InputError, origin
from hypo_compactd.freshness import told
from hypo_compactd.keeper import verdict_of
from hypo_compactd.messages import printable
from hypo_compactd.paths import absent_project, find_project
from hypo_compactd.project_status import Freshness, Overview, Settings, ViewStatus, age_s, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hypo_compactd.inspection import Looked
    from hypo_compactd.judge import Verdict
    from hypo_compactd.paths import Project
    from hypo_strategies.api import Language


def overviews(given: Iterable[str | None], look: Callable[[Project], Looked] | None = None) -> list[Overview]:
    """Return what `status` says of each project, each only once.

    Args:
        given: the projects as the user named them; None for the nearest one upwards.
        look: looks at one project that is there; None for a look where nothing proves that all is fresh.

    Raises:
        InputError: there is no project here or upwards.
    """
    found: dict[str, Overview] = {}
    for name in given:
        project, error = _find(name)
        if project.real_place not in found:
            found[project.real_place] = _overview(project, error, look)
    return list(found.values())


def exit_code(overviews: Sequence[Overview]) -> int:
    """Return the worst exit code of the projects; a larger one is worse."""
    return max((overview.exit_code for overview in overviews), default=ExitCode.OK)


def _find(given: str | None) -> tuple[Project, InputError | None]:
    """Return the project that the user means, also one whose folder is gone: a daemon may still wait for it."""
    try:
        return find_project(given, must_exist=False), None
    except InputError as error:
        if given is None:
            raise
        return absent_project(given), error


def _overview(project: Project, error: CompactdError | None, look: Callable[[Project], Looked] | None) -> Overview:
    verdict: Verdict | None = None
    try:
        verdict = verdict_of(project)
        if error is None:
            known = _known(project, verdict) if look is None else None
            return known or _inspected(project, verdict, look)
    except CompactdError as refusal:
        error = refusal
    except Exception as surprise:  # noqa: BLE001 - one project's fault must not hide how the others are
        shown = printable(project.shown_place)
        error = CompactdError("{path}: {reason}", path=shown, reason=origin(surprise))
    return Overview(project, verdict, error=error, language=_language(project))


def _known(project: Project, verdict: Verdict) -> Overview | None:
    """Return what the record of the last look says, where it proves that all is fresh and nothing else is to be told."""
    record = told(project)
    if record is None:
        return None
    now_ns = time.time_ns()
    views = tuple(
        ViewStatus(
            name,
            place,
            Freshness.ABSENT if (written_ns := written(project, place)) is None else Freshness.FRESH,
            before,
            after,
            (),
            age_s(written_ns, now_ns),
        )
        for name, place, before, after in record["views"]
    )
    settings = Settings(record["auto"], record["knowledge_auto"])
    return Overview(project, verdict, settings, views, language=record["language"])


def _inspected(project: Project, verdict: Verdict, look: Callable[[Project], Looked] | None) -> Overview:
    from hypo_compactd.inspection import inspected, looked  # noqa: PLC0415 - see above

    return inspected(project, verdict, look or looked)


def _language(project: Project) -> Language:
    """Return the project's language; the default where the very configuration is what the program fails at."""
    try:
        from hypo_compactd.language import language_of  # noqa: PLC0415 - see above

        return language_of(project.root)
    except Exception:  # noqa: BLE001 - see above
        return "zh-CN"
