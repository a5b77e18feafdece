"""The log's view after one entry is added, from reading the file to the view's bytes; and a cold one."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from bench.grown import log, with_entry
from bench.rows import Row, ratio, side_by_side
from hypo_compactd.reader import SourceFile
from hypo_compactd.texts import Texts
from hypo_strategies.api import Memory, Options, Sources
from hypo_strategies.registry import compute, get_strategy

SIZES = ((144_000, "144 KB", 3.0), (1_000_000, "1 MB", 1.0), (10_000_000, "10 MB", 0.6), (50_000_000, "50 MB", None))
ROUNDS = 15


def read(path: Path) -> bytes:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        size = os.fstat(descriptor).st_size
        data = os.read(descriptor, size)
        return data if len(data) == size else data + os.read(descriptor, size)
    finally:
        os.close(descriptor)


def view(data: bytes, memory: Memory | None = None) -> bytes:
    files = {"log.yaml": SourceFile(data, (0, 0, 0, 0))}
    found = compute(get_strategy("log"), Sources(Texts(files), data={"log.yaml": data}), Options(), memory)
    assert found.text is not None
    return found.text.encode()


def rows(base: Path, *, full: bool) -> Iterator[Row]:
    """Yield refreshes of logs of all sizes, then cold ones against `yaml.safe_load`."""
    path = base / "log.yaml"
    for size, name, limit in SIZES if full else SIZES[:-1]:
        data = log(size=size)
        for place in ("end", "top", "middle"):
            memory = Memory()
            view(data, memory)
            state = {"data": data, "number": data.count(b"\n  -\n") + 1}

            def grow(state: dict[str, object] = state, place: str = place) -> None:
                state["data"] = with_entry(state["data"], place, state["number"])  # type: ignore[arg-type]
                state["number"] += 1  # type: ignore[operator]
                path.write_bytes(state["data"])  # type: ignore[arg-type]

            def refresh(memory: Memory = memory) -> None:
                view(read(path), memory)

            _, floor, ours = side_by_side(ROUNDS, grow, lambda: hashlib.blake2b(read(path)).digest(), refresh)
            assert view(read(path), memory) == view(read(path))
            what = f"log of {name}, one entry more at the {place}: read to view"
            yield ratio(what, ours, floor, "to read and hash it", limit)
    yield from cold(path)


def cold(path: Path) -> Iterator[Row]:
    import yaml

    data = log(size=10_000_000)
    path.write_bytes(data)
    (ours,) = side_by_side(3, lambda: view(read(path)))
    began = time.perf_counter()
    yaml.safe_load(data)
    yield ratio("log of 10 MB, cold: read to view", ours, time.perf_counter() - began, "yaml.safe_load", 1 / 25)
    yield Row("the same, in seconds", f"{ours:.2f} s", "", ours, None, "s")
