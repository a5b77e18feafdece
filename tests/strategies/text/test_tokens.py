"""The estimate of tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_strategies.text.tokens import counts, counts_after, estimate


@pytest.mark.parametrize(
    ("data", "tokens"),
    [
        (b"", 0),
        (b"abcABC" * 100, 78),
        (b"0123456789" * 10, 65),
        (b" \t\r\n" * 25, 35),
        (b"{}[]:,#|-_" * 10, 100),
        ("进展".encode() * 100, 180),
        (b"\xff\x80" * 50, 30),
        (b"a1 :", 2),
    ],
    ids=["nothing", "letters", "digits", "blanks", "signs", "chinese", "not utf-8", "mixed"],
)
def test_each_class_of_bytes_has_its_weight(data: bytes, tokens: int) -> None:
    assert estimate(data) == tokens


@given(st.binary(), st.binary())
def test_more_text_never_costs_less(data: bytes, more: bytes) -> None:
    assert 0 <= estimate(data) <= estimate(data + more)


@given(st.binary())
def test_order_of_bytes_is_of_no_effect(data: bytes) -> None:
    assert estimate(data) == estimate(data[::-1])


@given(st.binary(max_size=200), st.binary(max_size=20), st.integers(0, 200), st.integers(0, 200))
def test_what_is_counted_of_the_change_alone_is_the_count_of_all(
    old: bytes, piece: bytes, begin: int, length: int
) -> None:
    new = old[:begin] + piece + old[begin + length :]

    assert counts_after(counts(old), old, new) == counts(new)
    assert estimate(new) == counts(new).estimate
