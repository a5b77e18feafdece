"""What the program says to people, in Chinese and English; the texts stand in `catalogue.py`.

Sentences for stdout have a key and stand in the catalogue in both languages. Errors, complaints, findings and
reasons read best where they are made, so their English template is their key; a test keeps the Chinese ones complete.
"""

from __future__ import annotations

from hypo_strategies.text.phrase import Phrase, filled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hypo_strategies.api import Language
    from hypo_strategies.text.phrase import Value


def translated(said: Phrase, language: Language) -> str:
    """Return a phrase in one language, the phrases in it too; in English where the catalogue has no other words."""
    if language != "zh-CN":
        return str(said)
    from hypo_compactd.catalogue import PHRASES, WORDS_OF_OTHERS  # noqa: PLC0415 - hooks mostly have nothing to say

    template = PHRASES.get(said.text) or WORDS_OF_OTHERS.get(said.text) or said.text
    return filled(template, said.values, lambda value: _told(value, language))


def message(key: str, language: Language, /, **values: Value) -> str:
    """Return a sentence in one language, its places filled.

    Raises:
        KeyError: there is no such sentence, which is a mistake of the caller.
    """
    from hypo_compactd.catalogue import SENTENCES  # noqa: PLC0415 - as above

    chinese, english = SENTENCES[key]
    template = chinese if language == "zh-CN" else english
    return filled(template, tuple(values.items()), lambda value: _told(value, language))


def printable(text: str) -> str:
    """Return `text` so that any terminal and any log takes it: no control characters, no lone surrogates.

    File names come from anywhere; one of them must neither move a cursor nor end a log.
    """
    shown = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
    return shown.encode("utf-8", "backslashreplace").decode()


def _told(value: Value, language: Language) -> str:
    return translated(value, language) if isinstance(value, Phrase) else str(value)
