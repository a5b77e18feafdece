"""The daemon that keeps a project; pure."""

from __future__ import annotations

from hypo_compactd import shell
from hypo_compactd.doctor.facts import Tree
from hypo_compactd.doctor.hindrance import Hindrance
from hypo_compactd.judge import Life
from hypo_compactd.messages import printable

_RESTART = {
    "systemd": ("systemctl --user restart hypo-compactd.service",),
    "launchd": ("launchctl kickstart -k gui/$(id -u)/io.github.hypo-compactd",),
}


def daemon(tree: Tree) -> list[Hindrance]:
    """Check that whoever holds the project lives, and is this version."""
    path = printable(tree.shown)
    # A service is started anew as a whole: a daemon in the terminal would keep one project and leave the others.
    begin = ("hypo-compactd service install",) if tree.service else (f"hypo-compactd run {shell.quoted(tree.root)}",)
    if tree.life is Life.HUNG:
        seconds = round(tree.silent_s or 0)
        commands = () if tree.pid is None else (f"kill -KILL {tree.pid}", *begin)
        pid = "?" if tree.pid is None else tree.pid
        return [Hindrance("doctor_hung", {"path": path, "pid": pid, "seconds": seconds}, commands)]
    if tree.life is Life.NONE and tree.left:
        return [Hindrance("doctor_left", {"path": path, "pid": tree.pid}, begin)]
    if tree.version and tree.version != tree.own_version:
        values = {"path": path, "pid": tree.pid, "version": printable(tree.version), "own": tree.own_version}
        return [Hindrance("doctor_version", values, _RESTART.get(tree.service, (f"kill {tree.pid}", *begin)))]
    return []
