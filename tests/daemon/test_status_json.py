"""What `status` prints for programs."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

import hypo_compactd
from hypo_compactd.paths import Project
from hypo_compactd.status import Standing
from hypo_compactd.status_json import as_json
from hypo_strategies.text.phrase import Phrase
from support.status_runs import kept, run
from support.views import TARGETS


@pytest.fixture(name="fresh")
def _fresh(project: Project) -> Project:
    """A project whose views are all current."""
    assert run("compact", "-q", project.root).code == 0
    return project


def keys(value: Any, above: str = "") -> set[str]:
    """Return the names of all keys in some JSON, those of an object in it with what it is called in front."""
    if isinstance(value, list):
        return set().union(*(keys(one, above) for one in value)) if value else set()
    if not isinstance(value, dict):
        return set()
    found = set()
    for key, inner in value.items():
        name = f"{above}{key}"
        found |= {name} | keys(inner, "" if name == "projects" else f"{name}.")
    return found


def documented() -> set[str]:
    """Return the names at the beginning of each point of the documentation."""
    points = re.findall(r"^ +- ((?:`[\w.]+`(?:, )?)+):", as_json.__doc__ or "", re.MULTILINE)
    return {name for point in points for name in re.findall(r"`([\w.]+)`", point)}


def test_every_key_is_documented_and_every_documented_key_is_there(fresh: Project) -> None:
    (fresh.pipeline / "reports/odd.report.md").mkdir()
    with kept(fresh):
        found = run("status", "--json", fresh.root)

    assert found.out.count("\n") == 1
    # An object that may be null or a folder of other keys is documented by itself only where it may be null.
    assert keys(json.loads(found.out)) == documented() | {"watches"}
    assert json.loads(found.out)["schema"] == 1


def test_without_a_daemon_what_only_a_daemon_knows_is_null(fresh: Project) -> None:
    found = run("status", "--json", fresh.root)

    assert {name: value for name, value in found.project.items() if name not in {"views", "reason"}} == {
        "project": os.fspath(fresh.root),
        "root": os.fspath(fresh.root),
        "state": "none",
        "backend": None,
        "daemon": None,
        "watches": {"wanted": None, "held": None},
        "looks": None,
        "look_age_s": None,
        "pending": None,
        "missed": None,
        "repaired": None,
        "contested": [],
        "fresh": True,
    }
    assert [view["name"] for view in found.project["views"]] == list(TARGETS)
    for view in found.project["views"]:
        assert (fresh.root / view["file"]).is_file()
        assert view["tokens_before"] > view["tokens_after"] > 0
        assert view["age_s"] >= 0
        assert view["stale_s"] is None


def test_a_running_daemon_is_told_of(fresh: Project) -> None:
    with kept(fresh, missed=2, repaired=5) as process:
        found = run("status", "--json", fresh.root)

    assert found.code == 0
    assert (found.project["state"], found.project["reason"]) == ("ok", "")
    assert found.project["daemon"].pop("beat_age_s") >= 1.0
    assert found.project["daemon"] == {
        "pid": process.pid,
        "version": hypo_compactd.__version__,
        "canary_ms": 2,
        "overflows": 3,
        "rebuilds": 4,
        "rss_mb": 20.5,
        "threads": 6,
    }
    assert found.project["watches"] == {"wanted": 12, "held": 12}
    assert [found.project[name] for name in ("looks", "missed", "repaired", "pending")] == [3, 2, 5, False]
    assert found.project["look_age_s"] >= 2


@pytest.mark.parametrize(
    ("standing", "held", "backend"),
    [
        (Standing.OK, 12, "events"),
        (Standing.PARTIAL, 3, "events"),
        (Standing.WAITING, 2, "events"),
        (Standing.POLLING, 0, "polling"),
        (Standing.WAITING, 0, "polling"),
        (Standing.PARTIAL, 0, "sweep"),
    ],
)
def test_how_a_daemon_learns_of_changes_is_said(fresh: Project, standing: str, held: int, backend: str) -> None:
    events = {"linux": "inotify", "darwin": "fsevents"}.get(sys.platform, "native")
    with kept(fresh, standing=standing, held=held):
        found = run("status", "--json", fresh.root)

    assert found.project["backend"] == (events if backend == "events" else backend)


@pytest.mark.parametrize("standing", Standing.all())
def test_a_running_daemon_is_asked_how_it_keeps_the_project(fresh: Project, standing: str) -> None:
    with kept(fresh, standing=standing, reason=Phrase("the limit\nis reached"), wanted=12, held=3):
        found = run("status", "--json", fresh.root)

    assert found.code == 0
    assert (found.project["state"], found.project["reason"]) == (standing, "the limit\\x0ais reached")
    assert found.project["watches"] == {"wanted": 12, "held": 3}


def test_hostile_names_neither_break_the_json_nor_move_a_cursor(project: Project, tmp_path: Path) -> None:
    root = Path(os.fsdecode(os.fsencode(tmp_path) + b"/p\xff\x1b[2J\n"))
    shutil.copytree(project.root, root)
    (root / ".pipeline" / os.fsdecode(b"reports/r\xff\x1b]0;.report.md")).mkdir()
    hostile: dict[str, Any] = {
        "reason": Phrase("\x1b[31m\ud800"),
        "contested": ("\x1b[2J\udcff",),
        "version": "\n\udcff",
    }
    with kept(Project(root, root), **hostile):
        data = run("status", "--json", root)
        shown = run("status", root)

    assert data.out.isascii()
    assert data.project["daemon"]["version"] == "\\x0a\\xdcff"
    assert "\\ud" not in data.out.replace("\\\\ud", "").lower()
    assert json.loads(data.out)["projects"][0]["project"].endswith("p\\xdcff\\x1b[2J\\x0a")
    assert any("\\x1b]0;" in finding["file"] for finding in data.view("reports")["findings"])
    assert "\x1b" not in shown.out
    assert all(line.isprintable() for line in shown.out.splitlines())
    # The project, three reasons, the facts, the table's head and views, and the findings.
    assert len(shown.out.splitlines()) == 1 + 3 + 1 + 1 + 6 + len(data.view("reports")["findings"])
