"""Reading JSON that the program itself has written, without `json`: hooks wait for what that imports.

`json` loads regular expressions for texts that its own scanner does not take. Ours are all for that scanner; where a
Python has none, `json` reads them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def loads(data: bytes) -> Any:
    """Return what stands in a text of one line.

    Raises:
        ValueError: it is no JSON, or it is not UTF-8.
        RecursionError: it is nested too deep.
    """
    text = data.decode()
    try:
        from _json import make_scanner  # noqa: PLC0415 - not every Python has it
    except ImportError:  # pragma: no cover - as above
        import json  # noqa: PLC0415 - see above

        return json.loads(text)
    try:
        value, end = make_scanner(_CONTEXT)(text, 0)
    except StopIteration:
        raise ValueError("no JSON") from None
    if text[end:].strip():
        raise ValueError("more than one value")
    return value


class _Context:
    """What the scanner asks for, as `json.JSONDecoder` has it."""

    def __init__(self) -> None:
        self.strict = True
        self.object_hook = None
        self.object_pairs_hook = None
        self.parse_float = float
        self.parse_int = int
        self.parse_constant = float
        self.memo: dict[str, str] = {}


_CONTEXT: Any = _Context()
