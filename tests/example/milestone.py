"""What a session writes into the example project: M03 completes, a knowledge record is added, Cycle C3 is closed.

The order and the way of writing are those of real projects: the report first, then the state, the log, PROGRESS.md,
and last the state again, which moves on to the next prompt. The project in `project/` is never changed; copy it first.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
PROJECT = HERE / "project"
ARCHIVE = "archives/C3-sewing-and-export"
REPORT = "reports/02-creep-compensation.report.md"
RECORD = "knowledge/records/C3-M03-f002-creep-compensation-2fd8a960.yaml"

_WRITTEN = HERE / "written"  # the files that are new, as they will lie in `.pipeline/`
_MOVED = ("prompts", "reports", "PROGRESS.md", "state.yaml", "cycle.yaml")
_COMPLETED = "2026-04-08T20:47:36+08:00"
_CLOSED = "2026-04-09T09:30:00+08:00"


@dataclass(frozen=True, slots=True)
class Step:
    """One write: what it says, the file below `.pipeline/`, the edit, and whether the file is replaced or rewritten.

    `edit` takes the old text ("" for a new file) and gives the new one; it raises ValueError when the old text is not
    what it expects. `rename` is true where a temporary file is renamed over the target, false where it is rewritten in place.
    """

    what: str
    path: str
    edit: Callable[[str], str]
    rename: bool


def completion() -> tuple[Step, ...]:
    """Return the writes of a completed M03, in order; after the second state M03 is history and M04 is current."""
    return (
        Step("M03: the report is written", REPORT, _new(REPORT), rename=False),
        Step("M03: the state is final", "state.yaml", _finish_milestone, rename=True),
        Step("M03 complete, M04 started in the log", "log.yaml", _log_completion, rename=False),
        Step("M03: the board is refreshed", "PROGRESS.md", _refresh_board, rename=False),
        Step("M04 is the current Milestone", "state.yaml", _advance_to_next_prompt, rename=True),
    )


def knowledge() -> Step:
    """Return the write of a new knowledge record; its indexes are left as they are, as between two writes of a session."""
    return Step("M03: what was learned is recorded", RECORD, _new(RECORD), rename=False)


def apply(step: Step, pipeline: Path) -> None:
    """Write one step into `pipeline`, the `.pipeline/` folder of a copy of the project.

    Raises:
        ValueError: the file's text is not what the step edits, for example because it was applied before.
    """
    path = pipeline / step.path
    new = step.edit(path.read_text(encoding="utf-8") if path.exists() else "")
    if step.rename:
        milliseconds = time.time_ns() // 1_000_000
        temporary = path.with_name(f"{path.name}.tmp-{os.getpid()}-{milliseconds}-0")
        temporary.write_text(new, encoding="utf-8")
        temporary.replace(path)
    else:
        path.write_text(new, encoding="utf-8")


def archive(pipeline: Path) -> None:
    """Close Cycle C3, whose M03 is complete: whole folders move into the archive, then its summary and the log are written.

    Raises:
        ValueError: the completion was not applied, or the Cycle is closed already.
    """
    state = pipeline / "state.yaml"
    if not state.exists() or "prompts_completed: 3" not in state.read_text(encoding="utf-8"):
        raise ValueError(
            f"{state}: M03 is not complete, or the Cycle is closed; apply completion() first, archive() once"
        )
    apply(Step("C3 is completed", "cycle.yaml", _close_cycle, rename=True), pipeline)
    (pipeline / ARCHIVE).mkdir()
    for name in _MOVED:
        (pipeline / name).rename(pipeline / ARCHIVE / name)
    shutil.copyfile(pipeline / "architecture.md", pipeline / ARCHIVE / "architecture-snapshot.md")
    summary = f"{ARCHIVE}/summary.md"
    apply(Step("C3: the summary is written", summary, _new(summary), rename=False), pipeline)
    apply(Step("C3: the log says that it is archived", "log.yaml", _log_archive, rename=True), pipeline)


def _new(path: str) -> Callable[[str], str]:
    def edit(text: str) -> str:
        if text:
            raise ValueError(f"{path}: is there already")
        return (_WRITTEN / path).read_text(encoding="utf-8")

    return edit


def _replace(text: str, old: str, new: str) -> str:
    if text.count(old) != 1:
        raise ValueError(f"found {text.count(old)} times instead of once: {old!r}")
    return text.replace(old, new)


def _finish_milestone(text: str) -> str:
    text = _replace(text, 'last_heartbeat: "2026-04-08T20:22:10+08:00"\n', f'last_heartbeat: "{_COMPLETED}"\n')
    text = _replace(
        text,
        "    prompt_file: .pipeline/prompts/02-creep-compensation.md\n    status: in_progress\n",
        "    prompt_file: .pipeline/prompts/02-creep-compensation.md\n    status: done\n",
    )
    text = _replace(
        text,
        """\
  updated_at: "2026-04-08T20:22:10+08:00"
  finished_at: null
  result: null
  diff_score: null
  code_quality: null
