"""The items of a handoff with what a comparison needs: place, meaning, exact items and surroundings; pure."""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass, field, replace

from hypo_strategies.handoff import words
from hypo_strategies.handoff.blocks import parse
from hypo_strategies.handoff.classify import place
from hypo_strategies.handoff.exact import exacts
from hypo_strategies.handoff.folding import folded, listed
from hypo_strategies.handoff.meaning import Meaning, meaning
from hypo_strategies.handoff.model import Document, Exact, Item, Kind, Place, Section, State, Trust
from hypo_strategies.handoff.turns import turn

_SCOPES = {"In": Section.SCOPE_IN, "Out": Section.SCOPE_OUT}
_NUMBER = re.compile(r"[(（]?(\d{1,3}|[a-z])[.)）、][ \t]+(?=\S)|([①-⑳])[ \t]*")
_PLAIN = re.compile(r"[\s.()（）．、・]")
_CRITERION = re.compile(r"(?i:AC)[-‐‑–]?\d")
_QUESTION = re.compile(r"[?？]|(?:ไหม|หรือไม่|หรือเปล่า|ますか|ですか|でしょうか|吗|嗎)[\s.。」)）]*$")
_SAYS_MORE = frozenset(
    listed(
        "research needed | unproven | untested | unverified | not verified | deferred | draft | awaiting user | recommended | tbd",
        "未验证 | 未驗證 | 待验证 | 未検証 | 要調査 | 保留 | 推奨 | 推荐 | ยังไม่ตรวจสอบ | ยังไม่พิสูจน์ | แนะนำ",
    )
)
"""Labels that say more than the state they count as; they stay as they are (compact-context, Normalize)."""
_VARIATION = re.compile("[\ufe0e\ufe0f]")


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """An item as it is compared.

    Attributes:
        index: its place among the items of its document.
        item, place: what was read.
        said: its wording, without what `place` tells already.
        number, mark: the number before it and the sign of its status, in one spelling.
        meaning: equal for equal meanings; a fence or quotation means its very characters.
        context: the headings that are no known section, and the list items, that it stands below.
        around: the meanings of the context.
        label: the label at its start, where it says more than `place` tells; it is part of what is said.
        shown: section and state of the heading it stands below, or of its label, whatever its words say; None for none.
        by_user: whether a heading, label or speaker gives it to the user.
    """

    index: int
    item: Item
    place: Place
    said: str
    number: str
    mark: str
    meaning: Hashable
    context: tuple[str, ...]
    around: tuple[Hashable, ...]
    label: str = ""
    shown: tuple[Section, State] | None = None
    by_user: bool = False

    @property
    def labels(self) -> tuple[State, Trust]:
        """How far it is settled, and where it comes from."""
        return self.place.state, self.place.trust

    @property
    def words(self) -> Hashable:
        """What it says, wherever it stands."""
        return self.meaning, self.number, self.mark

    @property
    def key(self) -> Hashable:
        """What equal items share, but for the section."""
        return self.words, self.around, self.labels

    @property
    def seen(self) -> Hashable:
        """How a reader sees it who trusts headings and labels."""
        return self.place.section, self.shown, self.by_user

    @property
    def is_question(self) -> bool:
        """Whether it asks something."""
        return self.item.shape != "fence" and bool(_QUESTION.search(self.said.strip()))


@dataclass(slots=True)
class Texts:
    """Meanings and exact items of texts, each read once: source and result hold the same texts."""

    _meanings: dict[str, Hashable] = field(default_factory=dict)
    _exacts: dict[str, tuple[Exact, ...]] = field(default_factory=dict)
    _places: dict[Hashable, Place] = field(default_factory=dict)
    _headings: dict[str, words.Heading | None] = field(default_factory=dict)

    def meaning(self, text: str) -> Hashable:
        """Return the meaning of a text."""
        if text not in self._meanings:
            self._meanings[text] = meaning(text)
        return self._meanings[text]

    def exacts(self, text: str) -> tuple[Exact, ...]:
        """Return the exact items of a text."""
        if text not in self._exacts:
            self._exacts[text] = exacts(text)
        return self._exacts[text]

    def of(self, unit: Unit) -> tuple[Exact, ...]:
        """Return the exact items of a unit."""
        if unit.item.shape == "fence":
            return (Exact(Kind.FENCE, unit.said, unit.said, 0, len(unit.said)),)
        return self.exacts(unit.said)

    def keys(self, unit: Unit) -> tuple[tuple[Kind, str], ...]:
        """Return kind and key of the exact items of a unit; its meaning has them already."""
        if isinstance(unit.meaning, Meaning):
            return (*unit.meaning.exacts, *((Kind.NUMBER, key) for key in unit.meaning.numbers))
        return tuple((exact.kind, exact.key) for exact in self.of(unit))

    def place(self, item: Item) -> Place:
        """Return where an item belongs; its line breaks and where it stands do not matter."""
        text = " ".join(item.text.split()) if item.shape in {"bullet", "prose"} and "\n" in item.text else item.text
        key = (text, item.shape, item.headings, item.label, item.parents, item.speaker, item.mark, item.number)
        found = self._places.get(key)
        if found is None:
            found = self._places[key] = place(replace(item, text=text))
        return found

    def heading(self, text: str) -> words.Heading | None:
        """Return what a heading or label tells."""
        if text not in self._headings:
            self._headings[text] = words.heading(text)
        return self._headings[text]

    def is_section(self, heading: str) -> bool:
        """Return whether a heading only tells what `place` tells: a section, a state or a source.

        `Must not` tells more than that what stands below it is a constraint, and `Completed` more than that it is a status.
        """
        known = self.heading(heading)
        return heading in _SCOPES or (known is not None and not known.says_more and not _forbids(heading, known))


