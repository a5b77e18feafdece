"""The natural order of names."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_strategies.text.order import natural_key


@pytest.mark.parametrize(
    "names",
    [
        ["M2", "M10"],
        ["P999", "P1000"],
        ["reports/1-a.report.md", "reports/01-b.report.md", "reports/2.report.md", "reports/10.report.md"],
        ["C1", "C1-M2", "C1-M10", "C2"],
        ["v1.9.9", "v1.10.0"],
        ["0", "1", "a"],
        ["M" + "9" * 4_400, "M1" + "0" * 4_400],
    ],
)
def test_numbers_count_as_numbers(names: list[str]) -> None:
    shuffled = random.Random(7).sample(names, len(names))

    assert sorted(shuffled, key=natural_key) == names


@given(st.text(), st.text())
def test_only_equal_texts_tie(one: str, other: str) -> None:
    assert (natural_key(one) == natural_key(other)) == (one == other)


@given(st.lists(st.text(st.sampled_from("Ma01９²-")), max_size=6), st.randoms())
def test_order_is_the_same_wherever_it_starts(names: list[str], chance: random.Random) -> None:
    shuffled = list(names)
    chance.shuffle(shuffled)

    assert sorted(shuffled, key=natural_key) == sorted(names, key=natural_key)
