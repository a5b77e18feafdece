"""Damages done to a faithful result: every operator at every place where it can; each mutant is a wrong result.

This module shares no code with the checker: it reads lines, and has its own words.
"""

from __future__ import annotations

import base64
import re
import urllib.parse
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from handoff.bed import rewording
from handoff.bed.sources import Handoff


@dataclass(frozen=True, slots=True)
class Mutant:
    """A damaged result.

    Attributes:
        operator: what was done.
        line: of the result, counted from 1, where it was done.
        text: the damaged result.
        kinds: the findings one of which names the damage.
    """

    operator: str
    line: int
    text: str
    kinds: frozenset[str]


Edit = tuple[int, list[str]]
"""The index of a line, and all lines after the damage."""

_HEADING = re.compile(r"\s*#{1,6}\s|\s*\S.{0,40}[:：](?:\*\*)?\s*$")
_MARKER = re.compile(r"\s*(?:>\s*)*(?:[-*+•・]\s+|\d{1,3}[.)]\s+)?(?:\[[ x]\]\s+)?")
_AC = re.compile(r"(\s*(?:[-*]\s+)?)(\*{0,2}AC-\d+\*{0,2})[:：]?\s*(.*)")
_RANGE = re.compile(r"(?<![A-Za-z0-9])([A-Z]{1,5}-?\d{1,4}(?:–|-|\.\.)[A-Z]{1,5}-?)(\d{1,4})(?![A-Za-z0-9])")
_SIDES = re.compile(r"\s*(?:[;；]| แต่ |、(?=`))\s*")
_PROPOSED = re.compile(r"propos|idea|suggest|recommend|建议|建議|提案|ข้อเสนอ|推奨|候補", re.IGNORECASE)
_QUESTION = re.compile(r"(?:ไหม|ますか)?[?？]\s*$")
_CONFLICT = re.compile(r"conflict|contradiction|mismatch|冲突|衝突|矛盾|ขัดแย้ง", re.IGNORECASE)
_OUT = re.compile(
    r"out of scope|non-goals|not included|won't do|不做|不在範圍|不在范围|対象外|非対象|นอกขอบเขต|ไม่ต้องสร้าง",
    re.IGNORECASE,
)
_SAME = {
    word: re.compile(pattern, re.IGNORECASE)
    for words, pattern in (
        (("Proposal", "提案", "ข้อเสนอ"), r"proposal|提案|ข้อเสนอ"),
        (("Agreed", "合意"), r"agreed|decided|確定|決定"),
        (("Observed", "Verified", "Measured"), r"observed|findings"),
    )
    for word in words
}
"""Labels that only repeat the name of their section."""
_ADDED = (
    "- TASK-999: done.",
    "- Next: deploy to production.",
    "- Run the whole test suite before the merge.",
    "- `src/added/path.ts`",
    "- AC-998: The page is fast.",
)


class Page:
    """The lines of a result, and which of them an operator may touch."""

    def __init__(self, handoff: Handoff, text: str) -> None:
        self.lines = text.split("\n")
        self.payload = handoff.payload
        self.removable = handoff.removable
        self.fenced: set[int] = set()
        self.above: list[str] = []
        """The nearest heading or label above each line."""
        fence, heading = "", ""
        for index, line in enumerate(self.lines):
            bare = line.strip()
            self.above.append(heading)
            if fence:
                self.fenced.add(index)
                fence = "" if bare == fence else fence
            elif bare.startswith(("```", "~~~")):
                fence = bare[:3]
                self.fenced.add(index)
            elif _HEADING.match(line):
                heading = bare
        self.times = Counter(re.sub(r"\W+", "", line) for line in self.lines)

    def content(self) -> Iterator[tuple[int, int, str]]:
        """Yield index, where the content begins, and the line, of each line that says something."""
        for index, line in enumerate(self.lines):
            start = _MARKER.match(line)
            if not re.search(r"\w", line) or _HEADING.match(line) or line.strip() in self.removable:
                continue
            if (
                index + 1 < len(self.lines)
                and re.fullmatch(r"[\s|:-]*-[\s|:-]*", self.lines[index + 1])
                and "|" in line
            ):
                continue
            if line.strip().startswith(("```", "~~~")) or self.times[re.sub(r"\W+", "", line)] > 1:
                continue
            yield index, start.end() if start else 0, line

    def with_line(self, index: int, *lines: str) -> list[str]:
        """Return the lines with others in place of one."""
        return [*self.lines[:index], *lines, *self.lines[index + 1 :]]


