"""The only reader of projects: sources are read once, safely, into a `Snapshot`.

Every file in a project is hostile: it may be a symbolic link to a private key, a FIFO that blocks
whoever opens it, or be rewritten while it is read. Folders are opened one by one without following
links, so that nothing outside the project is ever read, not even when a link is put in place
between the check and the read.
"""

from __future__ import annotations

import errno
import os
import stat
import time

from hypo_compactd.digest import digest_of
from hypo_compactd.errors import RefusedError, ShortageError, TooLargeError, UnstableError
from hypo_compactd.marks import is_racy, mark_of, signature_of
from hypo_strategies.text.patterns import matches, matches_name
from hypo_strategies.text.phrase import Phrase, phrase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hypo_compactd.marks import Mark, Signature

LOG_LIMIT = 64 * 1024 * 1024
"""Bytes of a log that are still read; logs grow for ever."""

FILE_LIMIT = 2 * 1024 * 1024
"""Bytes of any other source; real ones are a few kilobytes."""

TOTAL_LIMIT = 64 * 1024 * 1024
"""Bytes of all sources but the log together: a project may be made to exhaust whoever reads it."""

COUNT_LIMIT = 20_000
"""Files below one folder of sources; more is no folder of reports."""

DEPTH_LIMIT = 12

TRIES = 3
"""How often a file that changes while it is read is read."""

_MIB = 1024 * 1024

IGNORED = ("*~", ".*", "#*#", "*.tmp", "*.tmp.*", "*.tmp-*", "*.bak", "*.bak.*", "*.bck", "*___jb_*___", "*.compact.*")
"""Names that editors and agents use for temporary copies, and our own views: never sources (watching.md, 1.1)."""

_SHORTAGES = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})


class SourceFile:
    """One file as it was read.

    Attributes:
        data: its bytes.
        signature: by which it is known without being read.
        changed_ns: when it was last changed in any way.
        read_ns: when reading it began; both in nanoseconds since the epoch.
    """

    __slots__ = ("_digest", "changed_ns", "data", "read_ns", "signature")

    def __init__(self, data: bytes, signature: Signature, changed_ns: int = 0, read_ns: int = 0) -> None:
        self.data = data
        self.signature = signature
        self.changed_ns = changed_ns
        self.read_ns = read_ns
        self._digest = ""

    @property
    def digest(self) -> str:
        """The digest of its bytes."""
        if not self._digest:
            self._digest = digest_of(self.data)
        return self._digest

    @property
    def mark(self) -> Mark:
        """The signature and when the file was last changed in any way."""
        return (*self.signature, self.changed_ns)

    @property
    def text(self) -> str:
        """The text; a byte that is not UTF-8 stands as a lone surrogate, a byte order mark is left out."""
        return self.data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")

    @property
    def mtime_ns(self) -> int:
        """When it was last written, in nanoseconds since the epoch."""
        return self.signature[3]


class Snapshot:
    """What stood in the sources at one look.

    Paths are canonical (as in the default layout, below `.pipeline/`). `problems` are files or
    folders that exist and could not be read, with the reason; `unstable` those that changed while
    they were read. `folders` maps each folder of sources to its mtime_ns.
    """

    def __init__(self) -> None:
        self.files: dict[str, SourceFile] = {}
        self.problems: dict[str, Phrase] = {}
        self.unstable: set[str] = set()
        self.folders: dict[str, int] = {}


class Layout:
    """Where the configuration puts the sources: `moved` maps a canonical path to its place below the project."""

    __slots__ = ("moved",)

    def __init__(self, moved: tuple[tuple[str, str], ...] = ()) -> None:
        self.moved = moved

    def __eq__(self, other: object) -> bool:
        """Return whether both put all sources at the same places."""
        return isinstance(other, Layout) and self.moved == other.moved

    def __hash__(self) -> int:
        return hash(self.moved)

    def place(self, path: str) -> str:
        """Return where a canonical path (`reports/a.md`) is, relative to the project (`docs/reports/a.md`)."""
        for canonical, place in self.moved:
            if path == canonical:
                return place
            if path.startswith(canonical + "/"):
                return place + path[len(canonical) :]
        return f".pipeline/{path}"


FOLDER = SourceFile(b"", (0, 0, 0, 0))
"""What stands for a folder that a pattern ending in `/` asks for: that it is there is all that counts."""


