"""What git makes of a project's views; pure."""

from __future__ import annotations

from hypo_compactd import git, gitignore, shell
from hypo_compactd.doctor.facts import Tree
from hypo_compactd.doctor.hindrance import Hindrance
from hypo_compactd.gitignore import Unignored
from hypo_compactd.messages import printable


def git_repository(tree: Tree) -> list[Hindrance]:
    """Check that git says something of the repository: it does not where that belongs to another user."""
    if not tree.foreign:
        return []
    command = shell.line(["git", "config", "--global", "--add", "safe.directory", tree.foreign])
    return [Hindrance("doctor_foreign", {"path": printable(tree.foreign)}, (command,))]


def ignored_views(tree: Tree) -> list[Hindrance]:
    """Check that git ignores the views (seeds/compact.md, Git Tracking)."""
    if tree.gitignore is not None:
        return [Hindrance("doctor_plain", {"text": tree.gitignore})]
    return [_unignored(tree, one) for one in tree.unignored]


def tracked_views(tree: Tree) -> list[Hindrance]:
    """Check that no view is in the repository: a refresh would show as a change of it."""
    if not tree.tracked:
        return []
    values = {"path": printable(tree.shown), "views": printable(", ".join(tree.tracked))}
    return [Hindrance("doctor_tracked", values, (git.untrack(tree.root, tree.tracked),))]


def _unignored(tree: Tree, one: Unignored) -> Hindrance:
    values = {"path": printable(tree.shown), "views": printable(", ".join(one.views))}
    commands = (gitignore.command(one, tree.root),)
    if one.rule is None:
        return Hindrance("doctor_unignored", values, commands)
    return Hindrance("doctor_taken_back", {**values, "rule": str(one.rule)}, commands)
