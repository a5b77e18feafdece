"""What was built from what: our memory of a project between two looks, kept outside the project.

It holds digests, sizes and counts, never content. A manifest that is missing, broken or of another
version costs one refresh of every view and nothing else.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from hypo_compactd import typed
from hypo_compactd.marks import Signature
from hypo_compactd.plan import Facts
from hypo_compactd.writer import write_private
from hypo_strategies.api import Finding

SCHEMA = 3
NAME = "manifest.json"


@dataclass(frozen=True, slots=True)
class Entry:
    """One view: the digest of its inputs, the digest of its bytes (None: rightly no view), and its size.

    `signature` is the written file's, by which our own writing is told from another program's, and
    `place` where it stands, relative to the project ("": no view).
    """

    inputs: str
    output: str | None
    signature: Signature | None = None
    tokens_before: int = 0
    tokens_after: int = 0
    findings: tuple[Finding, ...] = ()
    place: str = ""


@dataclass(frozen=True, slots=True)
class Manifest:
    """All that is remembered of one project.

    Attributes:
        entries: by the view's name.
        facts: what the moments are told by; None before the first look.
        owed: names of views that a moment let be refreshed and that could not be yet.
    """

    entries: dict[str, Entry] = field(default_factory=dict)
    facts: Facts | None = None
    owed: tuple[str, ...] = ()

    def with_entry(self, name: str, entry: Entry | None) -> Manifest:
        """Return the manifest with one view's entry replaced, or removed when None."""
        entries = {key: value for key, value in self.entries.items() if key != name}
        return replace(self, entries=entries if entry is None else entries | {name: entry})


def load(folder: Path) -> Manifest:
    """Return the manifest in a project's own state folder, an empty one when there is none that can be used."""
    try:
        return _decode(json.loads((folder / NAME).read_bytes()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return Manifest()


def save(folder: Path, manifest: Manifest) -> None:
    """Write the manifest.

    Raises:
        OSError: the system's refusal.
    """
    facts = None
    if manifest.facts is not None:
        facts = {
            "final": sorted(manifest.facts.final),
            "knowledge": manifest.facts.knowledge,
            "archives": sorted(manifest.facts.archives),
        }
    data = {
        "schema": SCHEMA,
        "views": {name: asdict(entry) for name, entry in sorted(manifest.entries.items())},
        "facts": facts,
        "owed": manifest.owed,
    }
    write_private(folder / NAME, json.dumps(data, indent=1).encode() + b"\n")


def _decode(data: Any) -> Manifest:
    if data["schema"] != SCHEMA:
        return Manifest()
    facts = None
    if data["facts"] is not None:
        facts = Facts(
            frozenset(typed.text(key) for key in typed.items(data["facts"]["final"])),
            typed.text(data["facts"]["knowledge"]),
            frozenset(typed.text(name) for name in typed.items(data["facts"]["archives"])),
        )
    entries = {name: _entry(entry) for name, entry in data["views"].items()}
    owed = tuple(typed.text(name) for name in typed.items(data["owed"]))
    return Manifest(entries, facts, owed)


def _entry(data: Any) -> Entry:
    return Entry(
        inputs=typed.text(data["inputs"]),
        output=None if data["output"] is None else typed.text(data["output"]),
        place=typed.text(data["place"]),
        signature=None if data["signature"] is None else _signature(data["signature"]),
        tokens_before=typed.integer(data["tokens_before"]),
        tokens_after=typed.integer(data["tokens_after"]),
        findings=tuple(typed.finding(finding) for finding in typed.items(data["findings"])),
    )


def _signature(value: Any) -> Signature:
    device, inode, size, mtime_ns = (typed.integer(each) for each in typed.items(value))
    return (device, inode, size, mtime_ns)
