"""Characters that a reader does not see and that can hide or turn round what stands beside them; pure."""

from __future__ import annotations

import re

_HIDDEN = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u0080-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e"
    "\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
    "|(?<![\u2190-\u2bff\U0001f000-\U0001faff\ufe0f])\u200d"  # but it joins the parts of an emoji
)
_MOST_NAMED = 5


def hidden(lines: list[str]) -> list[tuple[int, str]]:
    """Return the lines, counted from 1, that hold hidden characters, each with their code points."""
    if not _HIDDEN.search("\n".join(lines)):
        return []
    notes = []
    for number, line in enumerate(lines, 1):
        if found := sorted(set(_HIDDEN.findall(line))):
            names = ", ".join(f"U+{ord(character):04X}" for character in found[:_MOST_NAMED])
            notes.append((number, f"hidden character {names}"))
    return notes
