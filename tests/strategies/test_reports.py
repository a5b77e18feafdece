"""What the reports view must hold beside the cases: limits, lost files, and how single lines are read."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypo_strategies._report_change import changes
from hypo_strategies._report_conclusion import conclusion, is_phase_outcome
from hypo_strategies._report_headings import kind_of
from hypo_strategies._report_identity import may_be_report, milestone_of
from hypo_strategies._report_outline import outline
from hypo_strategies._report_scores import gives_score, name_of, number_of, scores
from hypo_strategies._report_text import one_line, says_something
from hypo_strategies.api import Finding, Options, Sources, View
from hypo_strategies.lifecycle import leading_id
from hypo_strategies.registry import compute, get_strategy
from hypo_strategies.text.limits import MAX_BYTES, MAX_LINES
from hypo_strategies.text.phrase import Phrase, phrase

REPORT = "# M{0:02} Report - Part {0}\n\n- 结果：pass\n- diff_score：2\n\n## 变更\n\n{1}\n"


def view(files: dict[str, str], unreadable: dict[str, str] | None = None, **options: Any) -> View:
    reasons = {path: Phrase(why) for path, why in (unreadable or {}).items()}
    return compute(get_strategy("reports"), Sources(files, reasons), replace(Options(), **options))


def text_of(files: dict[str, str], **options: Any) -> str:
    text = view(files, None, **options).text
    assert text is not None
    return text


def many(count: int, changed: str = "- 新增入口") -> dict[str, str]:
    return {f"reports/{number:03}-part.report.md": REPORT.format(number, changed) for number in range(count)}


def headings(text: str) -> list[str]:
    return re.findall(r"(?m)^## .*\((.*)\)$", text)


def size_holds(text: str) -> bool:
    return text.count("\n") <= MAX_LINES and len(text.encode()) <= MAX_BYTES


def test_three_hundred_reports_keep_the_newest_whole_and_say_how_many_others_there_are() -> None:
    text = text_of(many(300))
    shown = headings(text)

    assert size_holds(text)
    assert shown == [f"{number:03}-part.report.md" for number in range(300 - len(shown), 300)]
    assert f"… 另有 {300 - len(shown)} 份报告，见 reports/" in text.split("\n## ")[0]
    assert text.count("- 变更：新增入口") == len(shown) > 50


@pytest.mark.parametrize(("sign", "shown"), [("改", ["1-part.report.md"]), ("😀", [])])
def test_blocks_too_large_for_a_view_are_counted(sign: str, shown: list[str]) -> None:
    changed = "\n".join(f"- {number:03}{sign * 87}" for number in range(200))
    files = {f"reports/{number}-part.report.md": REPORT.format(number, changed) for number in range(2)}
    text = text_of(files, reports_summary_lines=50)

    assert size_holds(text)
    assert headings(text) == shown
    assert f"… 另有 {2 - len(shown)} 份报告，见 reports/" in text.split("\n## ")[0]


def test_reports_with_much_to_say_get_shorter_lines_before_any_is_left_out() -> None:
    changed = "\n".join(f"- 新增第 {number} 个入口，并说明它为什么需要、怎样使用、怎样测试" for number in range(30))
    text = text_of(many(50, changed))

    assert size_holds(text)
    assert len(headings(text)) == 50
    assert "份报告" not in text


def test_a_report_that_cannot_be_read_is_named_before_the_first_block() -> None:
    lost = {"reports/10-part.report.md": "too large", "reports/2-part.report.md": "permission denied"}
    found = view(many(2), lost)

    assert found.text is not None
    assert "无法读取：2-part.report.md, 10-part.report.md" in found.text.split("\n## ")[0].split("\n")
    assert found.findings == (
        Finding("reports/2-part.report.md", Phrase("permission denied"), severity="warning"),
        Finding("reports/10-part.report.md", Phrase("too large"), severity="warning"),
    )


@pytest.mark.parametrize("length", range(15, 35))
def test_as_many_unreadable_reports_are_named_as_fit_and_the_others_counted(length: int) -> None:
    names = [f"{number:0{length}}.md" for number in range(100)]
    found = view(many(1), {f"reports/{name}": "denied" for name in names})

    assert found.text is not None
    assert len(found.findings) == 100
    (line,) = re.findall("(?m)^无法读取：.*$", found.text)
    shown = line.count(".md")
    more = f" … 另有 {100 - shown} 份报告，见 reports/"
    assert line == "无法读取：" + ", ".join(names[:shown]) + more
    assert 500 - length - 6 < len(line) <= 500


@pytest.mark.parametrize("more", [0, 1])
def test_the_name_of_an_unreadable_report_can_be_too_long_for_a_line(more: int) -> None:
    lost = [f"reports/{'a-folder/' * 60}01.md", "reports/other.md"][: 1 + more]
    text = view(many(1), dict.fromkeys(lost, "denied")).text

    assert text is not None
    (line,) = re.findall("(?m)^无法读取：.*$", text)
    assert len(line) == 500
    assert line.endswith(" … 另有 1 份报告，见 reports/" if more else "…")


def test_an_unreadable_report_outside_of_the_folder_is_named_by_its_whole_path() -> None:
    state = "history: {completed_prompts: [{report: .pipeline/audits/a.md}]}"
    lost = {"audits/a.md": "permission denied", "audits/b.md": "nobody points here"}
    found = view(many(1) | {"state.yaml": state}, lost, language="en")

    assert found.text is not None
    assert "unreadable: .pipeline/audits/a.md\n" in found.text
    assert list(map(str, found.findings)) == ["audits/a.md: permission denied"]


def test_where_reports_were_moved_the_state_s_pointers_lead_to_them() -> None:
    state = """\
