"""What marked injections ask for is withheld, and told about instead; unmarked ones are suspected and noted; pure.

The payload of a marked injection goes nowhere (compact-context, Preserve): not into any section, and not as a copy in
other text that is marked as untrusted. Since no program can tell where a payload ends, nothing is told of a marked
injection but its source, in words of ours. Where a trusted item says the same, it stays exactly as it is, with a note:
there it is no untrusted material, and only its reader can tell why it is there. Headings, speakers and HTML say it to
whoever reads what they stand above: there it is withheld.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hypo_strategies.handoff import cues, words
from hypo_strategies.handoff._payload import RUNNABLE, bare, decoded, is_untrusted, payloads
from hypo_strategies.handoff._units import Side, Texts, Unit, read
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
_COMMANDS = re.compile(
    r"(?<![\w/.-])(?:sudo|curl|wget|bash|sh|zsh|npx|npm|pip|rm|chmod|chown|ssh|scp|eval|powershell|iex|psql|kubectl)\s+[-\w/.\"'$~:]"
    r"|(?<![\w-])(?:remove|invoke|start|stop|set|new|get|add|copy|move|clear)-[a-z]{3,20}\s|(?<![\w-])(?:drop|truncate|alter)\stable(?![\w-])"
    r"|(?<![\w-])delete\sfrom(?![\w-])"
)
"""What is a command wherever it stands, and no English word."""
_FOREIGN = frozenset({Trust.DOCS, Trust.TOOL})
"""Sources whose words are no orders, although nothing marks them as untrusted."""
_PLAIN = frozenset({"bullet", "prose", "row"})
_LOCATORS = frozenset({Kind.URL, Kind.PATH, Kind.ID, Kind.ISSUE})
_TELLS_TO = re.compile(
    r"(?<![\w-])(?:asking|telling|instructing|(?:order|direct|command|urge|demand|advise)(?:s|d|ed|ing)?|please|(?:wants|tries)\s(?:us|you|to)"
    r"|(?:says?|said|claims?|claimed)\s(?:that\s)?(?:to|we|you|the\s(?:agent|assistant|user)))(?![\w-])"
    "|命令|指示|指令|[让讓叫请請][我你您用代模]|[说說]要|请求|引导|诱导|要求|求め|命じ|依頼|よう(?:に)?(?:言|述べ|書)|ください|しろ|せよ|สั่ง|ขอให้|บอกให้|กรุณา|ชวนให้"
)
"""That something was asked for, beside what `cues.orders` knows."""
_NOUN = (
    "(?:(?:web|wiki|docs?|documentation|help|tool|command|shell|search|vendor|third-party)\\s)?"
    "(?:web\\s?pages?|websites?|pages?|sites?|wiki|docs?|documents?|documentation|readme|articles?|blogs?|posts?|e-?mails?"
    "|comments?|issues?|tickets?|tools?|outputs?|results?|logs?|files?|sub-?agents?|agents?|assistants?|models?|bots?|messages?)"
)
_WORD_BEFORE = (
    "(?:the|a|an|some|another|our|its|and|from|in|on|at|by|of|via|per|according\\sto|source|sources|untrusted|untrustworthy|not"
    "|trusted|suspected|rejected|ignored|refused|attempted|possible|likely|malicious|prompt|injected|injections?|attempts?|instructions?)"
)
_NOUN_ELSEWHERE = (
    "(?:网页|網頁|页面|頁面|网站|網站|文档|文檔|文件|邮件|郵件|评论|工具输出|工具|命令输出|日志|代理|子代理"
    "|ページ|サイト|ドキュメント|文書|資料|メール|コメント|ツール出力|ツール|ログ|エージェント|หน้าเว็บ|เว็บไซต์|เอกสาร|อีเมล|เครื่องมือ|เอเจนต์)"
)
_BEFORE_SOURCE = re.compile(rf"[\W_]+|(?<!\w)(?:{_WORD_BEFORE}|{_NOUN})(?!\w)|{_NOUN_ELSEWHERE}", re.IGNORECASE)
"""What may stand before what locates a source, again and again; what stands before anything else may belong to a payload."""
_TELLS = re.compile(rf"(?<!\w)(?:{_NOUN}|{_NOUN_ELSEWHERE})\s*[:：]", re.IGNORECASE)
"""A source that tells something: what follows is no name of it."""
_NAME = re.compile(
    rf"(?:[\W_]|(?<!\w){_WORD_BEFORE}(?!\w))*"
    r"(?P<name>(?:a\sfence|a\scomment|text)(?=\sasked|,\scontent)"
    rf"|(?<!\w){_NOUN}(?!\w)(?:\s[\w.#-]{{1,24}}(?=\s(?:asked|asks|told|tells|says|said|instructs|instructed)(?!\w)|,\scontent))?"
    rf"|{_NOUN_ELSEWHERE})",
    re.IGNORECASE,
)
"""The name of a source: a noun, and one word at most that stands before what it asked."""
_OURS = re.compile(
    r"[^\n]{1,600}?(?P<what> asked to run a remote script; payload| asked to run a command; payload"
    r"| asked to open a page; payload| asked for something; payload|, content) withheld"
)
"""What this module itself says of an injection: told again it must be the same."""
_INJECTION = re.compile("injection|注入|インジェクション|(?:แทรก|ฉีด)คำสั่ง")
_BRACKET = re.compile(r"[(（\[【]([^()（）\[\]【】]{1,400})[)）\]】]")
_TAG = re.compile(r"<[^<>]{0,200}>|<!--|-->")
_DETAILS = re.compile(r"\s*<details(?![^\n]*</details)", re.IGNORECASE)
_MOST_READ = 4_000
_MOST_TOLD = 200
"""Injections that are told of one by one."""
_LONGEST_LEAD = 200
"""Characters in which the name of a source is looked for."""
WITHHELD = "Untrusted: text asked to run a command; payload withheld"
"""What always may be said."""
_HEADING = "Heading withheld"
_DETAILS_WITHHELD = "<details><summary>Withheld</summary>"


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
        above: by a heading in which a payload stands, what is written in its place; the title is one.
        cut: by the index of an item whose speaker or HTML holds a payload, what is written in its place.
    """

    told: dict[int, str]
    inside: dict[int, str]
    payloads: tuple[str, ...]
    notes: tuple[Note, ...]
    above: dict[str, str]
    cut: dict[int, str]

    @property
    def any(self) -> bool:
        """Whether something of the handoff is withheld."""
        return bool(self.told or self.inside or self.above or self.cut)


