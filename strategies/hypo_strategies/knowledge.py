"""knowledge/knowledge.compact.md: the items of the Knowledge Ledger, one bullet each, by category.

Computed from knowledge/records/*.yaml; where there are no records, from knowledge/index/*.yaml.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from typing import TypeAlias

from hypo_strategies._knowledge_bullets import Bullet, bullet
from hypo_strategies._knowledge_records import CATEGORIES, Record, read_index, read_record
from hypo_strategies.api import Finding, Language, Memory, Options, Redaction, Sources, Strategy, View
from hypo_strategies.text.labels import label, markdown_header
from hypo_strategies.text.limits import MAX_LINES, MAX_MARKDOWN_LINE, fits
from hypo_strategies.text.order import natural_key
from hypo_strategies.text.unreadable import unreadable_note
from hypo_strategies.text.yaml import YamlError

RECORDS = "knowledge/records/*.yaml"
INDEX = "knowledge/index/*.yaml"

BULLET_LIMITS = (MAX_MARKDOWN_LINE, 500, 300, 200)
"""Characters of a bullet, tried in turn until all items fit."""

Reader: TypeAlias = Callable[[str, str, Redaction, tzinfo], tuple[list[Record], list[YamlError]]]

_EARLIEST = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Part:
    """A section: the bullets that may be shown, and how many more items its records have."""

    category: str
    bullets: list[Bullet]
    more: int

    def lines(self, limit: int) -> dict[str, bool]:
        """Return the bullets in at most `limit` characters each, and whether each is cut.

        Two that are cut to the same text are one.
        """
        return {bullet.line(limit): bullet.length > limit for bullet in self.bullets}


@dataclass(frozen=True, slots=True)
class Page:
    """The view with bullets of one length; `count` is how many of them each section shows at most."""

    sections: list[tuple[Part, dict[str, bool]]]
    tail: list[str]
    place: str
    language: Language

    @property
    def longest(self) -> int:
        """The number of bullets of the longest section."""
        return max((len(bullets) for _, bullets in self.sections), default=0)

    def shown(self, count: int) -> int:
        """Return how many bullets the page has."""
        return sum(min(count, len(bullets)) for _, bullets in self.sections)

    def lines(self, count: int) -> list[str]:
        """Return the lines of the page."""
        lines = [markdown_header(self.place, self.language), f"# {label('knowledge', self.language)}"]
        cut = 0
        for part, bullets in self.sections:
            shown = list(bullets)[:count]
            cut += sum(bullets[bullet] for bullet in shown)
            left_out = part.more + len(part.bullets) - len(shown)
            lines += ["", f"## {label(part.category, self.language)}", *shown]
            if left_out:
                lines.append(label("more_items", self.language, count=left_out, source=self.place))
        if cut:
            lines += ["", label("lines_cut", self.language, count=cut, source=self.place)]
        return [*lines, *self.tail]

    def largest_that_fits(self) -> int:
        """Return the largest count with which the page is short enough."""
        return bisect_left(range(self.longest + 1), x=True, key=lambda count: not fits(self.lines(count))) - 1


def render(sources: Sources, options: Options, memory: Memory) -> View:
    """Return the items by category, the newest record first (views.md, knowledge).

    Records of the same moment are ordered by file name, the higher name first: the names hold the
    numbers of the Cycle and the Milestone. A record that cannot be read whole shows what can be
    read of it; `invalid_record` says whether that is worth a warning (`warn`), nothing (`ignore`),
    or the view (`block`). When no record can be read, the indexes are the source; when they hold
    nothing either, the view is withdrawn.
    """
    folder = "records"
    records, findings = _read(RECORDS, read_record, sources, options, memory)
    if findings and options.invalid_record == "block":
        return View(None, _errors(findings))
    if not records:
        folder = "index"
        records, more = _read(INDEX, read_index, sources, options, memory)
        findings += more
        if findings and not any(record.items for record in records):
            return View(None, _errors(findings))
    if options.invalid_record == "ignore":
        findings = [finding for finding in findings if finding.path in sources.unreadable]
    place = f"{sources.name('knowledge')}/{folder}/"
    parts = _parts(sorted(records, key=_age, reverse=True), options)
    return View(_page(parts, findings, place, options.language), tuple(findings))


def _errors(findings: list[Finding]) -> tuple[Finding, ...]:
    return tuple(replace(finding, severity="error") for finding in findings)


def _age(record: Record) -> tuple[datetime, object]:
    """Return the key by which older records are less; one without a readable time is older than all."""
    return record.created or _EARLIEST, natural_key(record.name)


def _read(
    pattern: str, reader: Reader, sources: Sources, options: Options, memory: Memory
) -> tuple[list[Record], list[Finding]]:
    findings = [Finding(path, reason, severity="warning") for path, reason in sources.unreadable_matching(pattern)]
    records: list[Record] = []
    for path, text in sources.matching(pattern):
        rules = options.redaction, options.timezone
        found, problems = memory.recall("knowledge", (path, *rules), text, _reading(reader, path, options))
        findings += _findings(path, problems)
        records += found
    return records, findings


def _reading(
    reader: Reader, path: str, options: Options
) -> Callable[[str], tuple[tuple[Record, ...], tuple[YamlError, ...]]]:
    def read(text: str) -> tuple[tuple[Record, ...], tuple[YamlError, ...]]:
        records, problems = reader(text, _stem(path), options.redaction, options.timezone)
        return tuple(records), tuple(problems)

    return read


def _findings(path: str, problems: Iterable[YamlError]) -> Iterator[Finding]:
    for problem in problems:
        yield Finding(path, problem.problem, problem.line, problem.column, severity="warning")


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".yaml")


def _parts(records: list[Record], options: Options) -> list[Part]:
    """Return the sections that have items; no bullet stands twice in the view."""
    seen: set[Bullet] = set()
    parts = []
    for category in CATEGORIES:
        holders = [record for record in records if record.items.get(category)]
        pairs = [(item, record) for record in holders for item in record.items[category]]
        allowed = sum(len(record.items[category]) for record in holders[: options.max_records_per_category])
        chosen = pairs[: min(allowed, MAX_LINES)]
        bullets: list[Bullet] = []
        for item, record in chosen:
            made = bullet(item, category, record, options.redaction)
            if made not in seen:
                seen.add(made)
                bullets.append(made)
        if bullets:
            parts.append(Part(category, bullets, len(pairs) - len(chosen)))
    return parts


def _page(parts: list[Part], findings: list[Finding], place: str, language: Language) -> str:
    """Return the view with as many items as fit: an item cut short says more than an item left out."""
    best: list[str] = []
    most = -1
    for limit in BULLET_LIMITS:
        page = Page([(part, part.lines(limit)) for part in parts], unreadable_note(findings, language), place, language)
        count = page.largest_that_fits()
        if page.shown(count) > most:
            best, most = page.lines(count), page.shown(count)
        if count >= page.longest:
            break
    return "\n".join(best) + "\n"


STRATEGY = Strategy(
    name="knowledge",
    target="knowledge/knowledge.compact.md",
    reads=(RECORDS, INDEX),
    needs=(RECORDS, INDEX),
    options=("max_records_per_category", "invalid_record", "language", "timezone", "redaction"),
    version=1,
    render=render,
)