current: {prompt_file: x.md}
milestones:
- {id: M3, prompt_file: x.md, report_file: docs/reports/alpha.md}
- {id: M2, report_file: docs/reports/gamma.md}
- {id: M10, report_file: docs/reports/beta.md}
"""
    names = ("alpha", "beta", "gamma")
    files = {f"reports/{name}.md": f"# {name.title()}\n\nResult: pass\n" for name in names} | {"state.yaml": state}
    strategy = get_strategy("reports")
    sources = Sources(files, names={"reports": "docs/reports"})

    assert strategy.follows(sources) == ()
    text = compute(strategy, sources, Options()).text
    assert headings(text or "") == ["gamma.md", "beta.md"]


def test_an_unreadable_current_report_is_no_loss() -> None:
    files = {**many(1), "state.yaml": "current: {prompt_file: 07-part.md}"}

    assert view(files, {"reports/07-part.report.md": "denied"}).findings == ()


def test_when_no_historical_report_can_be_read_the_view_is_withdrawn() -> None:
    files = {"state.yaml": "current: {prompt_file: 000-part.md}", **many(1)}
    found = view(files, {"reports/01-part.report.md": "denied"})

    assert found.text is None
    assert found.findings == (Finding("reports/01-part.report.md", Phrase("denied")),)


def test_an_unreadable_state_is_said() -> None:
    found = view(many(1), {"state.yaml": "permission denied"})

    assert found.text is not None
    assert [(finding.path, finding.severity) for finding in found.findings] == [("state.yaml", "warning")]


def test_a_report_of_endless_length_is_read_in_part_and_said() -> None:
    report = "\n" + REPORT.format(1, "- 新增入口\n")
    whole = report + "x" * (199_980 - len(report)) + "\nnineteen characters"
    found = view({"reports/01.report.md": whole})
    longer = view({"reports/01.report.md": whole + "\nmore\n"})

    assert found.text == longer.text
    assert "- 结果：pass" in (found.text or "")
    assert found.findings == ()
    problem = Phrase("too long for a report, the rest is not read")
    line = whole.count("\n") + 1
    assert longer.findings == (Finding("reports/01.report.md", problem, line, severity="warning"),)


def test_lines_that_are_not_utf8_are_a_warning() -> None:
    found = view({"reports/01.report.md": REPORT.format(1, "- a\udce9b\n- c\udce9d")})

    problem = phrase("lines that are not UTF-8: {count}", count=2)
    assert found.findings == (Finding("reports/01.report.md", problem, 8, severity="warning"),)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 6])
def test_a_block_has_no_more_lines_than_asked_for(count: int) -> None:
    changed = "\n".join(f"- {'word ' * 80}{number}" for number in range(20))
    block = text_of(many(1, changed), reports_summary_lines=count).strip().split("\n## ")[1].split("\n")

    assert len(block) - 1 == count
    assert all(len(line) <= 500 for line in block)


def test_a_long_title_leaves_the_file_name_whole() -> None:
    name = "01-" + "x" * 200 + ".report.md"
    text = text_of({f"reports/{name}": f"# {'title ' * 300}\n\nResult: pass\n"})

    (heading,) = re.findall("(?m)^## .*$", text)
    assert len(heading) == 500
    assert heading.endswith(f"… ({name})")


@pytest.mark.parametrize("title", ["# M01", ""])
def test_a_path_of_endless_length_is_cut(title: str) -> None:
    text = text_of({f"reports/{'a-folder/' * 200}01.report.md": f"{title}\n\nResult: pass\n"})

    (heading,) = re.findall("(?m)^## .*$", text)
    assert len(heading) <= 500


def test_a_piece_that_is_too_long_leaves_room_for_the_next() -> None:
    endless = "word " * 200
    (alone,) = re.findall("(?m)^- 结论：.*$", text_of({"reports/01.report.md": f"# M01\n\n## 结果\n\n{endless}"}))
    (first,) = re.findall(
        "(?m)^- 结论：.*$", text_of({"reports/01.report.md": f"# M01\n\n## 结果\n\n{endless}\n\nOne."})
    )

    assert alone.endswith("word…")
    assert 490 < len(alone) <= 500
    assert first.endswith("word… · One.")
    assert 370 < len(first) < 400


def test_a_conclusion_has_one_line_and_counts_what_it_leaves_out() -> None:
    said = "".join(f"- Reader {number} can {'read and ' * 10}write.\n" for number in range(20))
    block = text_of({"reports/01.report.md": f"# M01\n\n## 结果\n\n{said}"}).strip().split("\n## ")[1].split("\n")

    assert len(block) == 2
    assert block[1].endswith(f" … 另有 {20 - block[1].count('Reader')} 条")


def test_pieces_that_do_not_fit_are_counted() -> None:
    text = text_of(many(1, "\n".join(f"- change {'word ' * 30}{number}" for number in range(9))))
    (line,) = re.findall("(?m)^- 变更：.*$", text)
    shown = line.count("change word")

    assert 1 < shown < 9
    assert line.endswith(f" … 另有 {9 - shown} 条")


@pytest.mark.parametrize("length", range(10, 35))
def test_as_many_scores_are_told_as_fit_and_the_others_counted(length: int) -> None:
    rows = "".join(f"| {'C' * length} {number:03} | {number} |\n" for number in range(100))
    text = text_of({"reports/audit.md": f"# Audit\n\n| Component | Score |\n|---|---|\n{rows}"})
    (line,) = re.findall("(?m)^- 评分：.*$", text)

    assert 500 - length - 10 < len(line) <= 500
    assert line.endswith(f" … 另有 {100 - line.count('=')} 条")


@pytest.mark.parametrize("language", ["zh-CN", "en"])
def test_no_line_is_a_label_without_a_text(language: str) -> None:
    hollow = "# M01 Report\n\n- Result:\n- Decision：{decision}\n\n## 结果\n\n结果：\n\n## 变更\n\n- 新增：\n- \n- {x}\n\n## 评分\n\n- diff_score: n/a\n"
    block = text_of({"reports/01.report.md": hollow}, language=language).split("\n## ")[1].strip().split("\n")[1:]

    assert not [line for line in block if line.rstrip().endswith((":", "："))]
    assert all("{" not in line for line in block)


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Changes", "change"),
        ("变更", "change"),
        ("3. 主要变更", "change"),
        ("3. 结果", "result"),
        ("二、决策：", "decision"),
        ("改动摘要", "change"),
        ("✅ 完成内容", "change"),
        ("交付内容", "deliverable"),
        ("产出", "deliverable"),
        ("Delivered Milestones", "deliverable"),
        ("结果", "result"),
        ("Result", "result"),
        ("总结建议", "conclusion"),
        ("Overall Verdict: ALL PASS", "conclusion"),
        ("决策", "decision"),
        ("Key Decisions", "other"),
        ("后续决策", "aside"),
        ("推荐架构", "aside"),
        ("修改建议", "aside"),
        ("Next steps", "aside"),
        ("测试结果", "phase"),
        ("GREEN", "phase"),
        ("Step 状态", "phase"),
        ("Validation Result", "phase"),
        ("摘要", "summary"),
        ("TL;DR", "summary"),
        ("评估", "evaluation"),
        ("Score", "evaluation"),
        ("本地原型观察", "other"),
        ("✅ 全部通过", "conclusion"),
    ],
)
def test_a_heading_announces_what_is_below_it(title: str, kind: str) -> None:
    assert kind_of(title) == kind


@pytest.mark.parametrize(
    "text",
    [
        "17/17 focused tests passed",
        "`core/test/a.js`: 5/5 passed",
        "node --test — 45/45 passed",
        "GREEN: all",
        "RED 阶段：按预期失败",
        "失败符合预期，原因是尚未实现",
        "failed as expected",
        "20/20 — No issues",
        "482 passed, 3 skipped",
        "12/12 通过",
    ],
)
def test_the_outcome_of_a_phase_is_known(text: str) -> None:
    assert is_phase_outcome(text)


@pytest.mark.parametrize(
    "text",
    [
        "pass",
        "pass (17/17 focused tests passed)",
        "M03 已完成：17/17 passed",
        "7/7 Milestones completed",
        "通过。17/17 passed",
        "Every check of M01 is green.",
        "GREEN",
        "the release failed",
    ],
)
def test_the_outcome_of_a_report_is_not_taken_for_a_phases(text: str) -> None:
    assert not is_phase_outcome(text)


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Diff Score", "diff_score"),
        ("`diff_score`", "diff_score"),
        ("总体 diff_score", "diff_score"),
        ("Overall diff_score", "diff_score"),
        ("**Diff-score** (1-5)", "diff_score"),
        ("质量评分", "code_quality"),
        ("Code quality", "code_quality"),
        ("架构漂移", "architecture_drift"),
        ("Overall", "overall"),
        ("Readability score", "Readability score"),
        ("tests", None),
        ("adaptive_threshold", None),
    ],
)
def test_a_label_names_a_score(label: str, name: str | None) -> None:
    assert name_of(label) == name


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("2", "2"),
        ("2/5", "2"),
        ("2 / 5，低", "2"),
        ("**4**", "4"),
        ("3.5", "3.5"),
        ("2.0", "2"),
        ("4 (good)", "4"),
        ("4分", "4"),
        ("4 out of 5", "4"),
        ("100", "100"),
        ("1/5 low", "1"),
        ("2。", "2"),
        ("pass", None),
        ("n/a", None),
        ("85%", None),
        ("3 issues", None),
        ("62/62 passed", None),
        ("5/5 个测试", None),
        ("40 min", None),
        ("2026-05-01", None),
        ("4/5/2026", None),
        ("4/5%", None),
        ("12:30", None),
        ("v2", None),
        ("", None),
        ("9" * 5_000, None),
    ],
)
def test_a_value_is_a_score_only_as_a_number(value: str, number: str | None) -> None:
    assert number_of(value) == number


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (
            "评分：diff_score 1/5，code_quality 4/5；overall=2",
            {"diff_score": "1", "code_quality": "4", "overall": "2"},
        ),
        ("> Diff score: 2", {"diff_score": "2"}),
        ("Readability score: 4", {"Readability score": "4"}),
        ("Readability score 4", {}),
        ("## Score\n\n```yaml\ncode_quality: 4\n```", {"code_quality": "4"}),
        ("## Changes\n\n```yaml\ncode_quality: 4\n```", {}),
        ("| # | 维度 | Score |\n|---|---|---|\n| 1 | UX | 4 |", {"UX": "4"}),
        ("| Run | Score |\n|---|---|\n| 1 | 4 |", {}),
        (
            "| | 维度 | 评分 |\n|---|---|---|\n| | 代码质量 | 4 |\n| | 质量评分 | 3 |",
            {"代码质量": "4", "code_quality": "3"},
        ),
        ("| 指标 | 值 |\n|---|---|\n| 代码质量 | 4 |\n| 行数评分 | 9 |", {"code_quality": "4"}),
        ("| diff_score | 总评 | x |\n|---|---|---|\n| 2 | 3 |", {"diff_score": "2", "overall": "3"}),
    ],
)
def test_what_scores_a_report_gives(body: str, found: dict[str, str]) -> None:
    assert scores(outline(f"# M1\n\n{body}\n")) == found


@pytest.mark.parametrize(
    ("line", "gives"), [("代码质量 — 4", True), ("- Diff score: 4", True), ("Parser — 4", False), ("4 — reads", False)]
)
def test_a_row_of_a_table_can_be_a_score(line: str, *, gives: bool) -> None:
    assert gives_score(line) is gives


def test_a_score_of_the_evaluation_goes_before_one_that_stands_earlier() -> None:
    body = "- Diff score: 1\n\n## GREEN\n\n- 17 run\n**Diff score: 3**\n"

    assert scores(outline(f"# M1\n\n{body}")) == {"diff_score": "3"}


@pytest.mark.parametrize(
    ("title", "path", "milestone"),
    [
        ("执行报告：M11 / F005 — Report", "10-x.report.md", "M11"),
        ("M4 Report — X", "04-x.report.md", "M4"),
        ("Execution Report: M03 - X", "02-x.report.md", "M3"),
        ("M01 报告：X", "00-x.report.md", "M1"),
        ("C15-M2 执行报告：X", "x.md", "M2"),
        ("C14-M0 — Index", "x.md", "M0"),
        ("Hardening", "M4.5-hardening.md", "M4.5"),
        ("Report for Milestone 7", "x.md", "M7"),
        ("Closing notes of M6", "x.md", "M6"),
        ("执行报告：M11 / F005", "M5-x.md", "M11"),
        ("Hardening of M2", "older/M4.5-hardening.md", "M4.5"),
        ("C12 Final Report - X", "C12-final.report.md", None),
        ("Audit Report — X", "audit-001.md", None),
        ("", "07-x.report.md", None),
    ],
)
def test_the_milestone_of_a_report(title: str, path: str, milestone: str | None) -> None:
    found = milestone_of(title, outline(f"# {title}\n"), f"reports/{path}")

    assert (found.number if found else None) == (getattr(leading_id(milestone), "number", None) if milestone else None)


@pytest.mark.parametrize("body", ["- Milestone: M07", "| 里程碑 | M07 |\n|---|---|\n| 里程碑 | M07 |", "里程碑：M07"])
def test_a_label_in_the_head_says_the_milestone(body: str) -> None:
    parts = outline(f"# Closing notes of M6\n\n- Cycle: M01\n\n{body}\n")

    assert milestone_of("Closing notes of M6", parts, "reports/x.md") == leading_id("M07")


@pytest.mark.parametrize(
    ("name", "may_be"),
    [
        ("01-a.report.md", True),
        ("M5-scope-discussion-draft.md", True),
        ("audit-001.md", True),
        ("README.md", False),
        ("older/README.md", False),
        (".01-a.report.md", False),
        ("01-a.compact.md", False),
    ],
)
def test_a_name_tells_what_cannot_be_a_report(name: str, *, may_be: bool) -> None:
    assert may_be_report(f"reports/{name}") is may_be


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("- Result: blocked", ["Result: blocked"]),
        ("**结论：** 可以合并", ["**结论：** 可以合并"]),
        ("Result — pass_with_followups", ["Result — pass_with_followups"]),
        ("✅ 最终结果：通过", ["✅ 最终结果：通过"]),
        ("- 决策：\n  - 继续 M3\n  - 推迟 M4", ["决策： 继续 M3, 推迟 M4"]),
        ("> 状态：完成 | 进度：1/1", ["状态：完成 | 进度：1/1"]),
        ("## 结果\n\n通过。", ["通过。"]),
        ("## Result\n\ncompleted", ["completed"]),
        ("## 总结\n\n- 一\n- 二", ["一", "二"]),
        ("## Score\n\n- Tests: pass\n- Diff score: 2", ["Tests: pass"]),
        ("## 结果\n\n- RED：失败\n- 通过：合并", ["通过：合并"]),
        ("## PASS\n\nBoth run.", ["PASS", "Both run."]),
        ("## Tests\n\n- Result: pass", []),
        ("## Tests\n\n### PASS\n\nAll of them.", []),
        ("- RED\n  - Result: failed", []),
        ("- Result: 12/12", []),
        ("- Status: {status}", []),
        ("- Result: TBD", []),
        ("## 结果\n\n- Duration: two hours\n- 合并。", ["合并。"]),
        ("- Result: 无。", []),
        ("- Result: pass\n- Outcome: merged", ["Result: pass"]),
        ("- Result: pass\n\n## 结果\n\nBoth are kept.", ["Result: pass"]),
        ("## Result: pass\n\nBoth are kept.", ["Result: pass", "Both are kept."]),
        ("## 摘要\n\n- 一\n- 二\n- 三\n\n## 评估\n\n- 用例：通过", ["一", "用例：通过", "二", "三"]),
        ("结论：\n可以合并。\n决策：继续", ["决策：继续", "结论： 可以合并。"]),
        ("- RED\n  - Result: failed\n- Result: pass", ["Result: pass"]),
        ("- M03: tests green\n  - Result: pass", ["Result: pass"]),
        ("- 决策：\n  - 用 LaTeX；\n  - 推迟 M4。", ["决策： 用 LaTeX, 推迟 M4。"]),
        ("RED：\n\n- Result: failed", []),
        ("## Tests\n\n> **Decision: continue**", []),
        ("## Tests\n\n- 17 run\n**Acceptance: pass**", ["**Acceptance: pass**"]),
        ("## Tests\n\n**Score: good**  \n**Decision: go on**", ["**Decision: go on**"]),
        ("## Tests\n\n**Decision: go on**  \nwith the tests", []),
        ("```\nResult: pass\n```", []),
        ("<!--\nResult: pass\n-->", []),
    ],
)
def test_what_a_report_concludes(body: str, said: list[str]) -> None:
    assert list(conclusion(outline(f"# M01 Report\n\n{body}\n")).pieces) == said


def test_the_title_concludes_nothing() -> None:
    assert conclusion(outline("# Result: the second run\n\n- Owner: me\n")).pieces == ()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("This adds:\n\n- a\n- b\n\nThen more:", ("This adds: a, b", "Then more")),
        ("This adds:\n\n- {todo}\n\nThen more.", ("This adds", "Then more.")),
        ("Parser: reads\nThen:\n\n| a | b |\n|---|---|\n| c | d |", ("Parser: reads", "Then: c — d")),
        ("Now it says:\n\n```\nall is well\n```", ("Now it says: all is well",)),
        ("> One.\n> Then:\n\n- a", ("One.", "Then: a")),
        ("Parser：reads\nPrinter：writes", ("Parser：reads", "Printer：writes")),
        ("Parser reads\nand writes.", ("Parser reads and writes.",)),
        ("- 改进 UX：\n- 重写 TeX", ("改进 UX", "重写 TeX")),
        ("```text\nreads `a`\nwrites", ("reads `a`", "writes")),
        ("~~~text\nreads\nwrites\n~~~", ("reads", "writes")),
        ("    reads\n    writes", ("reads", "writes")),
        ("### Parser\n\n- reads", ("reads",)),
        (
            "- a.py\n- b.py\n- c.py\n- Added a reader.\n\n## Summary\n\nIt reads.",
            ("It reads.", "a.py", "b.py", "c.py", "Added a reader."),
        ),
        (
            "- a.py\n- b.py\n- Added a reader.\n- Fixed the end.\n\n## Summary\n\nIt reads.",
            ("a.py", "b.py", "Added a reader.", "Fixed the end."),
        ),
        (
            "- a.py\n- b.py\n- Added a reader.\n- Fixed it.\n- Sped it up.\n\n## 产出\n\nIt reads.",
            ("a.py", "b.py", "Added a reader.", "Fixed it.", "Sped it up.", "It reads."),
        ),
    ],
)
def test_what_a_report_says_it_changed(body: str, said: tuple[str, ...]) -> None:
    assert changes(outline(f"# M01\n\n## Changes\n\n{body}\n"), ()) == said


def test_of_very_many_nested_items_the_first_are_told_and_the_cut_is_seen() -> None:
    below = [f"n{number}" for number in range(20)]
    of_twenty, of_more = (
        changes(outline("# M01\n\n## Changes\n\n- This adds:\n" + "".join(f"  - {name}\n" for name in names)), ())
        for names in (below, [*below, "n20", "n21"])
    )

    assert of_twenty == ("This adds: " + ", ".join(below),)
    assert of_more == ("This adds: " + ", ".join([*below, "…"]),)


def test_what_is_the_conclusion_already_is_not_told_as_a_change() -> None:
    summary = f"It reads {'and writes ' * 40}."
    text = text_of({"reports/01.report.md": f"# M01\n\n## Summary\n\n{summary}\n\n## Files\n\n- a.py\n"})

    assert text.endswith(f"\n- 摘要：{summary}\n- 变更：a.py\n")


def test_a_section_is_cut_at_the_lines_that_serve_as_headings() -> None:
    text = """\
