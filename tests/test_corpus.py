"""The views of real projects, checked by a checker that shares no code with this project.

Both lie beside the repository where they are to be had; without them these tests are skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.views import sources, views

SHARED = Path(__file__).parents[2] / "shared"
TREES = sorted((SHARED / "corpus" / "pipelines").glob("*"))
CHECKER = SHARED / "tools" / "check_views.py"

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(
        not TREES or not CHECKER.is_file(), reason="the corpus of real projects is not beside the repository"
    ),
]


@pytest.fixture(name="home")
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", os.fspath(tmp_path / "home"))
    monkeypatch.setenv("HYPO_COMPACTD_STATE_DIR", os.fspath(tmp_path / "state"))
    return tmp_path


def copy_of(tree: Path, place: Path, *, backwards: bool = False) -> Path:
    """Copy a tree so that it can be written; file by file in the opposite order when asked."""
    for path in sorted(tree.rglob("*"), reverse=backwards):
        if path.is_file():
            target = place / path.relative_to(tree)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    return place


def compact(project: Path, **environment: str) -> None:
    command = [sys.executable, "-m", "hypo_compactd", "compact", os.fspath(project), "-q"]
    subprocess.run(command, env=os.environ | environment, check=True, timeout=100)


@pytest.mark.parametrize("tree", TREES, ids=[tree.name for tree in TREES])
def test_every_rule_of_the_checker_holds(tree: Path, home: Path) -> None:
    project = copy_of(tree, home / tree.name)
    before = sources(project)
    compact(project)
    gold = SHARED / "corpus" / "gold" / f"{tree.name}.json"
    command = [sys.executable, os.fspath(CHECKER), os.fspath(project / ".pipeline"), "--gold", os.fspath(gold)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)

    assert result.returncode == 0, result.stdout
    assert sources(project) == before


@pytest.mark.parametrize("tree", TREES, ids=[tree.name for tree in TREES])
def test_the_same_sources_give_the_same_bytes_everywhere(tree: Path, home: Path) -> None:
    one = copy_of(tree, home / "one")
    two = copy_of(tree, home / "two", backwards=True)
    compact(one, LC_ALL="zh_CN.UTF-8", TZ="Asia/Shanghai", PYTHONHASHSEED="1")
    compact(two, LC_ALL="C", TZ="America/New_York", PYTHONHASHSEED="2")

    assert views(one) == views(two)


def test_the_sizes_in_the_readme_are_those_of_the_program() -> None:
    from support.sizes import BEGIN, END, README, table

    shown = README.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]

    assert table(TREES) == shown
