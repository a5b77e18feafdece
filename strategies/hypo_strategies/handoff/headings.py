"""What a heading or label of a handoff announces: its section, how settled it is and where it comes from; pure.

A heading is known as a whole or not at all: `Not confirmed` is no `confirmed`, 未確定 no 確定. What stands in brackets
or behind a dash may only weaken it. One that announces two things announces none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from hypo_strategies.handoff import heading_words, modality, negation, provenance
from hypo_strategies.handoff.folding import folded, listed
from hypo_strategies.handoff.model import Section, State, Trust


@dataclass(frozen=True, slots=True)
class Heading:
    """What a heading or label announces.

    Attributes:
        section: where what stands under it belongs; None where it tells only the state or the source.
        state: how far that is settled, or how it is known.
        trust: where it comes from, as far as the heading says so.
        language: of the phrase, as a BCP 47 tag; `und` for one that Chinese and Japanese share.
        words: the phrase of the table; several of them where the heading has several.
        says_more: the heading says more than section, state and trust do (`Do not`, `Completed`, a date): what stands
            below it means less without it.
    """

    section: Section | None
    state: State
    trust: Trust
    language: str
    words: str
    says_more: bool = False


_LONGEST = 120
_LONGEST_LABEL = 80
_SIGN = "\u2190-\u21ff\u2300-\u27bf\u2900-\u2bff\U0001f000-\U0001faff\U000e0020-\U000e007f"
_DECORATION = re.compile(rf"[*#_~{_SIGN}\ufe0f\u200d]+")
_WARNING = re.compile("[❌✗✘✖❎🚫⛔❓❔⏳⌛⏸🚧🛑⚠🔴🟡🟠📝💡🤔☐⬜]")
"""Signs below which nothing counts as settled."""
_NUMBERING = re.compile(
    r"\s*(?:"
    r"(?:§\s*)?\d{1,3}(?:\.\d{1,3}){0,4}(?:[.)、:\-]|(?=\s))"
    r"|\d{1,3}(?=[^\x00-\x7f])|\(\d{1,3}\)|\([a-z]\)|[a-z][.)](?=\s)|[ivx]{1,5}[.)](?=\s)|[ivx]{1,5}\s*[:\-](?=\s)"
    r"|\([一二三四五六七八九十]{1,3}\)|[一二三四五六七八九十]{1,3}[、.]"
    r"|第\s*[\d一二三四五六七八九十]{1,3}\s*[章节節部条]|(?:part|section|step|phase)\s+\d{1,2}\s*[:.\-]"
    r")\s*"
)
_DATE = re.compile(
    r"\d{4}(?:[-/.]\d{1,2}(?:[-/.]\d{1,2})?|年\d{1,2}月(?:\d{1,2}日)?)|(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?!\d)"
)
_BRACKETS = re.compile(r"[(\[【「]([^()\[\]【】「」]{0,80})[)\]】」]")
_DASH = re.compile(r"\s-{1,2}\s|—|―|\s–\s|[:;：；|]")
_AND = re.compile(
    r"\s(?:and|or|und)\s|\s?[/&+]\s?|[、,・]|(?<=[\u3400-\u9fff])(?:与|和|及|及び|および|と)(?=[\u3400-\u9fff])|และ"
)
_FOREIGN_BLANK = re.compile(r"(?<=[^\x00-\x7f])\s+|\s+(?=[^\x00-\x7f])")
_COUNT = re.compile(r"[\d\s.,/×x#-]*(?:items?|件|项|個|个|ข้อ)?")
_IDS = re.compile(r"[a-z]{1,6}-?\d{1,5}[a-z]?(?:(?:\s?[-,&、~]\s?|\.\.)[a-z]{0,6}-?\d{1,5}[a-z]?){0,12}")

_WEAK = frozenset(
    {State.PROPOSAL, State.OPEN, State.REJECTED, State.SUPERSEDED, State.INFERRED, State.CLAIMED, State.CONFLICT}
)
_PROMISES = frozenset({Section.GOAL, Section.CONFIRMED})


def _phrase(text: str) -> str:
    """Return a folded text as it is compared: no blanks beside foreign letters, one form of each character."""
    return _FOREIGN_BLANK.sub("", re.sub(r"\s+", " ", text.strip(" .,;:!·\"'"))).translate(heading_words.SAME)


def _table() -> dict[str, Heading]:
    table: dict[str, Heading] = {}
    plain = {_phrase(word) for word in listed(heading_words.PLAIN)}
    for row in heading_words.ROWS:
        for language, phrases in row.phrases.items():
            for words in (part.strip() for part in phrases.split("|")):
                phrase = _phrase(folded(words))
                table[phrase] = Heading(row.section, row.state, row.trust, language, words, phrase not in plain)
    return table


_TABLE = _table()
_LONGEST_PHRASE = max(map(len, _TABLE))


def _affixes(tables: dict[str, str]) -> tuple[frozenset[str], tuple[int, ...]]:
    """Return affixes as they are compared, and their lengths, longest first."""
    found = frozenset(_phrase(word) for table in tables.values() for word in listed(table))
    return found, tuple(sorted({len(word) for word in found}, reverse=True))


_BEFORE, _BEFORE_LENGTHS = _affixes(heading_words.BEFORE)
_AFTER, _AFTER_LENGTHS = _affixes(heading_words.AFTER)


def heading(text: str) -> Heading | None:
    """Return what a heading or lead-in label announces, None for one that is not known as a whole.

    Numbering, emoji, marks of emphasis, a colon at the end and dates in brackets do not count. One that is struck out
    (`~~Constraints~~`) is not known.
    """
    return _heading(text) if 0 < len(text) <= _LONGEST else None


@lru_cache(maxsize=4096)
def _heading(text: str) -> Heading | None:
    plain = _DECORATION.sub(" ", folded(text)).strip().strip(":： \t")
    undated = _DATE.sub(" ", plain)
    numbering = _NUMBERING.match(undated)
    known = None if "~~" in text else _whole(undated[numbering.end() :] if numbering else undated)
    if known is None or (known.section in _PROMISES and _doubted(text)):
        return None
    is_marked = undated != plain or _WARNING.search(text) is not None
    return replace(known, says_more=True) if is_marked else known


def _doubted(text: str) -> bool:
    """Return whether signs in a heading forbid to take what stands under it for settled."""
    return bool(_WARNING.search(text)) or text.rstrip(" *_:").endswith(("?", "？"))


def label(text: str) -> tuple[str, Heading] | None:
    """Return the text behind a label at its start and what the label announces, None where no known label is.

    A label ends with a colon (`Proposal: x`, `提案：x`, `**Observed:** x`), or is set apart by emphasis and a dash or
    by brackets (`**Observed** - x`, `[Proposal] x`). What is returned first is always the end of the text.
    """
    head = text[: _LONGEST_LABEL + 8]
    if found := _EMPHASISED.match(head):
        if not (found["inside"] or found["colon"] or found["dash"]):
            return None
        known = heading(found["label"])
        return None if known is None else (text[found.end() :], known)
    if found := _BRACKETED.match(head):
        known = heading(found["label"])
        if known is not None and (found["colon"] or found["dash"] or known.state is not State.NONE):
            return text[found.end() :], known
    for found in _COLON.finditer(head):
        before = head[: found.start()]
        if before.count("(") + before.count("（") > before.count(")") + before.count("）"):
            continue
        known = heading(before) if "`" not in before and "\n" not in before else None
        return None if known is None else (text[found.end() :], known)
    return None


def _whole(plain: str) -> Heading | None:
    """Return what a heading announces whose decoration is gone."""
    if known := _known(plain):
        return known
    brackets = _BRACKETS.findall(plain)
    bare = _BRACKETS.sub(" ", plain)
    main, *behind = _DASH.split(bare)
    is_title = _COLON_WITHIN.search(bare) is None
    if not is_title and not all(
        _COUNT.fullmatch(part) or _IDS.fullmatch(part.strip()) or _known(part) for part in behind
    ):
        return None
    modifiers = [part for part in (*brackets, *behind) if not _COUNT.fullmatch(part)]
    known = _known(main) or _together(main) or _decisions(main)
    if known is None:
        return _glossed(main, brackets) or (_weak_of(modifiers) if is_title else None)
    for modifier in modifiers:
        if (known := _modified(known, modifier)) is None:
            return None
    if known.state is State.CONFIRMED and known.trust not in {Trust.WRITER, Trust.USER}:
        return replace(known, section=Section.FACTS, state=State.CLAIMED)
    return known


def _known(text: str) -> Heading | None:
    """Return what a phrase means, also with words around it that do not change that."""
    whole = _phrase(text)
    phrase = whole.removeprefix("the ").removeprefix("our ").removeprefix("my ")
    if known := _TABLE.get(whole) or _TABLE.get(phrase):
        return known
    for _ in range(3):
        phrase = _peeled(phrase)
        if not phrase:
            return None
        if known := _TABLE.get(phrase):
            return replace(known, says_more=True)
    return None


def _peeled(phrase: str) -> str:
    """Return a phrase without the longest word before or behind it that changes nothing, "" for none."""
    if len(phrase) > _LONGEST_PHRASE + 40:
        return ""
    for length in _BEFORE_LENGTHS:
        word, rest = phrase[:length], phrase[length:]
        if word in _BEFORE and (not word[-1].isascii() or rest[:1] in {" ", "-"}):
            return rest.lstrip(" -")
    for length in _AFTER_LENGTHS:
        word, rest = phrase[-length:], phrase[:-length]
        if word in _AFTER and (not word[0].isascii() or rest[-1:] == " "):
            return rest.rstrip(" -")
    return ""


def _together(text: str) -> Heading | None:
    """Return what a heading of several phrases announces, None unless they agree in the section."""
    parts = [part for part in _AND.split(text) if part.strip()]
    known = [found for part in parts if (found := _known(part))]
    if len(parts) < 2 or len(known) < len(parts) or len({found.section for found in known}) > 1:
        return None
    state = known[0].state if len({found.state for found in known}) == 1 else State.NONE
    trust = max((found.trust for found in known), key=provenance.DISTRUST.index)
    return replace(known[0], state=state, trust=trust, words=" ".join(found.words for found in known), says_more=True)


def _decisions(text: str) -> Heading | None:
    """Return what `Confirmed purchase and entry decisions` announces; nothing in it may doubt it."""
    found = _ABOUT.fullmatch(text.strip())
    if found is None or negation.negations(found[2]) or modality.hedges(found[2]):
        return None
    if any(_known(word) for word in found[2].split()) or provenance.provenance(text):
        return None
    known = _known(f"{found[1]} decisions")
    return known and replace(known, says_more=True)


def _glossed(main: str, brackets: list[str]) -> Heading | None:
    """Return what the English gloss of a foreign heading says; a promise in it is not believed."""
    if main.isascii() or not main.strip():
        return None
    for gloss in brackets:
        known = _known(gloss) or _together(gloss)
        if known is not None and gloss.isascii() and known.section not in _PROMISES:
            return replace(known, says_more=True)
    return None


def _weak_of(modifiers: list[str]) -> Heading | None:
    """Return the doubt that stands behind a heading which is not known itself."""
    for modifier in modifiers:
        known = _known(modifier)
        if known is not None and (known.trust is Trust.UNTRUSTED or known.state in _WEAK):
            return replace(known, says_more=True)
    return None


def _modified(known: Heading, modifier: str) -> Heading | None:
    """Return what a heading announces with an addition: the same or less; None where that is not certain."""
    source = provenance.named(modifier)
    if source is not None and (
        known.state is State.CLAIMED or (known.section in _PROMISES and source is not Trust.USER)
    ):
        return replace(known, trust=source, says_more=True)
    addition = _known(modifier) or _together(modifier)
    is_same = addition is not None and (addition.section, addition.state) == (known.section, known.state)
    if not (is_same and addition and not addition.says_more):
        known = replace(known, says_more=True)
    if addition is None:
        if known.section in _PROMISES and (
            negation.negations(modifier) or modality.hedges(modifier) or modifier.rstrip().endswith("?")
        ):
            return None
        return known if source is None else replace(known, trust=_worse(known.trust, source))
    known = replace(known, trust=_worse(known.trust, addition.trust))
    if addition.state in _WEAK and known.state not in _WEAK:
        return replace(known, section=addition.section, state=addition.state, words=f"{known.words} {addition.words}")
    if known.section in _PROMISES and addition.section not in {None, known.section}:
        return None
    return known


def _worse(first: Trust, second: Trust) -> Trust:
    return max(first, second, key=provenance.DISTRUST.index)


_EMPHASISED = re.compile(
    rf"\s{{0,4}}(?P<marks>\*\*|__|\*|_)(?P<label>[^*_`\n:：]{{1,{_LONGEST_LABEL}}}?)\s?(?P<inside>[:：])?(?P=marks)"
    r"(?:(?P<colon>\s?[:：])|(?P<dash>\s{1,3}(?:-{1,2}|[–—→])(?=\s))|)\s*"
)
_BRACKETED = re.compile(
    rf"\s{{0,4}}[\[【(（](?P<label>[^\[\]【】()（）`\n:：]{{1,{_LONGEST_LABEL}}})[\]】)）]"
    r"(?:(?P<colon>\s?[:：])|(?P<dash>\s{1,3}(?:-{1,2}|[–—→])(?=\s))|(?=\s|$)|(?<=】))\s*"
)
_COLON = re.compile(r"\s?(?:：|:(?=\s|$|[^\x00-\x7f])|(?<=[^\x00-\x7f]):(?!/))\s*")
_ABOUT = re.compile(r"(confirmed|agreed|locked|final|approved) ([a-z0-9 ,/&-]{1,60}) decisions?")
_COLON_WITHIN = re.compile("[:;|]")
