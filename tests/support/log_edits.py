"""Logs that grow: plain ones, odd ones and broken ones, and what programs and people do to them between two looks."""

from __future__ import annotations

from random import Random

_TIMES = (
    '"2026-05-0{d}T10:{m:02d}:00+08:00"',
    "2026-05-0{d}T10:{m:02d}:00Z",
    "'2026-05-0{d} 10:{m:02d}'",
    "2026-05-0{d}",
    "someday",
    "null",
    "~",
)
_TYPES = ("milestone_complete", "milestone_start", "cycle_reject", "recovery", '"patch-reject"', "note", "7e12345", "")
_STATUSES = ("completed", "failed", "blocked", "warning", "'needs changes'", "active", "Deferred", "")
_VALUES = (
    "all is well",
    "提交 7e12345，测试通过",
    '"quoted: # no comment"',
    "'it''s'",
    "[a, b, {c: d}]",
    "{a: 1, b: [2, 3]}",
    "[]",
    "|\n{i}  first\n{i}  - second",
    ">-\n{i}  folded\n\n{i}  text",
    "|+\n{i}  kept\n\n",
    "|\n",
    "|2\n{i}  indented\n",
    ">\n\n\n",
    '"over\n{i}  two lines"',
    "'over\n\n{i}  three'",
    '"a dash\n{i}  - inside"',
    "plain over\n{i}  two lines",
    "plain\n{i}  - with a dash",
    "\n{i}  - a\n{i}  - b",
    "\n{i}- a\n{i}- b",
    "\n{i}  nested: {{deep: x}}",
    "password=hunter22222",
    "!!str 12",
    "!own x",
    "# only a comment",
    "\u00e9\u3000全角",
    "https://example.org/a?b=c#d",
)
_ODD_VALUES = (
    "&a anchored",
    "*a",
    "tab\there",
    "next\u0085line",
    "para\u2029graph",
    '"\\ud83d\\ude00"',
    "[http://host]",
    '"not closed',
    "[not, closed",
    "a: b: c",
    "@at",
    "`tick",
    "lone\rreturn",
    "\ufeffmark",
    "\u0007bell",
    "<<",
)
_SNIPPETS = (
    "\n",
    "\n\n",
    " ",
    "-",
    "- ",
    "  - ",
    "  -\n",
    "\n  - id: inserted\n",
    "\n- id: left\n",
    "#",
    "\n# remark\n",
    "\n      # remark\n",
    '"',
    "'",
    "|",
    ":",
    "\n...\n",
    "\n---\n",
    "%YAML 1.1\n",
    "\t",
    "\r\n",
    "\r",
    "&x ",
    "*x",
    "<<: {a: 1}\n",
    "\nother: key\n",
    "\nentries:\n",
    "[",
    "}",
    "<<<<<<< ours\n",
    "\u2028",
    "\u4e2d",
)
_HEADERS = (
    "entries:\n",
    "entries:\n",
    "",
    "---\nentries:\n",
    "# log\n\nentries: # newest first\n",
    "version: 1\nmeta: {a: [b]}\nentries:\n",
    "notes:\n  - a\nentries:\n",
    "\ufeffentries:\n",
    '"entries":\n',
    "%YAML 1.2\n---\nentries:\n",
    "base: &b {x: 1}\nentries:\n",
)


def log(chance: Random, entries: int) -> str:
    """Return a log of so many entries; how odd it is is a matter of chance, too."""
    header = chance.choice(_HEADERS[:5] if chance.random() < 0.85 else _HEADERS)
    column = chance.choice((0, 2, 2, 4))
    oddness = chance.choice((0.0, 0.0, 0.0, 0.02))
    body = "".join(entry(chance, column, oddness) for _ in range(entries))
    tail = chance.choice(("",) * 12 + ("# end\n", "\n\n", "tail: 1\n", "..."))
    text = header + body + tail
    if chance.random() < 0.1:
        text = text.replace("\n", "\r\n")
    return text if chance.random() < 0.8 else text.rstrip("\n")