""",
        f"""\
  updated_at: "{_COMPLETED}"
  finished_at: "{_COMPLETED}"
  result: pass
  diff_score: 2
  code_quality: 5
""",
    )
    return _replace(
        text,
        """\
      status: running
      executor: self
      started_at: "2026-04-08T20:22:10+08:00"
      finished_at: null
      notes: null
    - name: review_code
      status: pending
      executor: self
      started_at: null
      finished_at: null
      notes: null
""",
        f"""\
      status: done
      executor: self
      started_at: "2026-04-08T20:22:10+08:00"
      finished_at: "2026-04-08T20:36:41+08:00"
      notes: "Focused 19/19, full suite 136/136, quirefold check passes on the A5 example."
    - name: review_code
      status: done
      executor: self
      started_at: "2026-04-08T20:36:41+08:00"
      finished_at: "{_COMPLETED}"
      notes: Removed one rounding in the middle of the calculation; no other findings.
""",
    )


def _log_completion(text: str) -> str:
    last = """\
    tests: "python -m pytest -q tests/test_creep.py: 19/19 passed"
    trigger: auto
    related_milestone: M03
"""
    if not text.endswith(last):
        raise ValueError("the log does not end with M03's green run")
    return f"""\
{text}\
  - id: "M03-COMPLETE-C3"
    type: milestone_complete
    ref: C3/M03
    status: completed
    timestamp: "{_COMPLETED}"
    summary: "Completed Creep Compensation; eight nested sheets are within 0.08 mm of the measured dummy."
    report: .pipeline/{REPORT}
    tests: "python -m pytest -q tests/test_creep.py: 19/19 passed; python -m pytest -q: 136/136 passed"
    trigger: auto
    related_milestone: M03
  - id: "M04-START-C3"
    type: milestone_start
    ref: C3/M04
    status: active
    timestamp: "{_COMPLETED}"
    summary: "Auto-continued to Imposed PDF Export after M03 passed."
    report: .pipeline/prompts/03-imposed-pdf-export.md
    trigger: auto
    related_milestone: M04
"""


def _refresh_board(text: str) -> str:
    text = _replace(
        text,
        "> 最后更新：20:22 | 状态：进行中 | 进度：2/5 Milestone\n",
        "> 最后更新：20:47 | 状态：进行中 | 进度：3/5 Milestone\n",
    )
    text = _replace(
        text,
        "F001 锁线模板已完成，正在执行 M03 / F002 爬移补偿（`run_tests_green`）。"
        "两步实现都已落地，等待全量测试转绿后写报告；P003 仍为 open，不阻塞本 Milestone。",
        "M03 / F002 爬移补偿已通过，报告已生成；正在执行 M04 / F002 拼版 PDF 导出（`write_tests`）。P003 仍为 open。",
    )
    text = _replace(
        text,
        "| 🔄 进行中 | 套帖爬移模型与拼版接入已实现，等待测试转绿 |",
        "| ✅ 完成 | 套帖爬移模型接入拼版，八张套帖误差 0.08 mm |",
    )
    text = _replace(text, "| ⏳ 待执行 | 双面拼版 PDF", "| 🔄 进行中 | 双面拼版 PDF")
    newest = "| 20:22 | Step | M03 run_tests_green started |"
    return _replace(
        text,
        newest,
        f"""\
