"""Every one of the fault cases that the daemon must survive has its test."""

from __future__ import annotations

import re
from pathlib import Path

CASES = range(1, 37)

NAMED = re.compile(r"[Cc]ases? ((?:\d+(?:, | and |,? and case |, case )?)+)")


def test_every_fault_case_is_named_by_the_tests_that_provoke_it() -> None:
    named = {
        int(number)
        for path in Path(__file__).parent.glob("test_*.py")
        if path != Path(__file__)
        for found in NAMED.finditer(path.read_text("utf-8"))
        for number in re.findall(r"\d+", found[1])
    }

    assert set(CASES) <= named