def injections(side: Side, texts: Texts) -> Injections:
    """Return what is withheld of a handoff, and what is said instead.

    Args:
        side: the handoff, as read.
        texts: where exact items are read.
    """
    units = side.units
    notes = [
        Note(unit.item.first, phrase("suspected injection, not marked as one; it is kept as it is"))
        for unit in units
        if not is_untrusted(unit) and _is_suspected(unit, texts)
    ]
    untrusted = [unit for unit in units if is_injection(unit)]
    marked = _marked(side.headings, texts)
    speakers = _marked(dict.fromkeys(unit.item.speaker for unit in units if unit.item.speaker), texts)
    if not (untrusted or marked or speakers):
        return Injections({}, {}, (), tuple(notes), {}, {})
    asked = payloads([*untrusted, *marked.values(), *speakers.values()], texts)
    bares = tuple(dict.fromkeys(filter(None, map(bare, asked))))
    above = {heading: _told(unit, asked, texts)[0] for heading, unit in marked.items()}
    above |= {heading: _HEADING for heading in side.headings if heading not in above and _holds_any(heading, bares)}
    cut = {
        unit.index: _DETAILS_WITHHELD if _DETAILS.match(unit.item.text) and unit.item.shape == "html" else ""
        for unit in units
        if unit.item.speaker in speakers
        or _holds_any(unit.item.speaker, bares)
        or (unit.item.shape == "html" and not is_injection(unit) and _holds_any(unit.item.text, bares))
    }
    told, inside, kept_inside = _withheld(
        [unit for unit in untrusted if unit.index not in cut and not (is_heading(unit) and unit.item.text in above)],
        asked,
        bares,
        texts,
    )
    notes += kept_inside
    for unit in units:
        is_above = is_heading(unit) and unit.item.text in above
        if not is_injection(unit) and unit.index not in cut and not is_above and _holds(bare(unit.item.text), bares):
            same = phrase("a marked injection asks for the same; it is kept here, where nothing marks it as untrusted")
            notes.append(Note(unit.item.first, same))
    ordered = tuple(sorted(set(notes), key=lambda note: (note.line, str(note.said))))
    return Injections(told, inside, asked, ordered, above, cut)


