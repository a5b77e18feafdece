"""What our own results keep of exact items, kind by kind."""

from __future__ import annotations

import pytest

from handoff.bed import sources
from handoff.bed.retention import retention

SETS = {"written": sources.written(), "real": sources.real()}


@pytest.mark.parametrize("name", [pytest.param("written"), pytest.param("real", marks=pytest.mark.corpus)])
def test_every_exact_item_is_kept_none_is_invented_and_every_result_passes(name: str) -> None:
    if not SETS[name]:
        pytest.skip("the corpus of real handoffs is not beside the repository")
    found = retention(SETS[name])

    assert found.kept == found.there
    assert found.invented.total() == 0
    assert found.passed == found.outcomes.total() > 10
