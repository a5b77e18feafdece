"""What was lost of state.yaml, and how its view says so."""

from __future__ import annotations

from dataclasses import dataclass

from hypo_strategies.text.phrase import Phrase, phrase

NO_KEY = phrase("a line that belongs to no key")
NO_ITEM = phrase("a line that belongs to no list item")
CONFLICT = phrase("a merge conflict")
SECOND = phrase("a second YAML document")
NOT_UTF8 = phrase("bytes that are not UTF-8")
REPEATED = phrase("a key that stands twice; it is shown once")
JOINED = phrase("a second history; its prompts follow those of the first")
MISFIT = phrase("a value of another kind than it should be; it is not shown")
_INVALID = "not valid YAML"
_OWN = frozenset({NO_KEY, NO_ITEM, CONFLICT, SECOND, NOT_UTF8, REPEATED, JOINED, MISFIT})

MAX_NAMED = 10
"""Losses that a view names by their lines."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Some lines (`first` to `last`) that could not be read, where among them the fault is, and which."""

    first: int
    last: int
    line: int
    column: int | None
    problem: Phrase

    @property
    def told(self) -> Phrase:
        """What a finding says: our own words, or those of the parser."""
        return self.problem if self.problem in _OWN else phrase("not valid YAML: {problem}", problem=self.problem)


def in_view(losses: list[Loss], *, as_key: bool) -> list[str]:
    """Return the lines that tell the view's reader what was lost: the key `unreadable`, or comments.

    A parser's own words are left out, since two parsers word the same fault differently.
    """
    out = ["unreadable:"] if as_key else []
    for loss in losses[:MAX_NAMED]:
        lines = str(loss.first) if loss.first == loss.last else f"{loss.first}-{loss.last}"
        why = loss.problem if loss.problem in _OWN else _INVALID
        out.append(f"  - {{lines: {lines}, why: {why}}}" if as_key else f"# line {lines}: {why}")
    if len(losses) > MAX_NAMED:
        out.append(f"# {len(losses) - MAX_NAMED} more places like these")
    return out
