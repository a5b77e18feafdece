"""Faithful results: the same items in another form, each of which a good checker lets pass."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterator

from handoff.bed.sources import Handoff
from hypo_strategies.handoff.canonical import CanonicalDocumentError
from hypo_strategies.handoff.compact import compact
from hypo_strategies.handoff.words import heading

_BULLET = re.compile(r"^- ", re.MULTILINE)
_FENCES = r"(?ms)(^[ \t]*```.*?^[ \t]*```[ \t]*$|^[ \t]*~~~.*?^[ \t]*~~~[ \t]*$)"
_WIDE = re.compile(r"(?<=[ （])\d+(?= ?[分秒件行天])")
_WIDE_DIGITS = str.maketrans("0123456789", "０１２３４５６７８９")
_SPELLINGS = (
    (r"(?<=\d) seconds\b", "s"),
    (r"(?<=\d) minutes\b", "min"),
    (r"(?<=\d) hours\b", "h"),
    (r"\btwo (?=(?:week|day|hour|minute|second)s\b)", "2 "),
)
_NAMES = (
    (r"(?m)^## (?:Observed|Findings)$", "## Observed"),
    (r"(?m)^## (?:Confirmed decisions|Agreed|Decisions)$", "## Confirmed"),
    (r"(?m)^## Hard constraints$", "## Constraints"),
    (r"(?m)^## (?:Open questions|Questions for the next agent)$", "## Open"),
    (r"(?m)^## (?:制約|约束|限制|ข้อจำกัด)$", "## Constraints"),
    (r"(?m)^## (?:対象外|非対象|不做|不在範圍|Non-goals)$", "## Out of scope"),
    (r"(?m)^## (?:目的|目标|目標|เป้าหมาย|วัตถุประสงค์)$", "## Goal"),
)


def _fenced(text: str, change: Callable[[str], str]) -> str:
    """Change all but the fences."""
    parts = re.split(_FENCES, text)
    return "".join(part if index % 2 else change(part) for index, part in enumerate(parts))


def _replace(*pairs: tuple[str, str], is_code: bool = False) -> Callable[[str], str]:
    def change(text: str) -> str:
        for pattern, replacement in pairs:
            pieces = [text] if is_code else re.split(r"(`[^`\n]*`|[“「][^”」\n]*[”」]|\S*/\S*)", text)
            text = "".join(p if index % 2 else re.sub(pattern, replacement, p) for index, p in enumerate(pieces))
        return text

    return lambda text: _fenced(text, change)


def _spaced(text: str) -> str:
    return _fenced(text, lambda part: re.sub(r"(?m)(?<=[^\s|])$", "  ", part).replace("\n\n", "\n\n\n"))


def _wrapped(text: str) -> str:
    return _fenced(text, lambda part: "\n".join(map(_wrapped_line, part.split("\n"))))


def _wrapped_line(line: str) -> str:
    """Wrap a bullet, unless a line would then begin with what is read as the beginning of another item."""
    if not line.startswith("- ") or len(line) < 50 or "`" in line or "http" in line:
        return line
    lines = textwrap.wrap(line, 40, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return (
        line
        if any(re.match(r"  (?:[^\w(“「]|[A-Z]+-?\d|\d|\w+[:：])", rest) for rest in lines[1:])
        else "\n".join(lines)
    )


def _sections(text: str) -> list[str]:
    return re.split(r"(?m)^(?=## |[A-Z][a-z]+:$)", text)


def _sections_turned(text: str) -> str:
    """Turn round the sections of the output; those of a handoff's own may be days or steps, and stay in order."""
    first, *rest = _sections(text.rstrip("\n") + "\n\n")
    own = [part for part in rest if (known := heading(part.split("\n")[0].lstrip("# "))) is None or known.says_more]
    return first + "".join((*reversed([part for part in rest if part not in own]), *own))


def compacted(text: str) -> str:
    """Return what the compactor makes of a handoff; a canonical document stays as it is."""
    try:
        return compact(text).text
    except CanonicalDocumentError:
        return text


VARIANTS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "other white space": _spaced,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "other bullets": lambda text: _fenced(text, lambda part: _BULLET.sub("* ", part)),
    "dots as bullets": lambda text: _fenced(text, lambda part: _BULLET.sub("• ", part)),
    "lines wrapped": _wrapped,
    "units spelled otherwise": _replace(*_SPELLINGS),
    "decomposed characters": lambda text: _fenced(text, lambda part: unicodedata.normalize("NFD", part)),
    "narrow colons": _replace(("：(?=\\*)", ":"), ("：", ": ")),
    "wide digits": lambda text: _fenced(text, lambda part: _WIDE.sub(lambda at: at[0].translate(_WIDE_DIGITS), part)),
    "other hyphens": _replace((r"(?<=\b[A-Z]C)-(?=\d)", "\u2011")),
    "other names of sections": _replace(*_NAMES, is_code=True),
    "sections in another order": _sections_turned,
}


def variants(handoff: Handoff) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each faithful result that differs from those before it."""
    seen = set()
    for name, change in VARIANTS.items():
        text = change(handoff.result)
        if text not in seen:
            seen.add(text)
            yield name, text
    if handoff.removable:
        lines = handoff.result.split("\n")
        yield "without what may go", "\n".join(line for line in lines if line.strip() not in handoff.removable)
    shaped = compacted(handoff.source)
    if shaped not in seen | {handoff.source}:
        yield "compacted", shaped
