"""Where each item stands in the output, below what, and with which label, so that it reads back the same; pure.

Headings that say no more than a section does are replaced by it; all others stay above their items. A form is taken
only when the item, read again there, is placed as it was before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hypo_strategies.handoff import words
from hypo_strategies.handoff._naming import relocation
from hypo_strategies.handoff._units import Unit, tells
from hypo_strategies.handoff.blocks import wording
from hypo_strategies.handoff.classify import place
from hypo_strategies.handoff.findings import Severity
from hypo_strategies.handoff.lines import marker
from hypo_strategies.handoff.model import Item, Section, State
from hypo_strategies.handoff.trails import Step, Trails
from hypo_strategies.handoff.turns import own_turn

_HOMES = {Section.SCOPE_IN: "Scope", Section.SCOPE_OUT: "Scope"}
_SCOPES = {Section.SCOPE_IN: "In", Section.SCOPE_OUT: "Out"}
_LABELS = {
    State.CONFIRMED: "Confirmed",
    State.PROPOSAL: "Proposal (unconfirmed)",
    State.OBSERVED: "Observed",
    State.INFERRED: "Inferred",
    State.OPEN: "Open",
    State.CONFLICT: "Conflict",
    State.CLAIMED: "Claimed",
    State.STATUS: "Status",
    State.DEPENDS: "Depends",
    State.REJECTED: "Rejected",
    State.SUPERSEDED: "Superseded",
}
_SHOWN = frozenset({State.PROPOSAL, State.CLAIMED})
"""States that are always written as a label: the words of the item alone are easily read as settled."""
_WORDED = frozenset({"bullet", "prose"})


@dataclass(slots=True, eq=False)
class Node:
    """A line of the output and what stands below it.

    Attributes:
        text: a label without its colon, a heading, or the copy of a list item; "" for an item.
        is_label: whether it is a label.
        unit: the item, None for a label or heading.
        label: what is written before the item's text, "" for nothing.
        is_heading: whether it was a heading, and no list item.
        as_bullet: whether a row of a table is written as a list item.
        headings, parents: what stands above the nodes below it, as they are read again.
        children: in order.
    """

    text: str = ""
    is_label: bool = False
    unit: Unit | None = None
    label: str = ""
    is_heading: bool = False
    as_bullet: bool = False
    headings: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    children: list[Node] = field(default_factory=list)
    _by_step: dict[Step, Node] = field(default_factory=dict)

    def below(self, step: Step) -> Node:
        """Return the node for a heading, label or copy below this one."""
        if step not in self._by_step:
            node = self._by_step[step] = self.like(step)
            self.children.append(node)
        return self._by_step[step]

    def like(self, step: Step) -> Node:
        """Return such a node without adding it."""
        if step.is_label:
            return Node(step.text, is_label=True, headings=(*self.headings, step.text), parents=self.parents)
        parents = (*self.parents, step.text)
        return Node(step.text, is_heading=step.is_heading, headings=self.headings, parents=parents)


@dataclass(slots=True)
class Outline:
    """The output as a tree.

    Attributes:
        sections: a root for each section, by its label.
        is_proved: whether every item is placed there as it was.
    """

    sections: dict[str, Node] = field(default_factory=dict)
    is_proved: bool = True


@dataclass(frozen=True, slots=True)
class _Form:
    """A way to write an item."""

    home: str
    steps: tuple[Step, ...]
    label: str
    below: Node | None = None
    as_bullet: bool = False


class _Builder:
    def __init__(self, units: Sequence[Unit], trails: Trails, texts: Mapping[int, str]) -> None:
        self.units = units
        self.trails = trails
        self.texts = texts
        self.outline = Outline()
        self.nodes: dict[int, Node] = {}
        self.homes: dict[int, str] = {}
        kept = {unit.index for unit in units}
        self.have_children = {parent for index, parent in trails.parents.items() if index in kept}
        self.goal: tuple[Step, ...] | None = None
        """The headings that the goal stands below, None as long as there is none."""

    def build(self) -> Outline:
        for unit in self.units:
            strict, relaxed = [], []
            for form in self._forms(unit):
                fit = self._fit(unit, form)
                if fit == 2:
                    strict.append(form)
                    break
                if fit == 1:
                    relaxed.append(form)
            chosen = (*strict, *relaxed)
            if not chosen:
                self.outline.is_proved = False
                return self.outline
            self._add(unit, chosen[0])
        return self.outline

    # -- the forms an item may take, the best first

    def _forms(self, unit: Unit) -> Iterator[_Form]:
        parent = self.nodes.get(self.trails.parents.get(unit.index, -1))
        if parent is not None and parent.unit is not None:
            home = self.homes[parent.unit.index]
            nested = list(self._worded(unit, home, self.trails.inside(unit, parent.unit), parent))
            moved = list(self._apart(unit))
            yield from (*moved, *nested) if self._leaves(unit, parent.unit, home) else (*nested, *moved)
        else:
            yield from self._apart(unit)

    def _apart(self, unit: Unit) -> Iterator[_Form]:
        """Yield the forms below copies of what an item stands below."""
        section = unit.place.section
        steps = self.trails.steps(unit)
        if section is Section.GOAL:
            yield from self._goal(unit, steps)
            return
        home = _HOMES.get(section, str(section))
        if (scope := _SCOPES.get(section)) and unit.item.label != scope:
            if all(step.is_mere for step in steps) and self._may_be_labelled(unit):
                yield _Form(home, (), scope)
            label = Step(scope, is_label=True)
            rest = tuple(step for step in steps if not step.is_mere)
            yield from (_Form(home, (label, *rest), ""), _Form(home, (label, *steps), ""))
        yield from self._worded(unit, home, steps, None)

    def _goal(self, unit: Unit, steps: tuple[Step, ...]) -> Iterator[_Form]:
        """Yield the forms of a goal: the first is the sentence of the section, the others are told among the facts."""
        more = tuple(step for step in steps if not step.is_mere)
        if self.goal is None or (more and more == self.goal):
            yield _Form("Goal", more, "")
        yield _Form("Facts", steps, "")
        yield _Form("Facts", more, "Goal" if self._may_be_labelled(unit) else "")

    def _worded(self, unit: Unit, home: str, steps: tuple[Step, ...], below: Node | None) -> Iterator[_Form]:
        few = tuple(step for step in steps if not step.is_mere)
        if unit.item.shape == "row" and home == "Confirmed" and not few and below is None:
            if not unit.mark:
                yield _Form(home, few, "", as_bullet=True)
            few = steps
        explicit = self._label(unit)
        told = any(step.known is not None and step.known.state is unit.place.state for step in steps)
        if explicit and unit.place.state in _SHOWN and not told:
            yield _Form(home, few, explicit, below)
        yield _Form(home, few, "", below)
        yield _Form(home, steps, "", below)
        if explicit:
            yield _Form(home, few, explicit, below)
            yield _Form(home, steps, explicit, below)

    def _may_be_labelled(self, unit: Unit) -> bool:
        """Return whether a label before the text changes nothing else: others are read below this very text."""
        return not unit.item.label and unit.item.shape in _WORDED and unit.index not in self.have_children

    def _label(self, unit: Unit) -> str:
        """Return the label that tells how settled an item is, "" for none or where it would say more than that."""
        if not self._may_be_labelled(unit):
            return ""
        state = unit.place.state
        labels = (f"{_LABELS[state]} ({unit.place.trust})", _LABELS[state]) if state in _LABELS else ()
        return next((label for label in labels[state is not State.CLAIMED :] if tells(label)), "")

    def _leaves(self, unit: Unit, parent: Unit, home: str) -> bool:
        """Return whether an item goes to its own section without the one it stands below.

        It takes a copy of that one along, which must look neither more nor less settled there than it is.
        """
        goes = unit.place.section in {Section.OPEN, Section.CONFLICTS} and str(unit.place.section) != home
        return goes and parent.place.state is State.NONE and not parent.item.label

    # -- whether it reads back the same

    def _fit(self, unit: Unit, form: _Form) -> int:
        """Return 2 where an item is placed as before, 1 where only its section differs and that is harmless, else 0."""
        item = self._predicted(unit, form)
        if item.speaker and not _is_heard(item):
            return 0
        read = place(item)
        if (read.state, read.trust) != unit.labels:
            return 0
        if read.section is unit.place.section:
            return 2
        found = relocation(unit, replace(unit, place=read))
        return 1 if found is None or found[1] is Severity.WARNING else 0

    def _predicted(self, unit: Unit, form: _Form) -> Item:
        node = form.below or Node(headings=(form.home,))
        for step in form.steps:
            node = node.like(step)
        item = unit.item
        shape = "bullet" if form.as_bullet or (item.shape == "prose" and form.home != "Goal") else item.shape
        return replace(
            item,
            text=self.texts.get(unit.index, item.text),
            headings=node.headings,
            parents=node.parents,
            label=item.label or form.label,
            shape=shape,
            depth=len(node.parents),
        )

    # -- the tree

    def _add(self, unit: Unit, form: _Form) -> None:
        node = form.below or self.outline.sections.setdefault(form.home, Node(headings=(form.home,)))
        for step in form.steps:
            node = node.below(step)
        item = unit.item
        said = replace(item, text=self.texts.get(unit.index, item.text), label=item.label or form.label)
        new = Node(
            unit=unit,
            label=form.label,
            as_bullet=form.as_bullet,
            headings=node.headings,
            parents=(*node.parents, wording(said)),
        )
        node.children.append(new)
        self.nodes[unit.index] = new
        self.homes[unit.index] = form.home
        if form.home == "Goal" and self.goal is None:
            self.goal = form.steps


def _is_heard(item: Item) -> bool:
    """Return whether the speaker of an item is known again by the words before it."""
    if item.shape not in _WORDED:
        return False
    label = f"{item.label}: " if item.label else ""
    found = own_turn(f"{item.speaker}: {label}{item.text}"[:240])
    return found is not None and found[0] == item.speaker


def outline(units: Sequence[Unit], trails: Trails, texts: Mapping[int, str]) -> Outline:
    """Return the output as a tree.

    Args:
        units: the items that stay, in order.
        trails: what they stand below.
        texts: of items that lost something, what is left, by index.
    """
    built = _Builder(units, trails, texts).build()
    for root in built.sections.values():
        _join_labels(root)
    return built


def _join_labels(root: Node) -> None:
    """Write a label before the one item below it, where it reads back the same."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for index, child in enumerate(node.children):
            if child.is_label and (joined := _joined(node, child)):
                node.children[index] = joined
            else:
                waiting.append(child)


def _joined(above: Node, label: Node) -> Node | None:
    if len(label.children) != 1:
        return None
    only = label.children[0]
    unit = only.unit
    if unit is None or only.children or only.label or unit.item.label or unit.item.shape not in _WORDED:
        return None
    if unit.item.speaker or unit.number or unit.mark or marker(label.text) or not tells(label.text):
        return None
    text = f"{label.text}: {unit.item.text}"
    found = words.label(text[:240])
    if found is None or len(text[:240]) - len(found[0]) != len(label.text) + 2:
        return None
    item = replace(unit.item, headings=above.headings, parents=only.parents[:-1], label=label.text, shape="bullet")
    if place(item) != replace(unit.place, source=place(item).source, reason=place(item).reason):
        return None
    return Node(unit=unit, label=label.text, headings=above.headings, parents=only.parents)
