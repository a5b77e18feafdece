"""The calls that hooks make, parsed without argparse, which takes longer to load than such a call to be answered.

Only what is spelled out in full and leaves no doubt is taken; anything else is for the parser. What is taken gives
what the parser gives: a property test keeps it so.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


class Arguments:
    """What a command is called with, by the names that the parser uses."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


def parsed(given: Sequence[str]) -> Arguments | None:
    """Return the arguments of a plain `wait`, `compact` or `status`; None for any other call."""
    name, *rest = given or ("",)
    if name == "wait":
        return _wait(rest)
    if name == "compact":
        return _compact(rest)
    return _status(rest) if name == "status" else None


def _wait(rest: Sequence[str]) -> Arguments | None:
    found = _split(rest, {"-q": "quiet", "--quiet": "quiet"}, {"--timeout": "timeout"})
    if found is None or len(found[1]) > 1:
        return None
    options, places = found
    from hypo_compactd.commands import wait  # noqa: PLC0415 - the command that is called, and no other

    limit_s: float | None = wait.LIMIT_S
    if "timeout" in options:
        limit_s = _seconds(options["timeout"])
    if limit_s is None:
        return None
    return Arguments(
        command=wait.wait, project=places[0] if places else None, timeout=limit_s, quiet="quiet" in options
    )


def _compact(rest: Sequence[str]) -> Arguments | None:
    found = _split(rest, {"--if-stale": "if_stale", "-q": "quiet", "--quiet": "quiet"}, {})
    if found is None or len(found[1]) > 1:
        return None
    options, places = found
    from hypo_compactd.commands import compact  # noqa: PLC0415 - as above

    return Arguments(
        command=compact.compact,
        project=places[0] if places else None,
        if_stale="if_stale" in options,
        view=None,
        check=False,
        json=False,
        quiet="quiet" in options,
    )


def _status(rest: Sequence[str]) -> Arguments | None:
    found = _split(rest, {"--json": "json"}, {})
    if found is None:
        return None
    options, places = found
    from hypo_compactd.commands import status  # noqa: PLC0415 - as above

    return Arguments(
        command=status.status,
        projects=places,
        all=False,
        json="json" in options,
        watch=False,
        interval=status.INTERVAL_S,
        tokenizer=None,
    )


def _split(
    rest: Sequence[str], flags: Mapping[str, str], valued: Mapping[str, str]
) -> tuple[dict[str, str], list[str]] | None:
    """Return the options by name, each with its value, and the places; None where an argument is none of these."""
    options: dict[str, str] = {}
    places: list[str] = []
    waiting = iter(rest)
    for argument in waiting:
        name, sign, value = argument.partition("=")
        if argument in flags:
            options[flags[argument]] = ""
        elif name in valued:
            options[valued[name]] = value if sign else next(waiting, "")
        elif argument.startswith("-") or not argument:
            return None
        else:
            places.append(argument)
    return options, places


def _seconds(text: str) -> float | None:
    """Return a number of seconds that is plainly one, from 0 to 3600."""
    whole, _, part = text.partition(".")
    if not (whole.isascii() and whole.isdecimal() and (part.isdecimal() or not part) and part.isascii()):
        return None
    return float(text) if float(text) <= 3600 else None
