"""reports.compact.md: computed from reports/, state.yaml and the reports elsewhere to which the state points.

One block for each historical report: a heading with its title and its file's name, then its
conclusion, its scores and what it changed (views.md, reports). A view that grows too long first
gets shorter lines, then loses the oldest blocks and says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import islice

from hypo_strategies import lifecycle
from hypo_strategies._report_change import changes
from hypo_strategies._report_conclusion import Conclusion, conclusion, is_conclusion, is_metadata, is_phase_outcome
from hypo_strategies._report_headings import Kind
from hypo_strategies._report_identity import may_be_report, milestone_of, title_of
from hypo_strategies._report_outline import Part, outline, statements
from hypo_strategies._report_scores import gives_score, scores
from hypo_strategies._report_text import one_line
from hypo_strategies.api import Finding, Language, Memory, Options, Sources, Strategy, View, matches
from hypo_strategies.lifecycle import MilestoneId
from hypo_strategies.text.decode import drop_undecodable
from hypo_strategies.text.labels import label, markdown_header
from hypo_strategies.text.limits import clip, fits
from hypo_strategies.text.order import natural_key
from hypo_strategies.text.phrase import phrase

FOLDER = lifecycle.REPORTS_FOLDER
REPORTS = "reports/**/*.md"
STATE = "state.yaml"

_LONGEST_REPORT = 200_000
"""Characters of a report that are read; real ones have some thousand."""

_WIDTHS = (500, 320, 200)
"""Characters of a line: at first what a block may have (views.md, reports), then less so that all blocks fit."""

_MIN_REST = 60
"""Characters below which a piece that does not fit is left out instead of cut."""

_LONGEST_NAME = 300
"""Characters of a file's name below its folder; real ones have some dozen."""

_JOINT = " · "


@dataclass(frozen=True, slots=True)
class Report:
    """What the view tells of one report. `conclusion` is how it begins where it concludes nothing."""

    path: str
    title: str
    milestone: MilestoneId | None
    conclusion: Conclusion
    scores: dict[str, str]
    changes: tuple[str, ...]


def render(sources: Sources, options: Options, memory: Memory) -> View:
    """Return the view; `View(None)` without findings while no report is history.

    A report that cannot be read costs itself: it is named before the first block, with a warning. When
    none can be read, the view is withdrawn with an error each.
    """
    state = sources.get(STATE)
    elsewhere = frozenset(follows(sources))
    paths = _reports_among(sources.files, elsewhere)
    unreadable = _reports_among(sources.unreadable, elsewhere)
    current = lifecycle.current_reports(state, [*paths, *unreadable], sources.name(FOLDER))
    lost = [(path, sources.unreadable[path]) for path in unreadable if path not in current]
    findings = _state_findings(sources, state)
    reports = _read(sources, [path for path in paths if path not in current], state, findings, memory)
    if not current:
        reports = _without_current(reports, lifecycle.read_standing(state, sources.name(FOLDER)).current)
    if not reports:
        return View(None, tuple(Finding(path, reason) for path, reason in lost))
    findings += [Finding(path, reason, severity="warning") for path, reason in lost]
    reports.sort(key=_place)
    lines = _layout(reports, [path for path, _ in lost], sources, options)
    return View("\n".join(lines) + "\n", tuple(findings))


def follows(sources: Sources) -> tuple[str, ...]:
    """Return the reports outside of reports/ to which the state points (formats.md, 4.1)."""
    return lifecycle.reports_elsewhere(sources.get(STATE), sources.name(FOLDER))


def _reports_among(paths: Iterable[str], elsewhere: frozenset[str]) -> list[str]:
    """Return what may be a report, in reports/ or elsewhere, in natural order."""
    found = (path for path in paths if matches(path, REPORTS) or path in elsewhere)
    return sorted((path for path in found if may_be_report(path)), key=natural_key)


