"""What a handoff consists of: located items, the exact items inside them, and where an item belongs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class Section(StrEnum):
    """A section of the compacted handoff, in the order of the specification (compact-context, Output)."""

    GOAL = "Goal"
    CONFIRMED = "Confirmed"
    FACTS = "Facts"
    CONSTRAINTS = "Constraints"
    SCOPE_IN = "Scope In"
    SCOPE_OUT = "Scope Out"
    REFERENCES = "References"
    OPEN = "Open"
    CONFLICTS = "Conflicts"


class State(StrEnum):
    """How far a statement is settled or how it is known: the labels that may never be lost or changed."""

    CONFIRMED = "Confirmed"
    PROPOSAL = "Proposal"
    OBSERVED = "Observed"
    INFERRED = "Inferred"
    OPEN = "Open"
    CONFLICT = "Conflict"
    CLAIMED = "Claimed"
    """Reported as decided or approved by something that is not the user."""
    STATUS = "Status"
    DEPENDS = "Depends"
    REJECTED = "Rejected"
    SUPERSEDED = "Superseded"
    NONE = ""


class Trust(StrEnum):
    """Where a statement comes from, as far as the handoff says so."""

    USER = "user"
    WRITER = "writer"
    """Nothing is said: the voice of the handoff."""
    AGENT = "agent"
    DOCS = "docs"
    TOOL = "tool"
    UNTRUSTED = "untrusted"
    """Marked as untrusted, as an injection or as rejected for that reason: its payload is never forwarded."""


class Kind(StrEnum):
    """A kind of exact item: text that may not change in any character."""

    FENCE = "fence"
    CODE = "code span"
    QUOTE = "quoted copy"
    URL = "url"
    PATH = "path"
    ROUTE = "route"
    COMMAND = "command"
    NAME = "name"
    """An environment variable, a status value, an API or database name."""
    ID = "id"
    RANGE = "id range"
    PICK = "pick"
    """The choice of an option: `S2=A`."""
    SHA = "commit"
    ISSUE = "issue"
    VERSION = "version"
    DATE = "date"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Exact:
    """One exact item inside a text.

    Attributes:
        kind: what it is.
        text: as it is written.
        key: what equal items have in common: full-width forms, hyphens and the spelling of units made alike;
            never the case of an identifier.
        start, end: offsets into the text that holds it.
    """

    kind: Kind
    text: str
    key: str
    start: int
    end: int


Shape = Literal["bullet", "prose", "row", "fence", "quote", "html"]


@dataclass(frozen=True, slots=True)
class Item:
    """The smallest part of a handoff that can be moved as a whole.

    Attributes:
        text: the original wording without list marker, label and table pipes; lines joined as written (a fence keeps
            its fence lines, a row reads `header: cell; header: cell`).
        first, last: its lines in the handoff, counted from 1.
        shape: what it was.
        headings: the headings and lead-in labels above it, outermost first, as written without their marks.
        label: the label at its own start (`Proposal`, `Observed`, `提案`), as written, "" for none.
        parents: the texts of the list items that enclose it, outermost first.
        speaker: who speaks, as written, in a transcript; "" elsewhere.
        mark: a check box, an emoji or another glyph that tells a status (`[x]`, `✅`), "" for none; it stays in the text.
        depth: how deep in a list, 0 for the outermost or none.
        number: the number or arrow that was its list marker (`1.`, `(2)`, `①`, `→`), "" for a bullet or none: others
            may refer to it.
    """

    text: str
    first: int
    last: int
    shape: Shape = "prose"
    headings: tuple[str, ...] = ()
    label: str = ""
    parents: tuple[str, ...] = ()
    speaker: str = ""
    mark: str = ""
    depth: int = 0
    number: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A handoff, read.

    Attributes:
        items: in the order of the text.
        title: its title, "" for none.
        notes: what could not be read for certain, each with its line (an unclosed fence, a hidden character).
        lines: how many lines it has.
    """

    items: tuple[Item, ...]
    title: str = ""
    notes: tuple[tuple[int, str], ...] = ()
    lines: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where an item belongs, and why.

    Attributes:
        section: its section of the output.
        state: what must stand before it as a label.
        trust: where it comes from.
        source: the words that say so (`docs page X`), "" for none.
        reason: the word or rule by which it was placed, for the metadata.
    """

    section: Section
    state: State = State.NONE
    trust: Trust = Trust.WRITER
    source: str = ""
    reason: str = ""
