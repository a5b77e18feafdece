"""What a Milestone changed, as its report tells it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hypo_strategies._report_conclusion import is_metadata
from hypo_strategies._report_headings import Kind
from hypo_strategies._report_outline import Part, statements
from hypo_strategies._report_scores import gives_score
from hypo_strategies._report_text import plain
from hypo_strategies.text.limits import clip

_LONGEST_PIECE = 240
"""Characters of one piece, so that a line holds more than one."""

_BARE = re.compile(r"[-\s]*[\w./{}*,@()-]+[\s.;；。]*(?:\([^()]{0,80}\)|（[^（）]{0,80}）)?")


def changes(parts: tuple[Part, ...], *, summary_is_free: bool) -> tuple[str, ...]:
    """Return what changed, each piece verbatim: the changes, then what was delivered, in the report's order.

    Bare names tell less than a sentence, so the summary's first sentence stands before a list of them.

    Args:
        parts: the report.
        summary_is_free: the summary has not been shown as the conclusion.
    """
    told = [list(_told(parts, kind)) for kind in ("change", "deliverable")]
    summary = [text for text in _told(parts, "summary") if not is_metadata(text)][:1] if summary_is_free else []
    telling = [piece for pieces in told if not _mostly_bare(pieces) for piece in pieces]
    bare = [piece for pieces in told if _mostly_bare(pieces) for piece in pieces]
    pieces = dict.fromkeys([*telling, *(summary if not telling else []), *bare])
    return tuple(clip(piece, _LONGEST_PIECE) for piece in pieces)


def _told(parts: tuple[Part, ...], kind: Kind) -> Iterator[str]:
    for part in parts:
        if part.kind == kind:
            yield from (text for text in statements(part) if not gives_score(text))


def _mostly_bare(pieces: list[str]) -> bool:
    return 2 * sum(_BARE.fullmatch(plain(piece)[:300]) is not None for piece in pieces) > len(pieces)