def _without_current(reports: list[Report], current: lifecycle.Record) -> list[Report]:
    """Return the reports without the one whose title names the current Milestone.

    For a state that has only the Milestone's number, and files that do not begin with one. Where
    two Cycles share the folder, two titles can name it: then neither is known to be current.
    """
    here = lifecycle.leading_id(current.id)
    if current.prompt or here is None:
        return reports
    named = [report for report in reports if report.milestone and here.names(report.milestone)]
    return [report for report in reports if report is not named[0]] if len(named) == 1 else reports


def _state_findings(sources: Sources, state: str | None) -> list[Finding]:
    """Return a warning when it cannot be known which report is the current Milestone's."""
    lost = [reason for path, reason in sources.unreadable_matching(STATE)]
    if state is not None and not lifecycle.read_standing(state, sources.name(FOLDER)).readable:
        lost = [phrase("`current` cannot be read")]
    return [
        Finding(
            STATE,
            phrase("{reason}, so the current Milestone's report is not told from the others", reason=reason),
            severity="warning",
        )
        for reason in lost
    ]


def _read(
    sources: Sources, paths: list[str], state: str | None, findings: list[Finding], memory: Memory
) -> list[Report]:
    """Return what the reports say, files that do not read as reports left out; add what was lost to `findings`."""
    pointed = lifecycle.milestones_of(state, paths, sources.name(FOLDER))
    reports: list[Report] = []
    for path in paths:
        text, bad = drop_undecodable(sources.files[path])
        here = pointed.get(path)
        report = memory.recall("reports", (path, here), text[:_LONGEST_REPORT], partial(_report, path, here))
        if report is None:
            continue
        reports.append(report)
        if bad:
            findings.append(
                Finding(path, phrase("lines that are not UTF-8: {count}", count=len(bad)), bad[0], severity="warning")
            )
        if len(text) > _LONGEST_REPORT:
            line = text.count("\n", 0, _LONGEST_REPORT) + 1
            findings.append(
                Finding(path, phrase("too long for a report, the rest is not read"), line, severity="warning")
            )
    return reports


def _report(path: str, pointed: MilestoneId | None, text: str) -> Report | None:
    """Return what a report says; None for a file without a heading, a conclusion or a score: raw text."""
    parts = outline(text)
    title = title_of(parts)
    concluded = conclusion(parts)
    scored = scores(parts)
    has_heading = any(part.title for part in parts)
    if not text.strip() or not (has_heading or concluded.pieces or scored or path.endswith(".report.md")):
        return None
    changed = changes(parts, concluded.pieces)
    if not concluded.pieces:
        concluded = Conclusion(_opening(parts, ("head",) if changed else ("head", "other", "aside")))
    milestone = milestone_of(title, parts, path) or pointed
    return Report(path, title, milestone, concluded, scored, changed)


def _opening(parts: tuple[Part, ...], kinds: tuple[Kind, ...]) -> tuple[str, ...]:
    """Return the first things that a report says in parts of these kinds."""
    said = (text for part in parts if part.kind in kinds for text in statements(part) if _may_open(text, part.matter))
    return tuple(islice(said, 3))


def _may_open(text: str, matter: str) -> bool:
    """Return whether a statement tells of the report: none that is told elsewhere, none that concludes one matter."""
    if is_metadata(text) or is_phase_outcome(text) or gives_score(text):
        return False
    return not matter or not is_conclusion(text)


def _place(report: Report) -> tuple[object, ...]:
    """Return the sort key: Milestone, then file name; reports of no Milestone come last."""
    name = report.path.rpartition("/")[2]
    number = report.milestone.number if report.milestone else ()
    return (report.milestone is None, number, natural_key(name), natural_key(report.path))


def _layout(reports: list[Report], lost: list[str], sources: Sources, options: Options) -> list[str]:
    folder = f"{sources.name(FOLDER)}/"
    head = [
        markdown_header(f"{folder}, {sources.name(STATE)}", options.language),
        f"# {label('reports', options.language)}",
    ]
    if lost:
        head.append(_lost_line(lost, folder, options.language))
    for width in _WIDTHS:
        for gap in ([""], []):
            blocks = [[*gap, *_block(report, width, options)] for report in reports]
            lines = [*head, *(line for block in blocks for line in block)]
            if fits(lines):
                return lines
    return _newest(head, blocks, folder, options.language)


