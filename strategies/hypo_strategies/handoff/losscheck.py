"""Whether the result of a compaction still says all that the handoff said, and nothing else; pure.

Pass is said only for what can be proved: every item of the source stands in the result with an equal key (meaning,
state, source, surroundings), or may go; every item of the result comes from the source; nothing of what a marked
injection asks for is in it. Other words may say the same: that needs a person.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Hashable
from dataclasses import dataclass, field

from hypo_strategies.api import Redaction
from hypo_strategies.handoff import words
from hypo_strategies.handoff._naming import differences, presented, relocation
from hypo_strategies.handoff._pairing import Group, Pairing, paired
from hypo_strategies.handoff._payload import RUNNABLE, bare, forwarded, is_untrusted, payloads
from hypo_strategies.handoff._sequence import disturbed
from hypo_strategies.handoff._tally import Fate, counted
from hypo_strategies.handoff._units import Side, Texts, Unit, may_hold_filler, read, without_filler
from hypo_strategies.handoff._withheld import describes
from hypo_strategies.handoff.findings import LossFinding, LossKind, Report, Severity, Verdict, verdict, worst_first
from hypo_strategies.handoff.folding import folded, listed
from hypo_strategies.handoff.language import language_of
from hypo_strategies.handoff.model import Section, State
from hypo_strategies.handoff.proposals import is_mere_proposal
from hypo_strategies.text.limits import clip
from hypo_strategies.text.redact import redact_text

__all__ = ["LossFinding", "LossKind", "Report", "Severity", "Verdict", "check", "verdict_on"]

_SHOWN = 120
"""Characters of an item in a finding."""
_CHAT = re.compile(
    r"\s*(?:sure|certainly|of course|okay|ok)?[,.! ]*(?:here(?:'s| is| are)|below is|this is|i(?:'ve| have)? (?:removed|compacted|kept|merged"
    r"|summari[sz]ed|shortened)|let me know|i hope)\b.{0,200}"
    r"|\s*(?:以下是|以下为|以下が|以下は|这是|這是|นี่คือ|ต่อไปนี้คือ).{0,40}(?:交接|摘要|压缩|壓縮|引き継ぎ|要約|圧縮|สรุป|ส่งต่อ).{0,40}",
    re.IGNORECASE | re.DOTALL,
)
_WORDS = re.compile(r"[a-z0-9_]+|[^\W\d_a-z]+")
_TITLE = frozenset(
    listed(
        "handoff | handover | hand | off | session | summary | notes | note | context | report | status | project | document | doc"
        " | the | a | an | of | for | and | to | in | from | on | with | where | we | are | this | that | is",
        "交接 | 交接文档 | 交接文件 | 工作交接 | 项目交接 | 总结 | 摘要 | 引き継ぎ | 引継ぎ | 引き継ぎ書 | 引き継ぎ資料 | 要約 | ส่งต่องาน | สรุป | สรุปงาน | 인수인계",
    )
)
"""Words of a title that say only what kind of text it is."""
_SAMPLE = 1_000
"""Characters of an item that tell its language."""
_SENTENCE = re.compile(r"[.!?;:]\s+\S|[。！？；：]\s*\S|\n|\s[—–-]\s")
"""Where a second sentence begins: what follows a rejected proposal may be what was decided in its place."""
_FEW = 4
"""Items: so few may share nothing and still be of the same source."""
_TELLERS = 100
"""Descriptions of injections that are looked at; each of more is an item that comes from nowhere."""


def check(source: str, result: str) -> Report:
    """Return what the result of a compaction lost, changed or added.

    Args:
        source: the handoff.
        result: what was made of it, by a program or by a model.
    """
    texts = Texts()
    one, other = read(source, texts), read(result, texts)
    found, fates = _compared(one, other, texts)
    _note_secrets(source, found)
    counts = counted(one, other, fates, texts, source, result)
    return Report(verdict(found.all), worst_first(found.all), counts)


def verdict_on(one: Side, result: str, texts: Texts) -> Verdict:
    """Return what `check` says of a result, for a source that has been read."""
    found, _ = _compared(one, read(result, texts), texts)
    return verdict(found.all)


def _compared(one: Side, other: Side, texts: Texts) -> tuple[_Findings, Fate]:
    found = _Findings()
    fates = _matched(one, other, found, texts)
    _withhold(one, other, fates, found, texts)
    matched = [unit for unit in one.units if unit.index in fates.equal]
    left = [unit for unit in one.units if unit.index not in fates.equal and not _may_go(unit, found, fates, texts)]
    added = [unit for unit in other.units if unit.index not in fates.known and not _is_chat(unit, found)]
    pairing = paired(left, added, matched, texts)
    if _is_of_another(one, other, fates, pairing):
        found.add(LossKind.MISATTRIBUTED, Severity.ERROR, "whole result: it seems to be of another source")
    else:
        _name(pairing, fates, found, texts, one)
    for what, unit, partner in disturbed(one.units, fates.equal, texts):
        found.add(LossKind.UNVERIFIABLE, Severity.REVIEW, what, unit, partner)
    _check_speakers(one, fates, found, texts)
    _check_headings(one, other, found, texts)
    _check_title(one, other, found, texts)
    _check_new_headings(one, other, found, texts)
    _check_hidden(one, other, found)
    return found, fates


@dataclass(slots=True)
class _Findings:
    """Findings as they come."""

    all: list[LossFinding] = field(default_factory=list)
    _shown: dict[str, str] = field(default_factory=dict)

    def add(
        self, kind: LossKind, severity: Severity, what: str, one: Unit | None = None, other: Unit | None = None
    ) -> None:
        """Add a finding about an item of the source, of the result, or both."""
        self.all.append(
            LossFinding(
                kind,
                severity,
                what,
                one.item.first if one else None,
                other.item.first if other else None,
                self._words(one),
                self._words(other),
            )
        )

    def _words(self, unit: Unit | None) -> str:
        if unit is None:
            return ""
        text = f"{unit.item.label}: {unit.item.text}"[: 4 * _SHOWN] if unit.item.label else unit.item.text[: 4 * _SHOWN]
        if text not in self._shown:
            self._shown[text] = clip(" ".join(redact_text(text, Redaction()).split()), _SHOWN)
        return self._shown[text]


def _matched(one: Side, other: Side, found: _Findings, texts: Texts) -> Fate:
    """Match what is equal; a move to another section that changes nothing counts as equal."""
    fates = Fate()
    places: dict[Hashable, dict[Hashable, list[Unit]]] = {}
    for unit in other.units:
        places.setdefault(unit.key, {}).setdefault(unit.seen, []).append(unit)
    times: Counter[Hashable] = Counter()
    for unit in one.units:
        key = unit.key
        if key not in places and (rest := without_filler(unit, texts)) is not None:
            key = ((rest, unit.number, unit.mark), unit.around, unit.labels)
        partners = [same for same in places.get(key, {}).values() if presented(unit, same[0]) is None]
        of_speaker = [same for same in partners if same[0].item.speaker == unit.item.speaker] or partners
        of_speaker.sort(key=lambda same: same[0].seen != unit.seen)
        same = [one_of for one_of in of_speaker if one_of[0].place.section is unit.place.section]
        moved = [one_of for one_of in of_speaker if not same and _is_mere_move(unit, one_of[0])]
        for there in (same or moved)[:1]:
            at = times[key, there[0].seen]
            times[key, there[0].seen] += 1
            fates.equal[unit.index] = partner = there[min(at, len(there) - 1)]
            fates.known.add(partner.index)
        if moved and (what := relocation(unit, moved[0][0])):
            found.add(*what, unit, moved[0][0])
    _carry(one, other, fates)
    return fates


def _carry(one: Side, other: Side, fates: Fate) -> None:
    """Know the headings and the title of the source where they stand as items: above what stood below them, or alone."""
    said = {unit.meaning for unit in one.units}
    kept = {unit.meaning for unit in one.units if unit.index in fates.equal}
    above = {
        (unit.item.headings, over)
        for unit in other.units
        if unit.index in fates.known
        for over in (*unit.item.parents, *unit.beside)
    }
    for unit in other.units:
        is_plain = unit.place.section is Section.FACTS and unit.place.state is State.NONE
        is_above = unit.meaning in one.carried and (unit.item.headings, unit.item.text) in above
        if unit.meaning in said:
            # It was an item, and must be known as that one; but an open part of it may name it once more.
            if is_above and unit.place.section is Section.OPEN and unit.meaning in kept:
                fates.known.add(unit.index)
            continue
        if is_above or (unit.meaning == one.title and is_plain):
            fates.known.add(unit.index)


def _is_mere_move(one: Unit, other: Unit) -> bool:
    found = relocation(one, other)
    return found is None or found[1] is Severity.WARNING


def _withhold(one: Side, other: Side, fates: Fate, found: _Findings, texts: Texts) -> None:
    """Look for payloads of marked injections in the result, and for what tells about these injections."""
    untrusted = [unit for unit in one.units if is_untrusted(unit)]
    if not untrusted:
        return
    asked = payloads(untrusted, texts)
    trusted = {unit.key for unit in one.units if not is_untrusted(unit)}
    allowed = frozenset(unit.index for unit in other.units if unit.key in trusted)
    for heading in (*other.headings, *(unit.item.speaker for unit in other.units if unit.item.speaker)):
        if any(bare(payload) in bare(heading) for payload in asked):
            what = "payload of an injection"
            found.all.append(
                LossFinding(LossKind.PAYLOAD_FORWARDED, Severity.ERROR, what, result=clip(heading, _SHOWN))
            )
    for unit, _ in forwarded(other.units, asked, allowed):
        found.add(LossKind.PAYLOAD_FORWARDED, Severity.ERROR, "payload of an injection", None, unit)
    for unit in untrusted:
        partner = fates.equal.get(unit.index)
        if partner and any(kind in RUNNABLE for kind, _ in texts.keys(unit)):
            found.add(LossKind.PAYLOAD_FORWARDED, Severity.ERROR, "payload of an injection", unit, partner)
    tellers = [unit for unit in other.units if is_untrusted(unit)][:_TELLERS]
    for unit in untrusted[:_TELLERS]:
        if unit.index in fates.equal:
            continue
        teller = next((told for told in tellers if describes(told, unit, asked, texts)), None)
        if teller is not None:
            fates.equal[unit.index] = teller
            fates.known.add(teller.index)


def _may_go(unit: Unit, found: _Findings, fates: Fate, texts: Texts) -> bool:
    """Return whether an item may be left out: filler, or a rejected proposal that forbids nothing."""
    severity = Severity.NOTE
    if unit.item.shape in {"bullet", "prose"} and words.filler(unit.said) and not unit.mark:
        reason = "filler"
        if not may_hold_filler(unit) or unit.item.shape == "bullet":
            severity = Severity.REVIEW  # below a heading like `Texts of the buttons` a greeting is none
    elif unit.place.state is State.REJECTED and is_mere_proposal(unit, texts):
        reason = "rejected proposal"
    else:
        return False
    found.add(LossKind.DROPPED, severity, reason, unit)
    fates.gone.add(unit.index)
    return True


def _is_chat(unit: Unit, found: _Findings) -> bool:
    if unit.item.shape == "prose" and _CHAT.fullmatch(unit.said[:400]):
        found.add(LossKind.FORMAT, Severity.ERROR, "words about the result", None, unit)
        return True
    return False


def _is_of_another(one: Side, other: Side, fates: Fate, pairing: Pairing) -> bool:
    """Return whether both sides share next to nothing."""
    if min(len(one.units), len(other.units)) <= _FEW:
        return False
    if fates.equal or len(pairing.groups) * 10 > min(len(one.units), len(other.units)):
        return False
    languages = [{language_of(unit.said[:_SAMPLE]) for unit in side.units} for side in (one, other)]
    return bool(languages[0] & languages[1])


def _name(pairing: Pairing, fates: Fate, found: _Findings, texts: Texts, one: Side) -> None:
    """Add what happened to the items without an equal."""
    of_source = frozenset(key for unit in one.units for _, key in texts.keys(unit))
    for group in (*pairing.groups, *_translated(pairing)):
        fates.groups.append(group)
        for kind, severity, what in differences(group, texts, of_source):
            found.add(kind, severity, what, group.source[0], group.result[0])
    for unit in pairing.source:
        if unit.place.section is Section.OPEN or unit.is_question:
            kind = LossKind.QUESTION_DROPPED
        elif unit.place.section is Section.CONFLICTS:
            kind = LossKind.CONFLICT_RESOLVED
        else:
            kind = LossKind.DROPPED
        found.add(kind, Severity.ERROR, "item", unit)
    for unit in pairing.result:
        fates.invented.add(unit.index)
        found.add(LossKind.INVENTED, Severity.ERROR, "item", None, unit)


def _translated(pairing: Pairing) -> list[Group]:
    """Return pairs of what is left that may be translations: the same place, other languages; in order."""
    waiting: dict[Hashable, dict[str, deque[Unit]]] = {}
    for other in pairing.result:
        languages = waiting.setdefault((other.labels, other.place.section), {})
        languages.setdefault(language_of(other.said[:_SAMPLE]), deque()).append(other)
    groups = []
    for one in pairing.source:
        languages = waiting.get((one.labels, one.place.section), {})
        language = language_of(one.said[:_SAMPLE])
        queue = next((queue for name, queue in languages.items() if name != language and queue), None)
        if queue:
            groups.append(Group([one], [queue.popleft()]))
    taken = {(group.source[0].index, group.result[0].index) for group in groups}
    sources, results = {one for one, _ in taken}, {other for _, other in taken}
    pairing.source = [unit for unit in pairing.source if unit.index not in sources]
    pairing.result = [unit for unit in pairing.result if unit.index not in results]
    return groups


def _check_speakers(one: Side, fates: Fate, found: _Findings, texts: Texts) -> None:
    """Add who spoke and when, where the result tells it otherwise or not any more."""
    for unit in one.units:
        partner = fates.equal.get(unit.index)
        if partner is None or unit.item.speaker == partner.item.speaker:
            continue
        mine = {exact.key for exact in texts.exacts(unit.item.speaker)}
        theirs = {exact.key for exact in texts.exacts(partner.item.speaker)}
        if mine and theirs and mine != theirs:
            found.add(LossKind.MISATTRIBUTED, Severity.ERROR, "speaker", unit, partner)
        elif mine - theirs:
            found.add(LossKind.PROVENANCE_LOST, Severity.REVIEW, "speaker", unit, partner)
        elif set(_WORDS.findall(folded(partner.item.speaker))) - set(_WORDS.findall(folded(unit.item.speaker))):
            found.add(LossKind.INVENTED, Severity.REVIEW, "speaker", unit, partner)
        elif folded(unit.item.speaker).strip() != folded(partner.item.speaker).strip():
            found.add(LossKind.PROVENANCE_LOST, Severity.REVIEW, "speaker", unit, partner)


def _check_new_headings(one: Side, other: Side, found: _Findings, texts: Texts) -> None:
    """Add a title that the result invented, and exact items of its headings that stand nowhere in the source."""
    title = other.document.title
    known = {one.title, *(texts.meaning(heading) for heading in one.headings)}
    if title and texts.meaning(title) not in known:
        found.all.append(LossFinding(LossKind.INVENTED, Severity.ERROR, "title", result=clip(title, _SHOWN)))
    wanted = [(heading, exact) for heading in other.headings for exact in texts.exacts(heading)]
    if not wanted:
        return
    there = {exact.key for heading in one.headings for exact in texts.exacts(heading)}
    there |= {key for unit in one.units for _, key in texts.keys(unit)}
    for heading, exact in wanted:
        if exact.key not in there:
            what = f"{exact.kind} in a heading"
            found.all.append(LossFinding(LossKind.INVENTED, Severity.ERROR, what, result=clip(heading, _SHOWN)))


def _check_title(one: Side, other: Side, found: _Findings, texts: Texts) -> None:
    """Add the title where the result does not have it, unless it says only what kind of text this is."""
    title = one.document.title
    said = {word for word in _WORDS.findall(folded(title)) if not word.isdigit()} - _TITLE
    if not (said or words.negations(title) or texts.exacts(title)):
        return
    there = {*(texts.meaning(heading) for heading in other.headings), *(unit.meaning for unit in other.units)}
    if one.title not in there:
        found.all.append(LossFinding(LossKind.DROPPED, Severity.REVIEW, "title", source=clip(title, _SHOWN)))


def _check_headings(one: Side, other: Side, found: _Findings, texts: Texts) -> None:
    """Add exact items of headings and of the title that stand nowhere in the result."""
    wanted = [(heading, exact) for heading in one.headings for exact in texts.exacts(heading)]
    if not wanted:
        return
    there = {exact.key for heading in other.headings for exact in texts.exacts(heading)}
    there |= {key for unit in other.units for _, key in texts.keys(unit)}
    for heading, exact in wanted:
        if exact.key not in there:
            shown = clip(heading, _SHOWN)
            found.all.append(LossFinding(LossKind.DROPPED, Severity.ERROR, f"{exact.kind} in a heading", source=shown))


def _check_hidden(one: Side, other: Side, found: _Findings) -> None:
    """Add hidden characters that only one side has."""
    notes = [[note for _, note in side.document.notes if note.startswith("hidden")] for side in (one, other)]
    if sorted(notes[0]) == sorted(notes[1]):
        return
    line = next((line for line, note in other.document.notes if note.startswith("hidden")), None)
    severity = Severity.ERROR if len(notes[1]) > len(notes[0]) else Severity.REVIEW
    found.all.append(LossFinding(LossKind.FORMAT, severity, "hidden characters", result_line=line))


def _note_secrets(source: str, found: _Findings) -> None:
    """Note the lines of the source that hold what looks like a secret."""
    lines = source.split("\n")
    for number, (line, redacted) in enumerate(
        zip(lines, redact_text(source, Redaction()).split("\n"), strict=False), 1
    ):
        if line != redacted:
            found.all.append(LossFinding(LossKind.FORMAT, Severity.NOTE, "secret-looking value", number))
