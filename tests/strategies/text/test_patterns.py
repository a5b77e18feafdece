from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_strategies.text.patterns import matches, matches_name


def expected(path: str, pattern: str) -> bool:
    """Return the same by a regular expression."""
    out = []
    for piece in re.findall(r"\*\*/|\*|\[[^\]]*\]|[^*\[]+", pattern):
        if piece == "**/":
            out.append("(?:[^/]+/)*")
        elif piece == "*":
            out.append("[^/]*")
        else:
            out.append(piece if piece.startswith("[") else re.escape(piece))
    return re.fullmatch("".join(out), path, re.DOTALL) is not None


PATTERNS = (
    "log.yaml",
    "reports/**/*.md",
    "archives/*/",
    "archives/*/summary.md",
    "patches/P[0-9]*.md",
    "knowledge/records/*.yaml",
    "*a*b*",
    "**/a",
    "a/**/b/**/c",
    "[ab]*[0-2x]",
)


@given(st.sampled_from(PATTERNS), st.data())
def test_a_pattern_matches_what_its_regular_expression_matches(pattern: str, data: st.DataObject) -> None:
    pieces = [*re.split(r"(?<=[/*])|(?=[/*])", pattern), "/", "a", "b", "0", "P1", ".md", "\n", "x/y"]
    path = "".join(data.draw(st.lists(st.sampled_from(pieces), max_size=7)))
    if "//" in path or path.startswith("/"):
        return  # no path of a file

    assert matches(path, pattern) == expected(path, pattern)


@pytest.mark.parametrize(
    ("path", "pattern", "found"),
    [
        ("reports/a.md", "reports/**/*.md", True),
        ("reports/x/y/a.md", "reports/**/*.md", True),
        ("reports/a.txt", "reports/**/*.md", False),
        ("archives/C1/", "archives/*/", True),
        ("archives/C1", "archives/*/", False),
        ("patches/P12-x.md", "patches/P[0-9]*.md", True),
        ("patches/Px.md", "patches/P[0-9]*.md", False),
        ("knowledge/records/a/b.yaml", "knowledge/records/*.yaml", False),
    ],
)
def test_stars_and_sets_stand_for_what_they_say(path: str, pattern: str, found: bool) -> None:  # noqa: FBT001 - a row
    assert matches(path, pattern) is found


@pytest.mark.parametrize(
    ("name", "pattern", "found"),
    [("a~", "*~", True), (".x", ".*", True), ("#a#", "#*#", True), ("#", "#*#", False), ("a.tmp.1", "*.tmp.*", True)],
)
def test_a_name_is_matched_as_a_whole(name: str, pattern: str, found: bool) -> None:  # noqa: FBT001 - a row
    assert matches_name(name, pattern) is found