def _lost_line(lost: list[str], folder: str, language: Language) -> str:
    """Return the line that names the reports which could not be read, or as many of them as fit."""
    line = label("unreadable_files", language, files=one_line(_short(lost[0])))
    for shown, path in enumerate(lost[1:], 1):
        more = " " + label("more_reports", language, count=len(lost) - shown, source=folder)
        name = f", {one_line(_short(path))}"
        if len(line) + len(name) + len(more) > _WIDTHS[0]:
            return clip(line, _WIDTHS[0] - len(more)) + more
        line += name
    return clip(line, _WIDTHS[0])


def _newest(head: list[str], blocks: list[list[str]], folder: str, language: Language) -> list[str]:
    """Return as many whole blocks, counted from the newest, as a view may hold."""
    lines = head
    for older in reversed(range(len(blocks) + 1)):
        more = label("more_reports", language, count=older, source=folder)
        longer = [*head, more, *(line for block in blocks[older:] for line in block)]
        if not fits(longer):
            break
        lines = longer
    return lines


def _short(path: str) -> str:
    """Return a report's path below its folder, from the project's root where it stands in another."""
    short = path.removeprefix(f"{FOLDER}/")
    return f".pipeline/{path}" if short == path else short


def _block(report: Report, width: int, options: Options) -> list[str]:
    """Return a heading and at most `reports_summary_lines` lines, what matters most first."""
    name = clip(one_line(_short(report.path)), _LONGEST_NAME)
    title = one_line(report.title)
    heading = f"## {clip(title, _WIDTHS[0] - len(f'##  ({name})'))} ({name})" if title else f"## {name}"
    language = options.language
    origin = report.conclusion.origin
    lines = _packed("" if origin == "labelled" else origin, report.conclusion.pieces, width, 1, language)
    if report.scores:
        lines.append(_score_line(report.scores, width, language))
    room = options.reports_summary_lines - len(lines)
    lines += _packed("change", report.changes, width, room, language)
    return [heading, *lines[: options.reports_summary_lines]]


def _packed(key: str, pieces: tuple[str, ...], width: int, room: int, language: Language) -> list[str]:
    """Return the pieces joined to at most `room` lines; the last says how many found no place."""
    lines: list[str] = []
    rest = list(pieces)
    while rest and len(lines) < room:
        line = f"- {_labelled(key, language)}"
        line += clip(rest.pop(0), (width * 3 // 4 if rest else width - len(line)))
        while rest:
            space = width - len(line) - len(_JOINT) - len(_more(len(rest), language))
            if len(rest[0]) > space and (space < _MIN_REST or len(lines) + 1 < room):
                break
            line += _JOINT + clip(rest.pop(0), space)
        lines.append(line)
    if rest and lines:
        lines[-1] += _more(len(rest), language)
    return lines


def _more(count: int, language: Language) -> str:
    return " " + label("more_pieces", language, count=count)


def _labelled(key: str, language: Language) -> str:
    if not key:
        return ""
    return label(key, language) + ("：" if language == "zh-CN" else ": ")


def _score_line(found: dict[str, str], width: int, language: Language) -> str:
    """Return `diff_score=1 code_quality=4 overall=2`, for a real reader looks for that form."""
    pairs = [f"{name}={number}" for name, number in found.items()]
    joint = ", " if any(" " in pair for pair in pairs) else " "
    line = f"- {_labelled('scores', language)}{pairs[0]}"
    for shown, pair in enumerate(pairs[1:], 1):
        more = _more(len(pairs) - shown, language)
        if len(line) + len(joint) + len(pair) + len(more) > width:
            return line + more
        line += joint + pair
    return line


STRATEGY = Strategy(
    name="reports",
    target="reports.compact.md",
    reads=(REPORTS, STATE),
    needs=(REPORTS,),
    options=("reports_summary_lines", "language", "redaction"),
    version=1,
    render=render,
    follows=follows,
)
