"""The real watcher on real folders."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from watchdog.observers import Observer
from watchdog.utils import delayed_queue

from hypo_compactd.watcher import Watcher
from hypo_strategies.text.phrase import Phrase
from support.daemon_process import wait_until


class Events:
    """The events that came, by owner."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.paths: list[tuple[str, str]] = []

    def __call__(self, owner: str, path: str) -> None:
        with self.lock:
            self.paths.append((owner, path))

    def of(self, owner: str) -> list[str]:
        with self.lock:
            return [path for one, path in self.paths if one == owner]

    def clear(self) -> None:
        with self.lock:
            self.paths.clear()


def fail(reason: Phrase) -> None:
    pytest.fail(str(reason))


@pytest.fixture(name="events")
def _events() -> Events:
    return Events()


@pytest.fixture(name="watcher")
def _watcher(events: Events) -> Iterator[Watcher]:
    watcher = Watcher(events, fail)
    yield watcher
    watcher.stop(1.0)


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "watched"
    folder.mkdir()
    return folder


def test_a_save_in_place_and_a_save_by_rename_are_both_seen(watcher: Watcher, events: Events, folder: Path) -> None:
    assert watcher.watch("one", [os.fspath(folder)]).failed == {}

    (folder / "in-place").write_text("1")
    (folder / "temporary").write_text("2")
    (folder / "temporary").rename(folder / "renamed")
    wait_until(
        lambda: {os.fspath(folder / "in-place"), os.fspath(folder / "renamed")} <= set(events.of("one")),
        "both were seen",
    )


