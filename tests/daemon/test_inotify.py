from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from hypo_compactd.inotify import has_room

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_there_is_room_for_an_ordinary_folder_and_asking_costs_nothing(tmp_path: Path) -> None:
    before = descriptors()

    assert has_room(os.fspath(tmp_path))
    assert descriptors() == before


def test_there_is_none_for_what_cannot_be_watched(tmp_path: Path) -> None:
    before = descriptors()

    assert not has_room(os.fspath(tmp_path / "missing"))
    assert descriptors() == before
