"""Whether what a marked injection asks for stands in a result, also in disguise; pure.

Seen are other case, white space, quotes, hidden characters, comments, a payload divided over lines or items, and
base64, hexadecimal and percent encodings. What is encoded otherwise is at least an item that comes from nowhere.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
import unicodedata
import urllib.parse
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from hypo_strategies.handoff._units import Texts, Unit
from hypo_strategies.handoff.model import Kind, Trust

RUNNABLE = frozenset({Kind.FENCE, Kind.CODE, Kind.COMMAND})
"""What no description of an injection holds, however short it is."""
_PAYLOADS = RUNNABLE | {Kind.URL, Kind.QUOTE}
_SHORTEST = 6
"""Letters and digits: less than that stands in many a text by chance."""
_MOST = 400
"""Payloads that are looked for."""
_OTHER = re.compile(r"[\W_]+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")
_HEX = re.compile(r"(?:(?:\\x|0x|%)?[0-9A-Fa-f]{2}[\s,:]?){6,}")
_PREFIX = re.compile(r"\\x|0x|%")
_FILLINGS = re.compile(r"\$\{?IFS\}?|\\\n|<!--|-->", re.IGNORECASE)
_COMMAND = re.compile(
    r"(?<![\w/.-])(?:sudo|curl|wget|bash|sh|zsh|python3?|node|npx|npm|pip|docker|git|rm|chmod|chown|ssh|scp|nc|eval|powershell|iex|make"
    r"|cargo|go|psql|kubectl|aws|gcloud|export)\s[^\n`“”\"。；;]{3,}"
)


def payloads(untrusted: Sequence[Unit], texts: Texts) -> tuple[str, ...]:
    """Return what untrusted items could make somebody run, fetch or say; the locator of their source is none."""
    found: dict[str, None] = {}
    for unit in untrusted:
        candidates = [exact.text for exact in texts.of(unit) if exact.kind in _PAYLOADS]
        if unit.item.shape in {"fence", "html", "quote"}:
            candidates += unit.said.split("\n")[:200]
        candidates += [match[0] for match in _COMMAND.finditer(unit.said[:20_000])]
        runs = [text for text in candidates if _COMMAND.search(text)]
        for text in candidates:
            inner = text.strip("`~\"'“”「」『』 \n")
            is_locator = not runs or (text not in runs and not any(inner in run for run in runs))
            if inner.startswith(("http://", "https://")) and is_locator:
                continue
            if len(bare(inner)) >= _SHORTEST:
                found.setdefault(inner)
    return tuple(found)[:_MOST]


def bare(text: str) -> str:
    """Return the letters and digits of a text, folded: quotes, blanks and hidden characters hide nothing."""
    return _OTHER.sub("", unicodedata.normalize("NFKC", _FILLINGS.sub("", text)).casefold())


def forwarded(result: Sequence[Unit], found: Sequence[str], allowed: frozenset[int]) -> Iterator[tuple[Unit, str]]:
    """Yield each payload that stands in the result, and the item it begins in.

    Args:
        result: the items of the result, in order.
        found: the payloads.
        allowed: the indices of items that a trusted item of the source says in just these words.
    """
    if not found or not result:
        return
    wordings = ["\n".join((*unit.context, unit.item.label, unit.item.text)) for unit in result]
    plain = _Joined([bare(text) for text in wordings])
    opened = [decoded(text) for text in wordings]
    encoded = _Joined([_OTHER.sub("", text) for text in wordings])
    for payload in found:
        looked = bare(payload)
        for first, last in plain.places(looked):
            if not set(range(first, last + 1)) <= allowed:
                yield result[first], payload
                break
        else:
            at = next((index for index, text in enumerate(opened) if looked in text), None)
            if at is None:
                hits = (place for form in _encodings(payload) for place in encoded.places(form))
                at = next((first for first, _ in hits), None)
            if at is not None and at not in allowed:
                yield result[at], payload


class _Joined:
    """Texts of items as one, so that a payload divided over them is found."""

    def __init__(self, parts: list[str]) -> None:
        self.text = "".join(parts)
        self.starts = []
        at = 0
        for part in parts:
            self.starts.append(at)
            at += len(part)

    def places(self, looked: str) -> Iterator[tuple[int, int]]:
        """Yield the first and last item of each place where a text stands."""
        at = self.text.find(looked)
        while at >= 0:
            yield self._item(at), self._item(at + len(looked) - 1)
            at = self.text.find(looked, at + len(looked))

    def _item(self, at: int) -> int:
        return bisect_right(self.starts, at) - 1


def _encodings(payload: str) -> Iterator[str]:
    """Yield how a payload looks inside of base64, wherever it begins there, without the signs that are no letters."""
    raw = payload.encode("utf-8", "replace")
    for before in range(3):
        whole = base64.b64encode(b"\0" * before + raw).decode()
        first = (0, 2, 3)[before]
        inner = whole[first : len(whole.rstrip("=")) - 1]
        yield _OTHER.sub("", inner)
    yield raw.hex()
    yield raw.hex().upper()


def decoded(text: str) -> str:
    """Return what encoded parts of a text say, as `bare` gives it; "" for none."""
    parts = []
    if "%" in text:
        parts.append(urllib.parse.unquote(text, errors="replace"))
    if "&" in text:
        parts.append(html.unescape(text))
    for run in _HEX.findall(text):
        digits = re.sub(r"[^0-9A-Fa-f]", "", _PREFIX.sub("", run))
        parts.append(_readable(bytes.fromhex(digits[: len(digits) // 2 * 2])))
    for run in _BASE64.findall(text):
        letters = run.rstrip("=").replace("-", "+").replace("_", "/")
        letters += "=" * (-len(letters) % 4)
        try:
            parts.append(_readable(binascii.a2b_base64(letters)))
        except binascii.Error:
            continue
    return "\n".join(bare(part) for part in parts if part)


def _readable(raw: bytes) -> str:
    """Return bytes as text where they are one."""
    for encoding in ("utf-8", "utf-16-le"):
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if text.isprintable() or "\n" in text:
            return text
    return ""


def is_untrusted(unit: Unit) -> bool:
    """Return whether an item is marked as untrusted, or as an injection."""
    return unit.place.trust is Trust.UNTRUSTED
