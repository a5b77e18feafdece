"""Markdown read as sections, blocks, items and cells that remember their lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_strategies.text import markdown


def kinds(text: str) -> list[str]:
    return [block.kind for block in markdown.parse(text).blocks()]


def items(text: str) -> list[tuple[str, int, int]]:
    return [(item.text, item.depth, item.line) for block in markdown.parse(text).blocks() for item in block.items]


def test_sections_are_cut_at_headings_and_know_level_title_and_line() -> None:
    document = markdown.parse("before\n\n# One\n\ntext\n\n## Two  words ##\nThree\n=====\n")

    assert [(section.level, section.title, section.line) for section in document.sections] == [
        (0, "", 1),
        (1, "One", 3),
        (2, "Two words", 7),
        (1, "Three", 8),
    ]
    assert document.title == "One"


def test_a_document_that_begins_with_a_heading_has_no_empty_section_before_it() -> None:
    assert [section.title for section in markdown.parse("# One").sections] == ["One"]
    assert markdown.parse("").sections == ()
    assert markdown.parse("").title == ""


def test_every_kind_of_block_is_told_from_the_others() -> None:
    text = "text\n\n- item\n\n| a |\n|---|\n| b |\n\n```\n# code\n```\n\n> quote\n\n<div>\n\n---\n"

    assert kinds(text) == ["paragraph", "list", "table", "code", "quote", "html", "rule"]


def test_a_heading_in_a_fence_and_a_pipe_in_a_paragraph_are_text() -> None:
    assert kinds("```\n# no heading\n| no | table |\n```") == ["code"]
    assert kinds("a | b\n\nc | d") == ["paragraph", "paragraph"]
    assert len(markdown.parse("```\n# no heading\n```").sections) == 1


def test_blocks_know_their_lines_and_their_text_verbatim() -> None:
    (block,) = markdown.parse("\n\none  **two**\nthree\n\n").blocks()

    assert (block.line, block.end, block.text) == (3, 5, "one  **two**\nthree")
    assert block.lines == ["one  **two**", "three"]


def test_blank_lines_after_a_list_are_not_of_it() -> None:
    first, second = markdown.parse("- a\n- b\n\n\ntext").blocks()

    assert (first.line, first.end, second.line) == (1, 3, 5)


def test_items_know_their_depth_and_line() -> None:
    assert items("- a\n  - b\n    1. c\n- d\n\n1) e\n") == [
        ("a", 0, 1),
        ("b", 1, 2),
        ("c", 2, 3),
        ("d", 0, 4),
        ("e", 0, 6),
    ]


def test_an_item_with_nothing_but_a_nested_list_stands_at_its_own_depth() -> None:
    assert [depth for _, depth, _ in items("-\n  - a\n- b")] == [0, 1, 0]


def test_a_wrapped_item_is_one_line_and_its_later_paragraphs_are_left_out() -> None:
    assert items("- one\n  two\n\n  later\n- next") == [("one two", 0, 1), ("next", 0, 5)]


def test_an_item_that_is_a_fence_is_known_by_its_first_line() -> None:
    assert items("- ```sh\n  x\n  ```\n- b") == [("```sh", 0, 1), ("b", 0, 4)]


def test_the_items_of_each_list_are_its_own() -> None:
    blocks = list(markdown.parse("- a\n\ntext\n\n- b\n\n## T\n\n1. c").blocks())

    assert [[item.text for item in block.items] for block in blocks] == [["a"], [], ["b"], ["c"]]


def test_a_table_has_header_and_rows_with_their_lines() -> None:
    _, table = markdown.parse("intro\n\n| A | B |\n|:--|--:|\n| 1 | `x \\| y` |\n| 2 |\n\nafter").sections[0].blocks[:2]

    assert table.header == ("A", "B")
    assert [(row.cells, row.line, row.raw) for row in table.rows] == [
        (("1", r"`x \| y`"), 5, r"| 1 | `x \| y` |"),
        (("2",), 6, "| 2 |"),
    ]


@pytest.mark.parametrize("above", ["- item", "- a\n  - b", "> said"])
def test_a_table_right_below_a_list_or_a_quotation_is_a_table(above: str) -> None:
    before = above.count("\n") + 1
    blocks = list(markdown.parse(f"{above}\n| a | b |\n|---|---|\n| 1 | 2 |\n- after").blocks())

    assert [block.text for block in blocks] == [above, "| a | b |\n|---|---|\n| 1 | 2 |", "- after"]
    assert [(block.line, block.end) for block in blocks] == [
        (1, before + 1),
        (before + 1, before + 4),
        (before + 4, before + 5),
    ]
    assert [row.line for row in blocks[1].rows] == [before + 3]


def test_a_table_in_a_fence_stays_code() -> None:
    text = "```\n- item\n| a |\n|---|\n```"

    assert [(block.kind, block.text) for block in markdown.parse(text).blocks()] == [("code", text)]


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("| a | b |", ("a", "b")),
        ("a | b", ("a", "b")),
        ("  | a || b |  ", ("a", "", "b")),
        (r"| a \| b | c |", (r"a \| b", "c")),
        ("| a | b", ("a", "b")),
        ("|  |", ("",)),
    ],
)
def test_cells_are_stripped_and_verbatim(row: str, cells: tuple[str, ...]) -> None:
    assert markdown.cells(row) == cells


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("| `a|b` | c |", ("`a|b`", "c")),
        ("| `a|b|c` | `d|e` |", ("`a|b|c`", "`d|e`")),
        ("| a ` b | c | d |", ("a ` b", "c", "d")),
        ("| `a | b` |", ("`a", "b`")),
    ],
)
def test_a_pipe_in_inline_code_ends_no_cell_where_the_row_has_too_many(row: str, cells: tuple[str, ...]) -> None:
    assert markdown.cells(row, 2) == cells


@pytest.mark.parametrize("text", ["a", "a | b", r"a \| b", "two\nlines", "  wide   gap "])
def test_a_row_of_ours_keeps_the_number_of_its_cells(text: str) -> None:
    row = markdown.row(text, "end")

    assert "\n" not in row
    assert len(markdown.cells(row)) == 2


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("**bold** and `code`", "bold and code"),
        ("[name](https://example.org/x)", "name"),
        ("![picture](x.png) after", "picture after"),
        ("`diff_score`: 2", "diff_score: 2"),
        ("_soft_ snake_case __hard__", "soft snake_case hard"),
        ("[not a link]", "[not a link]"),
        ("plain", "plain"),
    ],
)
def test_plain_text_has_no_marks(text: str, plain: str) -> None:
    assert markdown.plain(text) == plain


def test_line_ends_of_all_systems_are_the_same() -> None:
    text = "# A\n\n- b\n- c\n\n| d |\n|---|\n| e |\n"

    assert markdown.parse(text.replace("\n", "\r\n")) == markdown.parse(text)
    assert markdown.parse(text.replace("\n", "\r")) == markdown.parse(text)


@pytest.mark.parametrize(
    "text",
    ["- a\n\ntext\n\n" * 8_000, "[" * 200_000, "a" + "_" * 100_000 + "b", "> " * 50_000, "-\n" * 20_000, "|" * 100_000],
    ids=["lists", "brackets", "underscores", "quotes", "empty items", "pipes"],
)
@pytest.mark.timeout(60)
def test_long_monotonous_texts_end(text: str) -> None:
    markdown.parse(text)
    markdown.plain(text)


@given(st.text(alphabet="#-*>|`~ \n\r\t1.)[](_\\<!=a\x00é\ud800", max_size=200))
def test_any_text_is_a_document_whose_lines_are_those_of_the_text(text: str) -> None:
    last = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1

    for section in markdown.parse(text).sections:
        for block in section.blocks:
            assert 1 <= block.line < block.end <= last + 1
            assert all(block.line <= item.line < block.end for item in block.items)
            assert all(block.line < row.line < block.end for row in block.rows)
