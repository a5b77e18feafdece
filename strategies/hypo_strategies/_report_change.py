"""What a Milestone changed, as its report tells it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from hypo_strategies._report_conclusion import prose
from hypo_strategies._report_headings import Kind
from hypo_strategies._report_outline import Part, statements
from hypo_strategies._report_scores import gives_score
from hypo_strategies._report_text import plain
from hypo_strategies.text.limits import clip

_LONGEST_PIECE = 240
"""Characters of one piece, so that a line holds more than one."""

_BARE = re.compile(r"[-\s]*[\w./{}*,@()-]+[\s.;；。]*(?:\([^()]{0,80}\)|（[^（）]{0,80}）)?")


def changes(parts: tuple[Part, ...], told: tuple[str, ...]) -> tuple[str, ...]:
    """Return what changed, each piece verbatim: the changes, then what was delivered, in the report's order.

    Bare names tell less than a sentence, so the summary's first sentence stands before a list of them.

    Args:
        parts: the report.
        told: what is shown already, as the conclusion.
    """
    found = [list(_changed(parts, kind)) for kind in ("change", "deliverable")]
    telling = [piece for pieces in found if not _mostly_bare(pieces) for piece in pieces]
    bare = [piece for pieces in found if _mostly_bare(pieces) for piece in pieces]
    summary = [] if telling else islice(prose(parts, "summary"), 1)
    pieces = dict.fromkeys([*telling, *summary, *bare])
    return tuple(clip(piece, _LONGEST_PIECE) for piece in pieces if piece not in told)


def _changed(parts: tuple[Part, ...], kind: Kind) -> Iterator[str]:
    for part in parts:
        if part.kind == kind:
            yield from (text for text in statements(part) if not gives_score(text))


def _mostly_bare(pieces: list[str]) -> bool:
    return 2 * sum(_BARE.fullmatch(plain(piece)[:300]) is not None for piece in pieces) > len(pieces)
