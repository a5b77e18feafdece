"""The command `init`: everything that a project needs so that its views are kept."""

from __future__ import annotations

import argparse
import os
from typing import Any

from hypo_compactd.commands.compact import compact
from hypo_compactd.console import add_command, add_project, complain
from hypo_compactd.errors import CompactdError, ExitCode
from hypo_compactd.messages import message, printable


def add(commands: Any) -> None:
    """Add the command to the parser of all."""
    one = add_command(
        commands,
        "init",
        init,
        summary="prepare a project: .gitignore, the list of projects, first views",
        description="Put *.compact.* into the project's .gitignore where that is missing, add the project to the list "
        "that `run --all` and the service keep, and make its views. What is there already is left as it is.",
        examples="hypo-compactd init ~/projects/tide",
        notes="A .gitignore is made only in a git repository. A view that git tracks already is named, and nothing "
        "is done about it.",
    )
    add_project(one)
    # The views are made by `compact` as it is when nothing more is asked of it.
    one.set_defaults(view=None, if_stale=False, check=False, json=False, quiet=False)


def init(arguments: argparse.Namespace) -> int:
    """Prepare a project; run again it changes nothing."""
    from hypo_compactd import gitignore, registry
    from hypo_compactd.language import language_of
    from hypo_compactd.lock import writer_lock
    from hypo_compactd.paths import find_project
    from hypo_compactd.reconcile import check_root

    project = find_project(arguments.project)
    check_root(project)
    language = language_of(project.root)
    views = _views(project)
    code: int = ExitCode.OK
    try:
        with writer_lock(project):
            ensured = gitignore.ensure(project.root, views)
        print(message(f"gitignore_{ensured}", language))
        for one in gitignore.unignored(project.root, views):
            complain(_not_ignored(one, project), language, "init")
            code = ExitCode.BAD_INPUT
    except CompactdError as error:
        complain(error.phrase, language, "init")
        code = error.exit_code
    try:
        key = "project_added" if registry.add(project.root) else "project_listed"
        print(message(key, language, path=printable(os.fspath(project.root))))
    except CompactdError as error:
        complain(error.phrase, language, "init")
        code = error.exit_code
    made = compact(arguments)
    _warn_of_tracked(project, views, language)
    return code or made


def _views(project: Any) -> list[str]:
    """Return where the project's views stand; of a configuration that cannot be read `compact` speaks."""
    from hypo_compactd import config
    from hypo_strategies.registry import STRATEGIES

    try:
        options = config.load(project.root)
    except CompactdError:
        options = config.Config()
    return [options.target(strategy) for strategy in STRATEGIES]


def _not_ignored(one: Any, project: Any) -> Any:
    from hypo_compactd import gitignore
    from hypo_strategies.text.phrase import phrase

    views, command = printable(", ".join(one.views)), gitignore.command(one, os.fspath(project.root))
    if one.rule is None:
        return phrase("git does not ignore {views}; {command}", views=views, command=command)
    return phrase(
        "git does not ignore {views}: {rule} takes them back; {command}",
        views=views,
        rule=str(one.rule),
        command=command,
    )


def _warn_of_tracked(project: Any, views: Any, language: Any) -> None:
    from hypo_compactd import git
    from hypo_strategies.text.phrase import phrase

    found = None if git.work_tree(project.root) is None else git.tracked(project.root, views)
    if found:
        said = phrase(
            "git tracks {views}, so each refresh shows as a change; {command}",
            views=", ".join(found),
            command=git.untrack(os.fspath(project.root), found),
        )
        complain(said, language, "init")