def is_heading(unit: Unit) -> bool:
    """Return whether an item is a heading below which nothing stands."""
    return unit.item.headings[-1:] == (unit.item.text,)


def is_injection(unit: Unit) -> bool:
    """Return whether an item is marked as untrusted, also by a label inside of a quotation, comment or summary."""
    if is_untrusted(unit) or unit.item.shape == "fence":
        return is_untrusted(unit)
    lines = unit.item.text[:_MOST_READ].split("\n")
    return any(
        _is_marked(_TAG.sub(" ", line).strip())
        for line in lines
        if unit.item.shape in {"quote", "html"} or line.lstrip().startswith("<")
    )


def _marked(above: Iterable[str], texts: Texts) -> dict[str, Unit]:
    """Return the headings or speakers that are marked injections themselves, each read as an item."""
    found: dict[str, Unit] = {}
    for text in above:
        for part in (text, *_BRACKET.findall(text)):
            units = read(f"- {part}\n", texts).units if _is_marked(part) else ()
            if len(units) == 1 and not _is_ours(units[0], (), texts) and _is_loaded(part, units[0], texts):
                found.setdefault(text, units[0])
    return found


def _is_loaded(text: str, unit: Unit, texts: Texts) -> bool:
    """Return whether a heading or speaker that marks an injection says more than that there is one."""
    is_told = unit.place.state is State.REJECTED or bool(_INJECTION.search(folded(text)))
    return (
        (is_told and words.heading(text) is None)
        or _orders(text)
        or any(exact.kind in RUNNABLE or exact.kind is Kind.URL for exact in texts.of(unit))
    )


def _is_marked(text: str) -> bool:
    """Return whether a text marks what stands in it or below it as untrusted."""
    source, known = words.provenance(text[:_MOST_READ]), words.heading(text) or (words.label(text) or ("", None))[1]
    return (source is not None and source[0] is Trust.UNTRUSTED) or (
        known is not None and known.trust is Trust.UNTRUSTED
    )


def _withheld(
    untrusted: Sequence[Unit], asked: tuple[str, ...], bares: tuple[str, ...], texts: Texts
) -> tuple[dict[int, str], dict[int, str], list[Note]]:
    """Return what is said in place of items that are withheld, what stays below such ones, and notes on these."""
    withheld = [
        unit
        for unit in untrusted
        if (_asks(unit, bares) or _is_runnable(unit, texts) or _is_order(unit)) and not _is_ours(unit, asked, texts)
    ]
    indices = {unit.index for unit in withheld}
    tellers = [(unit, "") for unit in untrusted if unit.index not in indices][:_MOST_TOLD]
    told: dict[int, str] = {}
    inside: dict[int, str] = {}
    notes: list[Note] = []
    for unit in withheld:
        if (
            unit.item.shape in _PLAIN
            and "\n" not in unit.item.text
            and not (_asks_itself(unit, bares) or _is_runnable(unit, texts) or _is_order(unit))
        ):
            inside[unit.index] = f"Untrusted: {unit.said}"
            notes.append(Note(unit.item.first, phrase("it stands inside a marked injection; it is kept as untrusted")))
            continue
        known = next((said for teller, said in tellers if describes(teller, unit, asked, texts)), None)
        if known is None and len(tellers) < _MOST_TOLD:
            known, teller = _told(unit, asked, texts)
            tellers.append((teller, known))
        told[unit.index] = WITHHELD if known is None else known
    return told, inside, notes


def _is_order(unit: Unit) -> bool:
    """Return whether an untrusted item is a marked injection: it is rejected as one, or tells what was asked for.

    What stands below one that asks for something is what it asks for.
    """
    return (
        unit.place.state is State.REJECTED
        or len(unit.said) > _MOST_READ  # nobody has read the rest of it
        or bool(_INJECTION.search(folded(f"{unit.item.label} {unit.said[:_MOST_READ]}")))
        or _orders(unit.said)
        or any(map(_orders, unit.item.parents))
        or any(
            _is_marked(heading) and (_orders(heading) or _INJECTION.search(folded(heading)))
            for heading in unit.item.headings
        )
    )


