"""The language of a part of a handoff, told by its scripts; pure."""

from __future__ import annotations

import re

_CODE_SPAN = re.compile(r"`[^`\n]+`")
_RUN = re.compile("[!-~]+")
_INSIDE_NAME = re.compile(r"[A-Za-z0-9][_/\\.:=@#][A-Za-z0-9]|[A-Za-z]-?[0-9]|[0-9][A-Za-z]")
_SCRIPTS = {
    "th": re.compile("[\u0e01-\u0e3a\u0e40-\u0e4e]"),
    "ja": re.compile("[\u3041-\u3096\u30a1-\u30fa\u30fc\uff66-\uff9d々]"),
    "ko": re.compile("[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]"),
    "zh": re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"),
    "en": re.compile("[A-Za-zÀ-ɏＡ-Ｚａ-ｚ]+"),
}
_CAPITAL_WORD = re.compile("(?<![A-Za-z])[A-Z][A-Za-z]*")
"""Half a word: names of products stand in every language."""
_LETTERS_A_WORD = {"th": 4, "ja": 2, "ko": 2, "zh": 2, "en": 1}
"""How many matches are about one word: Latin letters are counted by words, and so are the others."""
_FEWEST_HAN = 12
"""Fewer Han characters without kana may be Chinese or Japanese."""

UNKNOWN = "und"


def language_of(text: str) -> str:
    """Return the language of one block: `en`, `zh`, `ja`, `th`, `ko`, or `und` when its letters do not tell.

    Code, paths and URLs do not count. Latin letters are taken for English. Han characters with kana are Japanese,
    without kana Chinese, and too few of them may be either.
    """
    prose = _RUN.sub(_word_or_nothing, _CODE_SPAN.sub(" ", text))
    counts: dict[str, float] = {
        language: sum(1 for _ in script.finditer(prose)) for language, script in _SCRIPTS.items()
    }
    capitals = sum(1 for _ in _CAPITAL_WORD.finditer(prose))
    counts["en"] -= capitals / 2
    han = counts["zh"]
    if counts["ja"]:
        counts["ja"] += han
        counts["zh"] = 0
    weights = {language: count / _LETTERS_A_WORD[language] for language, count in counts.items()}
    language = max(weights, key=lambda name: weights[name])
    if not weights[language] or (language == "zh" and han < _FEWEST_HAN):
        return UNKNOWN
    return language


def _word_or_nothing(run: re.Match[str]) -> str:
    return " " if _INSIDE_NAME.search(run[0]) else run[0]
