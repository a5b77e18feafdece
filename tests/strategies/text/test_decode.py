"""Lines with bytes that are not UTF-8."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_strategies.text.decode import drop_undecodable, undecodable_lines


@pytest.mark.parametrize(
    ("data", "kept", "lines"),
    [
        (b"", "", []),
        ("进展\nb\n".encode(), "进展\nb\n", []),
        (b"a\n\xff\nb", "a\n\nb", [2]),
        (b"\x80a", "", [1]),
        (b"a\r\nb\xc3\r\nc\r\n\xe8\xbf", "a\r\n\nc\r\n", [2, 4]),
        ("进".encode("gb18030") + b"\nnext\n", "\nnext\n", [1]),
        ("😀\n".encode(), "😀\n", []),
    ],
    ids=["empty", "utf-8", "one line", "only line", "crlf and a cut character", "another encoding", "four bytes"],
)
def test_only_undecodable_lines_are_emptied(data: bytes, kept: str, lines: list[int]) -> None:
    text = data.decode("utf-8", "surrogateescape")

    assert drop_undecodable(text) == (kept, lines)
    assert undecodable_lines(text) == lines


@given(st.binary())
def test_what_is_kept_is_utf_8_and_every_line_keeps_its_number(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    kept, bad = drop_undecodable(text)

    assert kept.encode().decode() == kept
    before, after = text.split("\n"), kept.split("\n")
    assert [line for number, line in enumerate(before, 1) if number not in bad] == [
        line for number, line in enumerate(after, 1) if number not in bad
    ]
    assert len(before) == len(after)
    assert drop_undecodable(kept) == (kept, [])


@given(st.text())
def test_utf_8_text_stays(text: str) -> None:
    assert drop_undecodable(text) == (text, [])