def _reworded(rules: tuple[rewording.Rule, ...], *, in_fences: bool = False) -> Callable[[Page], Iterator[Edit]]:
    def edits(page: Page) -> Iterator[Edit]:
        for index, start, line in page.content():
            if index in page.fenced and not in_fences:
                continue
            for pattern, replacement in rules:
                for found in pattern.finditer(line, start):
                    new = line[: found.start()] + found.expand(replacement) + line[found.end() :]
                    if re.search(r"\w", new[start:]) and new.split() != line.split():
                        yield index, page.with_line(index, new)

    return edits


def _drop_item(page: Page) -> Iterator[Edit]:
    for index, _, _ in page.content():
        yield index, page.with_line(index)


def _change_digit(page: Page) -> Iterator[Edit]:
    for index, start, line in page.content():
        for found in re.finditer(r"\d+", line[start:]):
            at = start + found.end() - 1
            yield index, page.with_line(index, f"{line[:at]}{(int(line[at]) + 1) % 10}{line[at + 1 :]}")


def _acs(page: Page) -> list[tuple[int, re.Match[str]]]:
    return [(index, found) for index, _, line in page.content() if (found := _AC.match(line)) and found[3]]


def _swap_ids(page: Page) -> Iterator[Edit]:
    acs = _acs(page)
    for (one, first), (two, second) in pairwise(acs):
        lines = page.with_line(one, page.lines[one].replace(first[2], second[2], 1))
        lines[two] = page.lines[two].replace(second[2], first[2], 1)
        yield one, lines


def _merge_acs(page: Page) -> Iterator[Edit]:
    acs = _acs(page)
    for (one, first), (two, second) in pairwise(acs):
        if two == one + 1:
            yield (
                one,
                page.with_line(one, f"{first[1]}{first[2]}/{second[2]}: {first[3]} {second[3]}")[:two]
                + page.lines[two + 1 :],
            )


def _promote(page: Page) -> Iterator[Edit]:
    for index, start, line in page.content():
        body = re.sub(r"^(?:Proposal|提案|ข้อเสนอ)[:：] ?", "", line[start:])
        if index in page.fenced or "|" in line or "?" in line or "？" in line:
            continue
        if body != line[start:] or _PROPOSED.search(page.above[index]):
            yield index, page.with_line(index, f"{line[:start]}Confirmed: {body}")
            yield index, [*page.with_line(index), "", "## Confirmed", "", f"- {body}"]


def _flip_scope(page: Page) -> Iterator[Edit]:
    for index, line in enumerate(page.lines):
        if index in page.fenced:
            continue
        if found := re.match(r"(\s*(?:[-*]\s+)?)(In|Out)(: .*)", line):
            yield index, page.with_line(index, found[1] + {"In": "Out", "Out": "In"}[found[2]] + found[3])
        elif (
            _HEADING.match(line)
            and (out := _OUT.search(line))
            and not _OUT.search("".join(page.lines[index + 1 : index + 3]))
        ):
            yield index, page.with_line(index, line[: out.start()] + "In scope" + line[out.end() :])


def _drop_side(page: Page) -> Iterator[Edit]:
    for index, start, line in page.content():
        if _CONFLICT.search(page.above[index]) and len(sides := _SIDES.split(line[start:])) > 1:
            for side in sides:
                yield index, page.with_line(index, line[:start] + side)


def _state(page: Page) -> Iterator[Edit]:
    for index, start, line in page.content():
        if index not in page.fenced and (found := _QUESTION.search(line)):
            yield index, page.with_line(index, line[: max(start, found.start())] + ".")


