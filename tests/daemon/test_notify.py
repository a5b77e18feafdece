from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from hypo_compactd.notify import STATUS_LIMIT, Notifier, address_of, watchdog_s


class Manager:
    """The service manager's end of the socket."""

    def __init__(self, address: str | bytes) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.settimeout(0)

    def heard(self) -> list[str]:
        found = []
        while True:
            try:
                found.append(self.socket.recv(65536).decode())
            except BlockingIOError:
                return found


@pytest.fixture(name="manager")
def _manager(tmp_path: Path) -> Iterator[Manager]:
    manager = Manager(os.fspath(tmp_path / "notify"))
    yield manager
    manager.socket.close()


@pytest.fixture(name="notifier")
def _notifier(tmp_path: Path, manager: Manager) -> Notifier:
    return Notifier({"NOTIFY_SOCKET": os.fspath(tmp_path / "notify"), "WATCHDOG_USEC": "90000000"}, 7)


def test_the_manager_hears_the_whole_life_of_a_daemon(manager: Manager, notifier: Notifier) -> None:
    notifier.starting(1000.0)
    notifier.status("2 projects: 2 ok")
    notifier.ready()
    notifier.alive()
    notifier.reloading(12.5)
    notifier.ready()
    notifier.stopping()

    assert manager.heard() == [
        "EXTEND_TIMEOUT_USEC=90000000",
        "STATUS=2 projects: 2 ok",
        "READY=1",
        "WATCHDOG=1",
        "RELOADING=1\nMONOTONIC_USEC=12500000",
        "READY=1",
        "STOPPING=1",
    ]


def test_a_status_is_sent_when_it_changes_only(manager: Manager, notifier: Notifier) -> None:
    for text in ("one", "one", "two", "one"):
        notifier.status(text)

    assert manager.heard() == ["STATUS=one", "STATUS=two", "STATUS=one"]


def test_more_time_is_asked_for_now_and_then_only(manager: Manager, notifier: Notifier) -> None:
    for now in (100.0, 101.0, 109.9, 110.0, 115.0):
        notifier.starting(now)

    assert len(manager.heard()) == 2


def test_what_a_full_queue_did_not_take_is_said_again(
    manager: Manager, notifier: Notifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hypo_compactd.notify.SEND_WAIT_S", 0.001)
    while notifier.ready():
        pass
    notifier.status("2 projects: 2 ok")
    notifier.starting(100.0)
    manager.heard()

    assert notifier.ready()
    notifier.status("2 projects: 2 ok")
    notifier.starting(101.0)
    assert manager.heard() == ["READY=1", "STATUS=2 projects: 2 ok", "EXTEND_TIMEOUT_USEC=90000000"]


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("项目 → 正常", "项目 → 正常"),
        ("a\nREADY=1", r"a\x0aREADY=1"),
        ("\udcff", r"\xdcff"),
        ("x" * 5000, "x" * STATUS_LIMIT),
    ],
)
def test_no_status_can_say_anything_else(manager: Manager, notifier: Notifier, text: str, sent: str) -> None:
    notifier.status(text)

    assert manager.heard() == [f"STATUS={sent}"]


def test_a_name_in_the_abstract_namespace_is_an_address() -> None:
    name = f"hypo-compactd-test-{os.getpid()}"
    manager = Manager(f"\0{name}".encode())
    Notifier({"NOTIFY_SOCKET": f"@{name}"}, 1).ready()

    assert manager.heard() == ["READY=1"]
    manager.socket.close()


@pytest.mark.parametrize(
    "environment",
    [{}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "vsock:2:1234"}, {"NOTIFY_SOCKET": "relative"}],
    ids=str,
)
def test_nothing_is_sent_where_nobody_listens(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("a socket was made")

    monkeypatch.setattr(socket, "socket", never)
    notifier = Notifier(environment, 1)
    notifier.status("fine")
    assert notifier.ready(), "there is nothing to say again"
    notifier.stopping()


def test_a_manager_that_is_gone_or_does_not_read_is_no_error(
    manager: Manager, notifier: Notifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hypo_compactd.notify.SEND_WAIT_S", 0.001)
    for number in range(500):
        notifier.status(f"{number} {'x' * 400}")  # until its socket is full, and longer
    assert len(manager.heard()) < 500
    manager.socket.close()
    notifier.ready()


def test_the_watchdog_is_fed_only_where_there_is_one(tmp_path: Path, manager: Manager) -> None:
    Notifier({"NOTIFY_SOCKET": os.fspath(tmp_path / "notify")}, 7).alive()

    assert manager.heard() == []


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "1500000"}, 1.5),
        ({"WATCHDOG_USEC": "1500000", "WATCHDOG_PID": "7"}, 1.5),
        ({"WATCHDOG_USEC": "1500000", "WATCHDOG_PID": "8"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "-1"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "１"}, None),
    ],
    ids=str,
)
def test_the_watchdog_s_patience_is_that_for_this_process(environment: dict[str, str], seconds: float | None) -> None:
    assert watchdog_s(environment, 7) == seconds


@pytest.mark.parametrize(
    ("value", "address"), [("/run/x", "/run/x"), ("@x/y", "\0x/y"), ("", ""), ("vsock:1:2", ""), ("x", "")]
)
def test_an_address_is_a_path_or_an_abstract_name(value: str, address: str) -> None:
    assert address_of(value) == address
