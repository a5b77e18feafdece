"""What `status` says in words, in either language: why a project is not kept as it should be, and how it is kept."""

from __future__ import annotations

from hypo_compactd import __version__
from hypo_compactd.judge import Life
from hypo_compactd.messages import message, printable, translated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hypo_compactd.project_status import Overview
    from hypo_strategies.api import Language


def reasons(overview: Overview, language: Language) -> list[str]:
    """Return why a project cannot be read or is not kept as it should be, the weightiest first."""
    error, verdict = overview.error, overview.verdict
    found = [] if error is None else [printable(translated(error.phrase, language))]
    if verdict is None:
        return found
    pid = "?" if verdict.pid is None else verdict.pid
    if verdict.left is not None:
        found.append(message("reason_left", language, pid=verdict.left))
    elif verdict.life is Life.NONE and error is None:
        found.append(message("reason_none", language))
    if verdict.life is Life.NONE:
        return found
    if verdict.life is Life.HUNG:
        found.append(message("reason_hung", language, pid=pid, seconds=round(verdict.silent_s or 0)))
    if verdict.life is Life.STARTING:
        found.append(message("reason_starting", language, pid=pid))
    report, pulse = verdict.report, verdict.pulse
    if report is not None and report.reason is not None:
        found.append(printable(translated(report.reason, language)))
    if report is not None and report.contested:
        found.append(message("reason_contested", language, views=printable(", ".join(report.contested))))
    # A daemon of another version may write a report that this one cannot read, and still its pulse.
    version = report.version if report else pulse.version if pulse else __version__
    if version != __version__:
        found.append(message("reason_version", language, version=printable(version), own=__version__))
    if overview.settings is not None and not overview.settings.auto:
        found.append(message("reason_auto", language))
    elif overview.settings is not None and not overview.settings.knowledge_auto:
        found.append(message("reason_knowledge", language))
    return found


def facts(overview: Overview, language: Language) -> list[str]:
    """Return how a running daemon keeps a project; a count only where it is not zero."""
    verdict = overview.verdict
    if verdict is None or verdict.life is not Life.RUNNING or verdict.report is None:
        return []
    report, pulse, backend = verdict.report, verdict.pulse, overview.backend or ""
    found = []
    if report.held:
        key = "watched" if report.held == report.wanted else "watched_partly"
        found.append(message(key, language, backend=backend, held=report.held, wanted=report.wanted))
    elif backend != overview.state:
        found.append(message(f"backend_{backend}", language))
    found.append(message("daemon", language, pid=verdict.pid or "?", ago=ago(verdict.silent_s or 0, language)))
    if report.pending:
        found.append(message("pending", language))
    elif verdict.looked_s is not None:
        found.append(message("idle", language, lasting=lasting(verdict.looked_s, language)))
    if pulse is not None and pulse.canary_ms is not None and report.held:
        found.append(message("canary", language, milliseconds=pulse.canary_ms))
    counts = {
        "count_missed": report.missed,
        "count_repaired": report.repaired,
        "count_overflows": pulse.overflows if pulse else 0,
        "count_rebuilds": pulse.rebuilds if pulse else 0,
    }
    return found + [message(key, language, count=count) for key, count in counts.items() if count]


def lasting(seconds: float, language: Language) -> str:
    """Return how long something lasts, in the largest unit that fills at least once; days from the second one on."""
    for key, unit_s, until_s in (("seconds", 1, 60), ("minutes", 60, 3600), ("hours", 3600, 2 * 86400)):
        if seconds < until_s:
            return message(key, language, count=int(seconds // unit_s))
    return message("days", language, count=int(seconds // 86400))


def ago(seconds: float, language: Language) -> str:
    """Return how long ago something was."""
    return message("ago", language, lasting=lasting(seconds, language))
