"""A temporary handoff in its smallest useful shape, with everything that may change what is done next; pure.

An item is moved or kept, never put into other words (compact-context). What is not proved to say the same in the
output shape leaves the handoff as it was, with nothing but its white space made regular.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from hypo_strategies.api import Redaction
from hypo_strategies.handoff import lines as look
from hypo_strategies.handoff import tables
from hypo_strategies.handoff._payload import bare
from hypo_strategies.handoff._units import Side, Texts, Unit, read
from hypo_strategies.handoff.blocks import wording
from hypo_strategies.handoff.canonical import CanonicalDocumentError, refuse_canonical
from hypo_strategies.handoff.folding import folded
from hypo_strategies.handoff.injection import WITHHELD, Injections, Note, injections, is_heading, is_injection
from hypo_strategies.handoff.language import language_of
from hypo_strategies.handoff.losscheck import Severity, Verdict, check, verdict_on
from hypo_strategies.handoff.model import Section
from hypo_strategies.handoff.outline import Node, outline
from hypo_strategies.handoff.removal import Removal, removal
from hypo_strategies.handoff.render import render
from hypo_strategies.handoff.tidy import has_output_shape, is_diff, tidied
from hypo_strategies.handoff.trails import Trails
from hypo_strategies.text.phrase import phrase
from hypo_strategies.text.redact import redact_text

__all__ = ["CanonicalDocumentError", "Compacted", "Fate", "Note", "Outcome", "Size", "compact"]


class Outcome(StrEnum):
    """What was done with a handoff."""

    COMPACTED = "compacted"
    """It has the output shape now, and is smaller."""
    CONCISE = "concise"
    """It had the output shape already, and nothing to leave out."""
    TRIMMED = "trimmed"
    """It has the shape that it had, without what is redundant: the output shape would be larger, or is not proved."""
    UNCHANGED = "unchanged"
    """The same, and nothing in it is redundant."""
    WITHHELD = "withheld"
    """The same, but for what marked injections ask for; or the loss check does not pass what is left without that."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of an item.

    Attributes:
        first, last: its lines in the handoff, counted from 1.
        section: where it belongs.
        reason: why it is there, or why it is gone; never its words.
        into: the first line of the item it was merged into; None for one that was not merged.
    """

    first: int
    last: int
    section: Section
    reason: str
    into: int | None = None


@dataclass(frozen=True, slots=True)
class Size:
    """How large a text is.

    Attributes:
        characters: Unicode code points.
        words: as white space divides them.
    """

    characters: int
    words: int


@dataclass(frozen=True, slots=True)
class Compacted:
    """A compacted handoff.

    Attributes:
        text: it, ending in a line break; "" for a handoff without a word.
        changed: whether it differs from what was given.
        concise: whether what was given had the output shape already, and nothing to leave out.
        outcome: what was done.
        kept, merged, removed: what became of each item, in order.
        notes: what a person should know, by line.
        verdict: of the loss check on `text`.
        blocks: of each item, its first line and its words.
        before, after: the sizes of what was given and of `text`.
    """

    text: str
    changed: bool
    concise: bool
    outcome: Outcome
    kept: tuple[Fate, ...]
    merged: tuple[Fate, ...]
    removed: tuple[Fate, ...]
    notes: tuple[Note, ...]
    blocks: tuple[tuple[int, str], ...]
    before: Size
    after: Size
    verdict: Verdict = Verdict.PASS

    @property
    def languages(self) -> tuple[tuple[int, str], ...]:
        """Of each item, its first line and the BCP 47 tag of its language; `und` where it cannot be told."""
        return tuple((line, language_of(said)) for line, said in self.blocks)


def compact(text: str, *, name: str = "") -> Compacted:
    """Return a temporary handoff in its smallest useful shape.

    Args:
        text: the handoff; lines may end in LF, CRLF or CR.
        name: of its file, with its folders where they are known; canonical documents are known by it too.

    Raises:
        CanonicalDocumentError: the text is a canonical document, which is to be read in full.
    """
    refuse_canonical(text, name)
    compacted = _once(text)
    is_as_it_was = compacted.outcome in {Outcome.CONCISE, Outcome.UNCHANGED}
    for _ in range(0 if is_as_it_was else _ROUNDS):
        again = _once(compacted.text)
        if again.text == compacted.text:
            break
        found = check(text, again.text).verdict
        if found not in {Verdict.PASS, compacted.verdict}:
            break
        is_other = again.outcome in {Outcome.COMPACTED, Outcome.TRIMMED}
        outcome = again.outcome if is_other else compacted.outcome
        compacted = replace(compacted, text=again.text, outcome=outcome, after=again.after, verdict=found)
    return compacted if compacted.verdict is Verdict.PASS else _told_as_unproved(text, compacted)


def _told_as_unproved(text: str, compacted: Compacted) -> Compacted:
    """Return a compacted handoff with a note that the loss check does not pass it, and how much of it."""
    found = Counter(one.severity for one in check(text, compacted.text).findings)
    said = phrase(
        "the loss check does not pass this result: {errors} errors, {reviews} places to be looked at; "
        "a person must compare it with the handoff",
        errors=found[Severity.ERROR],
        reviews=found[Severity.REVIEW],
    )
    is_replaced = compacted.outcome not in {Outcome.CONCISE, Outcome.UNCHANGED}
    outcome = Outcome.WITHHELD if is_replaced else compacted.outcome
    return replace(compacted, outcome=outcome, notes=(Note(1, said), *compacted.notes))


_ROUNDS = 3
"""What is smaller now may be smaller still in another shape: doing it twice must give the same as doing it once."""


def _once(text: str) -> Compacted:
    texts = Texts()
    side = read(text, texts)
    source = _lines(text)
    trails = Trails(side.units, source, texts)
    told = injections(side, texts)
    safe = _without_payloads(source, side, told) if told.any else list(source)
    plain = tidied(safe, side.document)
    gone = removal(side.units, trails.parents, (*told.told, *told.inside, *told.cut), texts)
    if is_diff(source, side.document):
        gone = Removal()
    is_same = not (told.any or gone.merged or gone.removed or gone.shortened)
    if is_same and has_output_shape(source, side.document):
        outcome, output, found = Outcome.CONCISE, plain, Verdict.PASS
    else:
        outcome, output, found = _smallest(side, source, safe, told, gone, texts)
    if outcome in {Outcome.CONCISE, Outcome.UNCHANGED, Outcome.WITHHELD}:
        gone = Removal()
    kept, merged, removed = _fates(side.units, told, gone)
    return Compacted(
        output,
        output != text,
        outcome is Outcome.CONCISE,
        outcome,
        kept,
        merged,
        removed,
        _notes(text, source, side, told),
        tuple((unit.item.first, unit.said) for unit in side.units),
        _size(text),
        _size(output),
        found,
    )


def _lines(text: str) -> list[str]:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _size(text: str) -> Size:
    return Size(len(text), len(text.split()))


def _smallest(
    side: Side,
    source: Sequence[str],
    safe: Sequence[str],
    told: Injections,
    gone: Removal,
    texts: Texts,
) -> tuple[Outcome, str, Verdict]:
    """Return the handoff in the output shape where that is smaller, else in its own, without what is redundant.

    Either is taken only where the loss check can prove that nothing is lost. A handoff of which something is withheld
    cannot stay as it was: what comes out then may be unproved, and is called so.
    """
    plain = tidied(safe, side.document)
    is_whole = not any(note == "unclosed fence" for _, note in side.document.notes)
    may_shape = is_whole and not told.above and not told.cut and not is_diff(source, side.document)
    shaped = _shaped(side, source, told, gone, texts) if may_shape else ""
    is_smaller = bool(shaped) and len(shaped) < len(plain)
    is_proved = verdict_on(side, shaped, texts) is Verdict.PASS if is_smaller else None
    if is_proved:
        return Outcome.COMPACTED, shaped, Verdict.PASS
    if is_whole and (gone.merged or gone.removed):
        trimmed = tidied(_trimmed(safe, side, gone), side.document)
        if verdict_on(side, trimmed, texts) is Verdict.PASS:
            return Outcome.TRIMMED, trimmed, Verdict.PASS
    if not told.any:
        return Outcome.UNCHANGED, plain, Verdict.PASS
    found = verdict_on(side, plain, texts)
    if shaped and found is not Verdict.PASS and is_proved is None and verdict_on(side, shaped, texts) is Verdict.PASS:
        return Outcome.COMPACTED, shaped, Verdict.PASS  # larger, but nothing of an injection looks trusted in it
    return Outcome.WITHHELD, plain, found


def _trimmed(safe: Sequence[str], side: Side, gone: Removal) -> list[str]:
    """Return the lines of a handoff, with nothing on those of the items that go."""
    lines = list(safe)
    stay: set[int] = set()
    for unit in side.units:
        if unit.index not in gone.merged and unit.index not in gone.removed:
            stay.update(range(unit.item.first, unit.item.last + 1))
    for unit in side.units:
        if unit.index in gone.merged or unit.index in gone.removed:
            for number in range(unit.item.first, unit.item.last + 1):
                if number not in stay:
                    lines[number - 1] = ""
    return lines


def _shaped(side: Side, source: Sequence[str], told: Injections, gone: Removal, texts: Texts) -> str:
    """Return the handoff in the output shape, "" where an item has no place in it that says the same."""
    kept = [
        unit
        for unit in side.units
        if not (unit.index in told.told or unit.index in told.inside)
        and not (unit.index in gone.merged or unit.index in gone.removed)
    ]
    withheld = {wording(unit.item) for unit in side.units if unit.index in told.told}
    if any(parent in withheld for unit in kept for parent in unit.item.parents):
        return ""  # it would take a copy of what it stands below along
    tree = outline(kept, Trails(side.units, source, texts), gone.shortened)
    if not tree.is_proved:
        return ""
    facts = tree.sections.setdefault("Facts", Node(headings=("Facts",)))
    facts.children += [Node(said) for said in dict.fromkeys((*told.inside.values(), *told.told.values())) if said]
    if title := _title(side, kept, texts):
        facts.children.insert(0, Node(title))
    if not facts.children:
        del tree.sections["Facts"]
    return render(tree, gone.shortened, source, texts)


_KIND_OF_TEXT = re.compile(
    r"(?:the |a |an )?(?:session |project |context )?(?:hand-?off|handover|hand over|summary|notes?)"
    r"(?: (?:document|doc|notes?|report|summary))?"
    "|交接(?:文档|文件)?|(?:工作|项目)交接|引き継ぎ(?:書|資料)?|引継ぎ|ส่งต่องาน|สรุปงาน"
)


def _title(side: Side, kept: Sequence[Unit], texts: Texts) -> str:
    """Return the title, "" where it says only what kind of text this is, or where an item says just that."""
    title = side.document.title
    plain = folded(title).strip(" *_#:.-")
    if not plain or (_KIND_OF_TEXT.fullmatch(plain) and not texts.exacts(title)):
        return ""
    return "" if any(unit.words == (side.title, "", "") and not unit.context for unit in kept) else title


def _without_payloads(source: Sequence[str], side: Side, told: Injections) -> list[str]:
    """Return the lines of a handoff as they are, but for what is withheld."""
    lines = list(source)
    trusted: set[int] = set()
    said: set[str] = set()
    of_items: set[int] = set()
    for unit in side.units:
        if is_heading(unit) and unit.item.text in told.above:
            continue
        numbers = range(unit.item.first, unit.item.last + 1)
        of_items.update(numbers)
        if unit.index in told.cut:
            lines[numbers[0] - 1 : numbers[-1]] = [told.cut[unit.index], *[""] * (len(numbers) - 1)]
        elif not is_injection(unit):
            trusted.update(numbers)
    if told.above:
        _with_other_headings(lines, of_items, told.above)
    waiting = ""
    for unit in side.units:
        at = unit.item.first - 1
        if unit.index not in told.told and unit.index not in told.inside:
            continue
        for number in range(unit.item.first, unit.item.last + 1):
            if number not in trusted:
                lines[number - 1] = ""
        if sentence := told.inside.get(unit.index):
            lines[at] = _in_place_of(source[at], unit, sentence)
        elif (sentence := told.told[unit.index]) and sentence not in said:
            said.add(sentence)
            waiting = _in_place_of(source[at], unit, sentence)
        if waiting and unit.index + 1 not in told.inside:  # behind what stands inside, which tells of itself
            lines[at] = f"{lines[at]}\n{waiting}".lstrip("\n")
            waiting = ""
    bares = tuple(filter(None, map(bare, told.payloads)))
    for number, line in enumerate(lines, 1):
        letters = bare(line) if number not in trusted else ""
        if any(payload in letters for payload in bares):
            lines[number - 1] = f"- {WITHHELD}"
    return lines


def _with_other_headings(lines: list[str], own: set[int], above: Mapping[str, str]) -> None:
    """Write other headings in place of those that are not to be told.

    Args:
        lines: of the handoff; they are changed.
        own: the numbers of those that belong to items.
        above: by a heading, what is written instead.
    """
    by_start: dict[str, list[str]] = {}
    for heading in sorted(above, key=len, reverse=True):
        by_start.setdefault(heading[:_START], []).append(heading)
    for number, line in enumerate(lines, 1):
        if number in own:
            continue
        starts = (at for at in range(len(line)) if line[at : at + _START] in by_start)
        found = next(
            ((at, one) for at in starts for one in by_start[line[at : at + _START]] if line.startswith(one, at)), None
        )
        if found:
            at, heading = found
            lines[number - 1] = line[:at] + above[heading] + line[at + len(heading) :]


_START = 4
"""Characters by which a heading is looked for in a line; what holds a payload is longer."""


def _in_place_of(line: str, unit: Unit, sentence: str) -> str:
    """Return the line that stands for the first one of an item that is withheld."""
    if unit.item.shape == "row":
        cells = len(tables.cells(line))
        return f"| {' | '.join((sentence, *[''] * (cells - 1)))} |"
    column, stripped = look.indent(line)
    marker = look.marker(stripped)
    return " " * column + (stripped[: marker.width] if marker else "- ") + sentence


def _fates(
    units: Sequence[Unit], told: Injections, gone: Removal
) -> tuple[tuple[Fate, ...], tuple[Fate, ...], tuple[Fate, ...]]:
    kept, merged, removed = [], [], []
    by_index: Mapping[int, Unit] = {unit.index: unit for unit in units}
    for unit in units:
        first, last, section = unit.item.first, unit.item.last, unit.place.section
        if unit.index in told.inside:
            kept.append(Fate(first, last, section, "inside a marked injection"))
        elif unit.index in told.told or unit.index in told.cut:
            removed.append(Fate(first, last, section, "payload of a marked injection"))
        elif unit.index in gone.removed:
            removed.append(Fate(first, last, section, gone.removed[unit.index]))
        elif unit.index in gone.merged:
            into = by_index[gone.merged[unit.index]].item.first
            merged.append(Fate(first, last, section, "the same again", into))
        else:
            kept.append(Fate(first, last, section, unit.place.reason))
    return tuple(kept), tuple(merged), tuple(removed)


def _notes(text: str, source: Sequence[str], side: Side, told: Injections) -> tuple[Note, ...]:
    notes = list(told.notes)
    for heading in told.above:
        line = next((number for number, line in enumerate(source, 1) if heading in line), 1)
        notes.append(Note(line, phrase("what a marked injection asks for stands in a heading; it is withheld there")))
    for unit in side.units:
        if unit.index in told.cut:
            said = phrase("what a marked injection asks for stands before or around an item; the line is left out")
            notes.append(Note(unit.item.first, said))
    for line, note in side.document.notes:
        if note == "unclosed fence":
            notes.append(Note(line, phrase("a fence is not closed; the handoff is left as it is")))
        else:
            characters = note.removeprefix("hidden character ")
            notes.append(Note(line, phrase("hidden characters {characters}; they are kept", characters=characters)))
    before = text.split("\n")
    after = redact_text(text, Redaction()).split("\n")
    for line, (one, other) in enumerate(zip(before, after, strict=False), 1):
        if one != other:
            notes.append(Note(line, phrase("a value that looks like a secret; it is kept as it is")))
    return tuple(sorted(notes, key=lambda note: (note.line, str(note.said))))
