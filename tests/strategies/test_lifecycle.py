"""What counts as current and what as final, for each form of state.yaml (formats.md, 4.3 and 9.1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_strategies.lifecycle import (
    MilestoneId,
    current_reports,
    final_milestones,
    leading_id,
    milestones_of,
    read_standing,
    reports_elsewhere,
)

REPORTS = ["reports/00-read.report.md", "reports/01-write.report.md", "reports/m08-drain.md", "reports/M4.5-debt.md"]

STATE = """\
pipeline: {{status: {pipeline}}}
current: {{phase: executing, prompt_file: .pipeline/prompts/01-write.md, prompt_name: M02 / F001 - Write}}
milestones:
- {{id: M01, name: Read, prompt_file: .pipeline/prompts/00-read.md, status: {first}}}
- {{id: M02, name: Write, prompt_file: .pipeline/prompts/01-write.md, status: {second}}}
"""


def state(first: str = "pending", second: str = "pending", pipeline: str = "running", more: str = "") -> str:
    return STATE.format(first=first, second=second, pipeline=pipeline) + more


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("M07 / F001 - Hooks", MilestoneId((7,))),
        ("m08-drain.md", MilestoneId((8,))),
        ("M4.5-debt.md", MilestoneId((4, 5))),
        ("M4.report.md", MilestoneId((4,))),
        ("C14-M0-index.md", MilestoneId((0,), 14)),
        ("M2m-bridge.md", None),
        ("07-hooks.report.md", None),
        ("Model M3", None),
        ("", None),
    ],
)
def test_a_name_says_its_milestone_only_where_it_begins_with_it(text: str, found: MilestoneId | None) -> None:
    assert leading_id(text) == found


@pytest.mark.parametrize("prompt", [".pipeline/prompts/01-write.md", "01-write.md", "prompts/01-write.md"])
def test_the_current_report_is_called_as_the_current_prompt(prompt: str) -> None:
    assert current_reports(f"current: {{prompt_file: {prompt}}}", REPORTS) == {"reports/01-write.report.md"}


@pytest.mark.parametrize(
    ("text", "current"),
    [
        # no prompt and no Milestone: nothing is current, whatever the name says
        ("current: {phase: completed, prompt_file: null, prompt_name: M08 - Drain}", set()),
        ("current:", set()),
        ("", set()),
        ("[not, a, mapping]", set()),
        # the phase is completed, yet the prompt still points at the last report
        ("current: {phase: completed, prompt_file: 01-write.md}", {"reports/01-write.report.md"}),
        # the Milestone's own pointer, where the report is not called as the prompt
        (
            "current: {prompt_file: p/x.md}\nmilestones: [{id: M1, prompt_file: x.md, report_file: m08-drain.md}]",
            {"reports/m08-drain.md"},
        ),
        # a history item's pointer
        (
            "{current: {prompt_file: x.md}, history: {completed_prompts: [{prompt_file: x.md, report: M4.5-debt.md}]}}",
            {"reports/M4.5-debt.md"},
        ),
        # a pointer out of reports/ leads to no report of that name inside it
        (
            "current: {prompt_file: x.md}\nmilestones: [{prompt_file: x.md, report_file: .pipeline/audits/M4.5-debt.md}]",
            set(),
        ),
        # the id before the file name
        ("current: {prompt_file: m08-plan.md}", {"reports/m08-drain.md"}),
        ("current: {prompt_file: x.md}\nmilestones: [{id: M08, prompt_file: x.md}]", {"reports/m08-drain.md"}),
        ("current: {milestone_id: M4.5, prompt_file: null}", {"reports/M4.5-debt.md"}),
        # a first prompt without a report yet
        ("current: {prompt_file: 02-next.md, prompt_name: M03 - Next}", set()),
    ],
)
def test_pointers_to_the_current_report(text: str, current: set[str]) -> None:
    assert current_reports(text, REPORTS) == current


@pytest.mark.parametrize(
    ("pointer", "followed"),
    [
        (".pipeline/audits/audit-001.md", ["audits/audit-001.md"]),
        ("./.pipeline/audits/deep/审计.md", ["audits/deep/审计.md"]),
        ("audits/audit-001.md", ["audits/audit-001.md"]),
        (".pipeline/reports/00-a.report.md", []),
        ("00-a.report.md", []),
        (".pipeline/audits/findings.yaml", []),
        (".pipeline/audits/../../secret.md", []),
        (".pipeline//audits/a.md", []),
        ("../audits/a.md", []),
        ("/audits/a.md", []),
        (".pipeline/.hidden/a.md", []),
        (".pipeline/audits/.a.md", []),
        (".pipeline/prompts/00-a.md", []),
        (".pipeline/archives/C1-a/reports/00-a.report.md", []),
        ('"audits/a\\n.md"', []),
        (r'"audits\\a.md"', []),
        ('"audits/*.md"', ["audits/*.md"]),  # a name, no pattern
        (f"audits/{'a' * 300}.md", []),
    ],
)
def test_only_plain_paths_of_reports_elsewhere_are_followed(pointer: str, followed: list[str]) -> None:
    text = f"milestones: [{{id: M1, report_file: {pointer}}}]\nhistory: {{completed_prompts: [{{report: {pointer}}}]}}"

    assert list(reports_elsewhere(text)) == followed


@pytest.mark.parametrize(
    ("folder", "pointer"),
    [
        (".pipeline/docs/rep", ".pipeline/docs/rep/alpha.md"),
        (".pipeline/docs/rep", "docs/rep/alpha.md"),
        (".pipeline/docs/rep", "alpha.md"),
        (".pipeline/docs/rep", ".pipeline/reports/alpha.md"),
        ("docs/rep", "docs/rep/alpha.md"),
        ("docs/rep", "./docs/rep/alpha.md"),
    ],
)
def test_a_pointer_into_the_place_to_which_reports_were_moved_leads_to_the_report(folder: str, pointer: str) -> None:
    reports = ["reports/alpha.md", "reports/beta.md"]
    text = (
        "current: {prompt_file: x.md}\n"
        f"milestones: [{{id: M3, prompt_file: x.md, status: done, report_file: {pointer}}}]\n"
    )

    assert current_reports(text, reports, folder) == {"reports/alpha.md"}
    assert final_milestones(text, reports, folder) == {"M3 x"}
    assert milestones_of(text, reports, folder) == {"reports/alpha.md": MilestoneId((3,))}
    assert reports_elsewhere(text, folder) == ()


def test_no_state_makes_anyone_read_without_end() -> None:
    pointers = ", ".join(f"{{report: audits/{number}.md}}" for number in range(1000))

    assert len(reports_elsewhere(f"milestones: [{pointers}]")) == 200


def test_all_files_of_the_current_milestone_are_current() -> None:
    reports = ["reports/M0-a.md", "reports/M0-b-draft.md", "reports/M1-a.md", "reports/C2-M0-a.md"]

    assert current_reports("current: {prompt_file: m0-plan.md}", reports) == {*reports[:2], reports[3]}


def test_a_report_in_a_nested_folder_is_found_by_its_name() -> None:
    assert current_reports("current: {prompt_file: 01-a.md}", ["reports/x/01-a.report.md"]) == {
        "reports/x/01-a.report.md"
    }


def test_without_a_state_nothing_is_current_and_nothing_final() -> None:
    assert current_reports(None, REPORTS) == frozenset()
    assert final_milestones(None, REPORTS) == frozenset()


@pytest.mark.parametrize("status", ["done", "completed", "complete", "failed", "skipped", "deferred"])
def test_a_final_status_makes_a_milestone_final(status: str) -> None:
    assert final_milestones(state(first=status), REPORTS) == {"M01 00-read"}


@pytest.mark.parametrize(
    "status",
    ["running", "in_progress", "active", "pending", "stopped", "manual_validation", "pending_acceptance", "blocked"],
)
def test_a_milestone_under_way_is_not_final(status: str) -> None:
    assert final_milestones(state(first=status), REPORTS) == frozenset()


@pytest.mark.parametrize(("pipeline", "final"), [("aborted", True), ("blocked", True), ("stopped", False)])
def test_blocked_is_final_once_the_pipeline_stopped_for_good(pipeline: str, *, final: bool) -> None:
    assert bool(final_milestones(state(first="blocked", pipeline=pipeline), REPORTS)) is final


@pytest.mark.parametrize("result", ["pass", "pass_with_followups", "blocked", "aborted", "skipped"])
def test_a_history_item_is_final_whatever_its_result(result: str) -> None:
    history = f"history:\n  completed_prompts:\n  - {{prompt_file: 00-read.md, prompt_name: M01, result: {result}}}\n"

    assert final_milestones(state(more=history), REPORTS) == {"M01 00-read"}


@pytest.mark.parametrize(
    ("prompt_state", "final"),
    [
        ("{result: pass, finished_at: 2026-05-05T16:30:15+08:00}", True),
        ("{result: pass_after_repair, finished_at: '2026-05-05'}", True),
        ("{result: skipped, finished_at: '2026-05-05'}", True),
        ("{result: pass, finished_at: null}", False),
        ("{result: null, finished_at: '2026-05-05'}", False),
        ("{result: needs_revision, finished_at: '2026-05-05'}", False),
    ],
)
def test_a_finished_prompt_state_makes_the_current_milestone_final(prompt_state: str, *, final: bool) -> None:
    found = final_milestones(state(more=f"prompt_state: {prompt_state}\n"), REPORTS)

    assert found == ({"M02 01-write"} if final else frozenset())


def test_a_milestone_counts_once_however_often_the_state_says_it() -> None:
    more = (
        "prompt_state: {result: pass, finished_at: '2026-05-05'}\n"
        "history: {completed_prompts: [{prompt_file: .pipeline/prompts/01-write.md, result: pass}]}\n"
    )
    keys = [
        final_milestones(state(second=status, more=text), REPORTS)
        for status, text in [("done", ""), ("running", more), ("done", more)]
    ]

    assert keys == [{"M02 01-write"}] * 3


def test_a_milestone_without_its_report_is_not_yet_due() -> None:
    assert final_milestones(state(first="done", second="done"), REPORTS[:1]) == {"M01 00-read"}


def test_milestones_of_two_cycles_have_different_keys() -> None:
    first = "milestones: [{id: M01, prompt_file: 00-read.md, status: done}]"
    second = "milestones: [{id: M01, prompt_file: 01-write.md, status: done}]"

    assert final_milestones(first, REPORTS) != final_milestones(second, REPORTS)


def test_milestones_with_titles_alone_are_final_by_their_status() -> None:
    text = "milestones: [{id: M8, title: Drain, status: completed, current_step: x}, {id: M4.5, title: Debt}]"

    assert final_milestones(text, REPORTS) == {"M8 Drain"}


def test_one_report_may_serve_several_milestones() -> None:
    item = "{{prompt_file: p{0}.md, prompt_name: P{0}, result: pass, report: .pipeline/reports/m08-drain.md}}"
    text = f"history: {{completed_prompts: [{item.format(1)}, {item.format(2)}]}}"

    assert final_milestones(text, REPORTS) == {"p1", "p2"}


def test_items_that_fell_below_the_wrong_key_are_final_only_if_they_say_so() -> None:
    text = "history:\n  last: 1\n- {id: M8, name: Drain, status: pending}\n- {id: M4.5, name: Debt, status: done}\n"

    assert final_milestones(text, REPORTS) == {"M4.5 Debt"}


def test_one_bad_line_costs_that_line() -> None:
    broken = state(first="done", more="history:\n  completed_prompts:\n  - `x`\n  - {prompt_file: 01-write.md}\n")

    assert current_reports(broken, REPORTS) == {"reports/01-write.report.md"}
    assert final_milestones(broken, REPORTS) == {"M01 00-read", "M02 01-write"}
    assert read_standing(broken).readable


@pytest.mark.parametrize("text", ["current: {prompt_file: x", "current: `x`\nmilestones: []\n", "a: b: c"])
def test_a_state_whose_current_section_cannot_be_read_says_so(text: str) -> None:
    assert not read_standing(text).readable
    assert current_reports(text, REPORTS) == frozenset()


def test_the_state_says_of_which_milestone_a_report_is() -> None:
    text = "history: {completed_prompts: [{prompt_file: 00-read.md, prompt_name: M05 - Read}]}"

    assert milestones_of(text, REPORTS) == {"reports/00-read.report.md": MilestoneId((5,))}


@given(st.text(alphabet="currentmilestones: {}[]-\n\"'`M01.md,\ud800", max_size=200))
def test_no_state_raises(text: str) -> None:
    assert current_reports(text, REPORTS) <= set(REPORTS)
    assert final_milestones(text, REPORTS) == final_milestones(text, reversed(REPORTS))
