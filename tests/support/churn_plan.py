"""What strangers do to a project at random: pure, drawn from a seed, printable, the same each time.

A plan says what is tried and when, not what comes of it: several processes work on one project at
once, so a file that one wants to edit may have been moved by another.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from random import Random

SECONDS = 60.0
OPERATIONS = 500
PROCESSES = 3


class Kind(StrEnum):
    """What is done to a path; see `churn.py` for how."""

    CREATE = "create"
    EDIT = "edit in place"
    REPLACE = "temporary file and rename"
    BREAK = "break"
    DELETE = "delete"
    RENAME = "rename"
    MOVE = "move a folder"
    CHECKOUT = "git checkout"
    MODE = "chmod"
    TOUCH = "touch"
    LINK = "symbolic link"
    NOISE = "editor's leavings"
    CONFIGURE = "configure"
    MEDDLE = "meddle with a view"
    VANISH = "away and back"
    WIPE = "remove all, then git checkout"


WEIGHTS = {
    Kind.CREATE: 13,
    Kind.EDIT: 17,
    Kind.REPLACE: 17,
    Kind.BREAK: 6,
    Kind.DELETE: 9,
    Kind.RENAME: 4,
    Kind.MOVE: 10,
    Kind.CHECKOUT: 5,
    Kind.MODE: 4,
    Kind.TOUCH: 3,
    Kind.LINK: 7,
    Kind.NOISE: 3,
    Kind.CONFIGURE: 1.5,
    Kind.MEDDLE: 4,
    Kind.VANISH: 1.5,
    Kind.WIPE: 0.5,
}

HARMLESS_TO_VIEWS = frozenset(Kind) - {Kind.MEDDLE, Kind.VANISH, Kind.WIPE}
"""What leaves the views themselves and the folders they stand in alone."""

VIEWS = (
    "PROGRESS.compact.md",
    "state.compact.yaml",
    "log.compact.yaml",
    "reports.compact.md",
    "patches.compact.md",
    "knowledge/knowledge.compact.md",
)

_GREAT = ("PROGRESS.md", "state.yaml", "log.yaml")
_KNOWN = (
    "reports/00-hole-spacing-engine.report.md",
    "reports/01-sewing-template-rendering.report.md",
    "patches/P001-spine-rounding-direction.md",
    "patches/P002-template-viewbox-drift.md",
    "patches/P003-missing-paper-stock-hint.md",
    "knowledge/records/C3-SYNC-20260408-template-stack-91d7e04a.yaml",
    "knowledge/records/C3-CHAT-20260408-creep-rounding-c06b3f52.yaml",
    "knowledge/index/pitfalls.yaml",
    "archives/C1-signature-planner/summary.md",
    "archives/C2-cover-and-spine/cycle.yaml",
)
_NEW = (
    "reports/{number:02d}-churn.report.md",
    "reports/nested/{number:02d}-churn.report.md",
    "reports/nested/deep/er/{number:02d}-churn.report.md",
    "patches/P{number:03d}-churn.md",
    "knowledge/records/C3-CHURN-{number:02d}.yaml",
    "archives/C{number}-churn/summary.md",
    "archives/C{number}-churn/cycle.yaml",
)
_FOLDERS = (
    ("reports", "archives/C4-churn/reports"),
    ("reports", "../shelf/reports"),
    ("reports/nested", "../shelf/nested"),
    ("reports/nested/deep", "reports/deep"),
    ("archives/C2-cover-and-spine", "../shelf/C2-cover-and-spine"),
    ("archives", "../shelf/archives"),
    ("knowledge/records", "knowledge/records.away"),
    ("patches", "patches.away"),
)
_LINKED_FOLDERS = ("reports/linked", "reports/nested", "knowledge/records", "patches", "archives/C9-linked")
_TARGETS = ("inside", "outside", "dangling", "itself")
_MODES = (0o000, 0o444, 0o600, 0o644, 0o755)


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that one process tries.

    Attributes:
        number: its place in the process's share, from 0.
        at: seconds after the start of all processes.
        kind: what.
        path: on what, relative to `.pipeline/`; "" where the kind says it all.
        other: a second path, or the word that says which way.
        value: a number that content, names and pauses are made from.
    """

    number: int
    at: float
    kind: Kind
    path: str
    other: str
    value: int

    def __str__(self) -> str:
        more = f" → {self.other}" if self.other else ""
        return f"{self.number:3d} at {self.at:6.2f} s: {self.kind} {self.path}{more} ({self.value})"


def plan(
    seed: int, process: int, count: int, *, seconds: float = SECONDS, kinds: Collection[Kind] = tuple(Kind)
) -> list[Operation]:
    """Return what one process does, in order of time.

    Args:
        seed: of the whole churn.
        process: which of its processes, from 0.
        count: how many operations.
        seconds: over what time; bursts and pauses alternate in it.
        kinds: what may be done.
    """
    chance = Random(f"churn {seed} {process}")
    allowed = [kind for kind in Kind if kind in kinds]
    weights = [WEIGHTS[kind] for kind in allowed]
    return [
        _operation(chance, number, at, chance.choices(allowed, weights)[0])
        for number, at in enumerate(_times(chance, count, seconds))
    ]


def share(process: int, count: int = OPERATIONS) -> int:
    """Return how many of all operations one of the processes does."""
    return count // PROCESSES + (process < count % PROCESSES)


def _times(chance: Random, count: int, seconds: float) -> list[float]:
    """Return increasing moments: most close together, some after a pause in which changes settle."""
    gaps = [
        chance.uniform(*chance.choices(((0.0, 0.04), (0.1, 0.4), (0.8, 2.0)), (65, 25, 10))[0]) for _ in range(count)
    ]
    stretch = seconds / sum(gaps)
    moments, now = [], 0.0
    for gap in gaps:
        now += gap * stretch
        moments.append(now)
    return moments


def _operation(chance: Random, number: int, at: float, kind: Kind) -> Operation:
    path, other = "", ""
    value = chance.randrange(1_000_000)
    match kind:
        case Kind.CREATE:
            path = _new(chance)
        case Kind.EDIT | Kind.REPLACE | Kind.BREAK | Kind.TOUCH | Kind.NOISE:
            path = _source(chance)
        case Kind.MODE:
            path, other = _source(chance), f"{chance.choice(_MODES):03o}"
        case Kind.DELETE:
            path = chance.choice((chance.choice(_KNOWN), chance.choice(_GREAT), *(_new(chance) for _ in range(3))))
        case Kind.RENAME:
            path, other = chance.choice((*_GREAT, *_KNOWN)), _new(chance)
        case Kind.MOVE:
            path, other = chance.choice(_FOLDERS)
        case Kind.CHECKOUT | Kind.WIPE:
            other = chance.choice(("main", "closed"))
        case Kind.LINK:
            path = chance.choice(_LINKED_FOLDERS) if chance.random() < 0.3 else _source(chance)
            other = chance.choice(_TARGETS)
        case Kind.CONFIGURE:
            path = "config.yaml"
        case Kind.MEDDLE:
            path, other = chance.choice(VIEWS), chance.choice(("delete", "edit", "replace", "empty"))
        case Kind.VANISH:
            path = chance.choice((".", ".", "knowledge"))
    return Operation(number, round(at, 3), kind, path, other, value)


def _source(chance: Random) -> str:
    return chance.choices((chance.choice(_GREAT), chance.choice(_KNOWN), _new(chance)), (5, 3, 3))[0]


def _new(chance: Random) -> str:
    return chance.choice(_NEW).format(number=chance.randrange(4, 12))
