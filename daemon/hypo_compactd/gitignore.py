"""The line in a project's `.gitignore` that keeps views out of its repository (seeds/compact.md, Git Tracking).

Whether it does is asked of git itself: a later rule, or one in a folder below, may take views back. Only
where git does not say, the line alone counts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from hypo_compactd import git, shell
from hypo_compactd.errors import InputError, RefusedError, UnstableError
from hypo_compactd.git import Rule, work_tree
from hypo_compactd.messages import printable
from hypo_compactd.reader import FILE_LIMIT, check_shortage, describe, read_file
from hypo_compactd.writer import sweep_temporary, write_view
from hypo_strategies.text.phrase import Phrase, phrase

NAME = ".gitignore"
LINE = b"*.compact.*"

_SAME = re.compile(rb"(!?)(?:\*\*/)?\*\.compact\.\* *")
"""The line, or one that takes it back; git leaves blanks at the end out, and tabs in."""

_LINE_END = re.compile(rb"\r?\n")


class Ensured(StrEnum):
    """What came of it."""

    ADDED = "added"
    THERE = "there"
    """The file, or that of a folder above in the same repository, has the line."""
    NO_REPOSITORY = "no_repository"
    """No repository and no such file: none is made."""


class Cure(StrEnum):
    """What makes git ignore views that it does not."""

    ENSURE = "ensure"
    """The line at the end of the project's own `.gitignore`."""
    APPEND = "append"
    """The line at the end of the file that takes them back: it is in a folder below, so it counts for more."""
    ASK = "ask"
    """The line is there, and why it does not count only git knows."""


class Unignored(NamedTuple):
    """Views that git does not ignore: places relative to the project, the rule that takes them back, and what helps."""

    views: tuple[str, ...]
    rule: Rule | None = None
    cure: Cure = Cure.ENSURE


def has_line(data: bytes) -> bool | None:
    """Return whether the line stands in a `.gitignore`: False where a later line takes it back, None for neither."""
    lines = _LINE_END.split(data.removeprefix(b"\xef\xbb\xbf"))
    signs = [found[1] for line in lines if (found := _SAME.fullmatch(line))]
    return not signs[-1] if signs else None


def with_line(data: bytes) -> bytes:
    """Return a `.gitignore` with the line at its end, in the file's own kind of line ends.

    Raises:
        RefusedError: it is no text that git can read, such as UTF-16.
    """
    if b"\0" in data:
        raise RefusedError("holds NUL bytes, so it is no text that git reads")
    end = b"\r\n" if data.count(b"\r\n") * 2 > data.count(b"\n") else b"\n"
    missing = end if data.removeprefix(b"\xef\xbb\xbf") and not data.endswith(b"\n") else b""
    return data + missing + LINE + end


def left_over(rules: Mapping[str, Rule | None], root: Path, data: bytes) -> tuple[Unignored, ...]:
    """Return the views that git does not ignore, those of one rule together; pure.

    Args:
        rules: by view the rule that decides about it, None for none.
        root: the real path of the project.
        data: what stands in the project's own `.gitignore`.
    """
    views: dict[Rule | None, list[str]] = {}
    for view, rule in rules.items():
        if rule is None or not rule.ignores:
            views.setdefault(rule, []).append(view)
    last = [line for line in _LINE_END.split(data) if line.strip()][-1:]
    ends = bool(last) and has_line(last[0]) is True

    def cure(rule: Rule | None) -> Cure:
        # What is in another kind of file, such as .git/info/exclude, counts for less than any .gitignore.
        if rule is not None and Path(rule.file).name == NAME and root in Path(rule.file).parent.parents:
            return Cure.APPEND
        return Cure.ASK if ends or (rule is None and has_line(data)) else Cure.ENSURE

    return tuple(Unignored(tuple(found), rule, cure(rule)) for rule, found in views.items())


def command(one: Unignored, root: str) -> str:
    """Return the command for a shell that makes git ignore views, or shows why it does not; pure."""
    if one.cure is Cure.APPEND and one.rule is not None:
        # The last line of a file may lack its end.
        return rf"printf '\n%s\n' '{LINE.decode()}' >>{shell.quoted(one.rule.file)}"
    if one.cure is Cure.ENSURE:
        return shell.line(["hypo-compactd", "init", root])
    return shell.line(["git", "-C", root, "check-ignore", "--no-index", "--verbose", "--non-matching", *one.views])


def unignored(root: Path, views: Sequence[str]) -> tuple[Unignored, ...]:
    """Return the views that git does not ignore; none where there is no repository.

    Args:
        root: the real path of the project.
        views: where its views stand, relative to it.

    Raises:
        InputError: the project's own file is not one that git reads, or cannot be read.
    """
    if work_tree(root) is None:
        return ()
    rules = git.rules(root, views)
    if rules is None:
        return () if lists_views(root) else (Unignored(tuple(views)),)
    if all(rule is not None and rule.ignores for rule in rules.values()):
        return ()
    return left_over(rules, root, _read(root) or b"")


def lists_views(root: Path) -> bool:
    """Return whether the line stands in the `.gitignore` of a project or of a folder above in its repository.

    Raises:
        InputError: the project's own file is not one that git reads, or cannot be read.
    """
    own = has_line(_read(root) or b"")
    if own is not None:
        return own
    top = work_tree(root)
    for above in root.parents if top is not None and top != root else ():
        try:
            found = has_line(_read(above) or b"")
        except InputError:  # not the project's: what cannot be read there says nothing
            found = None
        if found is not None:
            return found
        if above == top:
            break
    return False


def ensure(root: Path, views: Sequence[str]) -> Ensured:
    """Put the line into the `.gitignore` of a project, where it is missing and there is a repository or such a file.

    Where it stands there and a later rule takes views back, it is put at the end once more if that helps.
    The file is replaced whole and keeps its permissions. The caller holds the project's lock.

    Args:
        root: the real path of the project.
        views: where its views stand, relative to it.

    Raises:
        InputError: the file is not one that git reads, cannot be read or cannot be written; it is left as it is.
    """
    if lists_views(root) and not any(one.cure is Cure.ENSURE for one in unignored(root, views)):
        return Ensured.THERE
    data = _read(root)
    if data is None and work_tree(root) is None:
        return Ensured.NO_REPOSITORY
    try:
        changed = with_line(data or b"")
        sweep_temporary(root, {"."})
        write_view(root, NAME, changed, not_before_ns=0)
    except RefusedError as error:
        raise _refused(root, error.phrase) from None
    except OSError as error:
        raise _refused(root, describe(error)) from None
    return Ensured.ADDED


def _read(folder: Path) -> bytes | None:
    """Return what stands in the `.gitignore` of a folder, None when there is none."""
    try:
        if (folder / NAME).is_symlink():
            raise _refused(folder, phrase("is a symbolic link, which git does not follow"))
        return read_file(folder, NAME, limit=FILE_LIMIT).data
    except FileNotFoundError:
        return None
    except (RefusedError, UnstableError) as error:
        raise _refused(folder, error.phrase) from None
    except OSError as error:
        check_shortage(error)
        raise _refused(folder, describe(error)) from None


def _refused(folder: Path, reason: Phrase) -> InputError:
    return InputError(
        "{path}: {reason}; put the line {line} there yourself",
        path=printable(os.fspath(folder / NAME)),
        reason=reason,
        line=LINE.decode(),
    )
