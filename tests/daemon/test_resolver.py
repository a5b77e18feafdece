"""Names that are resolved in threads: one that hangs holds up no other."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hypo_compactd.paths import Project
from hypo_compactd.resolver import Resolver
from support.daemon_process import wait_until


class FileSystem:
    """Answers for every name but those that hang, and counts."""

    def __init__(self) -> None:
        self.hung: set[str] = set()
        self.asked: list[str] = []
        self.late = 0
        self._answer = threading.Condition()

    def find(self, name: str) -> Project:
        self.asked.append(name)
        with self._answer:
            self._answer.wait_for(lambda: name not in self.hung)
        return Project(Path(name), Path("/real") / name)

    def release(self, *names: str) -> None:
        with self._answer:
            self.hung.difference_update(names)
            self._answer.notify_all()

    def ring(self) -> None:
        self.late += 1


@pytest.fixture(name="disk")
def _disk() -> Iterator[FileSystem]:
    disk = FileSystem()
    yield disk
    disk.release(*disk.hung)


def roots(resolver: Resolver, *names: str, wait_s: float = 60.0) -> dict[str, str | None]:
    return {name: one.root.name if one else None for name, one in resolver.resolve(names, wait_s).items()}


def test_all_are_found_in_order_and_each_is_asked_once(disk: FileSystem) -> None:
    names = [f"p{number}" for number in range(200)]
    found = roots(Resolver(disk.find, disk.ring), *names, *names)

    assert list(found.items()) == [(name, name) for name in names]
    assert sorted(disk.asked) == sorted(names)
    assert disk.late == 0


def test_those_that_hang_hold_up_no_other_and_are_told_when_they_answer(disk: FileSystem) -> None:
    disk.hung = {"b", "c"}
    resolver = Resolver(disk.find, disk.ring)

    assert roots(resolver, "a", "b", "c", "d", wait_s=2.0) == {"a": "a", "b": None, "c": None, "d": "d"}
    assert roots(resolver, "e", "b", wait_s=2.0) == {"e": "e", "b": None}
    assert disk.asked.count("b") == 1, "one thread is enough to wait for it"

    disk.release("b")
    wait_until(lambda: disk.late == 1, "it is told")
    assert roots(resolver, "b", "d") == {"b": "b", "d": "d"}
    disk.release("c")
    assert roots(resolver, "c") == {"c": "c"}


def test_one_that_hangs_now_is_what_it_was_before(disk: FileSystem) -> None:
    resolver = Resolver(disk.find, disk.ring)
    roots(resolver, "a", "b")
    disk.hung = {"a"}

    assert roots(resolver, "a", "b", wait_s=0.5) == {"a": "a", "b": "b"}


def test_without_room_for_a_thread_they_are_asked_for_later(disk: FileSystem, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    resolver = Resolver(disk.find, disk.ring)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", no_room)
        assert roots(resolver, "a") == {"a": None}
    assert roots(resolver, "a") == {"a": "a"}
