"""What a process keeps of a project from one look to the next, so that only what has changed is read again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hypo_compactd.reader import SourceFile
from hypo_strategies.api import Memory
from hypo_strategies.text.tokens import Counts, counts, counts_after, estimate

MOST_BYTES = 16 * 1024 * 1024
"""Bytes of all sources but the log that are kept; a project with more is read in full at each look."""


@dataclass(slots=True)
class Kept:
    """What one process keeps of a project; it never changes what a look finds.

    Attributes:
        files: what was read, by canonical path.
        memory: what the strategies keep.
        log: the bytes of the log of the last count, and how many of each class there were.
    """

    files: Mapping[str, SourceFile] = field(default_factory=dict)
    memory: Memory = field(default_factory=Memory)
    log: tuple[bytes, Counts] | None = None

    def keep(self, files: Mapping[str, SourceFile]) -> None:
        """Keep what a look has read, where that is not too much."""
        of_files = {path: source for path, source in files.items() if not path.endswith("/")}
        total = sum(len(source.data) for path, source in of_files.items() if path != "log.yaml")
        self.files = of_files if total <= MOST_BYTES else {}

    def tokens(self, path: str, data: bytes) -> int:
        """Return about how many tokens a source is; of a long log only what has changed is counted."""
        if path != "log.yaml":
            return estimate(data)
        counted = counts_after(self.log[1], self.log[0], data) if self.log else counts(data)
        self.log = data, counted
        return counted.estimate

    def forget(self) -> None:
        """Keep nothing."""
        self.files = {}
        self.memory = Memory()
        self.log = None
