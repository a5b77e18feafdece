"""All checks by their names, and how they are done; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from hypo_compactd.doctor import daemon, limits, programs, project, repository, service, user
from hypo_compactd.doctor.facts import Machine, Tree
from hypo_compactd.doctor.hindrance import Hindrance

Facts = TypeVar("Facts")
Checks = Mapping[str, Callable[[Facts], Iterable[Hindrance]]]

MACHINE_CHECKS: Checks[Machine] = {
    "inotify watches": limits.inotify_watches,
    "inotify instances": limits.inotify_instances,
    "inotify queue": limits.inotify_queue,
    "open files": limits.open_files,
    "watchdog": programs.watchdog,
    "gawk": programs.gawk,
    "state folder": user.state_folder,
    "list folder": user.list_folder,
    "projects": user.projects,
    "global configuration": user.global_configuration,
    "service": service.service,
}
TREE_CHECKS: Checks[Tree] = {
    ".pipeline": project.pipeline,
    "configuration": project.configuration,
    "permissions": project.permissions,
    "view files": project.view_files,
    "file system": project.file_system,
    "git repository": repository.git_repository,
    ".gitignore": repository.ignored_views,
    "tracked views": repository.tracked_views,
    "daemon": daemon.daemon,
}


@dataclass(frozen=True, slots=True)
class Examined:
    """One check of the machine, or of the project `where`, and what it found."""

    check: str
    where: str
    hindrances: tuple[Hindrance, ...]


def examine(machine: Machine, trees: Iterable[Tree]) -> list[Examined]:
    """Return the result of every check, the machine's first; those of a project name it."""
    done = [Examined(name, "", tuple(check(machine))) for name, check in MACHINE_CHECKS.items()]
    for tree in trees:
        done += [Examined(name, tree.shown, tuple(check(tree))) for name, check in TREE_CHECKS.items()]
    return done
