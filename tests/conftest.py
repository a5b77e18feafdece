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
