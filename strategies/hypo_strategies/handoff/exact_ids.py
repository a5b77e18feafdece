"""Exact items that others refer to: identifiers, their ranges, picks of an option, issues and commits; pure.

They are looked for in an aligned text, so that full-width forms and hyphen look-alikes make no difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hypo_strategies.handoff.alike import DASH, LONG_DASH, aligned, plain, words_of
from hypo_strategies.handoff.exact_code import Found
from hypo_strategies.handoff.model import Kind

_NO_LETTER = "(?![A-Za-z0-9_])"
_FIRST = r"[A-Z](?<![A-Za-z0-9_$].)"
_KNOWN = "AC|ADR|BR|BUG|DEC|EPIC|FR|ISSUE|NFR|REQ|RFC|RISK|SPEC|STORY|TASK|TC|UC|US"

_ID = re.compile(
    rf"{_FIRST}[A-Z0-9]{{0,9}}(?P<rest>[-{DASH}{LONG_DASH}]\d{{1,6}}(?:[-.]\d{{1,6}}){{0,4}})?[a-rt-z]?{_NO_LETTER}"
)
_UNHYPHENATED = re.compile(rf"(?:{_KNOWN}|[A-Z]{{1,2}})\d{{1,5}}[a-z]?")
_SPACED = re.compile(rf"(?<![A-Za-z0-9_$])(?:AC|ADR|FR|NFR|REQ|RFC|SPEC|TASK)\s{{1,3}}\d{{1,5}}{_NO_LETTER}")
_STANDARDS = words_of(
    "UTF SHA ISO GPT COVID AES RSA TLS SSL HTTP IPV UTC GMT CP BIG EUC TIS JIS MD ES EC IEEE WCAG WIN X H"
)
"""`UTF-8` and their like look like identifiers; they are names."""

_OPTION = r"(?:[A-D]|[A-Z][A-Z0-9_]{2,40}|Yes|No|はい|いいえ|ใช่|ไม่ใช่)"
_STILL_OPEN = (
    r"\s{0,2}(?:[/|]|or(?![a-z])|或|または|หรือ|\(\s?(?i:recommended|suggested|推荐|推薦|建议|建議|推奨|おすすめ|แนะนำ))"
)
_RANGE = re.compile(
    rf"[A-Z](?<![A-Za-z0-9_$].)(?<=(?P<first>[A-Z]))(?P<prefix>[A-Z]{{0,9}}-?)(?P<from>\d{{1,6}})"
    rf"(?:(?:-|\s{{0,3}}(?:\.\.\.?|…|~|{DASH})\s{{0,3}})(?P<second>[A-Z]{{1,10}}-?)(?P<to>\d{{1,6}})"
    rf"|(?:\.\.\.?|…|~|{DASH})(?P<short>\d{{1,6}})"
    rf"|/(?P<list>\d{{1,6}}(?:/\d{{1,6}}){{0,20}}))(?![A-Za-z0-9_]|[-.]\d)"
    rf"(?:\s{{0,3}}=\s{{0,3}}(?P<option>{_OPTION}){_NO_LETTER}(?!{_STILL_OPEN}))?"
)
_PICK = re.compile(
    rf"(?P<id>{_FIRST}[A-Z]?-?\d{{1,4}})\s{{0,3}}"
    rf"(?:=\s{{0,3}}(?P<equals>{_OPTION}){_NO_LETTER}(?!{_STILL_OPEN})"
    rf"|:\s{{0,3}}(?P<colon>[A-D]|Yes|No|はい|いいえ|ใช่|ไม่ใช่)(?=\s{{0,3}}(?:$|[.,;。，；、)）\n])))"
)
_MOST_MEMBERS = 1_000

_ISSUE = re.compile(
    rf"#(?<![A-Za-z0-9_&#/].)\d{{1,7}}{_NO_LETTER}"
    rf"|[A-Za-z0-9](?<![A-Za-z0-9_./@-].)[A-Za-z0-9_.-]{{0,60}}/[A-Za-z0-9_.-]{{1,100}}#\d{{1,7}}{_NO_LETTER}"
)
_SHA = re.compile(rf"[0-9a-f](?<![A-Za-z0-9_#.-].)(?:[0-9a-f]{{63}}|[0-9a-f]{{6,39}}){_NO_LETTER}(?!-[0-9a-f]{{4}}-)")


def issues(text: str) -> Iterator[Found]:
    """Find `#12` and `owner/repo#12`."""
    if "#" in text:
        for found in _ISSUE.finditer(text):
            yield Kind.ISSUE, found.start(), found.end(), found[0]


def ranges(text: str) -> Iterator[Found]:
    """Find `AC-01–AC-04`, `AC-01..04`, `AC-03/04` and `D2–D7 = A`."""
    for found in _RANGE.finditer(text):
        if _members(found):
            yield Kind.RANGE, found.start(), found.end(), _range_key(found)


def expand(text: str) -> tuple[str, ...]:
    """Return the keys of all members of a range (the text or key of an exact item), () when it is none.

    For checking only: `D2–D4 = A` stands for the picks `D2=A`, `D3=A` and `D4=A`.
    """
    found = _RANGE.fullmatch(aligned(text))
    return _members(found) if found else ()


def _members(found: re.Match[str]) -> tuple[str, ...]:
    prefix, start, option = _parts(found)
    first = int(start)
    option = f"={option}" if option else ""
    if found["list"]:
        numbers = (start, *found["list"].split("/"))
        is_list = all(len(number) == len(start) for number in numbers) and sorted(set(numbers)) == list(numbers)
        return tuple(f"{prefix}{number}{option}" for number in numbers) if is_list else ()
    end = found["to"] or found["short"]
    has_other_prefix = found["second"] is not None and found["second"] != prefix
    if has_other_prefix or not first < int(end) < first + _MOST_MEMBERS:
        return ()
    width = len(start) if start.startswith("0") else 0
    return tuple(f"{prefix}{number:0{width}}{option}" for number in range(first, int(end) + 1))


def _parts(found: re.Match[str]) -> tuple[str, str, str]:
    return found["first"] + found["prefix"], found["from"], found["option"] or ""


def _range_key(found: re.Match[str]) -> str:
    """Return a range as `AC-01..AC-04`; its members follow from it as from the text."""
    prefix, start, option = _parts(found)
    option = f"={option}" if option else ""
    if found["list"]:
        return f"{prefix}{start}/{found['list']}{option}"
    return f"{prefix}{start}..{prefix}{found['to'] or found['short']}{option}"


def picks(text: str) -> Iterator[Found]:
    """Find `S2=A`. A recommendation (`S2: A (Recommended)`) and a choice still open (`S2 = A or B`) are none."""
    for found in _PICK.finditer(text):
        key = f"{plain(found['id'])}={found['equals'] or found['colon']}"
        yield Kind.PICK, found.start(), found.end(), key


def spaced_ids(text: str) -> Iterator[Found]:
    """Find identifiers with a blank inside: `ADR 0002` is a mention of its own, not equal to `ADR-0002`."""
    for found in _SPACED.finditer(text):
        yield Kind.ID, found.start(), found.end(), " ".join(found[0].split())


def ids(text: str) -> Iterator[Found]:
    """Find identifiers: `AC-01`, `D-02`, `S1`, `T-056`; `AC-1` and `AC-01` are two."""
    for found in _ID.finditer(text):
        if found["rest"] is None:
            is_id = _UNHYPHENATED.fullmatch(found[0]) is not None
        else:
            is_id = text[found.start() : found.start("rest")] not in _STANDARDS
        if is_id:
            yield Kind.ID, found.start(), found.end(), plain(found[0])


def commits(text: str) -> Iterator[Found]:
    """Find abbreviated and full commit hashes; a word such as `facade` is none, and no number."""
    for found in _SHA.finditer(text):
        sha = found[0]
        if not sha.isdigit() and not sha.isalpha():
            yield Kind.SHA, found.start(), found.end(), sha
