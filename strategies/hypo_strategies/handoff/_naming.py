"""What the difference between an item of the source and what became of it is called; pure.

Each difference that can be told is one finding; where none can be told although the words differ, nothing is proved.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from hypo_strategies.handoff import words
from hypo_strategies.handoff._pairing import Group
from hypo_strategies.handoff._units import Texts, Unit, is_criterion
from hypo_strategies.handoff.findings import LossKind, Severity
from hypo_strategies.handoff.folding import folded, listed
from hypo_strategies.handoff.language import language_of
from hypo_strategies.handoff.model import Exact, Kind, Section, State, Trust

Difference = tuple[LossKind, Severity, str]
"""What happened, how bad it is, and to what kind of thing."""

_SCOPES = frozenset({Section.SCOPE_IN, Section.SCOPE_OUT})
_PLAIN = frozenset({Section.FACTS, Section.REFERENCES})
_SETTLED = frozenset({State.CONFIRMED})
_UNSETTLED = frozenset({State.PROPOSAL, State.OPEN, State.REJECTED, State.SUPERSEDED, State.CLAIMED, State.INFERRED})
_STRENGTH = {"must": 4, "should": 2, "would": 1, "may": 1}
_MERE = 3
"""The strength of a sentence without such a word: `we could use Redis` is less than `use Redis`."""
_LIMITS = frozenset({"only", "except", "unless", "at least", "at most", "more than", "less than", "exactly"})
"""Limits that other words would have to keep; a condition or quantity may be told in many ways."""
_TIMES = frozenset({"before", "after", "until"})
_BOUND = frozenset({Kind.ID, Kind.PICK, Kind.RANGE, Kind.SHA, Kind.ISSUE, Kind.PATH, Kind.URL, Kind.ROUTE, Kind.NAME})
_COUNTED = frozenset({Kind.NUMBER, Kind.DATE, Kind.VERSION})
_OTHER_VALUE = frozenset({LossKind.MUTATED, LossKind.MISATTRIBUTED})
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        listed("zero | one | two | three | four | five | six | seven | eight | nine | ten | eleven | twelve")
    )
}
_DIGITS = re.compile(rf"\d+|(?<![a-z])(?:{'|'.join(_NUMBER_WORDS)})(?![a-z])")
_OF_OTHERS = frozenset({Trust.AGENT, Trust.DOCS, Trust.TOOL, Trust.UNTRUSTED})


_MERE_NOTES = frozenset({Severity.WARNING, Severity.NOTE})


def relocation(one: Unit, other: Unit) -> Difference | None:
    """Return what it means that an item stands in another section with the same words and labels.

    A mere move is a warning. Where the section itself says something that the words do not, that is lost.
    """
    before, after = one.place.section, other.place.section
    if before is after:
        return None
    moved = (LossKind.DEMOTED, Severity.WARNING, f"section {before} -> {after}")
    binds = words.prohibits(one.said) or any(strength == "must" for _, strength in words.modals(one.said))
    if before in _SCOPES or after in _SCOPES:
        if before is Section.SCOPE_OUT and after is Section.CONSTRAINTS and words.negations(one.said):
            return moved
        return LossKind.SCOPE_FLIPPED, Severity.ERROR, f"{before} -> {after}"
    if after in {Section.CONFIRMED, Section.GOAL}:
        return LossKind.PROMOTED, Severity.ERROR, f"section {before} -> {after}"
    if before is Section.GOAL:
        return LossKind.DEMOTED, Severity.REVIEW, f"section {before} -> {after}"
    if before is Section.CONFLICTS:
        return LossKind.CONFLICT_RESOLVED, Severity.ERROR, f"section {before} -> {after}"
    if before is Section.CONSTRAINTS:
        return moved if binds else (LossKind.WEAKENED, Severity.ERROR, f"section {before} -> {after}")
    if after is Section.CONSTRAINTS:
        if binds or one.said.startswith(("AC-", "**AC-")):
            return moved
        return LossKind.PROMOTED, Severity.REVIEW, f"section {before} -> {after}"
    return moved


def presented(one: Unit, other: Unit) -> Difference | None:
    """Return what it means that an item of the result stands below a heading that says more than its words.

    `place` takes the weaker of heading and words. A reader of the result may take the heading.
    """
    if other.by_user and not one.by_user and one.place.trust is not Trust.USER:
        return LossKind.PROMOTED, Severity.ERROR, "source user"
    if other.shown is None or other.shown == one.shown:
        return None
    section, state = other.shown
    if section is other.place.section and state in {State.NONE, other.place.state}:
        return None
    if section in {Section.CONFIRMED, Section.GOAL} or state is State.CONFIRMED:
        return LossKind.PROMOTED, Severity.ERROR, f"section {one.place.section} -> {section}"
    return LossKind.PROMOTED, Severity.REVIEW, f"heading {section}"


@dataclass(frozen=True, slots=True)
class _Content:
    """What one or more items say, as far as it can be counted."""

    exacts: Counter[str]
    kinds: dict[str, Exact]
    digits: Counter[str]
    negations: int
    modals: Counter[str]
    hedged: bool
    asks: bool
    languages: frozenset[str]


def differences(group: Group, texts: Texts, of_source: frozenset[str]) -> Iterator[Difference]:
    """Yield what can be told of the difference between both sides of a group.

    Args:
        group: what belongs together, without an equal key.
        texts: where exact items are read.
        of_source: the keys of all exact items of the source.
    """
    found = list(dict.fromkeys(_all(group, texts, of_source)))
    if group.is_copy:
        found = [
            (LossKind.INVENTED if kind in _OTHER_VALUE else kind, severity, what) for kind, severity, what in found
        ]
    is_reworded = len(group.source) != 1 or len(group.result) != 1 or group.source[0].meaning != group.result[0].meaning
    if not found or (is_reworded and all(severity in _MERE_NOTES for _, severity, _ in found)):
        found.append((LossKind.UNVERIFIABLE, Severity.REVIEW, "wording"))  # that it has moved says nothing of its words
    yield from found


def _all(group: Group, texts: Texts, of_source: frozenset[str]) -> Iterator[Difference]:
    one_to_one = len(group.source) == len(group.result) == 1
    for one in group.source:
        for other in group.result:
            yield from _labels(one, other)
    if one_to_one:
        yield from _surroundings(group.source[0], group.result[0])
        if group.source[0].meaning == group.result[0].meaning:
            return
    before, after = _content(group.source, texts), _content(group.result, texts)
    yield from _merged(group, texts)
    is_translated = _is_translated(before, after)
    yield from _questions(group, before, after)
    yield from _exact_items(before, after, of_source, is_conflict=group.source[0].place.section is Section.CONFLICTS)
    if is_translated:
        return
    if group.source[0].item.shape == "quote":
        yield LossKind.QUOTED_COPY_ALTERED, Severity.ERROR, "quotation"
        return
    if before.negations != after.negations:
        yield LossKind.CONTRADICTED, Severity.ERROR, "negation"
    yield from _modality(before, after)


def _labels(one: Unit, other: Unit) -> Iterator[Difference]:
    """Yield what became of state, source and section."""
    if shown := presented(one, other):
        yield shown
    if one.labels == other.labels and one.label == other.label and (found := relocation(one, other)):
        yield found
    else:
        yield from _states(one, other)
    if one.meaning != other.meaning or one.place.trust is not other.place.trust:
        yield from _sources(one, other)


def _states(one: Unit, other: Unit) -> Iterator[Difference]:
    before, after = one.place.state, other.place.state
    if one.label and folded(one.label) != folded(other.item.label):
        yield LossKind.LABEL_LOST, Severity.ERROR, f"label {one.label}"
    sections = {one.place.section, other.place.section}
    if one.place.section is not other.place.section and sections & _SCOPES:
        yield LossKind.SCOPE_FLIPPED, Severity.ERROR, f"{one.place.section} -> {other.place.section}"
        return
    if before is after:
        return
    what = f"label {before or 'none'} -> {after or 'none'}"
    if before is State.OPEN and one.is_question and not other.is_question:
        yield LossKind.QUESTION_DROPPED, Severity.ERROR, what
    elif before is State.CONFLICT or one.place.section is Section.CONFLICTS:
        yield LossKind.CONFLICT_RESOLVED, Severity.ERROR, what
    elif after is State.CONFIRMED:
        yield LossKind.PROMOTED, Severity.ERROR, what
    elif before is State.INFERRED and after is State.NONE:
        yield LossKind.LABEL_LOST, Severity.ERROR, what
    elif before in _UNSETTLED and after not in _UNSETTLED:
        yield LossKind.PROMOTED, Severity.ERROR, what
    elif before is State.CONFIRMED or after in _UNSETTLED:
        yield LossKind.DEMOTED, Severity.ERROR, what
    else:
        yield LossKind.LABEL_LOST, Severity.ERROR, what


def _sources(one: Unit, other: Unit) -> Iterator[Difference]:
    before, after = one.place.trust, other.place.trust
    if before is after:
        if words.provenance(one.said) and not words.provenance(other.said):
            yield LossKind.PROVENANCE_LOST, Severity.ERROR, "source"
        return
    what = f"source {before} -> {after}"
    if after is Trust.USER:
        yield LossKind.PROMOTED, Severity.ERROR, what
    elif before is Trust.USER or before in _OF_OTHERS:
        yield LossKind.PROVENANCE_LOST, Severity.ERROR, what
    else:
        yield LossKind.MISATTRIBUTED, Severity.ERROR, what


def _surroundings(one: Unit, other: Unit) -> Iterator[Difference]:
    """Yield what became of number, status and of what the item stands below."""
    if one.around != other.around:
        above, below = " ".join(one.context), " ".join(other.context)
        if len(words.negations(above)) != len(words.negations(below)):
            yield LossKind.CONTRADICTED, Severity.ERROR, "parent"
        elif _is_like(above, below):
            yield LossKind.UNVERIFIABLE, Severity.REVIEW, "parent"  # it is an item itself, and judged as one
        elif one.context and other.context:
            yield LossKind.MISATTRIBUTED, Severity.ERROR, "parent"
        elif one.context:
            yield LossKind.DROPPED, Severity.ERROR, "parent"
        else:
            yield LossKind.INVENTED, Severity.ERROR, "parent"
    if one.mark != other.mark:
        yield LossKind.MUTATED, Severity.ERROR, "status"
    if one.number != other.number:
        is_moved = bool(one.number and other.number)
        yield (LossKind.MISATTRIBUTED if is_moved else LossKind.UNVERIFIABLE), Severity.REVIEW, "number of the item"


def _is_like(one: str, other: str) -> bool:
    """Return whether two texts may be two forms of one."""
    limit = 400
    return SequenceMatcher(None, folded(one[:limit]), folded(other[:limit]), autojunk=False).ratio() > 0.8


def _merged(group: Group, texts: Texts) -> Iterator[Difference]:
    """Yield whether items with criteria of their own became one."""
    if len(group.source) < 2:
        return
    owners = [{key for kind, key in texts.keys(unit) if is_criterion(kind, key)} for unit in group.source]
    if sum(map(bool, owners)) > 1 and len(set.union(*owners)) > 1:
        yield LossKind.MERGED_AC, Severity.ERROR, "acceptance criteria"


def _questions(group: Group, before: _Content, after: _Content) -> Iterator[Difference]:
    if before.asks and not after.asks:
        yield LossKind.QUESTION_DROPPED, Severity.ERROR, "question"
    elif after.asks and not before.asks and group.result[0].place.section is not Section.OPEN:
        yield LossKind.UNVERIFIABLE, Severity.REVIEW, "question"


def _exact_items(
    before: _Content, after: _Content, of_source: frozenset[str], *, is_conflict: bool
) -> Iterator[Difference]:
    """Yield which exact items were lost, changed or added."""
    lost = [before.kinds[key] for key in before.exacts - after.exacts]
    new = [after.kinds[key] for key in after.exacts - before.exacts]
    spelled = before.digits - after.digits, after.digits - before.digits
    lost = [exact for exact in lost if exact.kind is not Kind.NUMBER or exact.key not in spelled[1]]
    new = [exact for exact in new if exact.kind is not Kind.NUMBER or exact.key not in spelled[0]]
    if spelled[0] and spelled[1] and not lost and not new:
        yield LossKind.MUTATED, Severity.ERROR, "digits"
    if is_conflict and lost and not new:
        yield LossKind.CONFLICT_RESOLVED, Severity.ERROR, "side of a conflict"
    for exact in lost:
        partner = next((other for other in new if _family(other) == _family(exact)), None)
        if partner:
            new.remove(partner)
        if exact.kind is Kind.QUOTE:
            yield LossKind.QUOTED_COPY_ALTERED, Severity.ERROR, exact.kind
        elif partner is None:
            yield LossKind.DROPPED, Severity.ERROR, exact.kind
        elif partner.kind in _BOUND and partner.key in of_source:
            yield LossKind.MISATTRIBUTED, Severity.ERROR, exact.kind
        else:
            yield LossKind.MUTATED, Severity.ERROR, exact.kind
    for exact in new:
        kind = LossKind.MISATTRIBUTED if exact.kind in _BOUND and exact.key in of_source else LossKind.INVENTED
        yield kind, Severity.ERROR, exact.kind


def _family(exact: Exact) -> str:
    return "number" if exact.kind in _COUNTED else exact.kind


def _is_translated(before: _Content, after: _Content) -> bool:
    known = before.languages - {"und"}, after.languages - {"und"}
    return bool(known[0] and known[1] and not known[0] & known[1])


def _modality(before: _Content, after: _Content) -> Iterator[Difference]:
    """Yield how demands and limits changed."""
    lost, new = before.modals - after.modals, after.modals - before.modals
    demanded = max((_STRENGTH[strength] for strength in lost if strength in _STRENGTH), default=_MERE)
    demands = max((_STRENGTH[strength] for strength in new if strength in _STRENGTH), default=_MERE)
    limits = [strength for strength in lost if strength in _LIMITS]
    if demanded > demands or limits:
        yield LossKind.WEAKENED, Severity.ERROR, ", ".join(sorted(lost))
    elif demands > demanded or (before.hedged and not after.hedged):
        yield LossKind.PROMOTED, Severity.ERROR, ", ".join(sorted(new)) or "hedge"
    elif any(strength in _LIMITS for strength in new) or (_TIMES & lost.keys() and _TIMES & new.keys()):
        yield LossKind.MUTATED, Severity.ERROR, "limit"
    elif _TIMES & lost.keys():
        yield LossKind.WEAKENED, Severity.REVIEW, ", ".join(sorted(_TIMES & lost.keys()))
    elif lost or new:
        yield LossKind.UNVERIFIABLE, Severity.REVIEW, ", ".join(sorted({*lost, *new}))


def _content(units: Sequence[Unit], texts: Texts) -> _Content:
    """Return what items say; what several of them say counts once, since they may have been one."""
    found: Counter[str] = Counter()
    kinds: dict[str, Exact] = {}
    modals: Counter[str] = Counter()
    digits: Counter[str] = Counter()
    for unit in units:
        mine = Counter(exact.key for exact in texts.of(unit))
        found = mine if len(units) == 1 else found | mine
        kinds |= {exact.key: exact for exact in texts.of(unit)}
        digits += _digits(unit, texts)
        modals += Counter(strength for _, strength in words.modals(unit.said))
    return _Content(
        found,
        kinds,
        digits,
        sum(len(words.negations(unit.item.text)) for unit in units),
        modals,
        hedged=any(words.hedges(unit.said) for unit in units),
        asks=any(unit.is_question for unit in units),
        languages=frozenset(language_of(unit.said[:1_000]) for unit in units),
    )


def _digits(unit: Unit, texts: Texts) -> Counter[str]:
    """Return the numbers outside of exact items, also those written as words."""
    if unit.item.shape == "fence":
        return Counter()
    rest, at = [], 0
    for exact in texts.of(unit):
        rest.append(unit.said[at : exact.start])
        at = exact.end
    found = _DIGITS.findall(folded(" ".join((*rest, unit.said[at:]))))
    return Counter(_NUMBER_WORDS.get(word, word) for word in found)
