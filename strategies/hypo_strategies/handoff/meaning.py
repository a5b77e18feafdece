"""What a text says, as a key: equal keys mean equal statements, so that one of the two may go; pure.

Nothing is left out of a key but what cannot change a meaning: white space, the case of ordinary words, full-width
forms, look-alikes of hyphens and apostrophes, the marks of emphasis, the stop at the very end, and how a unit of
time is spelt. An equal key for different statements would lose one of them; two keys for one statement only make
somebody look.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hypo_strategies.handoff import words
from hypo_strategies.handoff.alike import SHOUTED, lowered, respelled
from hypo_strategies.handoff.exact import exacts
from hypo_strategies.handoff.model import Exact, Kind, Section, State, Trust

EXACT = ""
NUMBER = " "
"""Where an exact item or a number stands among the words."""

_EXACT_MARK = "\uffff"
_NUMBER_MARK = "\ufffe"
_MARKS = re.compile(f"[{_NUMBER_MARK}{_EXACT_MARK}]")
_NO_MARKS = str.maketrans(dict.fromkeys((_EXACT_MARK, _NUMBER_MARK), "\ufffd"))
_PLACES = {_EXACT_MARK: EXACT, _NUMBER_MARK: NUMBER}

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Letters written without blanks between words: Thai, Han, kana and their like."""
_LETTER = rf"(?:[^\W{_UNSPACED}]|[\u0300-\u036f])"
_WORD = re.compile(rf"[{_UNSPACED}]+|{_LETTER}+(?:[-'./&+@:]{_LETTER}+)*|\S")
_ENDLESS = re.compile(r"\S{500}")
"""No language has such words; normalising a long row of combining marks takes quadratic time."""
_STOPS = frozenset(".;,")
_BEGINS = frozenset(".!?:;-*•\"'“”(（[|>")
"""What a sentence or a part of one may begin behind."""

_EMPHASIS = re.compile(r"\*{1,3}|_{1,3}")
_EMPHASISED_WORD = re.compile(r"[A-Za-z']+")
_ASKING = re.compile(r"(?:ไหม|หรือไม่|หรือยัง|หรือเปล่า|มั้ย|吗|嗎|呢|ですか|ますか|でしょうか|たか|るか|いか|のか)[.\s]*$")


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a text says.

    Attributes:
        exacts: kind and key of its exact items but numbers, in order.
        numbers: its numbers with signs and units, in order.
        polarity: its words of denial, as `words.negations` gives them.
        modality: its words of duty and limit with their strengths, as `words.modals` gives them.
        words: all words and signs in order, folded; `EXACT` and `NUMBER` stand where the items above stood.
        questions: how many questions it asks.
    """

    exacts: tuple[tuple[Kind, str], ...]
    numbers: tuple[str, ...]
    polarity: tuple[str, ...]
    modality: tuple[tuple[str, str], ...]
    words: tuple[str, ...]
    questions: int


Key = tuple[Section, State, Trust, Meaning]
"""What two items share that may become one."""


def meaning(text: str) -> Meaning:
    """Return what a text says."""
    found = exacts(text)
    prose = respelled(_without_emphasis(_prose(text.translate(_NO_MARKS) if _MARKS.search(text) else text, found)))
    said = list(_said(prose))
    while said and said[-1] in _STOPS and said[-2:-1] != [said[-1]]:
        said.pop()
    spoken = _ENDLESS.sub(r"\g<0> ", " ".join(_MARKS.sub(" ", prose).split()))
    return Meaning(
        exacts=tuple((exact.kind, exact.key) for exact in found if exact.kind is not Kind.NUMBER),
        numbers=tuple(exact.key for exact in found if exact.kind is Kind.NUMBER),
        polarity=words.negations(spoken),
        modality=words.modals(spoken),
        words=tuple(said),
        questions=said.count("?") or int(bool(_ASKING.search(spoken[-40:]))),
    )


def key(item_text: str, section: Section, state: State, trust: Trust) -> Key:
    """Return what an item shares with every item that says the same, is as settled and comes from the same source."""
    return section, state, trust, meaning(item_text)


def _prose(text: str, found: tuple[Exact, ...]) -> str:
    """Return a text with a mark for each of its exact items."""
    parts = []
    at = 0
    for exact in found:
        mark = _NUMBER_MARK if exact.kind is Kind.NUMBER else _EXACT_MARK
        parts += [text[at : exact.start], mark]
        at = exact.end
    return "".join((*parts, text[at:]))


def _without_emphasis(prose: str) -> str:
    """Return a text without the pairs of `*` and `_` that emphasise a part of it."""
    if "*" not in prose and "_" not in prose:
        return prose
    marks: list[tuple[int, int]] = []
    openings: dict[str, tuple[int, int]] = {}
    for run in _EMPHASIS.finditer(prose):
        start, end = run.span()
        before, after = prose[start - 1 : start], prose[end : end + 1]
        opening = openings.get(run[0])
        if opening and not before.isspace() and not _is_letter(after):
            if run[0][0] == "*" or _is_emphasised(prose[opening[1] : start]):
                marks += [opening, (start, end)]
            del openings[run[0]]
        elif after and not after.isspace() and not _is_letter(before):
            openings[run[0]] = start, end
    parts = []
    at = 0
    for start, end in sorted(marks):
        parts.append(prose[at:start])
        at = end
    return "".join((*parts, prose[at:]))


def _is_letter(sign: str) -> bool:
    return sign.isascii() and (sign.isalnum() or sign in "*_") and bool(sign)


def _is_emphasised(inside: str) -> bool:
    """Return whether `_` around a part are no letters of a name."""
    return any(map(str.isspace, inside)) or (bool(_EMPHASISED_WORD.fullmatch(inside)) and inside.upper() in SHOUTED)


def _said(prose: str) -> Iterator[str]:
    is_first = True
    for word in _WORD.findall(prose):
        if len(word) > 1 or word.isalpha():
            # A capital that begins a sentence is only that; inside of one it may be a value or a name.
            yield lowered(word) if is_first or not word[0].isupper() or word.isupper() else word
            is_first = False
        else:
            yield _PLACES.get(word, word)
            is_first = word in _BEGINS
