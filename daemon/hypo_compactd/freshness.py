"""Whether every view is what its sources give, by a record that the last look left: a cheap «yes» for hooks.

A record is a proof by itself. It holds the marks of all sources, and the digests of the views that a look made or
left of just these, of the configuration files that it went by, and of whatever was written so shortly before the
look that its mark proves nothing. While all of it holds, the views are right, whatever happened in between.
Anything odd is a «no», which costs a look and nothing else.
What a program has written through a memory mapping counts from when the system gives the file a new time for it.

Hooks wait for this, so it needs neither YAML nor the strategies.
"""

from __future__ import annotations

import os
import stat

from hypo_compactd import __version__
from hypo_compactd.config_files import digests, locale_language, read_files
from hypo_compactd.errors import CompactdError
from hypo_compactd.marks import is_racy
from hypo_compactd.quick_json import loads
from hypo_compactd.reader import LOG_LIMIT, Layout, Snapshot, list_sources, mark_at, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from hypo_compactd.config import Config
    from hypo_compactd.marks import Mark, Signature
    from hypo_compactd.paths import Project
    from hypo_compactd.reader import SourceFile
    from hypo_strategies.api import Language

SCHEMA = 3
NAME = "fresh.json"

LIMIT = 64 * 1024 * 1024
"""Bytes of a record that are still read; each source takes some hundred."""

_ODD = (
    OSError,
    CompactdError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    IndexError,
    OverflowError,
    RecursionError,
)
"""What a record that is none of ours may lead to."""


def is_fresh(project: Project, environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether all that was written into the sources before the call is in the views; «no» is no proof.

    Args:
        project: which.
        environment: where the locale is looked up for `output.language: auto`.
    """
    return _proved(project, environment) is not None


def told(project: Project, environment: Mapping[str, str] = os.environ) -> dict[str, Any] | None:
    """Return what the last look left for `status` to say, where its record proves that all is fresh; see `record`."""
    found = _proved(project, environment)
    try:
        return _told(found) if found else None
    except _ODD:
        return None


def _proved(project: Project, environment: Mapping[str, str]) -> Any:
    """Return the record where it holds."""
    try:
        data = loads(known(project.state_place))
        return data if _holds(project, data, environment) else None
    except _ODD:
        return None


def _told(found: Any) -> dict[str, Any] | None:
    """Return what a record that holds tells; None where it tells nothing, or not of just the views that it vouches for.

    Raises:
        KeyError, TypeError, ValueError: no look has left this.
    """
    from hypo_compactd import typed  # noqa: PLC0415 - only `status` needs it

    told = found["told"]
    if told is None:
        return None
    views = [
        (typed.text(name), place, typed.count(before), typed.count(after))
        for name, place, before, after in told["views"]
    ]
    if [place for _, place, *_ in views] != list(found["views"]) or told["language"] not in ("zh-CN", "en"):
        return None
    if not all(name.isprintable() for name, *_ in views):
        return None
    return {
        "language": told["language"],
        "auto": typed.boolean(told["auto"]),
        "knowledge_auto": typed.boolean(told["knowledge_auto"]),
        "views": views,
    }


def record(
    config: Config,
    patterns: Iterable[str],
    followed: Iterable[str],
    sources: Mapping[str, SourceFile],
    views: Mapping[str, tuple[Signature, str] | None],
    began_ns: int,
    *,
    told: Mapping[str, Any] | None = None,
    silent: bool = False,
) -> bytes:
    """Return what `is_fresh` goes by, for a look after which every view is right.

    Args:
        config: the configuration that the look went by.
        patterns: canonical patterns of all its sources.
        followed: canonical paths to which these point.
        sources: what it read, by canonical path; a folder's path ends in `/`.
        views: by their place below the project, the signature and digest of the view there, None for rightly none.
        began_ns: when it began, in nanoseconds since the epoch.
        told: what `status` says of the project while all is fresh, `views` among it: name, place, and tokens of the
            sources and of the view; None where it is for a look to say.
        silent: whether other machines write to the file system: marks come from a cache there, content does not,
            since opening a file asks the server.
    """
    data = {
        "schema": SCHEMA,
        "version": __version__,
        "configuration": config.digests,
        "locale": config.locale,
        "moved": config.layout.moved,
        "patterns": tuple(patterns),
        "followed": tuple(followed),
        "sources": {
            path: _kept(path, source, by_content=silent or is_racy(source.mark, began_ns))
            for path, source in sorted(sources.items())
        },
        "views": views,
        "told": told,
    }
    import json  # noqa: PLC0415 - hooks only read, and wait for the start-up

    return json.dumps(data).encode("ascii") + b"\n"


def known(folder: str | os.PathLike[str]) -> bytes:
    """Return the record in a project's own state folder.

    Raises:
        OSError: there is none, or the system refuses.
        CompactdError: it is no regular file, is too large, or is being written.
    """
    return read_file(os.path.realpath(folder), NAME, limit=LIMIT).data


def _kept(path: str, source: SourceFile, *, by_content: bool) -> list[Any]:
    if path.endswith("/"):
        return _FOLDER
    return [source.mark, source.digest if by_content else None]


_FOLDER: list[Any] = [[], None]
"""What stands for a folder: that it is there is all that counts."""


def _holds(project: Project, data: Any, environment: Mapping[str, str]) -> bool:
    root = project.real_place
    if data["schema"] != SCHEMA or data["version"] != __version__:
        return False
    if data["locale"] is not None and data["locale"] != _locale(project, environment):
        return False
    if data["configuration"] != digests(read_files(root)):
        return False
    return _sources_hold(root, data) and all(_view_holds(root, place, kept) for place, kept in data["views"].items())


def _locale(project: Project, environment: Mapping[str, str]) -> Language:
    """Return the language that `auto` stands for."""
    from hypo_compactd.holder import keeper_language  # noqa: PLC0415 - only few projects need it

    return keeper_language(project) or locale_language(environment)


def _sources_hold(root: str, data: Any) -> bool:
    known = data["sources"]
    layout = Layout(tuple((path, place) for path, place in data["moved"]))
    snapshot = Snapshot()
    inside: set[str] = set()
    found = set()
    for path, place in list_sources(root, layout, data["patterns"], snapshot, data["followed"]):
        mark = [] if path.endswith("/") else _listed(mark_at(root, place, inside))
        if mark is None:
            continue
        expected, digest = known[path]
        if mark != expected or (digest is not None and digest != read_file(root, place, limit=LOG_LIMIT).digest):
            return False
        found.add(path)
    # Where nothing at all is known or to be seen, a look says more.
    return bool(found) and found == known.keys() and not snapshot.problems


def _listed(mark: Mark | None) -> list[int] | None:
    return None if mark is None else list(mark)


def _view_holds(root: str, place: str, kept: Any) -> bool:
    try:
        if stat.S_ISLNK(os.lstat(f"{root}/{place}").st_mode):
            return False
    except FileNotFoundError:
        return kept is None
    signature, digest = kept
    file = read_file(root, place, limit=signature[2])
    return signature == list(file.signature) and bool(digest == file.digest)
