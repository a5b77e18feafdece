"""What the fault tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.scene import Scene


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    monkeypatch.setenv("HOME", os.fspath(tmp_path / "home"))
    monkeypatch.setenv("HYPO_COMPACTD_STATE_DIR", os.fspath(tmp_path / "state"))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    return Scene(tmp_path)
