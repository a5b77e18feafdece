"""Commands as a person can type them again: quoted for a POSIX shell, whatever a path holds; pure."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable


def line(words: Iterable[str]) -> str:
    """Return the words of a command as one printable line."""
    return " ".join(map(quoted, words))


def quoted(word: str) -> str:
    r"""Return a word quoted; what a terminal cannot show is written as bash and zsh take it, `$'a\012b'`."""
    if word.isprintable() and word.isascii():
        return shlex.quote(word)
    try:
        word.encode()
    except UnicodeEncodeError:
        pass
    else:
        if word.isprintable():
            return shlex.quote(word)
    return "$'" + "".join(map(_escaped, word)) + "'"


def _escaped(char: str) -> str:
    if char in "\\'":
        return f"\\{char}"
    if char.isprintable() and not "\ud800" <= char <= "\udfff":
        return char
    # Octal, of three digits always: what follows cannot be taken for a part of it.
    return "".join(f"\\{byte:03o}" for byte in os.fsencode(char))
