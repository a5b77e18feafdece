"""Closed lists of words, as `enum` has them, but for its import: hooks wait for the start-up."""

from __future__ import annotations


class ClosedList:
    """The attributes of a subclass in capitals are its words; each is one object, so that `is` tells them apart."""

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """Return every word."""
        return tuple(word for name, word in vars(cls).items() if name.isupper())

    @classmethod
    def of(cls, text: object) -> str:
        """Return the word that a text is.

        Raises:
            ValueError: it is none.
        """
        for word in cls.all():
            if word == text:
                return word
        raise ValueError
