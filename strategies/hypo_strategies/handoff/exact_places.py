"""Exact items that lead somewhere: URLs, paths and routes; pure. Their keys are their very characters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hypo_strategies.handoff.alike import words_of
from hypo_strategies.handoff.exact_code import Found
from hypo_strategies.handoff.model import Kind

_URL = re.compile(
    r"[A-Za-z](?<![A-Za-z0-9+.\-].)[A-Za-z0-9+.-]{1,15}://[!#$%&'*+,\-./0-9:;=?@A-Z\[\]_a-z{}~()]+"
    r"|[A-Za-z0-9_](?<![A-Za-z0-9_.@-].)[A-Za-z0-9_.-]{0,63}@[A-Za-z0-9][A-Za-z0-9.-]{0,252}:(?=[A-Za-z0-9_.~-]{0,100}/)[A-Za-z0-9_~][A-Za-z0-9_./~-]{1,500}"
)
_CLOSING = {")": "(", "]": "[", "}": "{"}


def urls(text: str) -> Iterator[Found]:
    """Find URLs, and `git@host:path`; a sentence's own signs behind one are not part of it."""
    if ":" not in text:
        return
    for found in _URL.finditer(text):
        url = _trimmed(found[0])
        if not url.endswith("://"):
            yield Kind.URL, found.start(), found.start() + len(url), url


def _trimmed(url: str) -> str:
    """Return a URL up to the first bracket that closes what it did not open, without stops at its end."""
    open_ones: list[str] = []
    for at, sign in enumerate(url):
        if sign in "([{":
            open_ones.append(sign)
        elif sign in _CLOSING and (not open_ones or open_ones.pop() != _CLOSING[sign]):
            url = url[:at]
            break
    return url.rstrip(".,;:!?'*(")


# -- paths and routes

_IN_PATH = r"A-Za-z0-9_.@%+~$\-"
_LETTER = "\u00c0-\u024f\u0e00-\u0e7f\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
_SPECIAL = (
    r"\[[A-Za-z0-9_.-]{1,60}\]"
    r"|\{[A-Za-z0-9_,.-]{1,60}\}"
    r"|\*(?=[A-Za-z0-9_./-])|(?<=/)\*{1,2}"
    r"|(?<=/)\([A-Za-z0-9_.-]{1,60}\)(?=/)"
    r"|(?<=/):[A-Za-z_]"
    rf"|(?<=[/A-Za-z0-9_.-])[{_LETTER}][{_LETTER}0-9_-]{{0,60}}(?=/|\.[A-Za-z][A-Za-z0-9]{{0,7}}(?![A-Za-z0-9]))"
)
"""What else stands in a path: `[id]`, `{id}`, `(group)`, `:id`, globs, names in other scripts."""
_SEGMENT = rf"[{_IN_PATH}]*(?:(?:{_SPECIAL})[{_IN_PATH}]*)*"
_LINE = r"(?P<line>:[1-9]\d{0,6}(?:[:-]\d{1,6})?(?![A-Za-z0-9_])|#L\d{1,6}(?:-L?\d{1,6})?)"
_QUERY = r"\?[A-Za-z0-9_.-]{1,60}=[A-Za-z0-9_.=&%+:{}-]{0,300}"
_PLACE = re.compile(
    rf"(?:[{_IN_PATH}](?<![{_IN_PATH}/\\].)(?:(?<=[./])|(?=[A-Za-z0-9_@%+~$-]*[./]))|\*(?=\.[A-Za-z])|\*\*(?=/)|/(?<!<.)(?=[A-Za-z0-9_.@:{{\[*(~$]))(?<![{_IN_PATH}/\\].){_SEGMENT}(?:/{_SEGMENT})*"
    rf"(?P<query>{_QUERY})?{_LINE}?"
)
_VERB = re.compile(r"(?<![A-Za-z0-9_])(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)[ \t]{1,3}$")
_LONGEST_VERB = 12
_LONGEST = 1_000

