"""Which key names hold secrets, and which values below them tell nothing (views.md, rule 8)."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

LONGEST_HARMLESS = 200
"""A longer value below a secret-like key is never taken for harmless."""

LONGEST_NAME = 80
"""Of a longer key name the end is read."""


class Kind(Enum):
    """What a key name says about its value.

    PASSWORD: any text, also a plain word or several (`password`, `密码`).
    SECRET: any text, but in prose the name is as often a mere word (`secret`).
    TOKEN: one piece; several plain words below such a key are a remark (`api_key`, `cookie`).
    WEAK: only a value that looks random is a secret (`cache_key`, `auth`).
    ADDED: the project says so; any text, also what would be harmless below another key.
    """

    PASSWORD = 1
    SECRET = 2
    TOKEN = 3
    WEAK = 4
    ADDED = 5


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[\u3400-\u9fff]+|[0-9]+")

_QUALIFIERS = _words(
    "value raw plain plaintext text string prod production dev staging ci old new default base b64 pem hash encrypted"
    " primary secondary"
)
"""Words that may follow the word that counts: `SECRET_KEY_BASE`, `TOKEN_CI`, `password2`."""

_PASSWORDS = _words("password passwords passwd passphrase passcode passwort pwd pswd mnemonic")
_PASS_OF = _words(
    "db database smtp mysql pg postgres redis user admin root mail email ftp ssh proxy auth login sudo imap"
)
_TWO_WORDS = {
    ("seed", "phrase"): Kind.PASSWORD,
    ("recovery", "phrase"): Kind.PASSWORD,
    ("recovery", "code"): Kind.PASSWORD,
    ("recovery", "codes"): Kind.PASSWORD,
}
_TOKENS = _words("jwt bearer cookie cookies authorization credential credentials creds")
_SQUASHED = (
    (re.compile(r"(?:password|passwd|passphrase)$"), Kind.PASSWORD),
    (re.compile(r"(?:client|api|app)secret$"), Kind.SECRET),
    (re.compile(r"(?:api|secret|access|private|auth)keys?$|(?:api|auth|access|refresh|session|bot)token$"), Kind.TOKEN),
    (re.compile(r"sess(?:ion)?id$|csrftoken$"), Kind.WEAK),
)
"""Names written without a mark between their words: `pgpassword`, `apikey`."""

_COUNTED = _words(
    "context max min per eos bos pad unk mask stop special input output prompt completion reasoning cached next previous"
    " prev first last current each total cost design sub one every single a cancellation syntax lexer page"
)
"""Before `token`: a unit of text or a mark in it, not a secret."""

_HOLDERS = _words("access auth api bearer refresh session bot personal github gitlab slack oauth")
"""Before `tokens`, which alone is a count."""

_KEYED = _words(
    "api secret private access signing encryption master auth account subscription session ssh deploy service role"
    " shared storage admin client app webhook jwt hmac aes rsa gpg pgp license consumer integration openai anthropic"
    " claude gemini google azure aws stripe github gitlab deepseek openrouter groq mistral"
)
"""Before `key`, which alone is any key."""

_CHINESE = (
    (re.compile(r"(?:密码|密碼|口令)$"), Kind.PASSWORD),
    (re.compile(r"(?:密钥|密鑰|金鑰|私钥|令牌|凭证|凭据)$"), Kind.TOKEN),
)
_CHINESE_COUNTED = re.compile(r"(?:上下文|最大|输入|输出|每|总|消耗|节省|占用|单个|额外|平均)(?:令牌)?$")

_DESCRIPTIVE = _words(
    "provider env var variable name names purpose description reason type kind status source path file url count at id"
    " scope scopes required policy length reference ref refs note notes owner expires created updated rotated enabled"
    " limit ttl used location format user username login host email summary title category tags"
)
"""Below a secret-like key these tell something about the secret, not the secret."""

_NO_VALUE = _words(
    "null none nil undefined true false yes no on off n/a na tbd unset empty missing required optional unknown"
    " unavailable telemetry_unavailable not_available not_set not-set redacted masked hidden placeholder dummy example"
    " sample string str text bytes int integer number bool boolean any object varchar"
)

_REMARKS = _words(
    "a an the is are was were be been and or not no never always must should can may will if when while for from to of"
    " in on at by with without via per as it its this that these those only still also now then new old see use used"
    " uses using set reset rotate rotates rotated rotation remove removed add added adds fix fixed change changed update"
    " updated done pass passes passed fail failed failure ok pending open closed blocked skipped deferred active inactive"
    " valid invalid expired revoked stored saved reduced cached encrypted hashed supported unsupported disabled present"
    " absent flag flags option options argument arguments parameter parameters field fields column columns values"
    " variable variables environment file files handling flow flows policy policies validation check checks leak leaks"
    " safe unchanged defaults same both all some each every two three deny denied allow allowed managed manual auto"
    " automatic secret secrets token tokens key keys password passwords value await async lambda yield return banner"
    " consent storage support usage use-case docs documentation test tests testing in-memory bcrypt scrypt argon2 pbkdf2 hashing"
) | (_NO_VALUE | _QUALIFIERS)
"""Words that begin a remark on a secret (`Token: rotated yesterday`), never the secret itself."""

_PLACEHOLDER = re.compile(
    r"<[^<>]*>|\$\{[^{}]*\}|\$\([^()]*\)|%\w+%|\{\{[^{}]*\}\}|\{\w*\}|(?-i:\[[A-Z _-]+\])"
    r"|[*•x#._?–—…-]+|[^\w\s]{1,3}"
    r"|your[-_ ][a-z_ -]+|your(?:password|token|secret|api_?key|key)"
    r"|(?:insert|enter|put|replace|add)[-_ ][a-z_ -]+|[a-z_ -]+[-_ ]here",
    re.IGNORECASE,
)
_LOOKUP = re.compile(
    r"(?:op|vault|keyring)://\S+|https?://[^\s@]+"
    r"|(?:[a-z_]+\.){0,3}(?:environ|getenv|env|secrets|config|settings|self)[.\[(]\S*|[a-z_][\w.]*\([^()]*\)",
    re.IGNORECASE,
)
_VARIABLE = re.compile(r"\$[A-Z][A-Z_]*")
_REFERENCE = re.compile(r"\$([A-Za-z_]\w*)|(?:env:)?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)")
_NAME_OF_NAME = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:ENV|NAME|PATH|FILE|URL)")
_MASKED = re.compile(r"([\w-]{0,12})(?:\.{3}|…|\*{3,}|•{3,}|x{4,})([\w-]{0,6})")
_PATH = re.compile(
    r"(?:~|\.{1,2})/[\w./-]+|(?:/[\w.-]{1,40}){2,}"
    r"|[\w-]+(?:[/.][\w-]+)*\.(?:py|tsx?|jsx?|md|ya?ml|json|toml|cfg|ini|env|txt|pem|key|sh|go|rs|rb|java|sql)"
)
_AMOUNT = re.compile(r"[~≈<>+-]?[0-9][0-9,._]*[kKmMbB%]?(?:[/~-][0-9][0-9,._]*[kKmMbB%]?)?")
_LABEL = re.compile(r"[A-Z]{1,4}-?[0-9]{1,5}")
_METHOD = re.compile(r"(?:sha|md|aes|rsa|oauth|utf|base|http|ed|v|tls|argon|pbkdf)[-_]?[0-9][\w.-]*", re.IGNORECASE)
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]+(?:Z|[+-][0-9:]+)?)?")
_HEX = re.compile(r"[0-9a-fA-F-]+")
_MARKS = "\"'`*_.,;:!?()[]{}，。；：、（）「」"


def key_words(name: str) -> list[str]:
    """Return the words of a key name in lower case: `dbPassword` and `DB-PASSWORD` give `db`, `password`."""
    return [word.lower() for word in _WORD.findall(name[-LONGEST_NAME:])]


def key_kind(name: str) -> Kind | None:
    """Return what a key name says about its value, None when nothing speaks for a secret."""
    return _kind_of_words(name[-LONGEST_NAME:])


@lru_cache(maxsize=4096)
def _kind_of_words(name: str) -> Kind | None:
    words = key_words(name)
    if words in (["raw", "value"], ["redacted", "value"]):
        return Kind.SECRET if words[0] == "raw" else Kind.WEAK
    while words and (words[-1].isdigit() or words[-1] in _QUALIFIERS):
        words.pop()
    if not words:
        return None
    before, last = (words[-2] if len(words) > 1 else ""), words[-1]
    if last in _PASSWORDS or (last in {"pass", "pw"} and before in _PASS_OF):
        return Kind.PASSWORD
    if last in {"secret", "secrets"}:
        return Kind.SECRET
    if last in {"token", "tokens"}:
        return _token_kind(before, last)
    if last in {"key", "keys"} and before:
        return Kind.TOKEN if before in _KEYED and words[-2:] != ["secret", "keys"] else Kind.WEAK
    if last in _TOKENS or words[-3:] == ["access", "key", "id"]:
        return Kind.TOKEN
    if last in {"auth", "signature", "sig"}:
        return Kind.WEAK
    if not last.isascii():
        return _by_ending(last, _CHINESE) if not _CHINESE_COUNTED.search(last) else None
    return _TWO_WORDS.get((before, last)) or _by_ending(last, _SQUASHED)


def _token_kind(before: str, last: str) -> Kind | None:
    if last == "tokens":
        return Kind.TOKEN if before in _HOLDERS else None
    return None if before in _COUNTED or _CHINESE_COUNTED.search(before) else Kind.TOKEN


def _by_ending(word: str, endings: tuple[tuple[re.Pattern[str], Kind], ...]) -> Kind | None:
    return next((kind for ending, kind in endings if ending.search(word)), None)


def is_descriptive(name: str) -> bool:
    """Return whether a key below a secret-like key only describes the secret (`env`, `purpose`)."""
    words = key_words(name)
    return bool(words) and words[-1] in _DESCRIPTIVE


def is_prose_name(name: str) -> bool:
    """Return whether a key may be a word of prose (`Token`, `密码`), unlike `api_key` or `dbPassword`."""
    word = name.strip("_*")
    return word.isalpha() and (word.isupper() or word[1:].islower() or not word.isascii())


def is_harmless(value: str, kind: Kind) -> bool:
    """Return whether a value below a secret-like key tells nothing: null, a count, a placeholder, a name."""
    text = value.strip()
    if len(text) > LONGEST_HARMLESS:
        return False
    if not text or text.lower() in _NO_VALUE or _PLACEHOLDER.fullmatch(text):
        return True
    if _AMOUNT.fullmatch(text):
        return sum(map(str.isdigit, text)) <= (4 if kind in {Kind.PASSWORD, Kind.ADDED} else 9)
    if kind is Kind.ADDED:
        return False
    if _LOOKUP.fullmatch(text) or _PATH.fullmatch(text) or _is_reference(text):
        return True
    if masked := _MASKED.fullmatch(text):
        return kind is not Kind.PASSWORD or len(masked[1]) + len(masked[2]) <= 4
    if kind is not Kind.PASSWORD and (_LABEL.fullmatch(text) or _TIME.fullmatch(text) or text.startswith("#")):
        return True
    return kind is Kind.WEAK and not looks_random(text)


def _is_reference(text: str) -> bool:
    """Return whether a text is the name of a variable that holds the secret: `$TOKEN`, `OPENAI_API_KEY`."""
    if _VARIABLE.fullmatch(text) or _NAME_OF_NAME.fullmatch(text):
        return True
    name = _REFERENCE.fullmatch(text)
    return name is not None and key_kind(name[1] or name[2]) is not None


def is_sentence(value: str) -> bool:
    """Return whether a value is several words of which none looks like a secret."""
    pieces = value.split()
    return len(pieces) > 1 and "=" not in value and not any(looks_secret(piece) for piece in pieces)


def is_plain_word(piece: str) -> bool:
    """Return whether a piece is a word as prose has them, in whatever script."""
    word = piece.strip(_MARKS)
    if not word.replace("-", "").replace("'", "").isalpha():
        return not word
    return not word.isascii() or word.isupper() or word[1:].islower()


def begins_remark(value: str) -> bool:
    """Return whether what follows a secret-like key is a remark on it (`rotated`, `未设置`), not its value."""
    word = "".join(value.split(maxsplit=1)[:1]).strip(_MARKS)
    return word.lower() in _REMARKS or (not word.isascii() and is_plain_word(word))


def is_mixed(piece: str, least: int) -> bool:
    """Return whether a piece has letters and digits and at least `least` characters."""
    return len(piece) >= least and any(map(str.isdigit, piece)) and any(map(str.isalpha, piece))


def looks_like_password(piece: str) -> bool:
    """Return whether a piece right of the word `password` is one: mixed, and no label or method (`SHA256`)."""
    text = piece.strip(_MARKS)
    return is_mixed(text, 5) and not (_LABEL.fullmatch(text) or _METHOD.fullmatch(text))


def looks_secret(piece: str) -> bool:
    """Return whether a piece is neither a word nor a number nor a placeholder."""
    text = piece.strip(_MARKS)
    return is_mixed(text, 8) and not is_harmless(text, Kind.TOKEN)


def looks_random(text: str) -> bool:
    """Return whether a text looks like made by chance: one long mixed piece that is no hash or UUID."""
    if not is_mixed(text, 16) or any(map(str.isspace, text)) or _HEX.fullmatch(text):
        return False
    return any(map(str.isupper, text)) and any(map(str.islower, text))
