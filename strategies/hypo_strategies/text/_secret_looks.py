"""Secrets that are known by their look, wherever they stand (views.md, rule 8).

Each pattern begins with fixed characters, or at a place of which there are few, and takes from there
what it can without going back. So a failed attempt costs little, and the time is linear in the text.
"""

from __future__ import annotations

import base64
import binascii
import re

from hypo_strategies.text._secret_names import Kind, is_harmless, is_mixed, looks_random, looks_secret

_TAIL = r"[A-Za-z0-9_-]"
_APART = r"(?<![A-Za-z0-9])"

_LOOKS: tuple[tuple[str, str], ...] = (
    ("sk-", rf"{_APART}sk-{_TAIL}{{16,}}+"),  # OpenAI, Anthropic, OpenRouter, DeepSeek
    ("ghp_", r"ghp_[A-Za-z0-9]{20,}+"),
    ("gho_", r"gho_[A-Za-z0-9]{20,}+"),
    ("ghu_", r"ghu_[A-Za-z0-9]{20,}+"),
    ("ghs_", r"ghs_[A-Za-z0-9]{20,}+"),
    ("ghr_", r"ghr_[A-Za-z0-9]{20,}+"),
    ("github_pat_", r"github_pat_[A-Za-z0-9_]{20,}+"),
    ("gl", rf"{_APART}gl(?:pat|dt|rt|oas|ptt|cbt|ft|imt|agent|soat)-{_TAIL}{{16,}}+"),
    ("AKIA", r"AKIA[0-9A-Z]{16,}+"),
    ("ASIA", r"ASIA[0-9A-Z]{16,}+"),
    ("xox", r"xox[a-z]-[A-Za-z0-9-]{10,}+"),
    ("xapp-", r"xapp-[A-Za-z0-9-]{16,}+"),
    ("hooks.slack.com", r"hooks\.slack\.com/[A-Za-z]{1,20}/[A-Za-z0-9/+-]{16,}+"),
    ("webhooks/", rf"discord(?:app)?\.com/api/webhooks/[0-9]{{1,30}}/{_TAIL}{{16,}}+"),
    ("AIza", rf"AIza{_TAIL}{{30,}}+"),
    ("ya29.", r"ya29\.[A-Za-z0-9._-]{16,}+"),
    ("GOCSPX-", rf"GOCSPX-{_TAIL}{{16,}}+"),
    ("k_", rf"{_APART}[rs]k_(?:live|test)_[A-Za-z0-9]{{10,}}+"),  # Stripe
    ("whsec_", rf"{_APART}whsec_[A-Za-z0-9+/=]{{16,}}+"),
    ("npm_", rf"{_APART}npm_[A-Za-z0-9]{{30,}}+"),
    ("pypi-", rf"{_APART}pypi-(?=[a-z-]{{0,40}}[A-Z0-9]){_TAIL}{{20,}}+"),
    ("hf_", rf"{_APART}hf_[A-Za-z0-9]{{20,}}+"),
    ("gsk_", rf"{_APART}gsk_[A-Za-z0-9]{{20,}}+"),
    ("ntn_", rf"{_APART}ntn_[A-Za-z0-9]{{20,}}+"),
    ("r8_", rf"{_APART}r8_[A-Za-z0-9]{{20,}}+"),
    ("xai-", rf"{_APART}xai-{_TAIL}{{20,}}+"),
    ("pplx-", rf"{_APART}pplx-{_TAIL}{{20,}}+"),
    ("tvly-", rf"{_APART}tvly-{_TAIL}{{20,}}+"),
    ("nvapi-", rf"{_APART}nvapi-{_TAIL}{{20,}}+"),
    (":A", rf"(?<![0-9])[0-9]{{8,10}}:A{_TAIL}{{29,}}+"),  # Telegram
    ("eyJ", rf"{_APART}eyJ{_TAIL}{{10,}}+(?:\.{_TAIL}++)*"),  # JWT
    ("SG.", rf"{_APART}SG\.{_TAIL}{{16,}}+\.{_TAIL}{{16,}}+"),
    ("_v1_", rf"{_APART}do[opr]_v1_[0-9a-f]{{40,}}+"),
    ("shp", rf"{_APART}shp(?:at|ca|pa|ss)_[0-9a-fA-F]{{32,}}+"),
    ("dapi", rf"{_APART}dapi[0-9a-f]{{32,}}+"),
    ("lin_api_", rf"{_APART}lin_api_{_TAIL}{{20,}}+"),
    ("sntrys_", rf"{_APART}sntrys_{_TAIL}{{20,}}+"),
    ("glsa_", rf"{_APART}glsa_{_TAIL}{{20,}}+"),
    ("figd_", rf"{_APART}figd_{_TAIL}{{20,}}+"),
    ("hvs.", rf"{_APART}hvs\.{_TAIL}{{20,}}+"),
    ("AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[0-9A-Z]{40,}+"),
)
"""Each with characters that stand in every such secret, so that most lines need no regex."""

_LOOK = re.compile("|".join(pattern for _, pattern in _LOOKS))
_HINTS = tuple(hint for hint, _ in _LOOKS)

