"""What holds values without `dataclasses` is what a data class would be."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from typing import Any

import pytest

from hypo_compactd.record import record


@record
class Pair:
    """Two values, the second with a default."""

    one: int
    other: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Same:
    one: int
    other: tuple[str, ...] = ()


made: Any = Pair


@pytest.mark.parametrize("call", [((1,), {}), ((1, ("a",)), {}), ((), {"one": 1}), ((1,), {"other": ("b",)})])
def test_it_takes_its_values_as_a_data_class_does(call: tuple[Any, dict[str, Any]]) -> None:
    values, named = call

    assert dataclasses.asdict(made(*values, **named)) == dataclasses.asdict(Same(*values, **named))
    assert repr(made(*values, **named)) == repr(Same(*values, **named)).replace("Same", "Pair")


@pytest.mark.parametrize("call", [((), {}), ((1, (), 2), {}), ((1,), {"one": 2}), ((1,), {"third": 2})])
def test_what_a_data_class_does_not_take_is_refused(call: tuple[Any, dict[str, Any]]) -> None:
    values, named = call
    with pytest.raises(TypeError):
        Same(*values, **named)
    with pytest.raises(TypeError, match="Pair"):
        made(*values, **named)


def test_equal_values_are_equal_and_have_one_hash() -> None:
    assert made(1, ("a",)) == made(1, other=("a",))
    assert len({made(1), made(1, ()), made(2)}) == 2
    assert made(1) != Same(1)


def test_it_is_replaced_and_listed_as_a_data_class_is() -> None:
    changed = dataclasses.replace(made(1, ("a",)), one=2)

    assert (changed, type(changed)) == (made(2, ("a",)), Pair)
    assert [field.name for field in dataclasses.fields(made)] == ["one", "other"]


def test_it_loads_no_data_classes() -> None:
    code = (
        "import sys; from hypo_compactd.record import record; "
        "A = record(type('A', (), {'__annotations__': {'x': 'int'}})); A(1) == A(2); print('dataclasses' in sys.modules)"
    )

    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False\n"
