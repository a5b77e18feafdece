"""What the cases of the PROGRESS view do not show: which end is newest, the limits, and any text at all."""

from __future__ import annotations

from datetime import UTC

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypo_strategies._progress_entries import Entry, Segment, newest_first, time_of
from hypo_strategies._progress_milestones import is_done
from hypo_strategies._progress_read import section_kind
from hypo_strategies.api import Options, Sources, View
from hypo_strategies.registry import compute, get_strategy
from hypo_strategies.text.limits import MAX_BYTES, MAX_LINES, MAX_MARKDOWN_LINE
from hypo_strategies.text.phrase import Phrase

PIECES = st.sampled_from(
    [
        "# 进度\n",
        "> 最后更新：10:00 | 状态：running\n",
        "\n## 当前状态\n",
        "\n## 时间线\n",
        "\n## Milestone 进度\n",
        "\n## 下一步\n",
        "\n## Other\n",
        "| 时间 | 类型 | 事件 |\n|---|---|---|\n",
        "| # | Milestone | 状态 |\n|---|---|---|\n",
        "| 10:00 | Step | done |\n",
        "| M1 | x | ✅ |\n",
        "| M2 | y | pending |\n",
        "- 09:59 bullet\n",
        "- 2026-02-30T10:00:00Z no such day\n",
        "09:00 bare\n",
        "```\n",
        "prose\n",
        "\udcff\n",
        "|||\n",
        "|\n",
        "\r\n",
        "\x0b\x85\u2028",
    ]
)


def view(progress: str, *, archives: dict[str, str] | None = None, recent: int = 15) -> View:
    files = {"PROGRESS.md": progress} | (archives or {})
    return compute(get_strategy("progress"), Sources(files), Options(progress_recent=recent))


def lines(progress: str, *, archives: dict[str, str] | None = None, recent: int = 15) -> list[str]:
    text = view(progress, archives=archives, recent=recent).text
    assert text is not None
    return text.splitlines()


def timeline(rows: list[str]) -> str:
    return "## 时间线\n\n| 时间 | 事件 |\n|---|---|\n" + "".join(f"{row}\n" for row in rows)


def order(kind: str, *times: str, updated: str | None = None) -> list[int]:
    """Return the places in the file of the entries with these times, newest first."""
    entries = [Entry(f"{number}", time or None) for number, time in enumerate(times)]
    segment = Segment("row" if kind == "row" else "item", entries)
    return [int(entry.text) for entry in newest_first([segment], updated, UTC)]


@pytest.mark.parametrize(
    ("kind", "times", "updated", "expected"),
    [
        pytest.param("row", ["00:10", "23:50"], None, [0, 1], id="a table grows at its head, across midnight too"),
        pytest.param("item", ["23:50", "00:10"], None, [1, 0], id="a list grows at its end, across midnight too"),
        pytest.param("item", ["18:00", "17:00", "16:30"], None, [0, 1, 2], id="a list whose clocks go back"),
        pytest.param("row", ["09:00", "10:00", "11:00"], None, [2, 1, 0], id="a table whose clocks only go forward"),
        pytest.param("row", ["09:00", "10:00"], None, [0, 1], id="one step forward says nothing of a table"),
        pytest.param("row", ["09:00", "10:00"], "10:00", [1, 0], id="the last-updated time at the end of a table"),
        pytest.param("item", ["10:00", "10:30"], "10:00", [0, 1], id="the last-updated time at the head of a list"),
        pytest.param("item", ["18:03", "18:04"], "2026-04-30 18:04", [1, 0], id="a dated header, bare clocks"),
        pytest.param("item", ["", ""], None, [1, 0], id="a list without times grows at its end"),
        pytest.param("row", ["", ""], None, [0, 1], id="a table without times grows at its head"),
        pytest.param("item", ["12日 08:06", "12日 06:14", "06日 21:52"], None, [0, 1, 2], id="days without a month"),
        pytest.param("item", ["2026-05-01", "2026-05-02"], None, [1, 0], id="bare dates"),
        pytest.param("item", ["2026/5/2 09:00", "2026年5月1日 10:00"], None, [0, 1], id="dates that are not ISO"),
        pytest.param(
            "row",
            ["2026-05-01T10:00:00+08:00", "2026-05-01T03:00:00Z"],
            None,
            [1, 0],
            id="instants, not their spelling",
        ),
        pytest.param(
            "row",
            ["2026-05-03T10:00:00Z", "2026-05-01T10:00:00Z", "09:00", "2026-05-02T10:00:00Z"],
            None,
            [0, 3, 1, 2],
            id="an undated entry stays with the one above it",
        ),
    ],
)
def test_newest_is_known_by_place_header_and_full_dates(
    kind: str, times: list[str], updated: str | None, expected: list[int]
) -> None:
    assert expected == order(kind, *times, updated=updated)


