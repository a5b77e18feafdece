"""What the cases of the patches view do not show: many statuses, sizes, hostile text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_strategies.api import Options, Sources, View
from hypo_strategies.patches import MAX_ROW, closed_patch
from hypo_strategies.registry import compute, get_strategy
from hypo_strategies.text.limits import MAX_BYTES, MAX_LINES, MAX_MARKDOWN_LINE
from hypo_strategies.text.phrase import Phrase

ENGLISH = Options(language="en")


def view(files: dict[str, str], unreadable: dict[str, str] | None = None) -> View:
    return compute(
        get_strategy("patches"),
        Sources(files, {path: Phrase(why) for path, why in (unreadable or {}).items()}),
        ENGLISH,
    )


def text(files: dict[str, str], unreadable: dict[str, str] | None = None) -> str:
    made = view(files, unreadable).text
    assert made is not None
    return made


def rows(page: str) -> list[str]:
    return [line for line in page.split("\n") if re.match(r"\| P\d", line)]


def patch(title: str = "P001: title", status: str = "closed", **fields: str) -> str:
    return (
        "\n".join([f"# {title}", f"- 状态: {status}", *(f"- {key}: {value}" for key, value in fields.items())]) + "\n"
    )


@pytest.mark.parametrize(
    "status",
    [
        "closed",
        "CLOSED",
        "**closed**",
        '"closed"',
        "✅ closed",
        "closed ✅ 05-02 00:47",
        "closed (v0.7.1)",
        "已关闭（2026-05-02）",
        "closed 2026-05-02T00:15:00+08:00",
        "closed <!-- by hand -->",
        "done",
        "resolved",
        "已解决。",
        "closed" + " " * 300,
    ],
)
def test_header_that_says_closed_closes_the_patch(status: str) -> None:
    assert closed_patch("patches/P001.md", patch(status=status)) is not None


@pytest.mark.parametrize(
    "status",
    [
        "",
        "null",
        "open",
        "rejected",
        "in_progress",
        "未关闭",
        "not closed",
        "closed?!open",
        "closed, reopened",
        "closed (pending acceptance)",
        "closedness",
        "done 3/5",
        "closed" + "." * 300,
    ],
)
def test_header_that_says_anything_else_does_not(status: str) -> None:
    assert closed_patch("patches/P001.md", patch(status=status)) is None


def test_statuses_that_all_mean_closed_do_not_contradict_each_other() -> None:
    made = closed_patch("patches/P001.md", "# P001: t\n- 状态: closed\n- status: done\n")

    assert made is not None


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("P001: plain", "plain"),
        ("P001：full-width", "full-width"),
        ("P001 — a dash", "a dash"),
        ("Patch P001: a word before", "a word before"),
        ("[P001] brackets", "brackets"),
        ("**P001**: bold", "bold"),
        ("P001: `code` first", "`code` first"),
        ("P1: spelled shorter", "spelled shorter"),
        ("no number", "no number"),
        ("P002: another number", "P002: another number"),
        ("P001", "slug-of-the-file"),
    ],
)
def test_title_is_the_heading_without_the_number_of_the_patch(heading: str, title: str) -> None:
    made = closed_patch("patches/P001-slug-of-the-file.md", patch(heading))

    assert made is not None
    assert made.title == title


def test_windows_line_ends_change_nothing() -> None:
    source = "---\nstatus: closed\n---\n# P001: title\n- 改动: one\n- commit: abc1234\n"

    assert text({"patches/P001.md": source}) == text({"patches/P001.md": source.replace("\n", "\r\n")})


def test_row_is_short_and_its_last_cell_holds_hashes_alone() -> None:
    hashes = ", ".join(f"{number:040x}" for number in range(30))
    page = text({f"patches/P001-{'n' * 200}.md": patch("P001: " + "长 | " * 500, 改动="long | " * 2000, commit=hashes)})

    (row,) = rows(page)
    *_, change, last = re.split(r"(?<!\\)\|", row.strip().strip("|"))
    assert len(row) <= MAX_ROW
    assert re.fullmatch(r"(?:[0-9a-f]{40}(?:, )?)+", last.strip())
    assert "22 more hashes" in change
    assert "long" in change


def test_rows_that_are_cut_are_counted() -> None:
    long, short = patch(改动="long " * 200), patch("P002: t", 改动="short")
    page = text({"patches/P001.md": long, "patches/P002.md": short, "patches/P003.md": patch("P003: " + "t" * 300)})

    assert page.endswith("\n\n… 2 lines are cut short, see patches/\n")
    assert "cut short" not in text({"patches/P002.md": short})


def test_rule_above_the_title_is_no_front_matter() -> None:
    assert closed_patch("patches/P001.md", "---\n# P001: t\n- 状态: closed\n---\n## 描述\n") is not None


def test_newest_patches_stay_when_not_all_fit() -> None:
    count = 1100
    page = text({f"patches/P{number:03}.md": patch(f"P{number:03}: t") for number in range(1, count + 1)})

    shown = rows(page)
    assert shown[-1].startswith(f"| P{count} ")
    assert shown[0].startswith(f"| P{count - len(shown) + 1} ")
    assert 200 < len(shown) < MAX_LINES
    assert f"{count - len(shown)} more Patches, see patches/" in page
    assert page.count("\n") <= MAX_LINES


def test_bytes_are_bounded_too() -> None:
    page = text({f"patches/P{number:03}.md": patch(改动="字" * 2000) for number in range(200)})

    assert len(page.encode()) <= MAX_BYTES
    assert rows(page)[-1].startswith("| P199 ")
    assert f"{200 - len(rows(page))} more Patches" in page


def test_unreadable_patch_costs_its_row_and_is_named() -> None:
    made = view({"patches/P001.md": patch()}, {"patches/P002-x.md": "permission denied"})

    assert made.text is not None
    assert len(rows(made.text)) == 1
    assert "unreadable: patches/P002-x.md" in made.text
    assert [(str(finding), finding.severity) for finding in made.findings] == [
        ("patches/P002-x.md: permission denied", "warning")
    ]


def test_there_is_no_view_without_patch_files() -> None:
    assert view({"patches/PLAN.md": patch(), "patches/feedback/P001.md": patch()}) == View(None)


@pytest.mark.parametrize(
    "source",
    [
        "",
        "\x00\x1b[2J",
        "# P001: t\n- 状态: closed\n- 改动: " + "x" * 1_000_000,
        "# P001: t\n- 状态: " + "closed " * 200_000,
        "---\n" + "a: &a [" * 5_000 + "\n---\n# P001: t\n- 状态: closed\n",
        "# P001: t\n" + "- " * 100_000,
        "# P001: t\n" + ">" * 100_000,
        "# P001: t\n- 状态: closed\n- commit: " + "a" * 500_000,
        "# P001: t\n- 状态: closed <!--" * 30_000,
        "# " + "P" * 300_000,
        "# P" + "1" * 100_000 + ": t\n- 状态: closed\n",
        "---\n" * 100_000,
        "- 状态: closed\n" * 50_000,
    ],
    ids=lambda source: f"{source[:24]!r}-{len(source)}",
)
def test_hostile_text_gives_a_view_within_the_limits(source: str) -> None:
    page = text({"patches/P001.md": source})

    assert max(map(len, page.split("\n"))) <= MAX_MARKDOWN_LINE
    assert len(page.encode("utf-8")) <= MAX_BYTES


FRAGMENTS = st.sampled_from(
    [
        *("# P001: t", "# P002", "## 描述", "- 状态: closed", "- status: open", "**状态：** closed", "状态：done"),
        *("- 改动: x | y", "- 改动:", "  - nested: 1", "- commit: abc1234", "```", "---", "| 状态 | closed |"),
        *(
            "| --- | --- |",
            "> 状态: closed",
            "<!--",
            "-->",
            "",
            "\t",
            "title: [",
            "改动 : `",
            "\udce4",
            "\u2028",
            "\x00",
        ),
    ]
)


@given(st.lists(FRAGMENTS, max_size=14).map("\n".join) | st.text(max_size=200))
def test_any_text_gives_one_row_or_none(source: str) -> None:
    files = {"patches/P001-name.md": source, "patches/P002.md": patch("P002: sound")}
    page = text(files)

    assert page == text(dict(reversed(files.items())))
    assert len(page.splitlines()) == page.count("\n")
    found = rows(page)
    assert found[-1] == "| P002 | sound |  |  |"
    assert len(found) <= 2
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 5 for row in found)
