"""The example project agrees with itself, and what is written into it gives a project that agrees with itself."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from example import milestone

PIPELINE = milestone.PROJECT / ".pipeline"
INDEXES = ("dependencies", "references", "pitfalls", "decisions", "config-notes", "secret-refs")


def load(path: Path) -> Any:
    return YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))


def log_entries(pipeline: Path) -> dict[str, dict[str, Any]]:
    entries = load(pipeline / "log.yaml")["entries"]
    named = {entry["id"]: entry for entry in entries}
    assert len(named) == len(entries), "an id stands twice"
    return named


def milestones(pipeline: Path) -> dict[str, str]:
    return {item["id"]: item["status"] for item in load(pipeline / "state.yaml")["milestones"]}


def timeline(pipeline: Path) -> list[str]:
    return re.findall(
        r"^\| (\d\d:\d\d \| .+) \|$", (pipeline / "PROGRESS.md").read_text(encoding="utf-8"), re.MULTILINE
    )


def assert_agrees_with_itself(pipeline: Path) -> None:
    """State, log, board and files of a running Cycle tell the same story."""
    state = load(pipeline / "state.yaml")
    log = log_entries(pipeline)
    done = [name for name, status in milestones(pipeline).items() if status == "done"]
    history = state["history"]["completed_prompts"]
    assert state["pipeline"]["prompts_completed"] == len(done) == len(history)
    assert state["pipeline"]["prompts_total"] == len(state["milestones"])
    assert [item["prompt_name"][:3] for item in history] == done
    for item in history:
        assert (pipeline.parent / item["report_file"]).is_file()
        assert log[f"{item['prompt_name'][:3]}-COMPLETE-C3"]["timestamp"] == item["completed_at"]
    for item in state["milestones"]:
        assert (pipeline.parent / item["prompt_file"]).is_file()
        assert (f"{item['id']}-START-C3" in log) == (item["status"] in {"done", "in_progress"})
    assert state["current"]["prompt_file"] == state["milestones"][len(done)]["prompt_file"]
    assert state["milestones"][len(done)]["status"] == "in_progress"

    board = (pipeline / "PROGRESS.md").read_text(encoding="utf-8")
    assert f"进度：{len(done)}/{len(state['milestones'])} Milestone" in board
    assert re.findall(r"^\| (M\d\d) .*✅", board, re.MULTILINE) == done
    assert f"最后更新：{timeline(pipeline)[0][:5]} " in board


@pytest.fixture
def pipeline(tmp_path: Path) -> Path:
    return Path(shutil.copytree(milestone.PROJECT, tmp_path / "project")) / ".pipeline"


def complete(pipeline: Path) -> None:
    for step in milestone.completion():
        milestone.apply(step, pipeline)


@pytest.mark.parametrize(
    "path", sorted(milestone.HERE.rglob("*.yaml")), ids=lambda path: str(path.relative_to(milestone.HERE))
)
def test_yaml_is_valid(path: Path) -> None:
    assert load(path)


def test_project_agrees_with_itself() -> None:
    assert_agrees_with_itself(PIPELINE)
    assert milestones(PIPELINE) == {
        "M01": "done", "M02": "done", "M03": "in_progress", "M04": "pending", "M05": "pending",
    }  # fmt: skip


def test_project_is_large_enough_to_show_a_saving() -> None:
    assert len(log_entries(PIPELINE)) >= 70
    assert len(timeline(PIPELINE)) == 32
    for report in (PIPELINE / "reports").iterdir():
        assert 40 <= len(report.read_text(encoding="utf-8").splitlines()) <= 70


def test_log_tells_of_a_failure() -> None:
    assert {"rejected", "blocked"} <= {entry["status"] for entry in log_entries(PIPELINE).values()}


@pytest.mark.parametrize("category", INDEXES)
def test_index_holds_the_items_of_the_records(category: str) -> None:
    records = [load(path) for path in (PIPELINE / "knowledge" / "records").iterdir()]
    items = {
        record["id"]: record.get("secret_refs") if category == "secret-refs" else record["details"].get(category)
        for record in records
        if category in record["categories"]
    }
    index = load(PIPELINE / "knowledge" / "index" / f"{category}.yaml")
    assert items
    assert index["category"] == category
    assert {entry["record_id"]: entry["items"] for entry in index["entries"]} == items


def test_patches_agree_with_the_board_and_the_log() -> None:
    board = (PIPELINE / "PROGRESS.md").read_text(encoding="utf-8")
    statuses = dict(re.findall(r"^\| (P\d{3}) \| (\w+) \|", board, re.MULTILINE))
    fixes = {
        entry["patch"]: entry["commit"] for entry in log_entries(PIPELINE).values() if entry["type"] == "patch_fix"
    }
    for patch in (PIPELINE / "patches").iterdir():
        number, text = patch.name[:4], patch.read_text(encoding="utf-8")
        assert f"- 状态: {statuses.pop(number)}\n" in text
        assert ("- 状态: closed\n" in text) == (number in fixes)
        assert number not in fixes or f"- commit: `{fixes[number]}`\n" in text
    assert not statuses


def test_project_holds_no_view_and_no_whole_secret() -> None:
    files = [path for path in milestone.HERE.rglob("*") if path.is_file() and path.suffix in {".md", ".yaml"}]
    assert not [path for path in files if ".compact." in path.name]
    for path in files:
        assert not re.search(r"sk-(?!\.\.\.)\S", path.read_text(encoding="utf-8"))


def test_completion_gives_a_project_that_agrees_with_itself(pipeline: Path) -> None:
    complete(pipeline)

    assert_agrees_with_itself(pipeline)
    assert milestones(pipeline) == {
        "M01": "done", "M02": "done", "M03": "done", "M04": "in_progress", "M05": "pending",
    }  # fmt: skip
    state = load(pipeline / "state.yaml")
    assert state["history"]["completed_prompts"][-1]["evaluation"]["diff_score"] == 2
    assert state["prompt_state"]["result"] is None
    assert list(log_entries(pipeline))[-2:] == ["M03-COMPLETE-C3", "M04-START-C3"]
    assert len(timeline(pipeline)) == 35
    assert not list(pipeline.rglob("*.tmp-*"))


def test_milestone_is_final_before_the_state_moves_on(pipeline: Path) -> None:
    steps = milestone.completion()
    assert [step.path for step in steps] == [milestone.REPORT, "state.yaml", "log.yaml", "PROGRESS.md", "state.yaml"]
    for step in steps[:-1]:
        milestone.apply(step, pipeline)

    state = load(pipeline / "state.yaml")
    assert milestones(pipeline)["M03"] == "done"
    assert state["prompt_state"]["result"] == "pass"
    assert {step["status"] for step in state["prompt_state"]["steps"]} == {"done"}
    assert state["current"]["prompt_file"] == ".pipeline/prompts/02-creep-compensation.md"
    assert len(state["history"]["completed_prompts"]) == 2


def test_file_keeps_its_identity_only_when_it_is_rewritten_in_place(pipeline: Path) -> None:
    for step in milestone.completion()[1:]:
        path = pipeline / step.path
        before = path.stat().st_ino
        milestone.apply(step, pipeline)
        assert (path.stat().st_ino == before) != step.rename


def test_knowledge_adds_one_record(pipeline: Path) -> None:
    milestone.apply(milestone.knowledge(), pipeline)

    record = load(pipeline / milestone.RECORD)
    assert record["id"] == Path(milestone.RECORD).stem
    assert {"decisions", "pitfalls", "dependencies"} == set(record["details"])


@pytest.mark.parametrize("step", [*milestone.completion(), milestone.knowledge()], ids=lambda step: step.what)
def test_step_is_refused_where_the_text_is_another(step: milestone.Step) -> None:
    with pytest.raises(ValueError, match=r"found|already|does not end"):
        step.edit("something else\n")


def test_step_is_refused_the_second_time(pipeline: Path) -> None:
    complete(pipeline)
    for step in milestone.completion():
        with pytest.raises(ValueError, match=r"found|already|does not end"):
            milestone.apply(step, pipeline)


def test_archive_moves_everything_of_the_cycle(pipeline: Path) -> None:
    complete(pipeline)
    archived = {path.relative_to(pipeline) for name in ("prompts", "reports") for path in (pipeline / name).iterdir()}
    milestone.archive(pipeline)

    assert {path.name for path in pipeline.iterdir()} == {
        "architecture.md", "archives", "config.yaml", "design-spec.md", "knowledge", "log.yaml", "patches",
    }  # fmt: skip
    folder = pipeline / milestone.ARCHIVE
    assert {path.name for path in folder.iterdir()} == {
        "PROGRESS.md", "architecture-snapshot.md", "cycle.yaml", "prompts", "reports", "state.yaml", "summary.md",
    }  # fmt: skip
    assert {
        path.relative_to(folder) for name in ("prompts", "reports") for path in (folder / name).iterdir()
    } == archived
    assert load(folder / "cycle.yaml")["cycle"]["status"] == "completed"
    assert next(iter(log_entries(pipeline))) == "C3-ARCHIVE"


def test_archive_is_refused_before_the_completion_and_the_second_time(pipeline: Path) -> None:
    with pytest.raises(ValueError, match="not complete"):
        milestone.archive(pipeline)
    complete(pipeline)
    milestone.archive(pipeline)
    with pytest.raises(ValueError, match="is closed"):
        milestone.archive(pipeline)
