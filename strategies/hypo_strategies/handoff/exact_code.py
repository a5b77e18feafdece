"""Exact items that are marked as such: fences, code spans, command lines and quoted copy; pure.

Their keys are their very characters. Only how they were wrapped or indented on the page does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hypo_strategies.handoff.alike import words_of
from hypo_strategies.handoff.model import Kind

TAKEN = "\uffff"
"""Stands for the characters of items that are known already; no character of any text."""

Found = tuple[Kind, int, int, str]
"""Kind, start, end and key of an exact item."""

_FENCE_LINE = re.compile(r"^([ \t>]{0,40})(`{3,}|~{3,})([^\n]*)$", re.MULTILINE)
_TICKS = re.compile(r"`+")
_PARAGRAPH_END = re.compile(rf"\n(?=[ \t\r]*\n)|{TAKEN}+")


def fences(text: str) -> Iterator[Found]:
    """Find fenced blocks; one that is never closed goes to the end."""
    if "```" not in text and "~~~" not in text:
        return
    opening: re.Match[str] | None = None
    for line in _FENCE_LINE.finditer(text):
        if opening is None:
            if line[2][0] == "~" or "`" not in line[3]:
                opening = line
        elif line[2].startswith(opening[2]) and not line[3].strip():
            yield Kind.FENCE, opening.start(2), line.end(2), _fence_key(opening, text[opening.end() : line.start()])
            opening = None
    if opening is not None:
        yield Kind.FENCE, opening.start(2), len(text), _fence_key(opening, text[opening.end() :])


def _fence_key(opening: re.Match[str], content: str) -> str:
    margin = opening[1]
    lines = content.replace("\r\n", "\n").removeprefix("\n").removesuffix("\n").split("\n")
    if margin:
        lines = [_dedented(line, margin) for line in lines]
    return "\n".join((opening[3].strip(), *lines))


def _dedented(line: str, margin: str) -> str:
    if line.startswith(margin):
        return line[len(margin) :]
    return line[min(len(line) - len(line.lstrip(" \t")), len(margin)) :]


def code_spans(text: str) -> Iterator[Found]:
    """Find code spans: a run of backticks pairs with the next run of its length in its paragraph."""
    runs = [run.span() for run in _TICKS.finditer(text)]
    if not runs:
        return
    partners = _partners(runs, [end.start() for end in _PARAGRAPH_END.finditer(text)])
    index = 0
    while index < len(runs):
        start, end = runs[index]
        partner = partners[index]
        is_escaped = text[start - 1 : start] == "\\" and text[max(start - 2, 0) : start - 1] != "\\"
        if partner is None or is_escaped:
            index += 1
            continue
        content = unwrapped(text[end : runs[partner][0]])
        if content.startswith(" ") and content.endswith(" ") and content.strip(" "):
            content = content[1:-1]
        yield Kind.CODE, start, runs[partner][1], content
        index = partner + 1


def _partners(runs: list[tuple[int, int]], breaks: list[int]) -> list[int | None]:
    """Return for each run of backticks the next one of its length before the paragraph ends."""
    partners: list[int | None] = [None] * len(runs)
    later: dict[int, int] = {}
    for index in range(len(runs) - 1, -1, -1):
        start, end = runs[index]
        while breaks and breaks[-1] > start:
            breaks.pop()
            later.clear()
        partners[index] = later.get(end - start)
        later[end - start] = index
    return partners


def unwrapped(text: str) -> str:
    """Return a text as one line: where it was wrapped says nothing."""
    if "\n" not in text:
        return text
    first, *between, last = text.split("\n")
    return " ".join((first.rstrip(" \t\r"), *(line.strip(" \t\r") for line in between), last.lstrip(" \t\r")))


# -- commands

_SUBCOMMANDS = {
    "git": "add bisect branch checkout cherry-pick clean clone commit diff fetch init log merge mv pull push rebase "
    "reset restore revert rm show stash status switch tag worktree",
    "npm": "ci exec i install publish run start test",
    "docker": "build compose cp exec images logs ps pull push restart rm run stop up",
    "cargo": "add bench build check clippy fmt install run test",
    "go": "build fmt generate get install mod run test vet",
    "uv": "add build lock pip run sync tool venv",
    "pip": "freeze install list show uninstall",
    "kubectl": "apply create delete describe exec get logs rollout",
    "make": "all build check clean dev docs down fmt format help install lint run setup start test up",
    "gh": "api auth issue pr release repo run workflow",
    "systemctl": "daemon-reload disable enable reload restart start status stop",
}
_SAME = {"pnpm": "npm", "yarn": "npm", "bun": "npm", "pip3": "pip", "podman": "docker"}
_PROGRAMS = frozenset(_SUBCOMMANDS) | frozenset(_SAME) | words_of(
    "npx uvx bunx python python3 pytest ruff mypy tox poetry curl wget node deno psql sqlite3 mysql redis-cli sudo ssh scp "
    "rsync chmod chown mkdir rm cp mv ls cat grep sed awk find cd export bash sh zsh tmux java mvn gradle dotnet flutter "
    "php composer ruby bundle rails mix helm terraform aws gcloud brew apt apt-get alembic uvicorn prisma tsc eslint jest "
    "vitest playwright docker-compose journalctl source")  # fmt: skip
_PROSE = words_of(
    "a all allowed always an and any are as at be been before blocked broken but by can cannot could did do does done fail "
    "failed failing fails for forbidden from green had has have if in into is it manually may might must needed never no "
    "not of ok on only or pass passed passes passing pending prohibited red required shall should so still sure than that "
    "the then they this to unless until was we were when which will with without works would you"
)
_COMMAND_LINE = re.compile(
    rf"^[ \t]*(?:[-*+][ \t]+)?(\$[ \t]+)?((?:[A-Z_][A-Z0-9_]*=[^\s{TAKEN}]*[ \t]+){{0,8}}(?:\./)?([A-Za-z][A-Za-z0-9_.-]*)"
    rf"(?:[ \t][^\n{TAKEN}]*)?)$",
    re.MULTILINE,
)
_STRINGS = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
_ARGUMENT = re.compile(r"[!-~]+")
_PLAIN_ARGUMENT = re.compile(r"[A-Za-z0-9-]+")
_SLASH_COMMAND = re.compile(r"/(?<![A-Za-z0-9_./\\*~<:-].)[a-z][a-z0-9-]{1,40}:[a-z][a-z0-9-]{1,40}(?![A-Za-z0-9_/:])")
_LONGEST_COMMAND = 2_000


def commands(text: str) -> Iterator[Found]:
    """Find command lines outside code: after a `$`, or a known program with arguments and no prose."""
    for line in _COMMAND_LINE.finditer(text):
        written = line[2].rstrip()
        if line[1] or (line[3] in _PROGRAMS and len(written) <= _LONGEST_COMMAND and _is_command(written, line[3])):
            yield Kind.COMMAND, line.start(2), line.start(2) + len(written), written


def slash_commands(text: str) -> Iterator[Found]:
    """Find commands of an agent: `/hw:start`."""
    if "/" in text:
        for found in _SLASH_COMMAND.finditer(text):
            yield Kind.COMMAND, found.start(), found.end(), found[0]


def _is_command(written: str, program: str) -> bool:
    words = _STRINGS.sub('"', written).split()
    arguments = words[words.index(program) + 1 :] if program in words else []
    if not arguments or written[-1] in ".:;,?!" or arguments[0][0].isdigit():
        return False
    for argument in arguments:
        if (
            not _ARGUMENT.fullmatch(argument)
            or argument.lower() in _PROSE
            or argument[0] == "("
            or argument[-1] in ",;:"
        ):
            return False
    if arguments[0] in _SUBCOMMANDS.get(_SAME.get(program, program), "").split():
        return True
    return any(not _PLAIN_ARGUMENT.fullmatch(argument) or argument[0] == "-" for argument in arguments)


# -- quoted copy

_QUOTE = re.compile(
    r"“(?P<a>(?:[^“”\n]|\n(?![ \t\r]*\n)){1,1000})”"
    r"|「(?P<b>(?:[^「」\n]|\n(?![ \t\r]*\n)){1,1000})」"
    r"|『(?P<c>(?:[^『』\n]|\n(?![ \t\r]*\n)){1,1000})』"
    r"|«(?P<d>(?:[^«»\n]|\n(?![ \t\r]*\n)){1,1000})»"
    r"|\"(?P<e>(?!\s)[^\"\n]{1,1000})(?<!\s)\""
    r"|‘(?P<f>[^‘’\n]{1,1000})’(?![A-Za-z])"
    r"|'(?<![A-Za-z0-9_)\]'].)(?P<g>(?!\s)[^'\n]{1,1000})(?<!\s)'(?![A-Za-z0-9_])"
)
_NOT_TAKEN = re.compile(f"[^{TAKEN}]+")


def quotes(text: str) -> Iterator[Found]:
    """Find quoted copy; where code stands in it, the parts around the code."""
    for found in _QUOTE.finditer(text):
        inside = found[found.lastgroup or 0]
        if TAKEN not in inside:
            yield Kind.QUOTE, found.start(), found.end(), unwrapped(inside)
            continue
        for part in _NOT_TAKEN.finditer(text, found.start() + 1, found.end() - 1):
            if part[0].strip():
                yield Kind.QUOTE, part.start(), part.end(), unwrapped(part[0])