@pytest.mark.skipif(sys.platform != "linux", reason="only inotify tells of the halves of a rename")
def test_nothing_waits_behind_a_file_that_was_renamed_out_of_the_folder(
    watcher: Watcher, events: Events, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    def slept(seconds: float) -> None:
        waits.append(seconds)
        time.sleep(seconds)

    monkeypatch.setattr(delayed_queue, "time", SimpleNamespace(monotonic=time.monotonic, time=time.time, sleep=slept))
    (folder / "archived").write_text("1")
    watcher.watch("one", [os.fspath(folder)])
    (folder / "archived").rename(tmp_path / "archived")
    (folder / "saved").write_text("2")

    wait_until(lambda: os.fspath(folder / "saved") in events.of("one"), "the event of the save")
    assert waits == []


def test_reading_is_no_event(watcher: Watcher, events: Events, folder: Path) -> None:
    (folder / "read").write_text("1")
    watcher.watch("one", [os.fspath(folder)])
    for _ in range(50):
        (folder / "read").read_text()
    (folder / "last").write_text("2")
    wait_until(lambda: os.fspath(folder / "last") in events.of("one"), "the last change was seen")

    assert os.fspath(folder / "read") not in events.of("one")


def test_a_folder_that_was_made_anew_is_watched_anew(watcher: Watcher, events: Events, folder: Path) -> None:
    watcher.watch("one", [os.fspath(folder)])
    shutil.rmtree(folder)
    folder.mkdir()  # it may well get the same inode
    wait_until(lambda: os.fspath(folder) in events.of("one"), "the owner heard of its end")

    assert watcher.watch("one", [os.fspath(folder)]).failed == {}

    (folder / "new").write_text("1")
    wait_until(lambda: os.fspath(folder / "new") in events.of("one"), "the new folder's file was seen")


def test_a_folder_that_another_one_was_renamed_to_is_watched_anew(
    watcher: Watcher, events: Events, folder: Path
) -> None:
    watcher.watch("one", [os.fspath(folder)])
    folder.rename(folder.with_name("old"))
    folder.mkdir()
    watcher.watch("one", [os.fspath(folder)])
    events.clear()
    (folder / "new").write_text("1")
    wait_until(lambda: os.fspath(folder / "new") in events.of("one"), "the path was followed, not the folder")


def test_each_owner_hears_of_its_own_folders(watcher: Watcher, events: Events, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    watcher.watch("one", [os.fspath(folder)])
    watcher.watch("two", [os.fspath(folder), os.fspath(other)])
    watcher.watch("two", [os.fspath(other)])
    (folder / "a").write_text("1")
    (other / "b").write_text("2")
    wait_until(lambda: bool(events.of("one")) and bool(events.of("two")), "both heard")

    assert all(path.startswith(os.fspath(other)) for path in events.of("two"))
    assert all(path.startswith(os.fspath(folder)) for path in events.of("one"))


def test_a_folder_that_is_not_there_is_reported(watcher: Watcher, folder: Path) -> None:
    missing = os.fspath(folder / "missing")

    assert watcher.watch("one", [missing]).failed == {missing: Phrase("no such file or directory")}


def test_a_handler_that_raises_does_not_end_the_events(tmp_path: Path, folder: Path) -> None:
    seen: list[str] = []

    def handle(owner: str, path: str) -> None:
        seen.append(path)
        raise ValueError(owner)

    failures: list[Phrase] = []
    watcher = Watcher(handle, failures.append)
    try:
        watcher.watch("one", [os.fspath(folder)])
        (folder / "first").write_text("1")
        wait_until(lambda: bool(seen), "the first event came")
        count = len(seen)
        (folder / "second").write_text("2")
        wait_until(lambda: any(path.endswith("second") for path in seen[count:]), "events still come")
        assert "ValueError at test_watcher.py" in str(failures[0])
    finally:
        watcher.stop(1.0)


def test_a_folder_that_is_watched_anew_for_one_owner_is_so_for_all(
    watcher: Watcher, events: Events, folder: Path
) -> None:
    watcher.watch("one", [os.fspath(folder)])
    watcher.watch("two", [os.fspath(folder)])
    folder.rename(folder.with_name("old"))
    folder.mkdir()
    watcher.watch("one", [os.fspath(folder)])
    (folder / "new").write_text("1")
    wait_until(lambda: os.fspath(folder / "new") in events.of("two"), "the other owner hears of it too")


def test_a_system_without_room_is_asked_again_only_when_it_has_some(
    watcher: Watcher, events: Events, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def full() -> Any:
        asked.append(1)
        raise OSError(errno.EMFILE, "inotify instance limit reached")

    monkeypatch.setattr("hypo_compactd.watcher.Observer", full)
    monkeypatch.setattr("hypo_compactd.watcher.has_room", lambda _: False)
    for _ in range(3):
        assert "raise fs.inotify.max_user_instances" in str(
            watcher.watch("one", [os.fspath(folder)]).failed[os.fspath(folder)]
        )
    assert asked == [1]

    monkeypatch.setattr("hypo_compactd.watcher.Observer", Observer)
    monkeypatch.setattr("hypo_compactd.watcher.has_room", lambda _: True)
    assert watcher.watch("one", [os.fspath(folder)]).failed == {}
    (folder / "new").write_text("1")
    wait_until(lambda: os.fspath(folder / "new") in events.of("one"), "events come")


def test_a_watch_that_failed_again_and_again_leaves_one_handler(watcher: Watcher, folder: Path) -> None:
    observer = watcher._started()

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "input/output error")

    observer._add_emitter = fail
    for _ in range(3):
        assert watcher.watch("one", [os.fspath(folder)]).failed == {os.fspath(folder): Phrase("input/output error")}

    assert sum(len(handlers) for handlers in observer._handlers.values()) <= 1


def test_all_threads_of_a_healthy_watcher_live(watcher: Watcher, folder: Path) -> None:
    watcher.watch("one", [os.fspath(folder)])

    assert watcher.dead() == frozenset()


def test_a_folder_that_was_deleted_leaves_nothing_dead(watcher: Watcher, events: Events, folder: Path) -> None:
    (folder / "inner").mkdir()
    watcher.watch("one", [os.fspath(folder), os.fspath(folder / "inner")])
    (folder / "inner").rmdir()
    wait_until(lambda: os.fspath(folder / "inner") in events.of("one"), "it was told")

    wait_until(lambda: watcher.dead() == frozenset(), "nothing is dead")


def test_a_thread_that_ended_is_named_and_a_new_observer_brings_events_again(
    watcher: Watcher, events: Events, folder: Path
) -> None:
    watcher.watch("one", [os.fspath(folder)])
    emitter = next(iter(watcher._observer.emitters))
    emitter.stop()
    emitter.join()
    assert watcher.dead() == {f"the thread of {folder}"}

    watcher.rebuild()
    assert watcher.dead() == frozenset()
    assert watcher.rebuilds == 1
    assert watcher.watch("one", [os.fspath(folder)]).failed == {}
    (folder / "after").write_text("1")
    wait_until(lambda: os.fspath(folder / "after") in events.of("one"), "the change was seen")


def test_an_observer_that_ended_is_named(watcher: Watcher, folder: Path) -> None:
    watcher.watch("one", [os.fspath(folder)])
    watcher._observer.stop()
    watcher._observer.join()

    assert "the thread that delivers events" in watcher.dead()


def test_a_process_watches_only_so_many_folders_and_says_which_it_does_not(
    watcher: Watcher, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hypo_compactd.watcher._capacity", lambda _: 2)
    folders = [folder / name for name in ("a", "b", "c")]
    for one in folders:
        one.mkdir()

    failed = watcher.watch("one", map(os.fspath, folders)).failed
    assert list(failed) == [os.fspath(folders[2])]
    assert "as many folders" in str(failed[os.fspath(folders[2])])

    watcher.watch("one", [os.fspath(folders[0])])
    assert watcher.watch("two", [os.fspath(folders[2])]).failed == {}


def test_one_recursive_watch_of_the_pipeline_serves_the_folders_below_it(
    watcher: Watcher, events: Events, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hypo_compactd.watcher.RECURSIVE", True)
    pipeline = folder / ".pipeline"
    (pipeline / "reports").mkdir(parents=True)
    wanted = [os.fspath(one) for one in (folder, pipeline, pipeline / "reports")]

    assert watcher.watch("one", wanted).failed == {}
    assert len(watcher._observer.emitters) == 2
    (pipeline / "reports" / "a.md").write_text("1")
    (pipeline / "reports" / "new").mkdir()
    wait_until(lambda: os.fspath(pipeline / "reports" / "a.md") in events.of("one"), "a change below was seen")
    wait_until(lambda: os.fspath(pipeline / "reports" / "new") in events.of("one"), "a new folder below was seen")
    (pipeline / "reports" / "new" / "b.md").write_text("1")
    wait_until(lambda: os.fspath(pipeline / "reports" / "new" / "b.md") in events.of("one"), "and what is in it")


def test_what_watchdog_says_of_an_overflow_is_heard(events: Events, folder: Path) -> None:
    heard: list[str] = []
    watcher = Watcher(events, fail, lambda: heard.append("overflow"))
    watcher.watch("one", [os.fspath(folder)])
    log = logging.getLogger("watchdog.observers.inotify_c")
    log.warning("Inotify queue overflowed; filesystem events were lost")
    log.warning("something else")
    assert heard == ["overflow"]

    watcher.stop(1.0)
    log.warning("Inotify queue overflowed; filesystem events were lost")
    assert heard == ["overflow"]


def test_a_system_that_starts_no_more_threads_is_a_reason_and_is_not_asked_again_at_once(
    watcher: Watcher, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = folder / "other"
    other.mkdir()
    watcher.watch("one", [os.fspath(other)])
    asked: list[str] = []

    def schedule(_handler: object, path: str, **_options: object) -> None:
        asked.append(path)
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(watcher._observer, "schedule", schedule)
    for _ in range(3):
        failed = watcher.watch("two", [os.fspath(folder)]).failed
        assert "no more threads" in str(failed[os.fspath(folder)])
    assert asked == [os.fspath(folder)]


def test_asking_what_is_dead_waits_for_nobody_who_hangs_in_the_system(
    watcher: Watcher, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hypo_compactd.watcher.LOCK_WAIT_S", 0.01)
    watcher.watch("one", [os.fspath(folder)])
    with watcher._lock:
        assert watcher.dead() == frozenset()
        assert watcher.holds(os.fspath(folder))
