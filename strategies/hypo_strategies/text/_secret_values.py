"""Secrets that are known by the key before them: where in a text a key can stand before its value."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from hypo_strategies.api import Redaction
from hypo_strategies.text import _secret_names as names
from hypo_strategies.text._secret_names import Kind

_KEY = re.compile(
    r"""(?<![\w.-])(?P<key>[\w.-]++)
    (?:
      [\\"'`*\]]{0,4}
      (?:[ \t]?[(（][^()（）\r\n]{0,40}[)）])?
      ["'`*]{0,3}
      (?P<space>[ \t]{0,8})
      (?P<sign>:(?!:)=?|：|=>(?=[\s"':])|={1,3})
      [ \t]{0,8}(?:[*]{1,2}(?![*])[ \t]{0,8})?
    | (?P<verb>[ \t]+(?:is|was|-|–|—|->|→)[ \t]+)
    | (?P<gap>[ \t]+(?=[^\s|=:]))
    | (?P<tag>>)
    )""",
    re.VERBOSE,
)
_VALUE = r"""
      (?:bearer|basic|token|digest|apikey)[ \t]+[^\s"'`,|<>]+
    | "(?:[^"\\\r\n]|\\[^\r\n])*" | '[^'\r\n]*+' | `[^`\r\n]*+`
    | \[[^\[\]\r\n]*+\] | <[^<>\r\n]{0,60}> | \$\{[^{}\r\n]{0,80}\} | \{\{[^{}\r\n]{0,80}\}\}
    | ["'`]?(?:[^\s"'`|<，。；、&;,] | ["'`](?=\w) | \|(?=[^\s|]) | <(?![/\s]|br\b) | [&;,](?![\w.-]+[=:]))+
"""
_SCHEME = re.compile(r"(?:bearer|basic|token|digest|apikey)[ \t]+", re.IGNORECASE)
_MAP = re.compile(r"""\{\s*(?:["'\w.-]+\s*[:|},]|$)""")
_CALL = re.compile(r"[A-Za-z_$][\w$]*(?:\.[\w$]+)*\(")
_PREVIOUS = re.compile(r"((?:[^\W\d_]+[ \t]){1,2})$")
_SETS_VARIABLE = re.compile(r"(?:env|setx|setenv|export)[ \t]$", re.IGNORECASE)
_LINE_START = re.compile(r"[\s>*+•|`\"'_{,-]{0,40}")
_LINE_REST = re.compile(r"[\s\"'`*,;.)\]}|，。；]*$")
_MORE_WORDS = re.compile(r"(?:[ \t]+[^\W\d_]+)*")

_COOKIE = re.compile(
    r"""((?:set-)?cookie["'`*]*[ \t]*[:：][ \t]*["'`\[]{0,2})([^\s=;"'`]{1,80}+=[^\r\n"'`]+)""", re.IGNORECASE
)
_CHINESE = re.compile(
    r"((?:密码|密碼|口令|密钥|密鑰|令牌|私钥)[ \t]*(?:[设改置变更]{0,3}[是为成])[ \t]*[\"'`“「]?)([!-~]{5,}+)"
)
"""`密码是…`, where no blank stands between the words."""

_NAMED = re.compile(
    r"""((?<![\w.-])(?:name|key|env)["'`]?[ \t]{0,4}[:=][ \t]{0,4}["'`]?([\w.-]+)["'`]?,?[ \t]{0,8}(?:\r?\n[ \t]{0,40})?
    ["'`]?value["'`]?[ \t]{0,4}[:=][ \t]{0,4}["'`]?)([^\s"'`,}]+)""",
    re.VERBOSE,
)
"""`name: API_KEY, value: …`, on one line or on two."""

_CELL = re.compile(r"(?<!\\)\|")
_CELL_NAME = re.compile(r"[\w.-]+(?: [\w.-]+){0,2}")
_DELIMITER_ROW = re.compile(r"[\s:|-]+")
_OPEN_KEY = re.compile(r"([ \t]*+(?:- +)?)[\"']?([\w.-]++)[\"']?[ \t]*+:[ \t]*+(?:[|>][+-]?)?\s*+$")
_LONE_ITEM = re.compile(r"([ \t]*+(?:- +)?)[\"']?([^\s\"']++)[\"']?[\s,]*+$")

_QUOTES = "\"'`"
_MARKS = "`*\"'"
_OPENERS = {")": "(", "]": "[", "}": "{"}

_HINTS = (
    *("pass", "pwd", "pw", "secret", "token", "key", "cookie", "jwt", "bearer", "cred", "auth", "sig", "mnemonic"),
    *("phrase", "recovery", "redacted", "sess", "csrf", "raw", "密", "口令", "令牌", "私钥", "凭", "金鑰"),
)
"""Of these one stands in every secret-like name, so that most lines need no closer look."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A project's redaction, prepared: its replacement on one line, the names it added, the regex of values."""

    replacement: str
    added: frozenset[str]
    hints: tuple[str, ...]
    value: re.Pattern[str]
    known: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Short texts and what they are without secrets: the same keys, types and statuses come again and again."""

    def kind(self, name: str) -> Kind | None:
        """Return what a key name says about its value, the project's own names included.

        `name` may begin with the words before the name: `the API key`.
        """
        kind = names.key_kind(name)
        if self.added and kind in {None, Kind.WEAK}:
            words = name.split(" ")
            tails = ("".join(names.key_words(" ".join(words[start:]))) for start in range(len(words)))
            return Kind.ADDED if any(tail in self.added for tail in tails) else kind
        return kind

    def harmless(self, value: str, kind: Kind) -> bool:
        """Return whether a value below a secret-like key tells nothing, or was replaced already."""
        return value == self.replacement or names.is_harmless(value, kind)


@lru_cache(maxsize=8)
def rules_of(redaction: Redaction) -> Rules:
    """Return the rules of a redaction; `enabled: false` leaves those that are built in."""
    replacement = " ".join(redaction.replacement.splitlines()).strip()
    words = [names.key_words(name) for name in redaction.secret_keys if redaction.enabled]
    replaced = rf"{re.escape(replacement)}(?=[\s\"'`,;.:)\]}}|<，。；、&]|$) |" if replacement else ""
    return Rules(
        replacement,
        frozenset("".join(parts) for parts in words if parts),
        (*_HINTS, *sorted({parts[0] for parts in words if parts})),
        re.compile(replaced + _VALUE, re.VERBOSE | re.IGNORECASE),
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """A secret-like key in a line, and what stands after it from `start` to `end`, without its quotes."""

    key: re.Match[str]
    kind: Kind
    value: str
    start: int
    end: int
    quoted: bool

    @property
    def sign(self) -> str:
        """`:` (also the full-width one), `=`, or "" where no sign stands between key and value."""
        sign = self.key["sign"] or ""
        return sign[:1].replace("：", ":")


def replace_values(text: str, rules: Rules) -> str:
    """Return a text with the values of secret-like keys replaced; the number of lines stays."""
    lower = text.lower()
    if not any(hint in lower for hint in rules.hints):
        return text
    if "value" in text:
        text = _NAMED.sub(lambda hit: _named_value(hit, rules), text)
    lines = text.split("\n")
    _replace_in_tables(lines, rules)
    _replace_below_keys(lines, rules)
    return "\n".join([_replace_in_line(line, rules) for line in lines])


def value_of(text: str) -> str:
    """Return what of a value may be secret: without the `Bearer` before it."""
    scheme = _SCHEME.match(text)
    return text[scheme.end() :] if scheme else text


def _named_value(hit: re.Match[str], rules: Rules) -> str:
    kind = rules.kind(hit[2])
    return hit[0] if kind is None or rules.harmless(hit[3], kind) else hit[1] + rules.replacement


def _replace_in_tables(lines: list[str], rules: Rules) -> None:
    """Replace in table rows what stands below a secret-like heading or right of a secret-like name."""
    headings: dict[int, str] = {}
    for index, line in enumerate(lines):
        if "|" not in line:
            headings = {}
            continue
        cells = _CELL.split(line)
        named = {number: name for number, cell in enumerate(cells) if (name := _secret_name(cell, rules))}
        below = lines[index + 1] if index + 1 < len(lines) else ""
        if "|" in below and "-" in below and _DELIMITER_ROW.fullmatch(below):
            headings = named
            continue
        for number, cell in enumerate(cells):
            heading = headings.get(number) or named.get(number - 1)
            if heading:
                value = cell.strip().strip(_MARKS)
                if value and _is_secret_alone(heading, value, rules):
                    cells[number] = cell.replace(value, rules.replacement)
        lines[index] = "|".join(cells)


def _secret_name(cell: str, rules: Rules) -> str:
    """Return a table's cell without its marks when it is a secret-like name, else ""."""
    name = cell.strip().strip(_MARKS)
    return name if _CELL_NAME.fullmatch(name) and rules.kind(name) else ""


def _replace_below_keys(lines: list[str], rules: Rules) -> None:
    """Replace what stands alone on the indented lines below a secret-like key without a value."""
    open_key: tuple[int, str] | None = None
    for index, line in enumerate(lines):
        item = _LONE_ITEM.match(line) if open_key else None
        if open_key and item and len(item[1]) > open_key[0]:
            word_of_prose = names.is_prose_name(open_key[1]) and names.is_plain_word(item[2])
            if not word_of_prose and _is_secret_alone(open_key[1], item[2], rules):
                lines[index] = line[: item.start(2)] + rules.replacement + line[item.end(2) :]
            continue
        key = _OPEN_KEY.match(line)
        open_key = (len(key[1]), key[2]) if key and rules.kind(key[2]) else None


def _is_secret_alone(name: str, value: str, rules: Rules) -> bool:
    """Judge a value that stands by itself: in a table's cell or on a line below its key."""
    kind = rules.kind(name)
    if kind is None or value.endswith(":") or rules.harmless(value, kind) or names.begins_remark(value):
        return False
    if names.is_prose_name(name):
        return kind is Kind.PASSWORD or not (names.is_sentence(value) or names.is_plain_word(value))
    return kind is Kind.ADDED or not names.is_sentence(value)


def _replace_in_line(line: str, rules: Rules) -> str:
    lower = line.lower()
    if not any(hint in lower for hint in rules.hints):
        return line
    if "cookie" in lower:
        line = _COOKIE.sub(lambda hit: hit[0] if hit[2] == rules.replacement else hit[1] + rules.replacement, line)
    out = []
    done = at = 0
    while hit := _KEY.search(line, at):
        found = _found(line, hit, rules)
        if found and _is_secret(line, found, rules):
            out += [line[done : found.start], rules.replacement]
            done = at = _end(line, found)
        else:
            at = hit.end() if hit["sign"] else hit.end("key")
    return _CHINESE.sub(lambda hit: _chinese(hit, rules), "".join((*out, line[done:])))


def _found(line: str, hit: re.Match[str], rules: Rules) -> _Found | None:
    """Return the secret-like key that was hit with its value, None when either is none."""
    previous = _PREVIOUS.search(line, max(0, hit.start() - 32), hit.start())
    kind = rules.kind(previous[1] + hit["key"] if previous else hit["key"])
    match = rules.value.match(line, hit.end()) if kind and _may_have_value(line, hit) else None
    if kind is None or match is None or match[0] == rules.replacement:
        return None
    raw = match[0]
    quoted = raw[0] in _QUOTES
    if quoted:
        start, end = match.start() + 1, match.end() - (len(raw) > 1 and raw[-1] == raw[0])
    else:
        start, end = match.start(), match.start() + _length_without_punctuation(raw)
    return _Found(hit, kind, line[start:end], start, end, quoted)


def _may_have_value(line: str, hit: re.Match[str]) -> bool:
    """Return whether a value can follow a key, seen from its first characters.

    What this refuses is refused before the value is read: else a chain of keys that are each other's
    refused values (`token==token==…`) would be read once for each of them.
    """
    first = line[hit.end() : hit.end() + 1]
    if not first or first in _QUOTES:
        return bool(first)
    before = line[hit.start() - 1 : hit.start()]
    if hit["tag"]:
        return before == "<" and first != "<"
    if hit["gap"] or hit["verb"]:
        return first != "-"
    return not (hit["sign"].startswith("==") or (before == "$" and hit["sign"] == ":") or _MAP.match(line, hit.end()))


def _is_secret(line: str, found: _Found, rules: Rules) -> bool:
    """Judge a value by how it stands after its key."""
    key, kind, value = found.key, found.kind, found.value
    piece = value_of(value)
    if rules.harmless(value, kind) or rules.harmless(piece, kind) or _is_key(line, found, rules):
        return False
    if key["tag"]:
        return line.startswith("</", found.end)
    if key["verb"]:
        return names.looks_secret(piece) or (kind is Kind.PASSWORD and names.looks_like_password(piece))
    if key["gap"]:
        return _is_secret_beside(line, found)
    if kind is Kind.ADDED:
        return True
    if value[0] == "[":
        return any(names.looks_secret(item) for item in re.split(r"[,\s]+", value))
    if kind is Kind.TOKEN and names.is_sentence(piece):
        return False
    if found.quoted:
        return True
    if kind is Kind.TOKEN and names.begins_remark(piece):
        return False
    if found.sign == "=" and key["space"]:
        return not (_CALL.match(value) or names.begins_remark(value))
    if found.sign == ":" and names.is_prose_name(key["key"]):
        return _is_secret_in_prose(line, found, piece)
    return True


def _is_key(line: str, found: _Found, rules: Rules) -> bool:
    """Return whether what stands after a key is the next key: `credentials: password: x`."""
    short = len(found.value) <= names.LONGEST_HARMLESS
    return short and line[found.end : found.end + 1] in {":", "：", "="} and rules.kind(found.value) is not None


def _is_secret_beside(line: str, found: _Found) -> bool:
    """Judge what follows a key after nothing but blanks: `--password x`, `password "x"`, `ENV API_KEY x`."""
    key, value = found.key["key"], found.value
    if key.startswith("--"):
        return not names.begins_remark(value)
    if found.kind is Kind.PASSWORD:
        return " " not in value and names.looks_like_password(value)
    if _SETS_VARIABLE.search(line, max(0, found.key.start() - 8), found.key.start()):
        return names.looks_secret(value)
    return found.quoted and names.looks_random(value)


def _is_secret_in_prose(line: str, found: _Found, piece: str) -> bool:
    """Judge `word: value` where the word may be one of prose: `Token: rotated` against `token: x9…`."""
    if names.begins_remark(piece):
        return False
    password = found.kind is Kind.PASSWORD
    if found.kind is Kind.TOKEN and "-" in piece and names.is_plain_word(piece):
        return False
    start = found.key.start()
    begins = start <= 40 and bool(_LINE_START.fullmatch(line, 0, start))
    alone = bool(_LINE_REST.match(line, found.end))
    if names.is_plain_word(piece):
        return (begins and alone) or (password and (begins or alone))
    if password or (begins and alone) or len(piece) >= 20:
        return True
    return names.looks_secret(piece) or (found.kind is Kind.SECRET and names.looks_like_password(piece))


def _end(line: str, found: _Found) -> int:
    """Return where the secret ends: a pass phrase of plain words goes on as far as the words do."""
    phrase = found.kind in {Kind.PASSWORD, Kind.ADDED} and found.sign == ":" and not found.quoted
    words = _MORE_WORDS.match(line, found.end) if phrase and names.is_plain_word(found.value) else None
    return words.end() if words else found.end


def _chinese(hit: re.Match[str], rules: Rules) -> str:
    length = _length_without_punctuation(hit[2])
    value = hit[2][:length]
    if not names.is_mixed(value, 5) or rules.harmless(value, Kind.PASSWORD):
        return hit[0]
    return hit[1] + rules.replacement + hit[2][length:]


def _length_without_punctuation(value: str) -> int:
    """Return how much of an unquoted value is its own: not the sentence's stop or bracket after it."""
    opened = {closer: value.find(opener) for closer, opener in _OPENERS.items()}
    end = len(value)
    while end > 1 and value[end - 1] in ".,;:)]}":
        if 0 <= opened.get(value[end - 1], -1) < end:
            break
        end -= 1
    return end
