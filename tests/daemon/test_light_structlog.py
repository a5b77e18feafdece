"""The daemon's log loads neither asyncio nor rich, and both are there for whoever wants them."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import sys
import hypo_compactd.logs
print(*sorted({"asyncio", "rich", "ssl"} & set(sys.modules)))
import asyncio, rich, structlog
print(asyncio.run is structlog.stdlib.asyncio.run, rich.__name__)
"""


def test_the_log_loads_neither_asyncio_nor_rich_and_both_can_be_had_later() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines() == ["", "True rich"]
