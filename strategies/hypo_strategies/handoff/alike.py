"""Spellings of the same characters made alike, for keys only: full-width forms, hyphens, digits, apostrophes; pure.

This is less than NFKC on purpose: NFKC reads 10² as 102 and ½ as 1⁄2, and so makes different numbers equal.
"""

from __future__ import annotations

import re
import unicodedata


def words_of(text: str) -> frozenset[str]:
    """Return the words of a table."""
    return frozenset(text.split())


DASH = "–"
LONG_DASH = "—"
"""What the dashes that are no hyphens look like in an `aligned` text: the first also stands for a range."""

_ALIGNED: dict[str, str] = {
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **{chr(0x0E50 + digit): str(digit) for digit in range(10)},
    **dict.fromkeys("\u2010\u2011\u2212\ufe63", "-"),
    "\u2012": DASH,
    **dict.fromkeys("\u2015\ufe58", LONG_DASH),
    **dict.fromkeys("\u3000\u00a0\u2007\u202f", " "),
    "〜": "~",
    "￥": "¥",
    "￦": "₩",
    "￡": "£",
}
"""One character for one: offsets stay."""
_FOLDED: dict[str, str] = {
    **_ALIGNED,
    **dict.fromkeys("\u2013\u2012\u2014\u2015\ufe58", "-"),
    **dict.fromkeys("’‘ʼ", "'"),
    **dict.fromkeys("\ufe0e\ufe0f", ""),
    **{
        chr(code): unicodedata.normalize("NFKC", chr(code)) for code in (*range(0xFF61, 0xFFA0), *range(0xFB00, 0xFB07))
    },
    "…": "...",
    "。": ".",
    "｡": ".",
    "、": ",",
    "､": ",",
}
_ALIGN = str.maketrans(_ALIGNED)
_FOLD = str.maketrans(_FOLDED)
_PART = re.compile(r"[^\W\d_]+")
_LONGEST_NORMALISED = 200
"""Longer words stay as they are: normalising a long row of combining marks takes quadratic time."""

SHOUTED = words_of(
    "AFTER ALL ALREADY ALWAYS AN AND ANY ARE AS AT BE BEEN BEFORE BUT BY CAN CAN'T CANNOT CAUTION CRITICAL DECIDED "
    "DECISION DECISIONS DID DO DOES DON'T DONT EACH EITHER EVER EVERY EXACT EXACTLY EXCEPT FACT FACTS FIRST FIX "
    "FOR FORBIDDEN FROM GOAL HARD HAS HAVE HOLD IF IMMEDIATELY IMPORTANT IN INFERRED INTO IS ISN'T ITS JUST KEEP "
    "LAST LEAST LESS MAY MIGHT MORE MOST MUST MUSTN'T NEED NEVER NEW NEXT NO NON NONE NOR NOT NOTE NOTHING NOW "
    "OBSERVED OF OLD ON ONE ONLY OPTIONAL OR OTHER OUR OUT OVER PLEASE PROPOSAL PROPOSED QUESTION READ REQUIRED "
    "RULE RULES SAME SHALL SHOULD SHOULDN'T SKIP SO STILL STOP THAN THAT THE THEIR THEN THERE THESE THEY THIS "
    "THOSE TO TOO UNDER UNLESS UNTIL USE USER VERY WAIT WARNING WAS WE WERE WHEN WHERE WHETHER WHICH WHILE WILL "
    "WITH WITHOUT WON'T YET YOU YOUR"
)
"""Words that people write in capitals for emphasis: their case means nothing. NOT must never count as a name."""


def aligned(text: str) -> str:
    """Return a text of the same length whose full-width forms, hyphens, dashes and Thai digits are the plain ones."""
    return text if text.isascii() else text.translate(_ALIGN)


def plain(text: str) -> str:
    """Return an aligned text with hyphens for its dashes, as the key of an exact item has it."""
    return text.replace(DASH, "-").replace(LONG_DASH, "-")


def respelled(text: str) -> str:
    """Return a text with one spelling of each character; case stays."""
    return text if text.isascii() else text.translate(_FOLD)


def lowered(word: str) -> str:
    """Return a respelled word without the case that only its place or emphasis gave it.

    IT and US are not it and us, and option A is not the article: capitals stay where they may be a name.
    """
    if not word.isascii():
        word = word.replace("\u0e4d\u0e32", "\u0e33")  # two ways to type the Thai vowel of กำ
        if len(word) <= _LONGEST_NORMALISED:
            word = unicodedata.normalize("NFC", word)
    if word.islower() or word in SHOUTED:
        return word.lower()
    return _PART.sub(_lowered_part, word)


def _lowered_part(found: re.Match[str]) -> str:
    part = found[0]
    return part if part.isupper() and part not in SHOUTED else part.lower()
