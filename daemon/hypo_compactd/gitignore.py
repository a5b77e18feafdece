"""The line in a project's `.gitignore` that keeps views out of its repository (seeds/compact.md, Git Tracking)."""

from __future__ import annotations

import os
import re
from enum import StrEnum
from pathlib import Path

from hypo_compactd.errors import InputError, RefusedError, UnstableError
from hypo_compactd.git import work_tree
from hypo_compactd.messages import printable
from hypo_compactd.reader import FILE_LIMIT, check_shortage, describe, read_file
from hypo_compactd.writer import sweep_temporary, write_view
from hypo_strategies.text.phrase import Phrase, phrase

NAME = ".gitignore"
LINE = b"*.compact.*"

_SAME = re.compile(rb"(!?)(?:\*\*/)?\*\.compact\.\*[ \t]*")
"""The line, or one that takes it back."""


class Ensured(StrEnum):
    """What came of it."""

    ADDED = "added"
    THERE = "there"
    """The file, or that of a folder above in the same repository, has the line."""
    NO_REPOSITORY = "no_repository"
    """No repository and no such file: none is made."""


def has_line(data: bytes) -> bool:
    """Return whether the line stands in a `.gitignore` and no later line takes it back."""
    signs = [found[1] for line in data.removeprefix(b"\xef\xbb\xbf").splitlines() if (found := _SAME.fullmatch(line))]
    return bool(signs) and not signs[-1]


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


def lists_views(root: Path) -> bool:
    """Return whether the line stands in the `.gitignore` of a project or of a folder above in its repository.

    Raises:
        InputError: the project's own file is not one that git reads, or cannot be read.
    """
    if has_line(_read(root) or b""):
        return True
    top = work_tree(root)
    for above in root.parents if top is not None and top != root else ():
        try:
            if has_line(_read(above) or b""):
                return True
        except InputError:
            pass  # not the project's: what cannot be read there says nothing
        if above == top:
            break
    return False


def ensure(root: Path) -> Ensured:
    """Put the line into the `.gitignore` of a project, where it is missing and there is a repository or such a file.

    The file is replaced whole and keeps its permissions. The caller holds the project's lock.

    Args:
        root: the real path of the project.

    Raises:
        InputError: the file is not one that git reads, cannot be read or cannot be written; it is left as it is.
    """
    if lists_views(root):
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
