"""What our own results keep: exact items kind by kind, looked for without the loss check's help."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from handoff.bed.sources import Handoff
from hypo_strategies.handoff.blocks import parse
from hypo_strategies.handoff.canonical import CanonicalDocumentError
from hypo_strategies.handoff.compact import Outcome, compact
from hypo_strategies.handoff.exact import exacts
from hypo_strategies.handoff.losscheck import Verdict, check
from hypo_strategies.handoff.model import Kind


@dataclass(slots=True)
class Retention:
    """Sums over handoffs; an item is a text of a kind, counted once a handoff.

    Attributes:
        there: by kind, items of the sources, but those that are withheld as an injection's.
        kept: by kind, those of them that stand in the results.
        invented: by kind, items of the results that no source has.
        outcomes: how often each.
        passed: how many results the loss check passes.
        characters: of sources and results.
    """

    there: Counter[Kind] = field(default_factory=Counter)
    kept: Counter[Kind] = field(default_factory=Counter)
    invented: Counter[Kind] = field(default_factory=Counter)
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    refused: int = 0
    passed: int = 0
    characters: tuple[int, int] = (0, 0)


def retention(handoffs: Sequence[Handoff]) -> Retention:
    """Measure what `compact` makes of handoffs."""
    found = Retention()
    for handoff in handoffs:
        try:
            compacted = compact(handoff.source)
        except CanonicalDocumentError:
            found.refused += 1
            continue
        gone = {line for fate in compacted.removed for line in range(fate.first, fate.last + 1)}
        lines = enumerate(handoff.source.replace("\r\n", "\n").split("\n"), 1)
        due = _items("\n".join("" if number in gone else line for number, line in lines))
        here = _items(compacted.text)
        for kind, key in due:
            found.there[kind] += 1
            found.kept[kind] += (kind, key) in here
        for kind, _ in here - _items(handoff.source):
            found.invented[kind] += 1
        found.outcomes[compacted.outcome] += 1
        found.passed += check(handoff.source, compacted.text).verdict is Verdict.PASS
        before, after = found.characters
        found.characters = before + len(handoff.source), after + len(compacted.text)
    return found


def _items(text: str) -> set[tuple[Kind, str]]:
    document = parse(text)
    around = {document.title, *(heading for item in document.items for heading in item.headings)}
    found = {(exact.kind, exact.key) for said in around for exact in exacts(said)}
    for item in document.items:
        if item.shape == "fence":
            found.add((Kind.FENCE, item.text))
        else:
            label = f"{item.label}: " if item.label else ""
            found.update((exact.kind, exact.key) for exact in exacts(label + item.text))
    return found
