"""What is parsed without argparse is what argparse gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_compactd.cli import parser
from hypo_compactd.plain_calls import parsed

WORDS = (
    "",
    ".",
    "~/projects/tide",
    "--timeout",
    "--timeout=2",
    "--timeout=2.5",
    "--timeout=",
    "--timeout=-1",
    "--timeout=4000",
    "--timeout=1e3",
    "--time=3",
    "2",
    "0.5",
    "nan",
    "-q",
    "--quiet",
    "--quiet=1",
    "--if-stale",
    "--check",
    "--json",
    "--all",
    "--watch",
    "-",
    "--",
    "-h",
)


@given(st.sampled_from(["wait", "compact", "status", "run", "wai"]), st.lists(st.sampled_from(WORDS), max_size=4))
def test_a_plain_call_is_parsed_as_argparse_parses_it(command: str, rest: list[str]) -> None:
    found = parsed([command, *rest])
    if found is None:
        return
    expected = vars(parser(command).parse_args([command, *rest]))

    assert vars(found).items() <= expected.items()
    assert expected.keys() - vars(found).keys() <= {"parser"}


@pytest.mark.parametrize(
    "call",
    [
        "wait",
        "wait .",
        "wait --timeout 2",
        "wait --timeout=2 -q .",
        "compact",
        "compact --if-stale",
        "compact --if-stale --quiet .",
        "status",
        "status --json one two",
    ],
)
def test_the_calls_of_hooks_are_plain(call: str) -> None:
    assert parsed(call.split()) is not None


@pytest.mark.parametrize(
    "call", ["", "wait a b", "wait --timeout soon", "compact --check", "compact --if-stale --json", "run"]
)
def test_other_calls_are_for_the_parser(call: str) -> None:
    assert parsed(call.split()) is None
