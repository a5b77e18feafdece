"""The daemon with one thing broken from inside: `python with_fault.py FAULT run PROJECT …`.

What cannot be provoked from outside (a thread of watchdog that ends, a handler that raises, a view
that cannot be computed) is broken here before the program starts; the program itself has no such
switches. A fault strikes when the file named in `FAULT_TRIGGER` exists, so that the daemon is
healthy first.
"""

from __future__ import annotations

import os
import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from watchdog.observers import api, inotify_c


def struck() -> bool:
    return Path(os.environ["FAULT_TRIGGER"]).exists()


def reader_dies() -> None:
    """The thread that reads inotify raises."""
    name = "InotifyFD" if hasattr(inotify_c, "InotifyFD") else "Inotify"
    kind: Any = getattr(inotify_c, name)
    healthy = kind.read_events

    def read_events(self: Any, **options: Any) -> Any:
        events = healthy(self, **options)
        if struck():
            Path(os.environ["FAULT_TRIGGER"]).unlink()
            raise KeyError("struck")
        return events

    kind.read_events = read_events


def reader_warns() -> None:
    """The thread that reads inotify warns, as that of watchdog 7.1 does when watched trees change fast."""
    import warnings

    name = "InotifyFD" if hasattr(inotify_c, "InotifyFD") else "Inotify"
    kind: Any = getattr(inotify_c, name)
    healthy = kind.read_events

    def read_events(self: Any, **options: Any) -> Any:
        events = healthy(self, **options)
        if struck():
            warnings.warn_explicit("struck", RuntimeWarning, inotify_c.__file__, 1, module=inotify_c.__name__)
        return events

    kind.read_events = read_events


def dispatcher_dies() -> None:
    """The thread that calls the handlers raises."""
    kind: Any = api.BaseObserver
    healthy = kind.dispatch_events

    def dispatch_events(self: Any, *arguments: Any) -> None:
        healthy(self, *arguments)
        if struck():
            Path(os.environ["FAULT_TRIGGER"]).unlink()
            raise KeyError("struck")

    kind.dispatch_events = dispatch_events


def deaf() -> None:
    """Events are read and thrown away while every thread lives."""
    healthy = api.EventQueue.put

    def put(self: Any, item: Any, *arguments: Any, **options: Any) -> None:
        if not struck() or item is api.EventDispatcher.stop_event:
            healthy(self, item, *arguments, **options)

    api.EventQueue.put = put  # type: ignore[method-assign]


def deaf_project() -> None:
    """Events of `.pipeline/` are thrown away, as on a file system that brings none; others come."""
    healthy = api.EventQueue.put

    def put(self: Any, item: Any, *arguments: Any, **options: Any) -> None:
        about = "" if item is api.EventDispatcher.stop_event else f"{item[0].src_path}{item[0].dest_path}"
        if not struck() or "/.pipeline" not in about:
            healthy(self, item, *arguments, **options)

    api.EventQueue.put = put  # type: ignore[method-assign]


def slow_project() -> None:
    """Every look at the project called `slow` takes an hour."""
    import time

    worker: Any = import_module("hypo_compactd.worker")
    healthy = worker.reconcile

    def reconcile(project: Any, *arguments: Any, **named: Any) -> Any:
        while struck() and project.root.name == "slow":
            time.sleep(0.1)
        return healthy(project, *arguments, **named)

    worker.reconcile = reconcile


def hung_folder() -> None:
    """Whoever asks what is in a folder called `hung` waits until the file system answers."""
    import threading

    healthy = os.stat

    def stat(path: Any, *arguments: Any, **options: Any) -> Any:
        while f"{path}".endswith("/hung") and struck():
            threading.Event().wait(0.02)
        return healthy(path, *arguments, **options)

    os.stat = stat


def scan_storm() -> None:
    """Every scan finds a change."""
    import itertools

    from hypo_compactd.scan import Scan

    worker: Any = import_module("hypo_compactd.worker")
    numbers = itertools.count()
    healthy = worker.scan

    def scan(*arguments: Any) -> Scan:
        return Scan({**healthy(*arguments).marks, "/storm": (next(numbers), 0, 0, 0, 0)}, racy=True)

    worker.scan = scan


def slow_view() -> None:
    """The log's view takes as long as the trigger is there; a file beside the trigger says that it has begun."""
    import time

    look: Any = import_module("hypo_compactd.look")
    healthy = look.compute

    def compute(strategy: Any, *arguments: Any) -> Any:
        view = healthy(strategy, *arguments)
        while struck() and strategy.name == "log":
            Path(f"{os.environ['FAULT_TRIGGER']}.begun").touch()
            time.sleep(0.01)
        return view

    look.compute = compute


