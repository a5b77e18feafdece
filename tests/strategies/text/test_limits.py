"""The size that a view may have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_strategies.text.limits import MAX_BYTES, MAX_LINES, clip, fits


@pytest.mark.parametrize(
    ("text", "limit", "clipped"),
    [
        ("", 1, ""),
        ("a", 1, "a"),
        ("ab", 1, "…"),
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("ab cd", 4, "ab…"),
        ("进展很好", 3, "进展…"),
    ],
)
def test_text_is_cut_only_where_it_is_too_long(text: str, limit: int, clipped: str) -> None:
    assert clip(text, limit) == clipped


@given(st.text(), st.integers(1, 50))
def test_cut_is_within_the_limit_and_seen(text: str, limit: int) -> None:
    clipped = clip(text, limit)

    assert len(clipped) <= limit
    assert clipped == text or (clipped.endswith("…") and text.startswith(clipped[:-1]))
    assert clip(clipped, limit) == clipped


def test_view_may_have_just_so_many_lines() -> None:
    assert fits([""] * MAX_LINES)
    assert not fits([""] * (MAX_LINES + 1))


@pytest.mark.parametrize(("character", "size"), [("a", 1), ("é", 2), ("进", 3), ("😀", 4)])
def test_view_may_have_just_so_many_bytes_with_its_line_ends(character: str, size: int) -> None:
    full = (MAX_BYTES - 2) // size * size

    assert fits([character * (full // size), "b" * (MAX_BYTES - 2 - full)])
    assert not fits([character * (full // size), "b" * (MAX_BYTES - 1 - full)])


def test_undecodable_text_has_a_size() -> None:
    assert fits(["\udc80"])
