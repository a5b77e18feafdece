"""What all tests share."""

from __future__ import annotations

import pytest
from hypothesis import settings

# The same examples each time, and no deadline: how long one takes says nothing on a busy machine.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("fuzz", max_examples=2_000, deadline=None)
settings.load_profile("steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-cases", action="store_true", help="write what the strategies give into tests/strategies/cases"
    )
    parser.addoption("--seeds", type=int, default=10, metavar="N", help="how many seeds test_churn runs (default: 10)")
    parser.addoption("--first-seed", type=int, default=1, metavar="K", help="the first of them (default: 1)")
    parser.addoption("--churn-s", type=float, default=60.0, metavar="S", help="how long each churns (default: 60)")
    parser.addoption("--kills", type=int, default=200, metavar="N", help="how often test_kill kills (default: 200)")
    parser.addoption("--soak-s", type=float, default=60.0, metavar="S", help="how long test_soak takes (default: 60)")