def view_raises() -> None:
    """The log's view cannot be computed."""
    look: Any = import_module("hypo_compactd.look")
    healthy = look.compute

    def compute(strategy: Any, *arguments: Any) -> Any:
        if struck() and strategy.name == "log":
            raise ValueError("struck")
        return healthy(strategy, *arguments)

    look.compute = compute


def look_raises() -> None:
    """No look at the project can be done."""
    worker: Any = import_module("hypo_compactd.worker")
    healthy = worker.reconcile

    def reconcile(*arguments: Any, **named: Any) -> Any:
        if struck():
            raise ValueError("struck")
        return healthy(*arguments, **named)

    worker.reconcile = reconcile


def own_files_matter() -> None:
    """What the daemon writes itself counts as a change of a source: its views and its temporary files."""
    interest: Any = import_module("hypo_compactd.folders").Interest
    outputs: Any = import_module("hypo_compactd.outputs").Outputs
    interest.matters = lambda *_: True
    outputs.ours = lambda *_: False


def folder_before_watch() -> None:
    """In a folder called `late` another is made after the folders were listed and before it is watched."""
    from hypo_compactd.watcher import Watcher

    healthy: Any = Watcher.watch

    def watch(self: Any, owner: str, folders: Any) -> Any:
        folders = tuple(folders)
        for folder in folders:
            if folder.endswith("/late"):
                Path(folder, "inner").mkdir(exist_ok=True)
        return healthy(self, owner, folders)

    Watcher.watch = watch  # type: ignore[method-assign]


def handler_raises() -> None:
    """Our own handler raises."""
    from hypo_compactd.watcher import Watcher

    healthy = Watcher._path

    def path(self: Any, *arguments: Any, **options: Any) -> None:
        if struck():
            Path(os.environ["FAULT_TRIGGER"]).unlink()
            raise ValueError("struck")
        healthy(self, *arguments, **options)

    Watcher._path = path  # type: ignore[method-assign]


def killed_half_written() -> None:
    """The process is killed when half of a view's temporary file is written."""
    writer: Any = import_module("hypo_compactd.writer")
    healthy = writer._write_all

    def write_all(descriptor: int, data: bytes) -> None:
        if struck():
            os.write(descriptor, data[: len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        healthy(descriptor, data)

    writer._write_all = write_all


def killed_before_rename() -> None:
    """The process is killed between a view's temporary file and its rename."""
    healthy = os.rename

    def rename(source: str, target: str, **options: Any) -> None:
        if struck() and source.startswith(".hypo-compactd-"):
            os.kill(os.getpid(), signal.SIGKILL)
        healthy(source, target, **options)

    os.rename = rename  # type: ignore[assignment]


def killed_before_manifest() -> None:
    """The process is killed between the writing of views and the remembering of it."""
    manifests: Any = import_module("hypo_compactd.manifest")
    healthy = manifests.save

    def save(*arguments: Any) -> None:
        if struck():
            os.kill(os.getpid(), signal.SIGKILL)
        healthy(*arguments)

    manifests.save = save


def stopped_with_canary() -> None:
    """The process stops, as by SIGSTOP, with a canary that it is just sending; one is sent every second."""
    from hypo_compactd.canary import Canary
    from hypo_compactd.canary_file import CanaryFile

    constructor: Any = Canary.__init__
    constructor.__defaults__ = (1.0, *constructor.__defaults__[1:])  # the period is the first

    healthy = CanaryFile.fly

    def fly(self: Any) -> None:
        if struck():
            os.kill(os.getpid(), signal.SIGSTOP)
        healthy(self)

    CanaryFile.fly = fly  # type: ignore[method-assign]


def slow_disk() -> None:
    """Flushing a view to the disk takes an hour; a file beside the trigger says that it has begun."""
    import time

    healthy = os.fsync

    def fsync(descriptor: int) -> None:
        while struck():
            Path(f"{os.environ['FAULT_TRIGGER']}.begun").touch()
            time.sleep(0.1)
        healthy(descriptor)

    os.fsync = fsync  # type: ignore[assignment]


FAULTS = {
    fault.__name__: fault
    for fault in (
        slow_view,
        view_raises,
        look_raises,
        own_files_matter,
        *(
            reader_dies,
            reader_warns,
            dispatcher_dies,
            deaf,
            deaf_project,
            slow_project,
            hung_folder,
            scan_storm,
            handler_raises,
        ),
        folder_before_watch,
        *(killed_half_written, killed_before_rename, killed_before_manifest, stopped_with_canary, slow_disk),
    )
}

if __name__ == "__main__":
    FAULTS[sys.argv.pop(1)]()
    from hypo_compactd.cli import main

    sys.exit(main())