_SCHEME = re.compile(
    r"bearer[^\S\r\n]+(?!bearer\s|basic\s)(?P<bearer>[A-Za-z0-9._~+/=-]+)"
    r"|basic[^\S\r\n]+(?P<basic>[A-Za-z0-9+/]+={0,2})",
    re.IGNORECASE,
)
_WRAPPED_BEARER = re.compile(r"(bearer[ \t]{0,8}\r?\n\s{0,40})[A-Za-z0-9._~+/=-]{20,}+", re.IGNORECASE)
_URL_PASSWORD = re.compile(r"""(://[^\s/:@"'`<>]*:)(?![0-9]{1,5}[?#])([^\s/"'`<>]+)(?=@)""")
_URL_TOKEN = re.compile(r"(://)([A-Za-z0-9_-]{20,})(?=@)")
_URL_QUERY = re.compile(r"""([?&](?:key|sig|signature)=)([^\s&#"'`<>)]{12,})""", re.IGNORECASE)
_AWS_SECRET = re.compile(r"(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])")
_COMMAND_PASSWORD = re.compile(
    r"""((?<!\S)(?:-u|--user|--proxy-user)[ \t=]+["']?[^\s:"']+:|sshpass[ \t]+-p[ \t]*"""
    r"""|(?:mysql|mariadb)\w{0,10}[ \t][^|;&\r\n]{0,80}?(?<=[ \t])-p(?!ort|rot)"""
    r"""|(?:docker|podman)[ \t]login[ \t][^|;&\r\n]{0,80}?(?<=[ \t])-p[ \t]+"""
    r"""|login[ \t]+\S{1,80}[ \t]+password[ \t]+)["']?([^\s"']+)"""
)
"""Passwords that command lines and `.netrc` lines name with one letter or by their place."""

_KEY_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,80}PRIVATE KEY(?: BLOCK)?(?:-----)?")
_KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,80}PRIVATE KEY(?: BLOCK)?(?:-----)?")
_KEY_GOES_ON = re.compile(r"""(?:\\[nr]|[\s"'+,>|])*(?:$|[A-Za-z0-9+/]{16})""")
_KEY_LINE = re.compile(
    r"[A-Za-z0-9+/]{24}"  # a full line, whatever stands around it
    r"|^[\s>|]*[A-Za-z0-9+/]*={0,2}[\s|]*$"  # the last line, or an empty one
    r"|^[\s>|]*(?:Proc-Type|DEK-Info|Version|Comment|Hash): "
)

_SHORTEST = 6
"""Characters of the shortest line that holds a secret by its look: `-u a:b`, `://:b@`."""


def replace_looks(line: str, replacement: str) -> str:
    """Return one line with all secrets replaced that are known by their look."""

    def after(hit: re.Match[str]) -> str:
        known = hit[2] == replacement or is_harmless(hit[2], Kind.PASSWORD)
        return hit[0] if known else hit[1] + replacement

    if len(line) < _SHORTEST:
        return line
    lower = line.lower()
    if "bearer" in lower or "basic" in lower:
        line = _SCHEME.sub(lambda hit: replacement if _is_authorization(hit) else hit[0], line)
    if "://" in line:
        line = _URL_PASSWORD.sub(after, line)
        line = _URL_TOKEN.sub(after, line)
        line = _URL_QUERY.sub(lambda hit: hit[1] + replacement if is_mixed(hit[2], 12) else hit[0], line)
    if "-p" in line or "-u" in line or "login" in line:
        line = _COMMAND_PASSWORD.sub(after, line)
    if "aws" in lower or "secret" in lower or "AKIA" in line or "ASIA" in line:
        line = _AWS_SECRET.sub(lambda hit: replacement if looks_random(hit[0]) else hit[0], line)
    if any(hint in line for hint in _HINTS):
        line = _LOOK.sub(lambda _: replacement, line)
    return line


def _is_authorization(hit: re.Match[str]) -> bool:
    """Return whether what stands after `Bearer` is a token, or after `Basic` base64 of `user:password`."""
    bearer, basic = hit["bearer"], hit["basic"]
    if bearer:
        return len(bearer) >= 20 or looks_secret(bearer)
    basic = basic.rstrip("=")
    try:
        return b":" in base64.b64decode(basic + "=" * (-len(basic) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False


def replace_wrapped(text: str, replacement: str) -> str:
    """Return a text with the secrets replaced that go over several lines; the number of lines stays."""
    if "PRIVATE KEY" in text:
        text = _replace_key_blocks(text, replacement)
    return _WRAPPED_BEARER.sub(lambda hit: hit[1] + replacement, text)


def opens_key_block(text: str) -> bool:
    """Return whether a private key begins in a text and does not end there."""
    return "PRIVATE KEY" in text and bool(_KEY_BEGIN.search(text)) and not _KEY_END.search(text)


def closes_key_block(text: str) -> bool:
    """Return whether a private key ends in a text."""
    return "PRIVATE KEY" in text and bool(_KEY_END.search(text))


def _replace_key_blocks(text: str, replacement: str) -> str:
    """Replace private keys; one without an end reaches as far as its lines look like one."""
    out = []
    inside = False
    for line in text.split("\n"):
        end = _KEY_END.search(line) if inside else None
        if inside and end is None and _KEY_LINE.search(line):
            out.append(replacement if line.strip() else line)
            continue
        head, start = (replacement, end.end()) if end else ("", 0)
        rest, inside = _replace_keys_in_line(line, start, replacement)
        out.append(head + rest)
    return "\n".join(out)


def _replace_keys_in_line(line: str, start: int, replacement: str) -> tuple[str, bool]:
    """Return the line from `start` on without private keys, and whether one goes on in the next line."""
    out = []
    last_end = line.rfind("-----END")
    while begin := _KEY_BEGIN.search(line, start):
        out += [line[start : begin.start()], replacement]
        start = begin.end()
        end = _KEY_END.search(line, start) if start <= last_end else None
        if end:
            start = end.end()
        elif _KEY_GOES_ON.match(line, start):
            return "".join(out), True
    return "".join((*out, line[start:])), False
