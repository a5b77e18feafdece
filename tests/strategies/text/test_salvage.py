from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_strategies.text.salvage import STRAY, Piece, dedent_item, items, sections
from hypo_strategies.text.yaml import Mapping, parse

SECTIONS = """# what stands before the first key is left out
- nor is this a key
pipeline:
  name: x

  note: deeper keys begin nothing
"quoted key": 1
'single' : 2
last_heartbeat:
  # a comment belongs to the key above it
中文:\t3
2nd: 4
http://no.key
key:value
"""


def test_sections_begin_at_the_keys_of_the_column() -> None:
    pieces = sections(SECTIONS)

    assert [(piece.line, piece.key) for piece in pieces] == [
        (3, "pipeline"),
        (7, "quoted key"),
        (8, "single"),
        (9, "last_heartbeat"),
        (11, "中文"),
        (12, "2nd"),
    ]
    assert pieces[0].text == "pipeline:\n  name: x\n\n  note: deeper keys begin nothing"
    assert pieces[-1].text == "2nd: 4\nhttp://no.key\nkey:value\n"


@pytest.mark.parametrize(("indent", "keys"), [(0, ["a"]), (2, ["b", "d"]), (4, ["c"]), (6, [])])
def test_sections_of_a_deeper_column(indent: int, keys: list[str]) -> None:
    assert [piece.key for piece in sections("a:\n  b:\n    c: 1\n  d: 2\n", indent=indent)] == keys


def test_line_numbers_are_those_of_the_file() -> None:
    assert [piece.line for piece in sections("x\na: 1\nb: 2\n", line=100)] == [101, 102]
    assert [piece.line for piece in items("x:\n- 1\n- 2\n", line=100)] == [101, 102]


LIST = """entries:
  - id: a
    tags:
      - deeper
  -
    id: b
# a comment ends nothing
    note: x

  - c
other: 1
  - d
"""


def test_items_begin_at_the_dashes_of_the_list_and_end_with_it() -> None:
    pieces = items(LIST)

    ends = [piece.line + piece.text.rstrip().count("\n") for piece in pieces]

    assert [(piece.line, end) for piece, end in zip(pieces, ends, strict=True)] == [(2, 4), (5, 8), (10, 10)]
    assert pieces[1].text == "  -\n    id: b\n# a comment ends nothing\n    note: x\n"


def test_to_the_end_a_line_that_slipped_out_is_a_piece_of_its_own() -> None:
    assert [(piece.line, piece.key) for piece in items(LIST, to_end=True)] == [
        (2, ""),
        (5, ""),
        (10, ""),
        (11, STRAY),
        (12, ""),
    ]


@pytest.mark.parametrize("text", ["", "a: 1", "--- x", "-x", "a: - b"])
def test_text_without_a_list_has_no_items(text: str) -> None:
    assert items(text) == []


@pytest.mark.parametrize(
    ("item", "document"),
    [
        ("- id: a\n  b: 1", "  id: a\n  b: 1"),
        ("  -\n    id: a", "   \n    id: a"),
        ("    -   id: a", "        id: a"),
        ("-\tid: a", " \tid: a"),
        ("- - x", "  - x"),
        ("no dash\n- id: a", "no dash\n- id: a"),
    ],
)
def test_an_item_is_a_document_once_its_dash_is_a_blank(item: str, document: str) -> None:
    assert dedent_item(Piece(1, item)) == document


def test_what_is_cut_parses_where_the_whole_does_not() -> None:
    text = "a: 1\nb: `x\nc:\n  - id: one\n    n: {\n  - id: two\n"
    parts = {piece.key: piece for piece in sections(text)}
    two = items(parts["c"].text, line=parts["c"].line)[1]
    node = parse(dedent_item(two), line=two.line)

    assert isinstance(node, Mapping)
    assert node.text("id") == "two"
    assert node.line == 6


LINES = st.lists(st.sampled_from(["a: 1", "- x", "  - y", "  b:", "    - id: z", "", "# c", "\t", "word", "- ", "-\r"]))


@given(LINES | st.lists(st.text(max_size=5)))
def test_pieces_are_the_text_from_the_first_of_them_on(lines: list[str]) -> None:
    text = "\n".join(lines)

    for pieces in (sections(text), items(text, to_end=True)):
        if pieces:
            assert "\n".join(piece.text for piece in pieces) == "\n".join(text.split("\n")[pieces[0].line - 1 :])
    for piece in items(text):
        assert "\n".join(text.split("\n")[piece.line - 1 :]).startswith(piece.text)
