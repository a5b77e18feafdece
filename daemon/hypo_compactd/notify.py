"""What systemd is told of the daemon (sd_notify(3)): silent where nobody listens, and never in the way.

A message is a datagram of a few lines. One that cannot be sent in a moment is put off: whoever does
not read it must not keep the daemon from its work.
"""

from __future__ import annotations

import math
import socket
from collections.abc import Mapping

from hypo_compactd.messages import printable

SEND_WAIT_S = 0.5
"""How long a message waits for room."""

EXTENSION_S = 90.0
EXTEND_EVERY_S = 10.0
"""For how long more the manager is asked to wait for the start, and how often."""

STATUS_LIMIT = 500
"""Characters of the status text; systemd takes datagrams of 4 KiB."""

_MICROSECONDS = 1_000_000


class Notifier:
    """Tells the service manager how the daemon is.

    Args:
        environment: where `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID` stand.
        pid: our process.

    Attributes:
        watchdog_s: how long the manager waits for a sign of life before it starts the daemon anew;
            None where it does not.
    """

    def __init__(self, environment: Mapping[str, str], pid: int) -> None:
        self.watchdog_s = watchdog_s(environment, pid)
        self._address = address_of(environment.get("NOTIFY_SOCKET", ""))
        self._status = ""
        self._extended = -math.inf

    def starting(self, now: float) -> None:
        """Ask for more time for the start, again and again but not all the time; `now` is the monotonic clock, in seconds."""
        if now >= self._extended + EXTEND_EVERY_S and self._send(
            f"EXTEND_TIMEOUT_USEC={round(EXTENSION_S * _MICROSECONDS)}"
        ):
            self._extended = now

    def ready(self) -> bool:
        """Say that every project has been looked at, after the start or after `reloading`; return whether it was said."""
        return self._send("READY=1")

    def reloading(self, now: float) -> None:
        """Say that the configuration is being read anew; `now` is the monotonic clock, in seconds."""
        self._send("RELOADING=1", f"MONOTONIC_USEC={int(now * _MICROSECONDS)}")

    def status(self, text: str) -> None:
        """Show a text in `systemctl status`; the same text again costs nothing."""
        text = printable(text)[:STATUS_LIMIT]
        if text != self._status and self._send(f"STATUS={text}"):
            self._status = text

    def alive(self) -> None:
        """Feed the watchdog, where there is one: only for a loop that has just seen that events come."""
        if self.watchdog_s is not None:
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """Say that the daemon is ending."""
        self._send("STOPPING=1")

    def _send(self, *lines: str) -> bool:
        """Send a message; return False where it could not be sent now and should be again."""
        if not self._address:
            return True
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as one:
                one.settimeout(SEND_WAIT_S)
                one.sendto("\n".join(lines).encode(), self._address)
        except OSError:
            return False
        return True


def address_of(value: str) -> str:
    """Return the address of the manager's socket, "" where there is none that we know how to use.

    A path, or a name in the abstract namespace with `@` for its first byte.
    """
    if value.startswith("@"):
        return f"\0{value[1:]}"
    return value if value.startswith("/") else ""


def watchdog_s(environment: Mapping[str, str], pid: int) -> float | None:
    """Return the manager's patience in seconds, None where it has set no watchdog for this process."""
    text = environment.get("WATCHDOG_USEC", "")
    if environment.get("WATCHDOG_PID", str(pid)) != str(pid) or not (text.isascii() and text.isdigit()):
        return None
    return int(text) / _MICROSECONDS or None