_EXTENSION = re.compile(
    r"[^/]\.(?:md|mdx|rst|txt|adoc|pdf|docx?|xlsx?|pptx?|csv|tsv|py|pyi|ipynb|js|jsx|mjs|cjs|ts|tsx|vue|svelte|astro|json"
    r"|jsonl|jsonc|ya?ml|toml|ini|cfg|conf|env|lock|xml|html?|css|scss|sass|less|sql|db|sqlite3?|sh|bash|zsh|fish|ps1|bat"
    r"|cmd|go|rs|java|kt|kts|swift|c|h|cc|cpp|hpp|cs|rb|php|ex|exs|erl|hs|lua|pl|jl|scala|dart|tf|tfvars|proto"
    r"|graphql|prisma|gradle|properties|service|socket|timer|plist|log|diff|patch|png|jpe?g|gif|svg|webp|ico|mp[34]|wav"
    r"|zip|tar|gz|tgz|whl|jar|apk|ipa|exe|dll|so|dylib|wasm|bin|pem|key|crt|local|example|template|tmpl|j2|gff3?|fasta|bak)$"
)
_PRODUCT = re.compile(r"(?:[A-Z][A-Za-z]{1,12}|D3)\.js")
_DOTFILE = re.compile(r"\.[a-z][A-Za-z0-9_-]{1,40}(?:\.[a-z][A-Za-z0-9_-]{0,20}){0,3}")
_DOTTED = re.compile(r"[^/.]\.[A-Za-z][A-Za-z0-9]{0,9}$")
_ROOTS = words_of(
    "src docs tests lib libs apps packages pkg cmd internal scripts components node_modules dist vendor migrations "
    "fixtures examples origin upstream feature feat fix hotfix bugfix chore refs heads"
)
_UNIX = words_of(
    "etc usr var home Users tmp opt bin sbin lib dev proc root mnt srv run sys Applications Library Volumes"
)
_NO_FOLDERS = words_of("and or and/or he she his her yes no on off true false e.g i.e")
_COUNTED = re.compile(r"[A-Z]{0,10}[-\u2013]?\d+(?:[.,-]\d+)*[a-z%]?|[A-Za-z]")
"""A number, an identifier or a letter: `24/7`, `AC-03/AC-04` and `N/A` are no paths."""
_NAMED = re.compile(r"[_*\[{@~-]")


def places(text: str) -> Iterator[Found]:
    """Find paths and routes: with a root, a verb, a line, a file name at the end, or the signs that only names have."""
    for found in _PLACE.finditer(text):
        written = found[0]
        if "/" not in written and "." not in written:
            continue
        start = found.start()
        if not found["line"] and not found["query"]:
            written = written if written.endswith("/...") else written.rstrip(".%+~$@-")
        if not 1 < len(written) <= _LONGEST:
            continue
        if written[0] in "+%-":
            continue
        name = written.removesuffix(found["line"] or "").removesuffix(found["query"] or "")
        if name.startswith("/"):
            kind, start = _absolute(text, start, name, has_query=bool(found["query"]))
        else:
            kind = Kind.PATH if _is_relative_path(name, next_sign=text[found.end() : found.end() + 1]) else None
        if kind is not None:
            end = found.start() + len(written)
            yield kind, start, end, " ".join(text[start:end].split())


def _absolute(text: str, start: int, name: str, *, has_query: bool) -> tuple[Kind | None, int]:
    """Return what a place with a leading slash is, and where it begins: the verb is part of a route."""
    if verb := _VERB.search(text, max(0, start - _LONGEST_VERB), start):
        return Kind.ROUTE, verb.start()
    if name.startswith("//") or len(name) == 1:
        return None, start
    first = name[1:].split("/", 1)[0]
    if first in _UNIX or _DOTTED.search(name):
        return Kind.PATH, start
    is_glued = start > 0 and not text[start - 1].isascii() and text[start - 1].isalnum()
    if is_glued and name.count("/") == 1 and not has_query:
        return None, start
    return Kind.ROUTE, start


def _is_relative_path(name: str, next_sign: str) -> bool:
    if "/" not in name:
        if _PRODUCT.fullmatch(name):
            return False
        return bool(_EXTENSION.search(name) or _DOTFILE.fullmatch(name))
    if name.startswith(("./", "../", "~/")):
        return True
    if name.lower() in _NO_FOLDERS:
        return False
    segments = [segment for segment in name.split("/") if segment]
    if not segments or all(_COUNTED.fullmatch(segment) for segment in segments):
        return False
    first = segments[0]
    if name.endswith("/"):
        return len(first) > 1 and first.lower() not in _NO_FOLDERS and not (next_sign.isalnum() or next_sign == ">")
    if first in _ROOTS or (len(first) > 1 and first[0] == "." and first[1].isalpha()):
        return True
    return bool(_DOTTED.search(name) or _NAMED.search(name)) and not name.endswith((".e", "i.e"))


# -- Windows

_WINDOWS = re.compile(
    r"[A-Za-z](?<![A-Za-z0-9_].):\\[^\x00-\x20\"<>|*?`:\x7f-\uffff]{1,400}"
    r"|[A-Za-z0-9_.-](?<![A-Za-z0-9_.\\-].)(?=[A-Za-z0-9_.-]{0,80}\\)[A-Za-z0-9_.-]{0,80}(?:\\[A-Za-z0-9_.-]{1,80}){1,40}"
)


def windows_paths(text: str) -> Iterator[Found]:
    r"""Find paths with backslashes: `C:\dir\file`, `dir\file.ext`."""
    if "\\" not in text:
        return
    for found in _WINDOWS.finditer(text):
        path = found[0].rstrip(".,;)")
        if path[1:2] == ":" or _EXTENSION.search(path.replace("\\", "/")):
            yield Kind.PATH, found.start(), found.start() + len(path), path
