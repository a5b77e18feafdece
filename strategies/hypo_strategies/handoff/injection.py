"""What marked injections ask for is withheld, and told about instead; unmarked ones are suspected and noted; pure.

The payload of a marked injection goes nowhere (compact-context, Preserve): not into any section, and not as a copy in
other text that is marked as untrusted. Where trusted text says the same, it stays exactly as it is, with a note:
there it is no untrusted material, and only its reader can tell why it is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hypo_strategies.handoff import words
from hypo_strategies.handoff._payload import RUNNABLE, bare, is_untrusted, payloads
from hypo_strategies.handoff._payload import _decoded as decoded
from hypo_strategies.handoff._units import Texts, Unit, read
from hypo_strategies.handoff._withheld import describes
from hypo_strategies.handoff.folding import folded
from hypo_strategies.handoff.model import Kind, State, Trust
from hypo_strategies.text.phrase import Phrase, phrase

_FETCHES = re.compile(r"(?<![\w-])(?:curl|wget|iwr|irm|invoke-webrequest|fetch)(?![\w-])")
_PIPES = re.compile(
    r"\|\s*(?:sudo\s+)?(?:ba|z|da|fi)?sh(?![\w-])|\|\s*(?:python3?|node|perl|iex)|<\(|\$\(|(?<![\w-])iex(?![\w-])"
)
_RUNS = re.compile(
    r"(?<![\w/.-])(?:sudo|curl|wget|bash|sh|zsh|python3?|node|npx|npm|pip|docker|git|rm|chmod|chown|ssh|scp|nc|eval"
    r"|powershell|iex|make|cargo|go|psql|kubectl|aws|gcloud|export)\s"
)
_TAKES_OVER = re.compile(
    r"(?:ignore|disregard|forget|override)\s(?:all\s|any\s|the\s|your\s|these\s)*(?:previous|prior|above|earlier|former|system|other)"
    r"(?:\s\w{1,20})?\s(?:instructions?|prompts?|rules|messages?|constraints?)"
    r"|you\sare\snow\s|new\s(?:system\s)?instructions?\s?:|<\s?/?system\s?>|\[/?inst\]|do\snot\s(?:tell|inform|mention\sthis\sto)\sthe\suser"
    r"|without\s(?:telling|asking|informing)\sthe\suser"
    "|忽略(?:之前|以上|上述|所有|先前|前面)[^。\n]{0,8}(?:指令|提示|规则|規則|要求)|(?:无视|無視)[^。\n]{0,8}(?:指令|指示)|不要告诉用户"
    "|(?:以前|上記|これまで|前|すべて)の[^。\n]{0,8}(?:指示|命令|プロンプト|ルール)を(?:すべて)?(?:無視|忘れ)|ユーザーに(?:は)?(?:知らせず|言わず|伝えず)"
    "|(?:ไม่ต้องสนใจ|เพิกเฉย(?:ต่อ)?|ละเว้น)คำสั่ง|อย่าบอกผู้ใช้"
)
_IMPERATIVE = re.compile(
    r"(?:^|[.:;!\"“(>\n]\s{0,3}|(?:please|must|should|to|now|then|always)\s)(?:run|execute|download|install|fetch|open|paste|send|post|upload|enable|disable|grant)\s"
    "|运行|执行|下载|安装|実行し|ダウンロードし|インストールし|ให้รัน|ดาวน์โหลด|ติดตั้ง"
)
_FOREIGN = frozenset({Trust.DOCS, Trust.TOOL})
"""Sources whose words are no orders, although nothing marks them as untrusted."""
_PLAIN = frozenset({"bullet", "prose", "row"})
_LOCATORS = frozenset({Kind.URL, Kind.PATH, Kind.ID, Kind.ISSUE})
_TRUST_WORDS = re.compile(
    r"(?:untrusted|not trusted|untrustworthy|(?:suspected|rejected|ignored|prompt|attempted|possible|likely|malicious)"
    r"|injections?(?: attempts?)?|injected|instructions?|source:?)",
    re.IGNORECASE,
)
_MOST_READ = 4_000
_MOST_TOLD = 200
"""Injections that are told of one by one."""
_LONGEST_SOURCE = 60
WITHHELD = "Untrusted: text asked to run a command; payload withheld"
"""What always may be said."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something that a person should know, and that changes nothing in the output.

    Attributes:
        line: where it is, counted from 1.
        said: what it is; never a secret, and never a payload.
    """

    line: int
    said: Phrase


@dataclass(frozen=True, slots=True)
class Injections:
    """The injections in a handoff.

    Attributes:
        told: by the index of an item that is withheld, what is said instead, "" where another item tells of it.
        inside: by the index of an item that stands below such a one and asks for nothing, what is written of it.
        payloads: what is withheld.
        notes: of copies that stay, and of suspected ones.
    """

    told: dict[int, str]
    inside: dict[int, str]
    payloads: tuple[str, ...]
    notes: tuple[Note, ...]


def injections(units: Sequence[Unit], texts: Texts) -> Injections:
    """Return what is withheld of a handoff, and what is said instead.

    Args:
        units: all of its items.
        texts: where exact items are read.
    """
    notes = [
        Note(unit.item.first, phrase("suspected injection, not marked as one; it is kept as it is"))
        for unit in units
        if not is_untrusted(unit) and _is_suspected(unit, texts)
    ]
    untrusted = [unit for unit in units if is_untrusted(unit)]
    if not untrusted:
        return Injections({}, {}, (), tuple(notes))
    asked = payloads(untrusted, texts)
    bares = tuple(dict.fromkeys(filter(None, map(bare, asked))))
    withheld = [unit for unit in untrusted if _asks(unit, bares) or _is_runnable(unit, texts)]
    indices = {unit.index for unit in withheld}
    tellers = [(unit, "") for unit in untrusted if unit.index not in indices][:_MOST_TOLD]
    told: dict[int, str] = {}
    inside: dict[int, str] = {}
    for unit in withheld:
        if (
            unit.item.shape in _PLAIN
            and "\n" not in unit.item.text
            and not (_asks_itself(unit, bares) or _is_runnable(unit, texts))
        ):
            inside[unit.index] = f"Untrusted: {unit.said}"
            notes.append(Note(unit.item.first, phrase("it stands inside a marked injection; it is kept as untrusted")))
            continue
        known = next((said for teller, said in tellers if describes(teller, unit, asked, texts)), None)
        if known is None and len(tellers) < _MOST_TOLD:
            known, teller = _told(unit, asked, texts)
            tellers.append((teller, known))
        told[unit.index] = WITHHELD if known is None else known
    for unit in units:
        if not is_untrusted(unit) and _holds(bare(unit.item.text), bares):
            same = phrase("a marked injection asks for the same; it is kept here, where nothing marks it as untrusted")
            notes.append(Note(unit.item.first, same))
    return Injections(told, inside, asked, tuple(sorted(set(notes), key=lambda note: (note.line, str(note.said)))))


def _holds(text: str, bares: tuple[str, ...]) -> bool:
    return any(payload in text for payload in bares)


def _is_suspected(unit: Unit, texts: Texts) -> bool:
    """Return whether an item that nothing marks looks like an injection all the same."""
    said = folded(unit.item.text[:_MOST_READ])
    if _TAKES_OVER.search(said):
        return True
    is_foreign = unit.item.shape in {"quote", "html"} or unit.place.trust in _FOREIGN
    if not is_foreign or not _IMPERATIVE.search(said):
        return False
    return bool(_RUNS.search(said)) or any(exact.kind in {Kind.COMMAND, Kind.URL} for exact in texts.of(unit))


def _asks(unit: Unit, bares: tuple[str, ...]) -> bool:
    """Return whether what an injection asks for stands in an item or above it, encoded or not."""
    above = "\n".join((*unit.item.headings, *unit.item.parents))
    return _asks_itself(unit, bares) or _holds(bare(above), bares) or _holds(decoded(above), bares)


def _asks_itself(unit: Unit, bares: tuple[str, ...]) -> bool:
    text = f"{unit.item.label}\n{unit.item.text}"
    return _holds(bare(text), bares) or _holds(decoded(text), bares)


def _is_runnable(unit: Unit, texts: Texts) -> bool:
    return any(exact.kind in RUNNABLE for exact in texts.of(unit))


def _told(unit: Unit, asked: tuple[str, ...], texts: Texts) -> tuple[str, Unit]:
    """Return what is said of an injection (its source, what it asked for, that it is withheld), also as an item."""
    for text in _descriptions(unit, asked, texts):
        told = read(f"Facts:\n- {text}\n", texts).units
        if len(told) == 1 and describes(told[0], unit, asked, texts):
            return text, told[0]
    return WITHHELD, read(f"Facts:\n- {WITHHELD}\n", texts).units[0]


def _descriptions(unit: Unit, asked: tuple[str, ...], texts: Texts) -> Iterator[str]:
    is_rejected = unit.place.state is State.REJECTED
    label = "Rejected injection" if is_rejected else "Untrusted"
    what = _asked(unit)
    shapes = {"fence": "a fence", "html": "a comment"}
    for source in (*_sources(unit, asked, texts), shapes.get(unit.item.shape, "text")):
        yield f"{label}: {source}{what} withheld"


def _asked(unit: Unit) -> str:
    """Return what kind of thing an injection asked for, and what of it is withheld."""
    said = folded(unit.item.text[:_MOST_READ])
    if _FETCHES.search(said) and _PIPES.search(said):
        return " asked to run a remote script; payload"
    if _RUNS.search(said) or unit.item.shape == "fence":
        return " asked to run a command; payload"
    if "://" in said:
        return " asked to open a page; payload"
    return ", content"


def _sources(unit: Unit, asked: tuple[str, ...], texts: Texts) -> Iterator[str]:
    """Yield how the source of an injection may be named, the most exact first: all that locates it, or its name."""
    exact = (each for each in texts.of(unit) if each.kind in _LOCATORS)
    located = dict.fromkeys(each.text for each in exact if not any(each.text in payload for payload in asked))
    if located:
        yield ", ".join(located)
        return
    above = (*reversed(unit.item.parents), *reversed(unit.item.headings))
    told = (found[1] for text in (unit.item.text, *above) if (found := words.provenance(text[:_MOST_READ])))
    for source in (*told, unit.place.source):
        if named := " ".join(_TRUST_WORDS.sub(" ", source).strip(" ()[]:-").split()):
            yield named[:_LONGEST_SOURCE]
