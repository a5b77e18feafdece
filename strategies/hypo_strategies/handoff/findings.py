"""What a loss check says about the result of a compaction: findings, counts and the verdict; pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hypo_strategies.handoff.model import Kind


class Verdict(StrEnum):
    """What a result is worth."""

    PASS = "pass"  # noqa: S105 - a verdict, no password
    """Every item of the source was found again with the same meaning, and nothing else stands in the result."""
    FAIL = "fail"
    REVIEW = "needs-review"
    """Nothing is known to be lost, but not all of it can be proved: a paraphrase or a translation."""


class Severity(StrEnum):
    """What a finding does to the verdict; errors first."""

    ERROR = "error"
    REVIEW = "review"
    WARNING = "warning"
    NOTE = "note"


class LossKind(StrEnum):
    """What happened to an item, the worst first: this order is that of a report."""

    PAYLOAD_FORWARDED = "payload-forwarded"
    """What a marked injection asks for stands in the result."""
    PROMOTED = "promoted"
    """More settled than in the source: a proposal became a decision, a guess a fact, a claim an approval."""
    CONTRADICTED = "contradicted"
    MUTATED = "mutated"
    """A number, name or other exact item is another one."""
    MISATTRIBUTED = "misattributed"
    """An item stands with the identifier, source or parent of another."""
    SCOPE_FLIPPED = "scope-flipped"
    MERGED_AC = "merged-ac"
    """Acceptance criteria that can be verified one by one have become one."""
    CONFLICT_RESOLVED = "conflict-resolved"
    WEAKENED = "weakened"
    QUOTED_COPY_ALTERED = "quoted-copy-altered"
    QUESTION_DROPPED = "question-dropped"
    DROPPED = "dropped"
    INVENTED = "invented"
    DEMOTED = "demoted"
    """Less settled than in the source."""
    LABEL_LOST = "label-lost"
    PROVENANCE_LOST = "provenance-lost"
    FORMAT = "format"
    """Words about the compaction itself, or hidden characters."""
    UNVERIFIABLE = "unverifiable"
    """Other words: whether they say the same cannot be proved."""


@dataclass(frozen=True, slots=True)
class LossFinding:
    """One finding.

    Attributes:
        kind: what happened.
        severity: an error makes the verdict fail, a review needs-review.
        what: the kind of thing it happened to: that of an exact item (`code span`), a label, a section, `item`.
        source_line: where it stands in the source, counted from 1; None for nowhere.
        result_line: where it stands in the result; None for nowhere.
        source: the words of the source, shortened, secrets hidden; "" for none.
        result: the words of the result in the same way.
    """

    kind: LossKind
    severity: Severity
    what: str
    source_line: int | None = None
    result_line: int | None = None
    source: str = ""
    result: str = ""


@dataclass(frozen=True, slots=True)
class KindCount:
    """The distinct exact items of one kind: in the source, of these kept and lost, and only in the result."""

    kind: Kind
    source: int
    kept: int
    lost: int
    invented: int


@dataclass(frozen=True, slots=True)
class Share:
    """How many there are in the source, and how many of them the result has."""

    source: int = 0
    kept: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    """What was kept, kind by kind; there is no average, which would hide a lost rule.

    Attributes:
        exact: per kind of exact item.
        criteria: identifiers of acceptance criteria that stand in the result.
        bindings: of those, with what each demands, unchanged.
        labels: items with a state (`Proposal`) that kept it.
        polarity: items with a negation that kept it.
        modality: items with a modal word or limit that kept it.
        provenance: items with a source that kept it.
        questions, conflicts: items that were kept as such.
        items: all items.
        invented_items: items of the result that come from nowhere.
        characters: of source and result.
        words: of source and result, as white space divides them.
    """

    exact: tuple[KindCount, ...]
    criteria: Share
    bindings: Share
    labels: Share
    polarity: Share
    modality: Share
    provenance: Share
    questions: Share
    conflicts: Share
    items: Share
    invented_items: int
    characters: tuple[int, int]
    words: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Report:
    """What the check of a result found.

    Attributes:
        verdict: fail with any error, needs-review with anything that cannot be proved, else pass.
        findings: worst first.
        counts: what was kept.
    """

    verdict: Verdict
    findings: tuple[LossFinding, ...]
    counts: Counts


_SEVERITIES = {severity: rank for rank, severity in enumerate(Severity)}
_KINDS = {kind: rank for rank, kind in enumerate(LossKind)}


def worst_first(findings: list[LossFinding]) -> tuple[LossFinding, ...]:
    """Return findings in the order of a report, each once."""

    def rank(finding: LossFinding) -> tuple[int, int, int, int]:
        lines = (finding.source_line or 0, finding.result_line or 0)
        return (_SEVERITIES[finding.severity], _KINDS[finding.kind], *lines)

    return tuple(sorted(dict.fromkeys(findings), key=rank))


def verdict(findings: list[LossFinding]) -> Verdict:
    """Return the verdict that findings lead to."""
    severities = {finding.severity for finding in findings}
    if Severity.ERROR in severities:
        return Verdict.FAIL
    return Verdict.REVIEW if Severity.REVIEW in severities else Verdict.PASS
