"""Where an item of a handoff belongs, how far it is settled and where it comes from; pure.

The rules are those of compact-context (Preserve, Remove, Output). What stands above an item tells first: headings,
then the list items it is inside of, then its own label. Its words decide only where nothing of these tells a section,
or where they say that it is less than what it stands under. Nothing makes a proposal a decision: of two readings the
weaker one counts, and what nothing tells of is a fact, in the voice of the writer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from hypo_strategies.handoff import cues, words
from hypo_strategies.handoff.folding import folded
from hypo_strategies.handoff.headings import Heading
from hypo_strategies.handoff.lines import ends_with_colon
from hypo_strategies.handoff.model import Item, Place, Section, State, Trust
from hypo_strategies.handoff.provenance import DISTRUST
from hypo_strategies.handoff.turns import turn

_MOST = 20_000
"""Characters of an item that are read for cues; a longer one is no sentence."""
_OTHERS = frozenset({Trust.DOCS, Trust.TOOL, Trust.AGENT, Trust.UNTRUSTED})
_VERBATIM = frozenset({"fence", "html"})
_SCOPE = frozenset({Section.SCOPE_IN, Section.SCOPE_OUT})
_PROMISES = frozenset({Section.GOAL, Section.CONFIRMED})
_UPHELD = frozenset({*_PROMISES, Section.SCOPE_IN})
"""Sections in which nothing can stand that has been given up."""
_KNOWN = frozenset({State.OBSERVED, State.INFERRED, State.STATUS, State.DEPENDS})
_BELOW = frozenset({State.PROPOSAL, State.REJECTED, State.SUPERSEDED, State.CLAIMED})
"""What stands under one of these is not more than that, whatever its own label says."""
_GIVEN_UP = frozenset({State.REJECTED, State.SUPERSEDED})
_INHERITED = frozenset({Section.CONSTRAINTS, Section.OPEN, Section.CONFLICTS})
"""Sections by the words of a list item that hold also for what is inside it."""
_NO_SIGN = frozenset("❌✗✘✖🚫⛔×")
_STATE_COLUMN = re.compile(
    r"(?:^|;[ ])(?:\*\*)?(?:decision[ ])?(?:state|status|状态|狀態|状態|ステータス|สถานะ)(?:\*\*)?[:：][ ]?([^;\n]{0,80})",
    re.IGNORECASE,
)
_COLUMN = re.compile(r";[ ][^:：;\n]{1,60}[:：]")
_DONE = re.compile(r"\s*(?:\[x\]|[✅☑✔✓]|done|completed?|implemented|shipped|merged|已完成|完了|เสร็จ)", re.IGNORECASE)
_REFERENCES = re.compile(
    r"(?:(?:\[[^\]\n]{0,200}\]\([^()\s]{1,400}\)|`[^`\s]{1,300}`|https?://\S{1,1000}|[A-Z][A-Z0-9]{1,9}-\d{1,6}[a-z]?"
    r"|[\w@.~-]{0,100}(?:/[\w@.*()\[\]-]{1,100}){1,30}/?|[\w-][\w.-]{0,99}\.(?:md|py|ts|tsx|js|jsx|json|ya?ml|toml|txt|html|css|sql|sh|go|rs))"
    r"(?:[,;、]?\s{1,4}|$)){1,20}"
)


@dataclass(frozen=True, slots=True)
class _Found:
    """What has been told so far, from the outside in.

    Attributes:
        section: None as long as nothing tells one.
        state, trust, source, reason: as in `Place`.
        is_told: a heading or label tells the section; else words do.
    """

    section: Section | None = None
    state: State = State.NONE
    trust: Trust = Trust.WRITER
    source: str = ""
    reason: str = ""
    is_told: bool = False


def place(item: Item) -> Place:
    """Return where an item belongs, what must stand before it as a label, and where it comes from.

    `reason` begins with the rule: `heading`, `label`, `column`, `question`, `doubt`, `claim`, `user`, `rule`,
    `conflict`, `references`, `untrusted` or `default`.
    """
    is_heading = item.headings[-1:] == (item.text,)
    found = _around(item.headings[:-1] if is_heading else item.headings, item.speaker)
    for parent in item.parents:
        found = _inside(found, parent)
    if is_heading:
        return _finished(replace(found, section=None) if found.section in _PROMISES else found, item)
    return _finished(_read(found, item), item)


@lru_cache(maxsize=1024)
def _around(headings: tuple[str, ...], speaker: str) -> _Found:
    """Return what the speaker and the headings tell of what stands below them."""
    found = _Found()
    if speaker:
        known = turn(f"{speaker}:")
        trust = Trust.USER if known is not None and known.is_user else Trust.AGENT
        found = _Found(trust=trust, source=speaker)
    for text in headings:
        if found.section in _SCOPE and text in {"In", "Out"}:
            found = replace(found, section=Section.SCOPE_IN if text == "In" else Section.SCOPE_OUT)
        elif known_heading := words.heading(text):
            found = _below(found, known_heading, text)
        else:
            found = _sourced(found, text)
            if found.section in _PROMISES and (doubt := _doubt(text)):
                found = replace(found, section=Section.OPEN, state=doubt, reason="doubt in heading")
    return found


def _below(found: _Found, known: Heading, text: str) -> _Found:
    """Return what a heading tells inside of what stands above it."""
    found = _trusted(found, known.trust, text)
    reason = f"heading {known.words}"
    if known.section is None:
        is_lost = known.state is not State.NONE and found.section in _UPHELD
        return replace(
            found, section=None if is_lost else found.section, state=known.state or found.state, reason=reason
        )
    is_more = known.section in _PROMISES and (found.state in _BELOW or found.section is Section.OPEN)
    if is_more:
        return found
    return replace(found, section=known.section, state=known.state, reason=reason, is_told=True)


@lru_cache(maxsize=1024)
def _inside(around: _Found, parent: str) -> _Found:
    """Return what a list item or sentence tells of what stands inside it."""
    known = words.label(parent[:_MOST])
    rest = known[0] if known else parent[:_MOST]
    label = parent[: len(parent[:_MOST]) - len(rest)].strip(" \t*_-–—:：") if known else ""
    found = _read(around, Item(rest, 0, 0, "bullet", label=label))
    section = found.section if found.is_told or found.section in _INHERITED else around.section
    is_about = ends_with_colon(parent) or found.trust is Trust.UNTRUSTED
    trust, source = (found.trust, found.source) if is_about else (around.trust, around.source)
    state = found.state if section is found.section else around.state
    return replace(found, section=section, state=state, trust=trust, source=source)


def _read(found: _Found, item: Item) -> _Found:
    """Return what an item itself tells, inside of what stands above it."""
    if item.shape == "fence":
        return found
    text = item.text[:_MOST]
    if item.label in {"In", "Out"} and found.section in _SCOPE:
        section = Section.SCOPE_IN if item.label == "In" else Section.SCOPE_OUT
        found = replace(found, section=section, reason=f"label {item.label}", is_told=True)
    elif known := words.heading(item.label) if item.label else None:
        found = _labelled(found, known, item.label)
    elif item.label:
        found = _sourced(found, item.label)
    if item.shape == "html":
        return _sourced(replace(found, section=None) if found.section in _PROMISES else found, text)
    above = found.trust
    found = _sourced(found, text)
    found = _columned(found, item, text)
    if found.trust is Trust.UNTRUSTED or (
        found.state is State.REJECTED and found.trust in _OTHERS and cues.orders(text)
    ):
        return replace(found, trust=Trust.UNTRUSTED)
    if found.state in _GIVEN_UP or found.section in {Section.OPEN, Section.CONFLICTS}:
        return found
    return _worded(found, item, text, above)


def _labelled(found: _Found, known: Heading, text: str) -> _Found:
    """Return what a label tells inside of what stands above it; the weaker of the two counts."""
    found = _trusted(found, known.trust, text)
    section, state = known.section, known.state
    told = replace(found, section=section, state=state, reason=f"label {known.words}", is_told=True)
    above = found.section
    if section is None:
        is_lost = state is not State.NONE and above in _UPHELD
        return replace(told, section=None if is_lost else above, state=state or found.state, is_told=found.is_told)
    if found.state in _GIVEN_UP or (found.state in _BELOW and state not in {State.OPEN, State.CONFLICT}):
        return found
    if state in {State.PROPOSAL, State.OPEN, State.CLAIMED, State.CONFLICT}:
        return told
    if state in _KNOWN:
        return replace(told, section=above) if above is Section.CONFLICTS else told
    if above is Section.OPEN:
        return found
    if state is State.CONFIRMED:
        return replace(told, section=above) if above in {*_SCOPE, Section.CONFLICTS} else told
    if section is Section.GOAL:
        return told if above in {None, Section.GOAL} else found
    if section in {Section.CONSTRAINTS, *_SCOPE}:
        is_held = above in {Section.CONFIRMED, Section.CONFLICTS} or (
            section is Section.CONSTRAINTS and above in _SCOPE
        )
        return found if is_held else told
    return told if above in {None, Section.FACTS, Section.REFERENCES} and not found.state else found


def _columned(found: _Found, item: Item, text: str) -> _Found:
    """Return what the column of a row tells that holds the state of what the row says."""
    if not _COLUMN.search(text):
        return found
    is_row = item.shape == "row" and bool(item.label)
    column = _STATE_COLUMN.search(f"{item.label}: {text}" if is_row else text)
    if column is None:
        return found
    is_first = is_row and column.start() == 0 and found.state is State.STATUS
    value = column[1].strip(" `*_")
    known = words.heading(value) or words.heading(value.split(" ")[0]) if value else None
    if known is None or found.state in _GIVEN_UP:
        return found
    told = replace(found, state=known.state, reason=f"column {value}", is_told=True)
    if known.state in _GIVEN_UP:
        return replace(told, section=None if found.section in _UPHELD else found.section)
    if known.state in {State.PROPOSAL, State.OPEN}:
        return replace(told, section=Section.OPEN)
    if found.section is Section.CONFIRMED:
        is_settled = known.state is State.CONFIRMED or _DONE.match(value)
        return found if is_settled else replace(told, section=Section.OPEN, state=State.OPEN)
    if known.state is State.CONFIRMED and (found.section is None or is_first) and found.state not in _BELOW:
        return replace(told, section=Section.CONFIRMED)
    return found


def _worded(found: _Found, item: Item, text: str, above: Trust) -> _Found:
    """Return what the words of an item tell.

    Args:
        found: what labels and headings tell.
        item: the item.
        text: its text, as far as it is read.
        above: where it comes from, as far as what stands above it says so.
    """
    if item.shape != "row" and found.state not in _KNOWN and found.section not in {*_SCOPE, Section.REFERENCES}:
        if cues.asks(text):
            state = found.state if found.state in _BELOW else State.OPEN
            return replace(found, section=Section.OPEN, state=state, reason="question")
        doubt = _doubt(text, is_promise=found.section is not None)
        if found.section in {None, *_PROMISES} and found.state not in _BELOW and doubt:
            return replace(found, section=Section.OPEN, state=doubt, reason="doubt")
    if _is_claimed(found, item, text, above):
        return replace(found, section=Section.FACTS, state=State.CLAIMED, reason="claim")
    if found.section is Section.SCOPE_IN and not item.label:
        return _outside(found, item, text)
    if found.section is not None or found.state is not State.NONE:
        return found
    if found.trust is Trust.USER and above is Trust.USER and (cues.picks(text) or words.confirms(text)):
        is_pick = cues.picks(text) and not words.hedges(text) and not _doubt(text)
        section, state = (Section.CONFIRMED, State.CONFIRMED) if is_pick else (Section.OPEN, State.OPEN)
        return replace(found, section=section, state=state, reason="user picks" if is_pick else "user says yes")
    if found.trust is Trust.USER and cues.is_decided_by_user(text) and not _doubt(text):
        return replace(found, section=Section.CONFIRMED, state=State.CONFIRMED, reason="user decided")
    if cues.disagrees(text):
        return replace(found, section=Section.CONFLICTS, state=State.CONFLICT, reason="conflict")
    if word := cues.binds(text):
        return replace(found, section=Section.CONSTRAINTS, reason=f"rule {word}")
    if _REFERENCES.fullmatch(text):
        return replace(found, section=Section.REFERENCES, reason="references")
    return found


def _doubt(text: str, *, is_promise: bool = True) -> State:
    """Return what a text is that is not settled, by its own words; `NONE` for any other.

    Args:
        text: the text.
        is_promise: it stands where it would be taken for settled.
    """
    if cues.proposes(text):
        return State.PROPOSAL
    if cues.is_undecided(text) or (is_promise and (cues.asks(text) or cues.is_unsure(text))):
        return State.OPEN
    return State.NONE


def _is_claimed(found: _Found, item: Item, text: str, above: Trust) -> bool:
    """Return whether something is said to be decided by what cannot decide it."""
    is_labelled = found.state in _KNOWN and bool(item.label)
    if found.trust not in _OTHERS or found.state in _BELOW or is_labelled:
        return False
    if found.section is Section.CONFIRMED:
        return above in _OTHERS or cues.approves(text)
    is_open = (
        found.section in {None, Section.FACTS, Section.GOAL}
        or (found.section is Section.SCOPE_IN and not item.label)
        or (found.section is Section.CONSTRAINTS and not words.prohibits(text))
    )
    return is_open and cues.claims_approval(text)


def _outside(found: _Found, item: Item, text: str) -> _Found:
    """Return where something below `Scope` belongs that itself says that it is not in it."""
    if cues.is_outside(text) or item.mark[:1] in _NO_SIGN:
        return replace(found, section=Section.SCOPE_OUT, reason="out of scope")
    if words.negations(text) and not cues.asks(text):
        return replace(found, section=Section.CONSTRAINTS, reason="rule in scope")
    return found


def _sourced(found: _Found, text: str) -> _Found:
    """Return what has been told, with the source that a text names."""
    source = words.provenance(text)
    if source is None:
        return found
    return _trusted(found, source[0], _as_written(source[1], text))


def _trusted(found: _Found, trust: Trust, source: str) -> _Found:
    """Return what has been told, with a source: the more doubtful one counts."""
    if trust is Trust.WRITER or DISTRUST.index(trust) < DISTRUST.index(found.trust):
        return found
    if trust is found.trust and found.source:
        return found
    return replace(found, trust=trust, source=source)


def _as_written(phrase: str, text: str) -> str:
    """Return a folded phrase as it stands in a text, or as it is where it cannot be found."""
    at = text.casefold().find(phrase)
    found = text[at : at + len(phrase)] if at >= 0 else ""
    return found if folded(found) == phrase else phrase


def _finished(found: _Found, item: Item) -> Place:
    """Return the place of an item for which everything has been told."""
    section, state, reason = found.section, found.state, found.reason
    if found.trust is Trust.UNTRUSTED:
        state = State.REJECTED if state is State.REJECTED or _is_refused(found, item) else State.NONE
        section, reason = Section.FACTS, "untrusted"
    elif section is None:
        is_rule = state in _GIVEN_UP and words.prohibits(item.text[:_MOST])
        section = Section.CONSTRAINTS if is_rule else Section.FACTS
    elif section in _PROMISES and (found.trust in _OTHERS and item.shape in _VERBATIM):
        section, state = Section.FACTS, State.CLAIMED
    return Place(section, state, found.trust, found.source, reason or "default")


def _is_refused(found: _Found, item: Item) -> bool:
    said = folded(" ".join((found.source, item.label, *item.headings, item.text[:_MOST])))
    return bool(re.search(r"rejected|refused|ignored|拒绝|拒絕|却下|無視|忽略|ปฏิเสธ", said))