def take_snapshot(
    root: str | os.PathLike[str],
    layout: Layout,
    patterns: Iterable[str],
    named: Iterable[str] = (),
    known: Mapping[str, SourceFile] | None = None,
) -> Snapshot:
    """Read every source that a pattern matches or that is named.

    Args:
        root: the real path of the project.
        layout: where the configuration puts the sources.
        patterns: canonical patterns, as in `Strategy.reads`.
        named: canonical paths, whatever they hold.
        known: files that were read before; one that still has the same mark is not read again.

    A missing file is no problem; whether `.pipeline/` itself is there is for the caller to see.

    Raises:
        ShortageError: not even a readable file could be read now.
    """
    snapshot = Snapshot()
    inside: set[str] = set()
    total = 0
    for path, real in list_sources(root, layout, patterns, snapshot, named):
        try:
            if path.endswith("/"):
                beneath(root, real)
                snapshot.files[path] = FOLDER
                continue
            if total > TOTAL_LIMIT and path != "log.yaml":
                snapshot.problems[path] = phrase(
                    "is beyond the {limit} MiB that are read of a project", limit=TOTAL_LIMIT // _MIB
                )
                continue
            source = known.get(path) if known else None
            if source is None or not _is_same(root, real, source, inside):
                source = read_file(root, real, limit=LOG_LIMIT if path == "log.yaml" else FILE_LIMIT)
            total += 0 if path == "log.yaml" else len(source.data)
            snapshot.files[path] = source
        except UnstableError:
            snapshot.unstable.add(path)
        except RefusedError as error:
            snapshot.problems[path] = error.phrase
        except FileNotFoundError:
            continue
        except OSError as error:
            check_shortage(error)
            snapshot.problems[path] = describe(error)
    return snapshot


def _is_same(root: str | os.PathLike[str], real: str, known: SourceFile, inside: set[str]) -> bool:
    """Return whether a file has not changed since it was read; where that cannot be told, it is not said."""
    try:
        return mark_at(root, real, inside) == known.mark and not is_racy(known.mark, known.read_ns)
    except (RefusedError, OSError):
        return False  # whoever reads it tells why


def list_sources(
    root: str | os.PathLike[str], layout: Layout, patterns: Iterable[str], snapshot: Snapshot, named: Iterable[str] = ()
) -> Iterator[tuple[str, str]]:
    """Yield (canonical path, path below the project) of what a pattern matches; folders go into the snapshot.

    A pattern without wildcards, and what is `named`, is yielded whether or not there is such a file. A source may
    name a path that holds wildcards: that is no pattern.

    Raises:
        ShortageError: not even a readable folder could be listed now.
    """
    folders: dict[str, list[str]] = {}
    for pattern in dict.fromkeys(patterns):
        parts = pattern.split("/")
        fixed = next((index for index, part in enumerate(parts) if set(part) & set("*[")), None)
        if fixed is None:
            yield pattern, layout.place(pattern)
        else:
            folders.setdefault("/".join(parts[:fixed]), []).append(pattern)
    for path in dict.fromkeys(named):
        yield path, layout.place(path)
    for folder, below in folders.items():
        yield from _walk(root, layout, folder, tuple(below), snapshot)