def test_the_list_that_carries_the_last_updated_time_comes_first() -> None:
    older = Segment("item", [Entry("a", "09:00"), Entry("b", "09:30")])
    newer = Segment("item", [Entry("c", "08:00"), Entry("d", "08:15")])

    assert "".join(entry.text for entry in newest_first([older, newer], "08:15", UTC)) == "dcba"
    assert "".join(entry.text for entry in newest_first([older, newer], None, UTC)) == "badc"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**01:06** M1", "01:06"),
        ("`15:25` M0", "15:25"),
        ("[12日 08:06] x", "12日 08:06"),
        ("2026-05-08T00:32:39+08:00：M8", "2026-05-08T00:32:39+08:00"),
        ("M1 at 10:00", None),
        ("1:1 ratio", None),
        ("", None),
    ],
)
def test_the_time_of_an_entry_is_the_one_it_begins_with(text: str, expected: str | None) -> None:
    assert expected == time_of(text)


@pytest.mark.parametrize(
    "status",
    [
        "✅ 完成",
        "done",
        "**Completed**",
        "complete",
        "closed",
        "已完成",
        "完成",
        "[x]",
        "pass_with_warning",
        "完成 7/7",
    ],
)
def test_a_finished_milestone_is_known(status: str) -> None:
    assert is_done(status)


@pytest.mark.parametrize(
    "status",
    [
        "pending",
        "未完成",
        "部分完成",
        "完成度 30%",
        "完成 3/7",
        "🔄 进行中",
        "incomplete",
        "deferred",
        "failed",
        "",
        "doneish",
    ],
)
def test_an_unfinished_milestone_is_not_taken_for_finished(status: str) -> None:
    assert not is_done(status)


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("当前状态", "current"),
        ("1. Current status", "current"),
        ("Cycle", "current"),
        ("🎯 下一步", "status"),
        ("Deferred 项", "status"),
        ("Next Milestones", "status"),
        ("C3 特别门禁", "status"),
        ("基本设置", "status"),
        ("Recent activity", "timeline"),
        ("最近活动", "timeline"),
        ("Milestone 进度", "milestones"),
        ("里程碑进度", "milestones"),
        ("Patch 轨道", "patches"),
        ("已归档 Cycle", "other"),
        ("OpenCode", None),
        ("验证", None),
    ],
)
def test_headings_are_known_in_both_languages(title: str, kind: str | None) -> None:
    assert kind == section_kind(title)


def test_two_hundred_archived_cycles_leave_the_newest_and_say_how_many_are_gone() -> None:
    archives = {
        f"archives/C{number}-slug/cycle.yaml": f"cycle:\n  name: 名称{number}\n  summary: {'很长的一句话' * 60}\n"
        for number in range(1, 201)
    }
    rows = [f"| 10:{number:02} | {'事件' * 300} {number} |" for number in range(20)]

    shown = lines(timeline(rows), archives=archives)

    cycles = [line for line in shown if line.startswith("- C")]
    assert cycles[-1].startswith("- C200 · ")
    assert any(f" {200 - len(cycles)} " in line for line in shown if line.startswith("…"))
    assert len(cycles) > 50
    assert sum(line.startswith("| 10:") for line in shown) == 15
    assert len(shown) <= MAX_LINES
    assert sum(len(line.encode()) + 1 for line in shown) <= MAX_BYTES


