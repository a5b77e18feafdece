"""The line by which a Markdown view says that it lacks something of its sources (views.md, rule 5)."""

from __future__ import annotations

from collections.abc import Iterable

from hypo_strategies.api import Finding, Language
from hypo_strategies.text.labels import label
from hypo_strategies.text.limits import MAX_MARKDOWN_LINE, clip


def unreadable_note(findings: Iterable[Finding], language: Language) -> list[str]:
    """Return a blank line and the places that could not be read (`patches/P002.md:3`), nothing when there are none."""
    places = [finding.path if finding.line is None else f"{finding.path}:{finding.line}" for finding in findings]
    if not places:
        return []
    return ["", clip(" ".join(label("unreadable_files", language, files=", ".join(places)).split()), MAX_MARKDOWN_LINE)]
