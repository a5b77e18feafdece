"""A project's own files: what is missing, closed, blocked or wrong in them; pure."""

from __future__ import annotations

from hypo_compactd.doctor.facts import Blocked, Closed, Tree
from hypo_compactd.doctor.hindrance import Hindrance, mended, opened, usable
from hypo_compactd.messages import printable
from hypo_strategies.text.phrase import Phrase, phrase

SHOWN = 10
"""How many files or folders of one project are named that are closed to us."""


def pipeline(tree: Tree) -> list[Hindrance]:
    """Check that there is something to keep: `.pipeline/`, in the project, not empty."""
    # What is closed is named by another check, with the command that opens it.
    return [Hindrance("doctor_plain", {"text": tree.root_error})] if tree.root_error and not tree.closed else []


def configuration(tree: Tree) -> list[Hindrance]:
    """Check that the configuration can be used, and every value of it."""
    one = tree.configuration
    found = []
    # Where a folder above it is closed, that is named by the check of permissions.
    if one is not None and one.closed not in tree.closed:
        found.append(usable(one))
    found += [Hindrance("doctor_plain", {"text": problem}) for problem in tree.findings]
    return [_named(tree, hindrance) for hindrance in found]


def permissions(tree: Tree) -> list[Hindrance]:
    """Check that this user may read the sources and write where the views stand."""
    found = [_closed(one) for one in tree.closed[:SHOWN]]
    more = len(tree.closed) - SHOWN
    if more > 0:
        found.append(Hindrance("doctor_more_closed", {"path": printable(tree.shown), "count": more}))
    return found


def view_files(tree: Tree) -> list[Hindrance]:
    """Check that nothing but a file is in the place of a view: all else is left as it is."""
    return [_blocked(one) for one in tree.blocked]


def file_system(tree: Tree) -> list[Hindrance]:
    """Check that the file system tells of changes, whoever makes them."""
    if tree.silent is None:
        return []
    return [Hindrance("doctor_silent", {"path": printable(tree.shown), "type": printable(tree.silent)})]


def _named(tree: Tree, hindrance: Hindrance) -> Hindrance:
    text: Phrase = hindrance.values["text"]
    said = phrase("{path}: {reason}", path=printable(tree.shown), reason=text)
    return Hindrance("doctor_plain", {"text": said}, hindrance.commands)


def _closed(one: Closed) -> Hindrance:
    values = {"path": printable(one.path)}
    if one.write and one.read_only:
        return Hindrance("doctor_read_only", values)
    return Hindrance("doctor_unwritable" if one.write else "doctor_unreadable", values, (opened(one),))


def _blocked(one: Blocked) -> Hindrance:
    key = "doctor_no_folder" if one.folder else "doctor_blocked"
    return Hindrance(key, {"path": printable(one.path), "kind": one.kind}, mended(one.path, one.remedy))