def test_no_more_than_sixty_lines_are_neither_an_entry_nor_a_cycle() -> None:
    sections = "".join(
        f"## {title}\n\n" + "".join(f"- {title} {number} 的内容\n" for number in range(40))
        for title in (
            "当前状态",
            "下一步",
            "Deferred",
            "Blockers",
            "基本设置",
            "C1 门禁",
            "风险",
            "目标",
            "待办",
            "后续",
        )
    )
    milestones = "## Milestones\n\n| # | Milestone | 状态 |\n|---|---|---|\n" + "".join(
        f"| M{number} | m | pending |\n" for number in range(50)
    )
    rows = [f"| 10:{number:02} | e{number} |" for number in range(40)]

    shown = lines(f"# T\n\n{sections}{milestones}{timeline(rows)}", archives={"archives/C1-a/summary.md": "# C1 A\n"})

    others = [line for line in shown if not line.startswith(("| 10:", "- C1 ·"))]
    assert len(others) <= 60
    assert "- 当前状态 0 的内容" in shown
    assert "- Deferred 0 的内容" in shown


@pytest.mark.parametrize("recent", [1, 15, 500])
def test_the_limits_hold_however_many_entries_are_asked_for(recent: int) -> None:
    rows = [f"| {number % 24:02}:{number % 60:02} | {'事件' * 700} {number} |" for number in range(600)]

    shown = lines(timeline(rows), recent=recent)

    entries = [line for line in shown if line[:3] in {f"| {digit}" for digit in "012"}]
    assert len(shown) <= MAX_LINES
    assert sum(len(line.encode()) + 1 for line in shown) <= MAX_BYTES
    assert max(map(len, shown)) <= MAX_MARKDOWN_LINE
    assert all(entry.endswith(" |") for entry in entries)
    assert any(f"{len(entries)}/600" in line for line in shown)


@pytest.mark.parametrize("heading", ["## 时间线", "## 下一步", "## Milestones", "## 其他"])
def test_a_row_without_a_cell_is_no_entry(heading: str) -> None:
    table = f"{heading}\n\n| Milestone | Status |\n|---|---|\n|\n| M1 | pending |\n"

    shown = lines(table, archives={"archives/C1-a/summary.md": table})

    assert "## Milestone 进度 · 已完成 0/1 个 Milestone" in shown
    assert "| M1 | pending |" in shown
    assert "- C1 · a · archived · Milestone 0/1" in shown


def test_a_fact_that_the_status_shares_with_an_entry_is_said_once() -> None:
    bullet = "- M2 的全部测试已经通过，报告也已经生成，等待验收"

    shown = lines(f"## 当前状态\n\n{bullet}\n- 其他\n\n## 最近活动\n\n{bullet}\n")

    assert shown.count(bullet) == 1
    assert shown.index("- 其他") < shown.index(bullet)


def test_an_empty_settings_table_keeps_its_header() -> None:
    assert "| 项目 | 值 |" in lines("## 基本设置\n\n| 项目 | 值 |\n|---|---|\n")


def test_a_long_code_block_is_cut_with_its_fence_closed() -> None:
    shown = lines("## 当前状态\n\n```text\n" + "".join(f"line {number}\n" for number in range(50)) + "```\n")

    assert sum(line.startswith("```") for line in shown) == 2


def test_an_unreadable_archive_file_is_named_and_its_cycle_stays() -> None:
    sources = Sources({"PROGRESS.md": "# P\n"}, {"archives/C3-slug/summary.md": Phrase("permission denied")})

    result = compute(get_strategy("progress"), sources, Options())

    assert result.text is not None
    assert "- C3 · slug · archived\n" in result.text
    assert "archives/C3-slug/summary.md" in result.text
    assert [(finding.path, finding.severity) for finding in result.findings] == [
        ("archives/C3-slug/summary.md", "warning")
    ]


def test_archives_without_progress_give_no_view() -> None:
    sources = Sources({"archives/C1-a/summary.md": "# C1 A\n"})

    assert compute(get_strategy("progress"), sources, Options()) == View(None)


@given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=200), st.integers(1, 30))
@settings(deadline=None)
def test_any_text_gives_the_same_view_twice_within_the_limits(text: str, recent: int) -> None:
    result = view(text, archives={"archives/C2-x/summary.md": text, "archives/C2-x/cycle.yaml": text}, recent=recent)

    assert result == view(
        text, archives={"archives/C2-x/cycle.yaml": text, "archives/C2-x/summary.md": text}, recent=recent
    )
    assert result.text is not None
    shown = result.text.splitlines()
    assert result.text.encode()
    assert len(shown) == result.text.count("\n") <= MAX_LINES
    assert max(map(len, shown)) <= MAX_MARKDOWN_LINE
    facts = [line for line in shown if line.startswith(("|", "- ")) and len(line) > 24]
    assert len(facts) == len(set(facts))
