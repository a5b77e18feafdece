"""What a process keeps of a project from one look to the next, so that only what has changed is read again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hypo_compactd.reader import SourceFile
from hypo_strategies.api import Memory

MOST_BYTES = 16 * 1024 * 1024
"""Bytes of all sources but the log that are kept; a project with more is read in full at each look."""


@dataclass(slots=True)
class Kept:
    """What one process keeps of a project; it never changes what a look finds.

    Attributes:
        files: what was read, by canonical path.
        memory: what the strategies keep.
    """

    files: Mapping[str, SourceFile] = field(default_factory=dict)
    memory: Memory = field(default_factory=Memory)

    def keep(self, files: Mapping[str, SourceFile]) -> None:
        """Keep what a look has read, where that is not too much."""
        of_files = {path: source for path, source in files.items() if not path.endswith("/")}
        total = sum(len(source.data) for path, source in of_files.items() if path != "log.yaml")
        self.files = of_files if total <= MOST_BYTES else {}

    def forget(self) -> None:
        """Keep nothing."""
        self.files = {}
        self.memory = Memory()
