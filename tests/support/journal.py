"""What a daemon did to the projects, noted by its own interpreter (`watched/sitecustomize.py`)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

_WATCHED = Path(__file__).parent / "watched"


@dataclass(frozen=True, slots=True)
class Journal:
    """A file in which daemons note what they do to the projects below a folder."""

    file: Path
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        """What a daemon's environment needs, so that it keeps the journal."""
        path = os.pathsep.join(filter(None, (os.fspath(_WATCHED), os.environ.get("PYTHONPATH"))))
        return {
            "PYTHONPATH": path,
            "HYPO_TEST_JOURNAL": os.fspath(self.file),
            "HYPO_TEST_FOLDER": os.path.realpath(self.folder),
        }

    def published(self) -> set[str]:
        """Return the digests of all contents that were renamed into a view's place."""
        return {line.split()[1] for line in self._lines() if line.startswith("published ")}

    def altered(self) -> list[str]:
        """Return whatever else was done to files of the projects."""
        return [line for line in self._lines() if line.startswith("altered ")]

    def _lines(self) -> list[str]:
        return self.file.read_text("utf-8").splitlines() if self.file.exists() else []
