"""What is said to people before a language is chosen: an English template, and what stands in its places.

The template is what a catalogue of translations knows it by, so whoever says something gives it literally.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

_PLACE = re.compile(r"\{([a-z_]+)\}")

Value: TypeAlias = "str | int | Phrase"


class Phrase(NamedTuple):
    """A template with `{places}`, and by name what stands in them: a text, a number, or another phrase.

    `str(phrase)` is the English sentence. `phrase` makes one of a template of ours; this itself is for the words of
    others (the system, a parser), which no template of ours holds.
    """

    text: str
    values: tuple[tuple[str, Value], ...] = ()

    def __str__(self) -> str:
        return filled(self.text, self.values)


def phrase(text: str, /, **values: Value) -> Phrase:
    """Return a phrase.

    Args:
        text: the English template, literally.
        values: what stands in its places.
    """
    return Phrase(text, tuple(values.items()))


def filled(text: str, values: tuple[tuple[str, Value], ...], say: Callable[[Value], str] = str) -> str:
    """Return a template with its places filled; one that has no value stays as it is, since nothing may fail here.

    Args:
        text: the template, in any language.
        values: what stands in its places.
        say: gives a value as it is to be said.
    """
    by_name = dict(values)
    return _PLACE.sub(lambda place: say(by_name[place[1]]) if place[1] in by_name else place[0], text)


def places(text: str) -> frozenset[str]:
    """Return the names of a template's places."""
    return frozenset(_PLACE.findall(text))