@dataclass(frozen=True, slots=True)
class Side:
    """The source, or the result.

    Attributes:
        document: as read.
        units: its items.
        carried: the headings, lead-ins and the title: what may stand as a parent in the result.
        headings: all headings as written.
    """

    document: Document
    units: tuple[Unit, ...]
    carried: frozenset[Hashable]
    headings: tuple[str, ...]


def read(text: str, texts: Texts) -> Side:
    """Return the items of a handoff, ready to be compared."""
    document = parse(text)
    units = tuple(_unit(index, item, texts) for index, item in enumerate(document.items))
    headings = dict.fromkeys(heading for item in document.items for heading in item.headings)
    parents = dict.fromkeys(parent for item in document.items for parent in item.parents)
    title = (document.title,) if document.title else ()
    carried = frozenset(texts.meaning(text) for text in (*headings, *parents, *title))
    return Side(document, units, carried, (*title, *headings))


def is_criterion(kind: Kind, key: str) -> bool:
    """Return whether an exact item is the identifier of an acceptance criterion."""
    return kind in {Kind.ID, Kind.RANGE} and bool(_CRITERION.match(key))


def may_hold_filler(unit: Unit) -> bool:
    """Return whether greetings in an item are the writer's: it stands below no heading that gives them a meaning."""
    return (
        not unit.context
        and not unit.item.label
        and unit.place.state is State.NONE
        and unit.item.shape in {"bullet", "prose"}
    )


def without_filler(unit: Unit, texts: Texts) -> Hashable | None:
    """Return the meaning of an item without the greetings before what it says, None where there are none."""
    if not may_hold_filler(unit):
        return None
    parts = re.split(r"(?<=[.!。！])(?<!\d\.)\s*|\n", unit.said[:4_000])
    rest = [part for part in parts if part and part.strip() and not words.filler(part)]
    if len(rest) == len([part for part in parts if part and part.strip()]) or not rest:
        return None
    return texts.meaning(unit.said[unit.said.index(rest[0]) :]) if len(unit.said) <= 4_000 else None


def _unit(index: int, item: Item, texts: Texts) -> Unit:
    number, said = _PLAIN.sub("", item.number), item.text
    if not number and item.shape in {"bullet", "prose"} and (found := _NUMBER.match(said)):
        number, said = found[1] or found[2], said[found.end() :]
    where = texts.place(item)
    label = "" if not item.label or _tells(item.label) else item.label
    said = f"{label}: {said}" if label else said
    trail = () if item.headings[-1:] == (item.text,) else item.headings
    context = (*(heading for heading in trail if not texts.is_section(heading)), *item.parents)
    is_verbatim = item.shape in {"fence", "quote", "html"}
    means = (item.shape, _verbatim(item)) if is_verbatim else texts.meaning(said)
    mark = _VARIATION.sub("", item.mark).lower()
    around = tuple(texts.meaning(part) for part in context)
    return Unit(index, item, where, said, number, mark, means, context, around, label, *_shown(item, texts))


def _verbatim(item: Item) -> str:
    """Return what may not change in any character; blanks at line ends are none of a quotation or comment."""
    return (
        item.text if item.shape == "fence" else "\n".join(line.rstrip() for line in item.text.strip("\n").split("\n"))
    )


def _shown(item: Item, texts: Texts) -> tuple[tuple[Section, State] | None, bool]:
    """Return how headings and label present an item: section and state, and whether as the user's."""
    shown = None
    speaker = turn(f"{item.speaker}:") if item.speaker else None
    by_user = speaker is not None and speaker.is_user
    for text in (*item.headings, item.label):
        if section := _SCOPES.get(text):
            shown = (section, State.NONE)
        elif text and (known := texts.heading(text)):
            by_user = by_user or known.trust is Trust.USER
            if text == item.label and known.state is not State.CONFIRMED:
                return None, by_user
            if known.section is not None:
                shown = (known.section, known.state)
    return shown, by_user


def _tells(label: str) -> bool:
    """Return whether `place` knows all that a label says."""
    if label in _SCOPES:
        return True
    if folded(label) in _SAYS_MORE:
        return False
    known = words.heading(label)
    return (
        known is not None
        and not known.says_more
        and not _forbids(label, known)
        and (
            known.section not in {None, Section.REFERENCES}
            or known.state is not State.NONE
            or known.trust is not Trust.WRITER
        )
    )


def _forbids(text: str, known: words.Heading | None) -> bool:
    """Return whether a heading or label turns round what stands below it, which its section does not."""
    return (
        known is not None
        and known.section is Section.CONSTRAINTS
        and bool(words.negations(text) or words.prohibits(text))
    )
