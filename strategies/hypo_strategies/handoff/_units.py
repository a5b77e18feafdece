"""The items of a handoff with what a comparison needs: place, meaning, exact items and surroundings; pure."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
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
_DEEPEST = 50
"""Blocks of HTML around an item; more are none that anybody wrote."""
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
        beside: the paragraph that its list or block follows, and the `<details>` around it.
        around: the meanings of the context, and of what is beside it, outermost first.
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
    beside: tuple[str, ...]
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

    def is_section(self, heading: str, *, in_scope: bool = False) -> bool:
        """Return whether a heading only tells what `place` tells: a section, a state or a source.

        `Must not` tells more than that what stands below it is a constraint, and `Completed` more than that it is a status.
        """
        known = self.heading(heading)
        return (in_scope and heading in _SCOPES) or (
            known is not None and not known.says_more and not _forbids(heading, known)
        )


@dataclass(frozen=True, slots=True)
class Side:
    """The source, or the result.

    Attributes:
        document: as read.
        units: its items.
        title: what the title means, None for none.
        carried: the headings, lead-ins and the title: what may stand as a parent in the result.
        headings: all headings as written.
    """

    document: Document
    units: tuple[Unit, ...]
    carried: frozenset[Hashable]
    title: Hashable
    headings: tuple[str, ...]


def read(text: str, texts: Texts) -> Side:
    """Return the items of a handoff, ready to be compared."""
    document = parse(text)
    beside = _beside(document.items, texts)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    units = tuple(
        _unit(index, item, texts, beside[index], _steps(lines[item.first : item.last]))
        for index, item in enumerate(document.items)
    )
    headings = dict.fromkeys(heading for item in document.items for heading in item.headings)
    parents = dict.fromkeys(parent for item in document.items for parent in item.parents)
    title = (document.title,) if document.title else ()
    carried = frozenset(texts.meaning(text) for text in (*headings, *parents, *title))
    means = texts.meaning(document.title) if document.title else None
    return Side(document, units, carried, means, (*title, *headings))


def _steps(lines: Sequence[str]) -> tuple[int, ...]:
    """Return how the lines behind the first one are indented against each other, () where they are not: code is."""
    if len(lines) < 2:
        return ()
    columns = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    least = min(columns, default=0)
    return tuple(column - least for column in columns) if columns and max(columns) > least + 1 else ()


def _beside(items: Sequence[Item], texts: Texts) -> list[tuple[str, ...]]:
    """Return what else each item means less without: the paragraph before its list or block, and the `<details>` around it.

    Writers put `Staging only` or `Never run this` in a paragraph before what it is about.
    """
    found: list[tuple[str, ...]] = []
    lead, before = "", ""
    within: list[str] = []
    last: Item | None = None
    for item in items:
        if last is None or (item.headings, item.speaker) != (last.headings, last.speaker):
            lead = before = ""
        is_html = item.shape == "html"
        if is_html and item.text.lower().startswith("</details"):
            within = within[:-1]
        is_block = item.shape not in {"prose", "bullet"}
        over = lead or (before if is_block else "")
        own = () if item.shape == "prose" and not item.parents else (over if over not in item.parents else "",)
        found.append((*within, *filter(None, own)))
        if not item.parents and item.shape == "prose" and not words.filler(item.text):
            lead = "" if texts.place(item).trust is Trust.UNTRUSTED else item.text  # it leads nothing but itself
        elif not item.parents and item.shape == "bullet":
            before = "" if texts.place(item).trust is Trust.UNTRUSTED else item.text
        if is_html and "<details" in item.text.lower() and "</details" not in item.text.lower():
            within = [*within, item.text][:_DEEPEST]
        last = item
    return found


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


def _unit(index: int, item: Item, texts: Texts, beside: tuple[str, ...], steps: tuple[int, ...]) -> Unit:
    number, said = _PLAIN.sub("", item.number), item.text
    if not number and item.shape in {"bullet", "prose"} and (found := _NUMBER.match(said)):
        number, said = found[1] or found[2], said[found.end() :]
    where = texts.place(item)
    in_scope = bool(item.headings) and _is_scope(item.headings[-1], texts)
    label = "" if not item.label or tells(item.label, in_scope=in_scope) else item.label
    said = f"{label}: {said}" if label else said
    trail = item.headings[:-1] if item.headings[-1:] == (item.text,) else item.headings
    above = zip(("", *trail), trail, strict=False)
    context = (
        *(heading for over, heading in above if not texts.is_section(heading, in_scope=_is_scope(over, texts))),
        *item.parents,
    )
    is_verbatim = item.shape in {"fence", "quote", "html"}
    means = (item.shape, _verbatim(item)) if is_verbatim else texts.meaning(said)
    if steps and not is_verbatim:
        means = (means, steps, item.text)
    mark = _VARIATION.sub("", item.mark).lower()
    own = len(context) - len(item.parents)
    around = tuple(texts.meaning(part) for part in (*context[:own], *beside, *context[own:]))
    return Unit(index, item, where, said, number, mark, means, context, beside, around, label, *_shown(item, texts))


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


def _is_scope(heading: str, texts: Texts) -> bool:
    """Return whether `In` and `Out` below a heading tell what is in scope."""
    known = texts.heading(heading) if heading else None
    return known is not None and known.section in {Section.SCOPE_IN, Section.SCOPE_OUT}


def tells(label: str, *, in_scope: bool = False) -> bool:
    """Return whether `place` knows all that a label says."""
    if in_scope and label in _SCOPES:
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