| 20:47 | Milestone | M03 completed | 报告已生成，进入 M04 `write_tests` |
| 20:45 | Step | M03 review_code | 去掉一处多余的中间取整，其余没有问题 |
| 20:36 | Step | M03 run_tests_green | 136/136 通过，`quirefold check` 通过 |
{newest}""",
    )


def _advance_to_next_prompt(text: str) -> str:
    text = _replace(text, "  prompts_completed: 2\n", "  prompts_completed: 3\n")
    text = _replace(
        text,
        """\
  prompt_index: 2
  prompt_file: .pipeline/prompts/02-creep-compensation.md
  prompt_name: M03 / F002 - Creep Compensation
  step: run_tests_green
  step_index: 4
""",
        """\
  prompt_index: 3
  prompt_file: .pipeline/prompts/03-imposed-pdf-export.md
  prompt_name: M04 / F002 - Imposed PDF Export
  step: write_tests
  step_index: 0
""",
    )
    text = _replace(
        text,
        "    prompt_file: .pipeline/prompts/03-imposed-pdf-export.md\n    status: pending\n",
        "    prompt_file: .pipeline/prompts/03-imposed-pdf-export.md\n    status: in_progress\n",
    )
    before, found, rest = text.partition("prompt_state:\n")
    finished, history, after = rest.partition("history:\n")
    if not found or not history or "  result: pass\n" not in finished:
        raise ValueError("prompt_state is not that of the finished M03")
    return _replace(
        f"{before}{_FRESH_PROMPT_STATE}{history}{after}",
        "acceptance:\n  scope: cycle\n",
        f"{_HISTORY_ITEM}acceptance:\n  scope: cycle\n",
    )


_FRESH_PROMPT_STATE = f"""\
prompt_state:
  started_at: "{_COMPLETED}"
  updated_at: "{_COMPLETED}"
  finished_at: null
  result: null
  diff_score: null
  code_quality: null
  steps:
    - name: write_tests
      status: running
      executor: self
      started_at: "{_COMPLETED}"
      finished_at: null
      notes: null
"""

_HISTORY_ITEM = f"""\
    - prompt_index: 2
      prompt_file: .pipeline/prompts/02-creep-compensation.md
      prompt_name: M03 / F002 - Creep Compensation
      result: pass
      report_file: .pipeline/{REPORT}
      completed_at: "{_COMPLETED}"
      evaluation:
        diff_score: 2
        code_quality: 5
        test_coverage: 5
        complexity: 2
        architecture_drift: 1
        overall: 1
        adaptive_threshold: 3
        warnings: []
"""


def _close_cycle(text: str) -> str:
    text = _replace(text, "  status: active\n", "  status: completed\n")
    text = _replace(text, "    state: null\n", f'    state: accepted\n    accepted_at: "{_CLOSED}"\n')
    return _replace(text, "  finished: null\n", f'  finished: "{_CLOSED}"\n')


def _log_archive(text: str) -> str:
    head = "entries:\n"
    if not text.startswith(head):
        raise ValueError("the log does not begin with its entries")
    return f"""\
{head}\
  - id: "C3-ARCHIVE"
    type: cycle_archive
    ref: C3
    status: completed
    timestamp: "{_CLOSED}"
    summary: "Archived C3 into .pipeline/{ARCHIVE}; M04 and M05 move to the next Cycle."
    report: .pipeline/{ARCHIVE}/summary.md
    trigger: manual
{text.removeprefix(head)}"""
