"""Classes that only hold values, as `dataclasses` makes them, but for its import: hooks wait for the start-up.

A type checker is told that it is `dataclasses.dataclass`, so no value of such a class is assigned anew. What
`dataclasses` offers for its own (`replace`, `asdict`, `fields`) works on these, too, and loads it then.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def record(cls: type) -> type:
    """Make a class hold the values that its annotations name, in their order; class attributes are the defaults."""
    names = tuple(cls.__annotations__)

    def __init__(self: Any, *values: Any, **named: Any) -> None:  # noqa: N807 - it becomes a method
        found = dict(zip(names, values, strict=False))
        if len(values) > len(names) or found.keys() & named.keys() or not named.keys() <= {*names}:
            raise TypeError(f"{cls.__name__} takes {', '.join(names)}")
        found.update(named)
        for name in names:
            if name not in found and not hasattr(cls, name):
                raise TypeError(f"{cls.__name__} lacks {name}")
        self.__dict__.update(found)

    def values_of(self: Any) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in names)

    def __eq__(self: Any, other: object) -> bool:  # noqa: N807 - it becomes a method
        return values_of(self) == values_of(other) if type(other) is type(self) else NotImplemented

    def __hash__(self: Any) -> int:  # noqa: N807 - it becomes a method
        return hash(values_of(self))

    def __repr__(self: Any) -> str:  # noqa: N807 - it becomes a method
        return f"{cls.__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    made = {method.__name__: method for method in (__init__, __eq__, __hash__, __repr__)}
    for name, value in {**made, "__match_args__": names, "__dataclass_fields__": _Fields()}.items():
        setattr(cls, name, value)
    return cls


class _Fields:
    """What `dataclasses` looks for in a class, made when it does."""

    def __get__(self, _: object, owner: Any) -> Any:
        import dataclasses  # noqa: PLC0415 - see above

        defaults = {name: (getattr(owner, name),) for name in owner.__match_args__ if hasattr(owner, name)}
        made: Any = dataclasses.make_dataclass(
            owner.__name__, [(name, "object", *defaults.get(name, ())) for name in owner.__match_args__], frozen=True
        )
        owner.__dataclass_fields__ = made.__dataclass_fields__
        return made.__dataclass_fields__
