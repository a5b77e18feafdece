"""The words by which a handoff is read, in English, Chinese, Japanese and Thai: where each table is found; pure."""

from __future__ import annotations

from hypo_strategies.handoff.filler import filler
from hypo_strategies.handoff.headings import Heading, heading, label
from hypo_strategies.handoff.modality import hedges, modals
from hypo_strategies.handoff.negation import negations, prohibits
from hypo_strategies.handoff.provenance import confirms, provenance

__all__ = [
    "Heading",
    "confirms",
    "filler",
    "heading",
    "hedges",
    "label",
    "modals",
    "negations",
    "prohibits",
    "provenance",
]
