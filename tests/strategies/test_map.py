"""The tables of README.md: every nasty case is in them, and what they name is there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the rows of the table below a heading."""
    _, _, below = (HERE / "README.md").read_text("utf-8").partition(f"\n## {heading}")
    table = [line for line in below.partition("\n## ")[0].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


NASTY = rows("The nasty cases")
VARIANTS = rows("The variants")
NAMES = sorted({name for row in [*NASTY, *VARIANTS] for name in re.findall(r"`([^`]+)`", row[-1])})


@cache
def functions_of(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def test_each_nasty_case_has_one_row_in_their_order() -> None:
    assert [row[0] for row in NASTY] == [str(number) for number in range(1, 53)]


def test_the_variants_are_those_of_all_eight_sections() -> None:
    assert {row[0][0] for row in VARIANTS} == set("12345678")


def test_each_row_says_what_it_is_about_and_names_what_covers_it() -> None:
    for number, what, covered in [*NASTY, *VARIANTS]:
        assert what, number
        assert re.fullmatch(r"`[^`]+`(?:, `[^`]+`)*", covered), number


@pytest.mark.parametrize("name", NAMES)
def test_what_a_table_names_is_there(name: str) -> None:
    file, is_test, function = name.partition("::")
    if is_test:
        assert function.startswith("test_")
        assert function in functions_of(HERE / file)
    else:
        assert (HERE / "cases" / f"{name}.case").is_file()
