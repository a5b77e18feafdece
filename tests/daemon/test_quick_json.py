from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_compactd.quick_json import loads

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(values, st.booleans())
def test_what_json_writes_is_read_as_json_reads_it(value: Any, plain: bool) -> None:  # noqa: FBT001 - drawn
    data = json.dumps(value, ensure_ascii=plain).encode("utf-8", "replace") + b"\n"

    assert loads(data) == json.loads(data)


@pytest.mark.parametrize("data", [b"", b"{", b"[1,]", b'{"a" 1}', b"nul", b"1 2", b"{}{}", b'"\xff"', b'"\n"', b"'a'"])
def test_what_is_no_json_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - which one is for the parser to say
        loads(data)


def test_what_is_nested_without_end_is_refused() -> None:
    with pytest.raises((RecursionError, ValueError)):
        loads(b"[" * 1_000_000)