# M01

## Part 1

Two were fixed
by us:

> Changed by us:

**Parser: all of it**

It reads.

**Changes**:

It was slow.

- a

Then more.

RED：

| a | b |
|---|---|
| c | d |

- e

**Result**

**Diff score: 2**

## GREEN

**Changes:**

- f
**Score: 4/5**
**Decision: go on**
"""
    assert [
        (part.kind, part.title, part.matter, " / ".join(block.text for block in part.blocks)) for part in outline(text)
    ] == [
        ("head", "M01", "", ""),
        ("other", "Part 1", "Part 1", "Two were fixed\nby us: / > Changed by us: / **Parser: all of it** / It reads."),
        ("change", "Changes", "Part 1", "It was slow. / - a"),
        ("other", "", "Part 1", "Then more."),
        ("phase", "RED", "Part 1", "| a | b |\n|---|---|\n| c | d |"),
        ("other", "", "Part 1", "- e"),
        ("result", "Result", "Part 1", ""),
        ("evaluation", "", "Part 1", "**Diff score: 2**"),
        ("phase", "GREEN", "", ""),
        ("phase", "Changes", "", "- f"),
        ("evaluation", "", "", "**Score: 4/5**"),
        ("evaluation", "", "", "**Decision: go on**"),
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("X", True),
        ("✅", True),
        ("。", False),
        ("!!", False),
        ("N/A", False),
        ("（待定）", False),
        ("{result}", False),
        ("<result>.", False),
        ("pass <result>", True),
    ],
)
def test_a_placeholder_or_a_word_for_nothing_says_nothing(text: str, *, says: bool) -> None:
    assert says_something(text) is says


def test_a_line_has_no_control_characters_and_no_wide_gaps() -> None:
    assert one_line("a\x07b\u200b  c\td ") == "ab c d"


@pytest.mark.parametrize(
    "text", ["{}" * 900 + "x", "<>" * 900 + "x", "x" + "-" * 1_900 + "x", "1/" * 900, "- " * 900, ".-" * 900]
)
@pytest.mark.timeout(30)
def test_monotonous_lines_end(text: str) -> None:
    body = f"## {text}\n\n## Changes\n\n- {text}\n\n## 结果\n\n{text}\n\nResult: {text}\n\n| a | Score |\n|---|---|\n| {text} | {text} |\n"

    assert text_of({"reports/01.report.md": "# M01\n\n" + body * 20})


REPORTS = st.dictionaries(
    st.sampled_from(["reports/01-a.report.md", "reports/b.md", "reports/n/M2-c.md", "state.yaml"]),
    st.lists(
        st.sampled_from(
            [
                "# M1 A",
                "## 结果",
                "## Changes",
                "**Changes**:",
                "- Result: pass",
                "- RED：",
                "  - x: y",
                "| a | Score |",
                "|---|---|",
                "| b | 2/5 |",
                "",
                "结论：",
                "```",
                "> x",
                "current: {prompt_file: 01-a.md}",
                "\ud800",
                "\x00\x0b",
            ]
        )
        | st.text(max_size=20),
        max_size=25,
    ).map("\n".join),
)


@settings(max_examples=150)
@given(REPORTS, st.integers(0, 6), st.sampled_from(["zh-CN", "en"]))
def test_any_sources_give_a_view_that_keeps_its_promises(files: dict[str, str], lines: int, language: str) -> None:
    found = view(files, reports_summary_lines=lines, language=language)

    assert found == view(dict(reversed(files.items())), reports_summary_lines=lines, language=language)
    if found.text is None:
        return
    assert size_holds(found.text)
    blocks = found.text.split("\n\n## ")[1:]
    assert blocks
    for block in blocks:
        told = block.rstrip("\n").splitlines()[1:]
        assert len(told) <= lines
        assert all(line.startswith("- ") and 2 < len(line) <= 500 for line in told)