def read_file(root: str | os.PathLike[str], path: str, *, limit: int) -> SourceFile:
    """Return the content of the regular file `path` (relative to `root`).

    Raises:
        RefusedError: it leads out of the project, or is no regular file.
        TooLargeError: it is larger than `limit` bytes.
        UnstableError: it changed while it was read.
        OSError: the system's refusal (no such file, permission denied …).
    """
    began_ns = time.time_ns()
    descriptor = open_beneath(root, path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise RefusedError("is {kind}, not a file", kind=kind_of(before.st_mode))
        if before.st_size > limit:
            raise TooLargeError("is larger than the limit of {limit} MiB", limit=limit // _MIB)
        # No more is asked for than is there: a large buffer that is cut to size leaves a hole in the heap each time.
        data = os.read(descriptor, before.st_size) if before.st_size else b""
        chunks = [data]
        size = len(data)
        while chunk := os.read(descriptor, 1 << 16):  # nothing, where the file is as it was
            chunks.append(chunk)
            size += len(chunk)
            if size > limit:
                raise TooLargeError("is larger than the limit of {limit} MiB", limit=limit // _MIB)
        if len(chunks) > 1:
            data = b"".join(chunks)
        after = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    if signature_of(before) != signature_of(after) or len(data) != after.st_size:
        raise UnstableError("changed while it was read")
    return SourceFile(data, signature_of(after), after.st_ctime_ns, began_ns)


def read_settled(root: str | os.PathLike[str], path: str, *, limit: int) -> SourceFile:
    """Return the content of a file as `read_file` does, tried anew where it changes meanwhile.

    Raises:
        UnstableError: it changes each time.
        RefusedError, OSError: as `read_file`.
    """
    for _ in range(TRIES):
        try:
            return read_file(root, path, limit=limit)
        except UnstableError:
            continue
    raise UnstableError("is being written without pause; try again when it has settled")


def open_beneath(root: str | os.PathLike[str], path: str, flags: int) -> int:
    """Open `path` below `root` and return its descriptor; symbolic links are followed only inside the project.

    Raises:
        RefusedError: the path, or a link on it, leads out of the project.
        OSError: the system's refusal.
    """
    *folders, name = beneath(root, path).split("/")
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in folders:
            inner = _open_in(folder, part, os.O_RDONLY | os.O_DIRECTORY)
            os.close(folder)
            folder = inner
        return _open_in(folder, name, flags)
    finally:
        os.close(folder)


def mark_at(root: str | os.PathLike[str], place: str, inside: set[str]) -> Mark | None:
    """Return the present mark of a file, None when there is none.

    Args:
        root: the real path of the project.
        place: relative to it.
        inside: folders that are known to be in the project; those that are found to be are added.

    Raises:
        RefusedError: it leads out of the project.
        OSError: the system's refusal.
    """
    folder = place.rpartition("/")[0]
    if folder not in inside:
        beneath(root, folder)
        inside.add(folder)
    try:
        status = os.lstat(f"{root}/{place}")
        if stat.S_ISLNK(status.st_mode):
            status = os.lstat(f"{root}/{beneath(root, place)}")
    except FileNotFoundError:
        return None
    return mark_of(status)


def beneath(root: str | os.PathLike[str], path: str) -> str:
    """Return where `path` really is, relative to the project.

    Raises:
        RefusedError: it, or a link on it, leads out of the project.
    """
    whole = os.fspath(root)
    real = os.path.realpath(f"{whole}/{path}")
    if real == whole:
        return "."
    if not real.startswith(f"{whole.rstrip('/')}/"):
        raise RefusedError("is a symbolic link that leads out of the project")
    return real[len(whole.rstrip("/")) + 1 :]


def describe(error: OSError) -> Phrase:
    """Return the system's reason in its own words, without the path."""
    return Phrase((error.strerror or type(error).__name__).lower())


def check_shortage(error: OSError) -> None:
    """Make sure that a refusal is about the file, and not about ourselves.

    Raises:
        ShortageError: no file at all can be opened now; that says nothing about this one.
    """
    if error.errno in _SHORTAGES:
        raise ShortageError(
            "{reason}; nothing is done until there is room (ulimit -n, memory)", reason=describe(error)
        ) from None


def kind_of(mode: int) -> Phrase:
    """Return what a file mode says that something is, such as `a folder` or `a FIFO`."""
    kinds = (
        (stat.S_ISDIR, phrase("a folder")),
        (stat.S_ISLNK, phrase("a symbolic link")),
        (stat.S_ISFIFO, phrase("a FIFO")),
        (stat.S_ISSOCK, phrase("a socket")),
        (stat.S_ISREG, phrase("a file")),
    )
    return next((name for test, name in kinds if test(mode)), phrase("a device"))


def _open_in(folder: int, name: str, flags: int) -> int:
    try:
        return os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        raise
    except OSError:
        # The system's reason for a link or a socket differs from one to the next, and names neither.
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        if stat.S_ISLNK(mode):
            raise RefusedError("is a symbolic link that leads to itself, or that has just been put there") from None
        if stat.S_ISSOCK(mode):
            raise RefusedError("is {kind}, not a file", kind=kind_of(mode)) from None
        raise


def _walk(
    root: str | os.PathLike[str], layout: Layout, folder: str, patterns: tuple[str, ...], snapshot: Snapshot
) -> Iterator[tuple[str, str]]:
    """Yield what the patterns match below one folder, in an order that does not depend on the file system."""
    depth_limit = max(DEPTH_LIMIT if "**" in pattern else pattern.count("/") for pattern in patterns)
    waiting = [folder]
    seen: set[tuple[int, int]] = set()
    count = 0
    while waiting:
        here = waiting.pop()
        try:
            mtime_ns, listed = _list(root, layout.place(here), seen)
        except FileNotFoundError:
            continue
        except RefusedError as error:
            snapshot.problems[here] = error.phrase
            continue
        except OSError as error:
            check_shortage(error)
            snapshot.problems[here] = describe(error)
            continue
        snapshot.folders[here] = mtime_ns
        count += len(listed)
        if count > COUNT_LIMIT:
            snapshot.problems[folder] = phrase(
                "holds more than {limit} files; what is beyond them is not looked at", limit=COUNT_LIMIT
            )
            return
        for name, is_folder in listed:
            path = f"{here}/{name}"
            if any(matches_name(name, ignored) for ignored in IGNORED):
                continue
            if is_folder and path.count("/") < depth_limit:
                waiting.append(path)
            wanted = f"{path}/" if is_folder and matches(f"{path}/", *patterns) else path
            if matches(wanted, *patterns):
                yield wanted, layout.place(wanted)


def _list(root: str | os.PathLike[str], place: str, seen: set[tuple[int, int]]) -> tuple[int, list[tuple[str, bool]]]:
    """Return when a folder was changed, and its entries: name, whether it is a folder or a link to one.

    There are none when it was listed before.
    """
    descriptor = open_beneath(root, place, os.O_RDONLY | os.O_DIRECTORY)
    try:
        status = os.fstat(descriptor)
        identity = (status.st_dev, status.st_ino)
        if identity in seen:
            return status.st_mtime_ns, []
        seen.add(identity)
        with os.scandir(descriptor) as entries:
            # Sorted: of two names of one folder the same one counts, however the file system lists them.
            found = sorted((entry.name, _is_folder(entry)) for entry in entries)
        return status.st_mtime_ns, found
    finally:
        os.close(descriptor)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False
