"""What is said to people before a language is chosen: an English template, and what stands in its places.

The template is what a catalogue of translations knows it by, so whoever says something gives it literally.
"""

from __future__ import annotations

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz_")
"""Of which the names of places are made."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Self, TypeAlias

    Value: TypeAlias = "str | int | Phrase"


class Phrase(tuple[str, tuple[tuple[str, "Value"], ...]]):
    """A template with `{places}`, and by name what stands in them: a text, a number, or another phrase.

    `str(phrase)` is the English sentence. `phrase` makes one of a template of ours; this itself is for the words of
    others (the system, a parser), which no template of ours holds. It is a named tuple but for the import of those:
    hooks wait for the start-up.
    """

    __slots__ = ()
    _fields = ("text", "values")

    def __new__(cls, text: str, values: tuple[tuple[str, Value], ...] = ()) -> Self:
        """Return a phrase."""
        return tuple.__new__(cls, (text, values))

    def __getnewargs__(self) -> tuple[str, tuple[tuple[str, Value], ...]]:
        return self.text, self.values

    def __repr__(self) -> str:
        return f"Phrase({self.text!r}, {self.values!r})"

    @property
    def text(self) -> str:
        """The template."""
        return self[0]

    @property
    def values(self) -> tuple[tuple[str, Value], ...]:
        """What stands in its places."""
        return self[1]

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
    out = []
    for before, name in _divided(text):
        out.append(before)
        if name:
            out.append(say(by_name[name]) if name in by_name else f"{{{name}}}")
    return "".join(out)


def places(text: str) -> frozenset[str]:
    """Return the names of a template's places."""
    return frozenset(name for _, name in _divided(text) if name)


def _divided(text: str) -> Iterator[tuple[str, str]]:
    """Yield what stands before each place of a template, and the place's name; at last what is left, and ""."""
    at = begin = 0
    while (opened := text.find("{", at)) >= 0:
        closed = text.find("}", opened)
        name = text[opened + 1 : closed] if closed > 0 else ""
        if name and _LETTERS.issuperset(name):
            yield text[begin:opened], name
            at = begin = closed + 1
        else:
            at = opened + 1
    yield text[begin:], ""
