"""The command `projects`: the list of projects that `run --all` keeps."""

from __future__ import annotations

import argparse
import json
import os
from typing import Any

from hypo_compactd.console import add_command, complain, usage
from hypo_compactd.errors import ExitCode
from hypo_compactd.messages import message, printable
from hypo_strategies.text.phrase import phrase

ACTIONS = ("list", "add", "remove")


def add(commands: Any) -> None:
    """Add the command to the parser of all."""
    one = add_command(
        commands,
        "projects",
        projects,
        summary="list the projects that run --all keeps, add one, remove one",
        description="The projects that `run --all` and the service keep: those added here or by init, and those that "
        "Hypo-Workflow lists in ~/.hypo-workflow/projects.yaml, which is only read. A running daemon takes what is "
        "added and leaves what is removed at once; views stay as they are.",
        examples="hypo-compactd projects list\nhypo-compactd projects add ~/projects/tide ~/projects/moon",
        notes="To remove what is not on the list is bad input (65); to add what is on it already is fine.",
    )
    one.add_argument("action", nargs="?", choices=ACTIONS, default="list", help="what to do (default: list)")
    one.add_argument(
        "projects",
        nargs="*",
        metavar="PROJECT",
        help="add, remove: folders that hold a .pipeline/ (default: the nearest one upwards)",
    )
    one.add_argument("--json", action="store_true", help="print the result as JSON")


def projects(arguments: argparse.Namespace) -> int:
    """List, add or remove projects."""
    from hypo_compactd.language import language_of

    language = language_of()
    if arguments.action != "list":
        return _change(arguments, language)
    if arguments.projects:
        return usage("projects", phrase("list takes no PROJECT; it lists all"), language)
    return _list(language, as_json=arguments.json)


def _list(language: Any, *, as_json: bool) -> int:
    from hypo_compactd import registry

    ours, theirs = registry.registered(), registry.hypo_workflow_list()
    for finding in theirs.findings:
        complain(finding.phrase, language)
    listed = {
        "hypo-compactd": {*map(os.path.realpath, ours)},
        "Hypo-Workflow": {*map(os.path.realpath, theirs.projects)},
    }
    rows = [
        {
            "path": os.fspath(one),
            "listed_by": [name for name, roots in listed.items() if os.path.realpath(one) in roots],
            "folder": os.path.isdir(one),  # noqa: PTH112 - it never raises
            "pipeline": os.path.isdir(one / ".pipeline"),  # noqa: PTH112
        }
        for one in registry.everything()
    ]
    if as_json:
        # The paths exactly, for whoever gives them back: a byte that is not UTF-8 is a lone surrogate, escaped.
        print(json.dumps({"schema": 1, "file": os.fspath(registry.file()), "projects": rows}))
    elif rows:
        _print_rows(rows, language)
    else:
        complain(phrase("no project is listed; `hypo-compactd init` adds one"), language, "projects")
    return ExitCode.OK


def _print_rows(rows: list[dict[str, Any]], language: Any) -> None:
    width = max(len(printable(row["path"])) for row in rows)
    for row in rows:
        key = "" if row["pipeline"] else "project_empty" if row["folder"] else "project_gone"
        cells = (
            printable(row["path"]).ljust(width),
            ", ".join(row["listed_by"]),
            message(key, language) if key else "",
        )
        print("  ".join(cells).rstrip())


def _change(arguments: argparse.Namespace, language: Any) -> int:
    from hypo_compactd import registry
    from hypo_compactd.errors import InputError
    from hypo_compactd.paths import absent_project, find_project

    adding = arguments.action == "add"
    code: int = ExitCode.OK
    done = []
    for name in arguments.projects or [None]:
        try:
            # What is to be removed may be gone from the disk; what is to be added may get its .pipeline/ later.
            gone = not adding and name is not None
            project = absent_project(name) if gone else find_project(name, must_exist=False)
        except InputError as error:
            complain(error.phrase, language, "projects")
            code = error.exit_code
            continue
        folder = project.root
        changed = registry.add(folder) if adding else registry.remove(folder)
        done.append({"path": os.fspath(folder), "changed": changed})
        shown = printable(os.fspath(folder))
        if adding and not os.path.isdir(project.pipeline):  # noqa: PTH112 - it never raises
            complain(phrase("{path}: no .pipeline/ in it yet; it is waited for", path=shown), language, "projects")
        if not adding and not changed:
            theirs = os.path.realpath(folder) in map(os.path.realpath, registry.hypo_workflow())
            file = registry.HYPO_WORKFLOW_FILE
            said = (
                phrase("{path}: Hypo-Workflow lists it, in {file}; it is not on our list", path=shown, file=file)
                if theirs
                else phrase("{path}: it is not on the list; see `hypo-compactd projects list`", path=shown)
            )
            complain(said, language, "projects")
            code = ExitCode.BAD_INPUT
        elif not arguments.json:
            key = ("project_added" if changed else "project_listed") if adding else "project_removed"
            print(message(key, language, path=shown))
    if arguments.json:
        print(json.dumps({"schema": 1, "projects": done}))
    return code