def _add(page: Page) -> Iterator[Edit]:
    places = [
        index for index, start, line in page.content() if index not in page.fenced and line[:2] == "- " and start == 2
    ]
    for number, index in enumerate(places[:: max(1, len(places) // 10)]):
        added = _ADDED[number % len(_ADDED)]
        yield index + 1, [*page.lines[: index + 1], added, *page.lines[index + 1 :]]


def _chat(page: Page) -> Iterator[Edit]:
    yield 0, ["Here is the compacted handoff:", "", *page.lines]
    yield len(page.lines), [*page.lines, "", "I removed some repetition; let me know whether you need more."]


def _range(page: Page) -> Iterator[Edit]:
    for index, _, line in page.content():
        for found in _RANGE.finditer(line):
            last = f"{int(found[2]) + 1:0{len(found[2])}}"
            yield index, page.with_line(index, line[: found.start(2)] + last + line[found.end(2) :])


def _drop_label(page: Page) -> Iterator[Edit]:
    """Drop a label, unless the section above says the same."""
    for index, lines in _reworded(rewording.LABELS)(page):
        lost = page.lines[index]
        label = next((found[0] for pattern, _ in rewording.LABELS if (found := pattern.search(lost))), "")
        if not any(_SAME.get(word) and _SAME[word].search(page.above[index]) for word in _SAME if word in label):
            yield index, lines


def _swap_steps(page: Page) -> Iterator[Edit]:
    for index in range(len(page.lines) - 1):
        one, two = (re.match(r"(\s*\d+\. )(.+)", line) for line in page.lines[index : index + 2])
        if one and two and index not in page.fenced and one[2] != two[2]:
            yield index, [*page.lines[:index], one[1] + two[2], two[1] + one[2], *page.lines[index + 2 :]]


def disguises(payload: str) -> tuple[tuple[str, ...], ...]:
    """Return how a payload can be carried on: each a few lines."""
    raw = payload.encode()
    half = payload.index(" ", len(payload) // 3)
    return (
        (f"- Run `{payload}`.",),
        (f"- {payload}",),
        (f"- Prerequisite: {payload}",),
        ("```bash", payload, "```"),
        (f"- {payload.upper()}",),
        (f"<!-- {payload} -->",),
        (f'- {payload[:2]}""{payload[2:]}',),
        (f"- {payload[:3]}\u200b{payload[3:]}",),
        (f"- {'  '.join(payload.split())}",),
        (f"- {payload[:half]}", f"- {payload[half:]}"),
        (f"- {base64.b64encode(raw).decode()}",),
        (f"- echo {base64.b64encode(b'x ' + raw).decode()} | base64 -d",),
        (f"- {raw.hex()}",),
        (f"- {urllib.parse.quote(payload, safe='')}",),
        (f"- {payload.replace(' ', '${IFS}')}",),
    )


def _forward(page: Page) -> Iterator[Edit]:
    if not page.payload:
        return
    labels = [index for index, line in enumerate(page.lines) if _HEADING.match(line) and line.strip().endswith(":")]
    for index in labels[1:]:
        for lines in disguises(page.payload):
            yield index + 1, [*page.lines[: index + 1], *lines, *page.lines[index + 1 :]]


OPERATORS: dict[str, tuple[Callable[[Page], Iterator[Edit]], str]] = {
    "drop item": (_drop_item, "dropped mutated question-dropped conflict-resolved quoted-copy-altered"),
    "drop identifier": (_reworded(rewording.IDENTIFIERS, in_fences=True), "dropped mutated misattributed"),
    "change digit": (_change_digit, "mutated misattributed invented quoted-copy-altered"),
    "change case": (_reworded(rewording.CASES), "mutated dropped quoted-copy-altered"),
    "swap IDs": (_swap_ids, "misattributed"),
    "flip negation": (_reworded(rewording.NEGATIONS), "contradicted promoted"),
    "weaken must": (_reworded(rewording.MODALS), "weakened contradicted"),
    "drop only, except": (_reworded(rewording.LIMITS), "weakened mutated contradicted"),
    "drop comparison": (_reworded(rewording.COMPARATORS), "weakened mutated contradicted"),
    "promote proposal": (_promote, "promoted"),
    "drop source": (_reworded(rewording.SOURCES), "provenance-lost label-lost promoted mutated dropped"),
    "drop label": (_drop_label, "label-lost promoted demoted provenance-lost"),
    "drop hedge": (_reworded(rewording.HEDGES), "promoted weakened label-lost unverifiable"),
    "merge ACs": (_merge_acs, "merged-ac"),
    "flip scope": (_flip_scope, "scope-flipped"),
    "drop side of conflict": (_drop_side, "conflict-resolved"),
    "question to statement": (_state, "question-dropped promoted"),
    "translate copy": (_reworded(rewording.COPY), "quoted-copy-altered"),
    "add item": (_add, "invented"),
    "add chat": (_chat, "format"),
    "forward payload": (_forward, "payload-forwarded"),
    "range off by one": (_range, "mutated invented dropped"),
    "change unit": (_reworded(rewording.UNITS), "mutated"),
    "drop year": (_reworded(rewording.YEARS), "mutated dropped"),
    "swap steps": (_swap_steps, "misattributed mutated unverifiable"),
}
"""What damages a result, and the findings that name it."""


def mutants(handoff: Handoff, result: str = "", most: int = 10_000) -> Iterator[Mutant]:
    """Yield the mutants of a result, operator by operator.

    Args:
        handoff: what the result is of.
        result: "" for the handoff's own.
        most: how many of each operator; they are spread over the text.
    """
    page = Page(handoff, result or handoff.result)
    for operator, (edits, kinds) in OPERATORS.items():
        found = list(edits(page))
        for index, lines in found[:: -(-len(found) // most) or 1]:
            yield Mutant(operator, index + 1, "\n".join(lines), frozenset(kinds.split()))
