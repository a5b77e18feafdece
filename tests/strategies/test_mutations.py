"""A fact that the contract keeps changes its view when it changes; one that it drops does not.

The sources are those of the example project.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hypo_strategies.api import Options, Sources
from hypo_strategies.registry import STRATEGIES, compute, get_strategy

PIPELINE = Path(__file__).parents[1] / "example" / "project" / ".pipeline"
FILES = {
    path.relative_to(PIPELINE).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(PIPELINE.rglob("*"))
    if path.is_file()
}
REPORT = "reports/00-hole-spacing-engine.report.md"
CLOSED = "patches/P001-spine-rounding-direction.md"
OPEN = "patches/P003-missing-paper-stock-hint.md"
RECORD = "knowledge/records/C2-M04-f002-thread-swell-revision-5b20c1de.yaml"

KEPT = {
    "progress/title": ("PROGRESS.md", "# Sewing Templates", "# Stitching Templates"),
    "progress/current-status": ("PROGRESS.md", "正在执行 M03", "正在复查 M03"),
    "progress/newest-entry": ("PROGRESS.md", "聚焦测试 19/19", "聚焦测试 18/19"),
    "progress/unfinished-milestone": ("PROGRESS.md", "| M04 | F002 | Imposed", "| M04 | F002 | Proofed"),
    "progress/milestone-finished": ("PROGRESS.md", "🔄 进行中 | 套帖", "✅ 完成 | 套帖"),
    "progress/deferred": ("PROGRESS.md", "需要能打印 A3", "需要能打印 A2"),
    "progress/archived-cycle": (
        "archives/C2-cover-and-spine/summary.md",
        "C2 added spine width",
        "C2 brought spine width",
    ),
    "state/pipeline": ("state.yaml", "prompts_total: 5", "prompts_total: 6"),
    "state/current-step": ("state.yaml", "step: run_tests_green", "step: review_code"),
    "state/heartbeat": ("state.yaml", 'last_heartbeat: "2026-04-08T20:22', 'last_heartbeat: "2026-04-08T20:23'),
    "state/milestone-status": ("state.yaml", "status: in_progress", "status: blocked"),
    "state/newest-prompt-score": ("state.yaml", "diff_score: 2", "diff_score: 4"),
    "state/older-prompt-score": ("state.yaml", "test_coverage: 5", "test_coverage: 1"),
    "state/acceptance": ("state.yaml", "mode: manual", "mode: auto"),
    "log/older-rejection": ("log.yaml", "CYCLE-REJECTED-C2", "CYCLE-REFUSED-C2"),
    "log/older-type": ("log.yaml", "type: plan_generate", "type: plan_extend"),
    "log/quotes-of-a-newest-scalar": ("log.yaml", 'commit: "a17d03f"', "commit: a17d03f"),
    "reports/title": (REPORT, "# M01 / F001 - 孔位计算报告", "# M01 / F001 - 孔距计算报告"),
    "reports/result": (REPORT, "- 结果：pass", "- 结果：blocked"),
    "reports/score": (REPORT, "- diff_score：1", "- diff_score：3"),
    "reports/change": (REPORT, "新增 `stations()`", "重写 `stations()`"),
    "patches/title": (CLOSED, "书脊厚度取整方向错误", "书脊高度取整方向错误"),
    "patches/change": (CLOSED, "向上取整到 0.5 mm，封面", "向上取整到 0.4 mm，封面"),
    "patches/hash": (CLOSED, "`4c9e1b7`", "`4c9e1b8`"),
    "patches/closed": (OPEN, "状态: open", "状态: closed"),
    "patches/reopened": (CLOSED, "状态: closed", "状态: open"),
    "knowledge/decision": (RECORD, "缝线膨胀按帖数计算", "缝线膨胀按张数计算"),
    "knowledge/rationale": (RECORD, "按页数会高估薄纸书", "按页数会低估薄纸书"),
    "knowledge/prevention": (RECORD, "0.12 mm per section", "0.13 mm per section"),
    "knowledge/dependency": (RECORD, "name: src/quirefold/spine.py", "name: src/quirefold/spines.py"),
    "knowledge/source": (RECORD, "milestone: M04", "milestone: M05"),
}
DROPPED = {
    "progress/finished-milestone-summary": ("PROGRESS.md", "附 50 mm 校准尺", "附 40 mm 校准尺"),
    "progress/old-entry": ("PROGRESS.md", "P2 Decompose confirmed | 三个", "P2 Decompose confirmed | 四个"),
    "progress/patch-row": ("PROGRESS.md", "| P001 | closed | 03-27", "| P001 | closed | 03-26"),
    "progress/archived-milestone-row": ("archives/C2-cover-and-spine/summary.md", "grain direction", "paper direction"),
    "progress/archived-progress-file": ("archives/C2-cover-and-spine/PROGRESS.md", "#", "##"),
    "state/prompt-state": ("state.yaml", "Cases map to every expectation", "Cases map to most expectations"),
    "state/milestone-prompt-file": ("state.yaml", "prompts/03-imposed-pdf", "prompts/07-imposed-pdf"),
    "state/older-prompt-report": ("state.yaml", "reports/00-hole-spacing-engine.report", "reports/00-hole.report"),
    "state/comment": ("state.yaml", "milestones:\n", "milestones: # five of them\n"),
    "log/words-of-an-old-summary": ("log.yaml", "Cycle C1 accepted after", "Cycle C1 accepted before"),
    "log/tests-of-an-old-entry": ("log.yaml", "pytest -q: 29/29", "pytest -q: 28/28"),
    "log/failure-in-an-old-summary": ("log.yaml", "Opened Cycle C1", "Failed, blocked: Cycle C1"),
    "reports/step-evidence": (REPORT, "求解器 46 行", "求解器 47 行"),
    "reports/focused-tests": (REPORT, "- 聚焦测试：18/18", "- 聚焦测试：17/18"),
    "reports/next-steps": (REPORT, "M02 用这些距离画模板", "M02 用这些孔位画模板"),
    "reports/finished-milestone-name-in-state": ("state.yaml", "name: Hole Spacing", "name: Station Spacing"),
    "patches/severity": (CLOSED, "严重级: normal", "严重级: minor"),
    "patches/description": (CLOSED, "实测书芯 11.2 mm", "实测书芯 11.3 mm"),
    "patches/open-patch": (OPEN, "# P003", "# P003: "),
    "patches/status-in-the-body": (CLOSED, "## 描述\n", "## 描述\n\n- 状态: open\n"),
    "knowledge/reference": (RECORD, "title: C2 rejection feedback", "title: C2 acceptance feedback"),
    "knowledge/tags": (RECORD, "  - spine\n", "  - back\n"),
    "knowledge/files": (RECORD, "    - tests/test_spine.py", "    - tests/test_back.py"),
    "knowledge/index": ("knowledge/index/decisions.yaml", "category: decisions", "category: pitfalls"),
}


def view_of(name: str, files: dict[str, str]) -> str | None:
    strategy = get_strategy(name)
    wanted = {path: text for path, text in files.items() if strategy.wants(path)}
    return compute(strategy, Sources(wanted), Options()).text


def changed(path: str, old: str, new: str) -> dict[str, str]:
    assert old in FILES[path], "the example project no longer says that"
    return FILES | {path: FILES[path].replace(old, new, 1)}


@pytest.mark.parametrize("case", KEPT)
def test_change_of_a_kept_fact_changes_the_view(case: str) -> None:
    name = case.partition("/")[0]

    assert view_of(name, changed(*KEPT[case])) != view_of(name, FILES)


@pytest.mark.parametrize("case", DROPPED)
def test_change_of_a_dropped_fact_does_not_change_the_view(case: str) -> None:
    name = case.partition("/")[0]

    assert view_of(name, changed(*DROPPED[case])) == view_of(name, FILES)


def test_every_view_has_changes_of_both_kinds() -> None:
    for table in (KEPT, DROPPED):
        assert {case.partition("/")[0] for case in table} == {strategy.name for strategy in STRATEGIES}
