"""What was built from what: our memory of a project between two looks, kept outside the project.

It holds digests, sizes and counts, never content. A manifest that is missing, broken or of another
version costs one refresh of every view and nothing else.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from hypo_compactd.plan import Facts
from hypo_compactd.reader import Signature
from hypo_compactd.writer import write_private
from hypo_strategies.api import Finding

SCHEMA = 1
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
        basis: digest of the program's version and of what the configuration says.
        sources: the signature of every source at the last look that saw all of them, else empty.
        followed: the paths beside the patterns' to which sources pointed then, there or not.
        owed: names of views that a moment let be refreshed and that could not be yet.
    """

    entries: dict[str, Entry] = field(default_factory=dict)
    facts: Facts | None = None
    basis: str = ""
    sources: dict[str, Signature] = field(default_factory=dict)
    followed: tuple[str, ...] = ()
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
        "basis": manifest.basis,
        "sources": dict(sorted(manifest.sources.items())),
        "followed": manifest.followed,
        "owed": manifest.owed,
    }
    write_private(folder / NAME, json.dumps(data, indent=1).encode() + b"\n")


def _decode(data: Any) -> Manifest:
    if data["schema"] != SCHEMA:
        return Manifest()
    facts = None
    if data["facts"] is not None:
        facts = Facts(
            frozenset(_text(key) for key in _list(data["facts"]["final"])),
            _text(data["facts"]["knowledge"]),
            frozenset(_text(name) for name in _list(data["facts"]["archives"])),
        )
    entries = {name: _entry(entry) for name, entry in data["views"].items()}
    sources = {path: _signature(value) for path, value in data["sources"].items()}
    followed = tuple(_text(path) for path in _list(data["followed"]))
    owed = tuple(_text(name) for name in _list(data["owed"]))
    return Manifest(entries, facts, _text(data["basis"]), sources, followed, owed)


def _entry(data: Any) -> Entry:
    return Entry(
        inputs=_text(data["inputs"]),
        output=None if data["output"] is None else _text(data["output"]),
        place=_text(data["place"]),
        signature=None if data["signature"] is None else _signature(data["signature"]),
        tokens_before=_number(data["tokens_before"]),
        tokens_after=_number(data["tokens_after"]),
        findings=tuple(_finding(finding) for finding in _list(data["findings"])),
    )


def _finding(data: Any) -> Finding:
    return Finding(
        path=_text(data["path"]),
        message=_text(data["message"]),
        line=None if data["line"] is None else _number(data["line"]),
        column=None if data["column"] is None else _number(data["column"]),
        severity="warning" if data["severity"] == "warning" else "error",
    )


def _signature(value: Any) -> Signature:
    device, inode, size, mtime_ns = (_number(each) for each in _list(value))
    return (device, inode, size, mtime_ns)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _number(value: Any) -> int:
    if not isinstance(value, int):
        raise TypeError
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError
    return value
