"""Exact items that are names: of variables, functions, tables, flags, models, and the values of a status; pure.

Case is part of a name. A word in capitals that people merely shout (`NOT`, `MUST`) is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hypo_strategies.handoff.alike import SHOUTED, plain, words_of
from hypo_strategies.handoff.exact_code import Found
from hypo_strategies.handoff.model import Kind

_NO_LETTER = "(?![A-Za-z0-9_])"
_SHAPED = re.compile(
    r"[0-9a-fA-F](?<![A-Za-z0-9_-].)[0-9a-fA-F]{7}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}" + _NO_LETTER
    + r"|[A-Za-z0-9_](?<![A-Za-z0-9_.@+-].)[A-Za-z0-9_.+-]{0,63}@[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63}){1,6}"
    r"|#(?<![A-Za-z0-9_&#].)(?=[0-9a-fA-F]{0,7}[a-fA-F])(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3,4})" + _NO_LETTER
    + r"|[0-9](?<![A-Za-z0-9_.].)[0-9]{0,2}(?:\.[0-9]{1,3}){3}(?:/[0-9]{1,2}|:[0-9]{1,5})?(?![A-Za-z0-9_]|\.[0-9])"
)  # fmt: skip
"""A UUID, a mail address, a colour, an IP address."""

_STATUS = re.compile(
    r"(?=[sSสス状狀→⇒=A-Z-])(?:(?:[Ss]tatus|STATUS|[Ss]tate|状态|狀態|状態|ステータス|สถานะ)\s{0,3}[:=]|→|⇒|->|=>)\s{0,3}(?P<after>[A-Za-z][A-Za-z_-]{1,30})"
    rf"{_NO_LETTER}"
    r"|(?P<before>[A-Z](?<![A-Za-z0-9_-].)[A-Z]{1,30})(?=\s{0,3}(?:→|⇒|->|=>))"
)
_STATUSES = words_of(
    "abandoned accepted active approved archived backlog blocked cancelled canceled closed complete completed deferred "
    "deprecated disabled done draft enabled expired fail failed failing green in-progress in-review in_progress in_review "
    "inactive merged obsolete open paid paused pending planned proposed queued ready red rejected resolved running skipped "
    "started stopped success superseded todo unpaid verified wip"
)

_BEFORE_FLAG = "[^\\s(\\[|,\"'/=\x80-\ufffe]"
_REST = r"[A-Za-z0-9_]*(?:(?:[-.]|::)[A-Za-z0-9_]+)*"
_SIGNED = re.compile(rf"(?:--(?<!{_BEFORE_FLAG}--)|-(?<!{_BEFORE_FLAG}-)|\$)[A-Za-z_]{_REST}|\$\{{[A-Za-z_]{_REST}\}}?")
_NAME = re.compile(rf"[A-Za-z_](?<![A-Za-z0-9_].)(?=[a-z]*[A-Z0-9_.:(-]){_REST}")
"""What is more than a word in lower case."""
_ASSIGNMENT = re.compile(
    rf"(?:--(?<!{_BEFORE_FLAG}--)[a-z][a-z0-9-]{{0,60}}|\$?[A-Z](?<![A-Za-z0-9_].)[A-Z0-9_]{{1,100}})"
    r"=[!#%&*+\-./0-9:@A-Z^_a-z~]{1,200}"
)
_CALL = re.compile(r"\((?:[A-Za-z0-9_.*]{1,40}(?:(?:, ?|: ?|=)[A-Za-z0-9_.*]{1,40}){0,12})?\)")
_HUMP = re.compile(r"[a-z][A-Z]")
_DIGIT = re.compile("[0-9]")
_DOTTED = re.compile(r"[A-Za-z_][A-Za-z0-9_-]+(?:\.[A-Za-z_][A-Za-z0-9_-]+)+")
_CAPITALS = re.compile(r"[A-Z]{2,}")
_BETWEEN = " \t\r\n*"
_NEAR = 8
"""How far from a word the next one is looked for."""


def shaped(text: str) -> Iterator[Found]:
    """Find what is told by its shape: UUIDs, mail addresses, colours, IP addresses."""
    for found in _SHAPED.finditer(text):
        name = found[0].rstrip("-")
        yield Kind.NAME, found.start(), found.start() + len(name), name


def statuses(text: str) -> Iterator[Found]:
    """Find the values of a status: after `status:` and behind an arrow."""
    for found in _STATUS.finditer(text):
        group = "after" if found["before"] is None else "before"
        value = found[group]
        if value.lower() in _STATUSES or (value.isupper() and value not in SHOUTED):
            yield Kind.NAME, found.start(group), found.end(group), value


def assignments(text: str) -> Iterator[Found]:
    """Find names with their values: `DB_PORT=5432`, `--workers=4`."""
    if "=" in text:
        for found in _ASSIGNMENT.finditer(text):
            written = found[0].rstrip(".:!")
            yield Kind.NAME, found.start(), found.start() + len(written), plain(written)


def signed_names(text: str) -> Iterator[Found]:
    """Find `--force`, `-W`, `$name` and `${NAME}`."""
    for found in _SIGNED.finditer(text):
        yield Kind.NAME, found.start(), found.end(), plain(found[0])


def names(text: str) -> Iterator[Found]:
    """Find names: `view_token`, `viewToken`, `Class.method()`, `table(a, b)`, `pkg::name`, `gpt-5-mini`, `PAID`."""
    for found in _NAME.finditer(text):
        start, end = found.span()
        name = found[0]
        call = _CALL.match(text, end) if text[end : end + 1] == "(" else None
        is_name = not (name.islower() and name.isalpha()) and _is_name(text, name, start)
        if call and (is_name or call[0] == "()" or "," in call[0]):
            yield Kind.NAME, start, call.end(), text[start : call.end()]
        elif is_name:
            yield Kind.NAME, start, end, name


def _is_name(text: str, name: str, start: int) -> bool:
    if "_" in name.strip("_"):
        return True
    if "::" in name or _HUMP.search(name) or _DIGIT.search(name):
        return True
    if "." in name:
        return bool(_DOTTED.fullmatch(name))
    return bool(_CAPITALS.fullmatch(name)) and name not in SHOUTED and not _is_shouted(text, start, start + len(name))


def _is_shouted(text: str, start: int, end: int) -> bool:
    """Return whether a word in capitals stands beside another one, or is the first part of a word (`DON'T`)."""
    before, after = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    last, following = before.rstrip(_BETWEEN), after.lstrip(_BETWEEN)
    return (
        after[:1] in {"'", "’"}
        or (last != before and bool(_CAPITALS.fullmatch(last[-2:])))
        or (following != after and bool(_CAPITALS.match(following)))
    )