def _orders(text: str) -> bool:
    """Return whether a text tells that something was asked for, or asks for it."""
    said = folded(text[:_MOST_READ])
    return (
        cues.orders(text[:_MOST_READ])
        or bool(_TELLS_TO.search(said) or _TAKES_OVER.search(said))
        or bool(_IMPERATIVE.search(said) or _COMMANDS.search(said))
    )


def _is_ours(unit: Unit, asked: tuple[str, ...], texts: Texts) -> bool:
    """Return whether an item is in our own words already: it would be told of in just these."""
    text = f"{unit.item.label}: {unit.item.text}" if unit.item.label else unit.item.text
    if not _OURS.fullmatch(text):
        return False
    return any(folded(told) == folded(text) for told in _descriptions(unit, asked, texts))


def _holds_any(text: str, bares: tuple[str, ...]) -> bool:
    return bool(text) and (_holds(bare(text), bares) or _holds(decoded(text), bares))


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
    bares = tuple(filter(None, map(bare, asked)))
    safe = [text for text in _descriptions(unit, asked, texts) if not _holds(bare(text), bares)]
    first = None
    for text in safe or [WITHHELD]:
        told = read(f"Facts:\n- {text}\n", texts).units
        if first is None and told:
            first = text, told[0]
        if len(told) == 1 and describes(told[0], unit, asked, texts):
            return text, told[0]
    return first or (WITHHELD, read(f"Facts:\n- {WITHHELD}\n", texts).units[0])


def _descriptions(unit: Unit, asked: tuple[str, ...], texts: Texts) -> Iterator[str]:
    is_rejected = unit.place.state is State.REJECTED
    label = "Rejected injection" if is_rejected else "Untrusted"
    located = _located(unit, asked, texts)
    what = _asked(unit, located)
    shapes = {"fence": "a fence", "html": "a comment"}
    for source in (*([located] if located else _named(unit)), shapes.get(unit.item.shape, "text")):
        yield f"{label}: {source}{what} withheld"


def _asked(unit: Unit, located: str) -> str:
    """Return what kind of thing an injection asked for, and what of it is withheld."""
    if ours := _OURS.fullmatch(unit.item.text):
        return ours["what"]
    said = folded(unit.item.text[:_MOST_READ])
    if _FETCHES.search(said) and _PIPES.search(said):
        return " asked to run a remote script; payload"
    if _RUNS.search(said) or unit.item.shape == "fence":
        return " asked to run a command; payload"
    if "://" in (said.replace(folded(located), " ") if located else said):
        return " asked to open a page; payload"
    return " asked for something; payload" if _orders(unit.said) else ", content"


def _located(unit: Unit, asked: tuple[str, ...], texts: Texts) -> str:
    """Return what locates the source of an injection, "" for nothing: what an item names before it tells anything else.

    That is one path, URL or identifier: what else stands there may be what it asks for.
    """
    exact = next(iter(texts.of(unit)), None)
    if exact is None or exact.kind not in _LOCATORS or exact.start > _LONGEST_LEAD:
        return ""
    before = unit.said[: exact.start]
    if _TELLS.search(before) or not _is_introduction(before):
        return ""
    return "" if any(exact.text in payload for payload in asked) else exact.text


def _is_introduction(text: str) -> bool:
    """Return whether a text is made of nothing but what may stand before the name of a source."""
    at = 0
    while at < len(text):
        found = _BEFORE_SOURCE.match(text, at)
        if not found:
            return False
        at = found.end()
    return True


def _named(unit: Unit) -> Iterator[str]:
    """Yield how the source of an injection may be named, the most exact first."""
    above = (*reversed(unit.item.parents), *reversed(unit.item.headings))
    for text in (unit.item.text if unit.item.shape in _PLAIN else "", *above, unit.place.source):
        if found := _NAME.match(text[:_LONGEST_LEAD]):
            yield found["name"]