def entry(chance: Random, column: int, oddness: float) -> str:
    """Return the lines of one entry of a list at a column."""
    if chance.random() < oddness:
        return " " * column + chance.choice(
            ("- text\n", "- [a]\n", "-\n", "- - a\n", "- {id: a, type: b}\n", "- ? k\n")
        )
    if chance.random() < 0.05:
        day, minute = chance.randint(1, 9), chance.randint(0, 59)
        return " " * column + f"- {{id: F{minute}, type: note, timestamp: '2026-05-0{day}T10:{minute:02d}:00Z'}}\n"
    indent = " " * (column + chance.choice((2, 2, 2, 4)))
    pairs = [f"id: E{chance.randint(0, 999)}"] if chance.random() < 0.95 else []
    pairs += [f"type: {chance.choice(_TYPES)}"] if chance.random() < 0.9 else []
    pairs += [f"status: {chance.choice(_STATUSES)}"] if chance.random() < 0.8 else []
    if chance.random() < 0.9:
        time = chance.choice(_TIMES[:2] if chance.random() < 0.7 else _TIMES)
        key = chance.choice(("timestamp", "timestamp", "timestamp", "time", "date"))
        pairs.append(f"{key}: {time.format(d=chance.randint(1, 4), m=chance.randint(0, 3))}")
    for number in range(chance.randint(0, 3)):
        values = _ODD_VALUES if chance.random() < oddness else _VALUES
        pairs.append(f"k{number}: {chance.choice(values)}".replace("{i}", indent).replace("{{", "{").replace("}}", "}"))
    if chance.random() < 0.03:
        pairs.append("id: twice")
    if not pairs:
        return " " * column + "- {}\n"
    dash = " " * column + "-"
    first = f"{dash}\n{indent}" if chance.random() < 0.3 else dash + " " * (len(indent) - column - 1)
    text = first + f"\n{indent}".join(pairs) + "\n"
    if chance.random() < 0.1:
        text += chance.choice(("\n", "# remark\n", f"{indent}# remark\n", "   \n", f"{indent}    \n"))
    return text


def edited(chance: Random, text: str) -> str:
    """Return the log after one change: mostly an entry more, else anything."""
    lines = text.split("\n")
    dashes = [number for number, line in enumerate(lines) if line.lstrip(" ").startswith("-")]
    column = len(lines[dashes[0]]) - len(lines[dashes[0]].lstrip(" ")) if dashes else 2
    new = entry(chance, column, 0.05).rstrip("\n")
    what = chance.random()
    if what < 0.2:
        return text + ("" if text.endswith("\n") else "\n") + new + "\n"
    if what < 0.5 and dashes:
        at = dashes[0] if what < 0.35 else chance.choice(dashes)
        return "\n".join([*lines[:at], new, *lines[at:]])
    if what < 0.6 and dashes:
        at = chance.randrange(len(dashes))
        end = dashes[at + 1] if at + 1 < len(dashes) else len(lines)
        return "\n".join([*lines[: dashes[at]], *([new] if what < 0.55 else []), *lines[end:]])
    begin = chance.randint(0, len(text))
    end = min(len(text), begin + chance.choice((0, 0, 1, 2, 5, 40)))
    if what < 0.8:
        snippet = chance.choice(_SNIPPETS)
        return text[:begin] + snippet + text[end:]
    if what < 0.9:
        other = chance.randint(0, len(text))
        return text[:other] + text[begin:end] + text[other:]
    if what < 0.93:
        return text[: chance.randint(0, len(text))]
    if what < 0.96:
        return text[:begin] + text[end:]
    return text.replace(
        chance.choice(("completed", "timestamp", "  -", "note", "\n")), chance.choice(("failed", "  -", "x")), 1
    )
