"""What a strategy is given and what it gives back.

A strategy is a pure function from the text of its sources and the options to the text of one view.
It never sees a path on disk, a clock, the environment or a logger. Every path in this module is
relative to `.pipeline/`, with `/` between its parts (`reports/01-setup.report.md`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta, timezone, tzinfo
from typing import Any, Literal, Protocol, TypeVar

from hypo_strategies.text.order import natural_key
from hypo_strategies.text.patterns import matches as matches  # noqa: PLC0414 - part of what is offered here
from hypo_strategies.text.phrase import Phrase, phrase

T = TypeVar("T")
Language = Literal["zh-CN", "en"]
Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a person should know about a source: which file, where in it, what is wrong.

    `line` and `column` count from 1. An `error` means that the view could not be made from this
    source; a `warning` means that the view was made and says what it lost. The problem never
    holds content of the source.
    """

    path: str
    problem: Phrase
    line: int | None = None
    column: int | None = None
    severity: Severity = "error"

    @property
    def message(self) -> str:
        """What is wrong, in English."""
        return str(self.problem)

    @property
    def phrase(self) -> Phrase:
        """Where it is, and what is wrong."""
        numbers = "".join(f":{number}" for number in (self.line, self.column) if number is not None)
        return phrase("{place}: {problem}", place=f"{self.path}{numbers}", problem=self.problem)

    def __str__(self) -> str:
        """Return both in English."""
        return str(self.phrase)


@dataclass(frozen=True, slots=True)
class Redaction:
    """`knowledge.redaction.*`: how secrets are hidden.

    `secret_keys` are key names beside the built-in ones whose values are secret. `enabled: false`
    switches off what the project added; the built-in rules always hold (views.md, rule 8).
    """

    enabled: bool = True
    replacement: str = "[REDACTED]"
    secret_keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Options:
    """The settings that a view depends on, checked and resolved; the defaults are the specification's.

    `language` is that of the fixed labels in Markdown views. `timezone` is used for timestamps
    that name no zone of their own.
    """

    progress_recent: int = 15
    state_history_full: int = 1
    log_recent: int = 20
    reports_summary_lines: int = 3
    language: Language = "zh-CN"
    timezone: tzinfo = timezone(timedelta(hours=8))
    max_records_per_category: int = 50
    invalid_record: Literal["ignore", "warn", "block"] = "warn"
    redaction: Redaction = field(default_factory=Redaction)


@dataclass(frozen=True, slots=True)
class Sources:
    """The sources of one view.

    `files` maps a path to its text (UTF-8 decoded, no byte order mark; a byte that is not UTF-8
    stands as a lone surrogate, as `errors="surrogateescape"` leaves it). `unreadable` maps the
    paths that exist but could not be read to the reason. `names` maps a path or a folder of the
    default layout to where the configuration really puts it. A folder that a pattern ending in `/`
    asks for is a path ending in `/` whose text is "". `data` maps paths to the bytes themselves,
    byte order mark and all, where the caller has them.
    """

    files: Mapping[str, str]
    unreadable: Mapping[str, Phrase] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, bytes] = field(default_factory=dict)

    def bytes_of(self, path: str) -> bytes:
        """Return the bytes of one source, none when there is none."""
        known = self.data.get(path)
        return known if known is not None else (self.files.get(path) or "").encode("utf-8", "surrogateescape")

    def get(self, path: str) -> str | None:
        """Return the text of one source, None when there is none (or it could not be read)."""
        return self.files.get(path)

    def matching(self, *patterns: str) -> list[tuple[str, str]]:
        """Return (path, text) of the readable sources that a pattern matches, in natural order."""
        return [(path, self.files[path]) for path in _select(self.files, patterns)]

    def unreadable_matching(self, *patterns: str) -> list[tuple[str, Phrase]]:
        """Return (path, reason) of the unreadable sources that a pattern matches, in natural order."""
        return [(path, self.unreadable[path]) for path in _select(self.unreadable, patterns)]

    def name(self, path: str) -> str:
        """Return how a source is called in a view's first line: its configured place, else `path`."""
        return self.names.get(path, path)


class Memory:
    """What the strategies of one project keep from one look to the next, so that only what has changed is read.

    It never changes a view: with it, without it and whatever it holds, the same sources give the same bytes.

    Attributes:
        log: the index of the log, and the options that it depends on.
    """

    __slots__ = ("_known", "_used", "log")

    def __init__(self) -> None:
        self.log: Any = None
        self._known: dict[str, dict[Hashable, tuple[bytes, Any]]] = {}
        self._used: dict[Hashable, tuple[bytes, Any]] = {}

    def recall(self, view: str, key: Hashable, text: str, make: Callable[[str], T]) -> T:
        """Return what is made of a text: anew, or the last time, where the text was the same.

        Args:
            view: the name of the view that it is for.
            key: whose text it is, and all that the result depends on besides.
            text: of a source.
            make: makes something of it that nobody changes afterwards.
        """
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        known = self._known.get(view, {}).get(key)
        if known is None or known[0] != digest:
            known = digest, make(text)
        self._used[key] = known
        made: T = known[1]
        return made

    def settle(self, view: str) -> None:
        """Forget what was not asked for while a view was computed."""
        self._known[view], self._used = self._used, {}


@dataclass(frozen=True, slots=True)
class View:
    """What a strategy computed: the whole text of the view, None when there must be no view.

    None with an `error` among the findings means: the sources exist but nothing in them could be
    proved, so the view is withdrawn and readers fall back to the full file (views.md, rule 5).
    """

    text: str | None
    findings: tuple[Finding, ...] = ()

    @property
    def degraded(self) -> bool:
        """Whether something was lost: the sources may have been caught half written."""
        return bool(self.findings)


class Render(Protocol):
    """The function that computes a view."""

    def __call__(self, sources: Sources, options: Options, memory: Memory, /) -> View:
        """Return the view of some sources."""


def follows_nothing(_sources: Sources) -> tuple[str, ...]:
    """Return no path: what `Strategy.follows` is for a view whose sources point to no others."""
    return ()


@dataclass(frozen=True, slots=True)
class Strategy:
    """One view: its name, its file, the sources it reads and the function that computes it.

    `reads` are the patterns of all sources. `needs` are those without which there is no view; the
    others only feed it. `options` names the fields of `Options` on which the text depends.
    `version` is raised whenever the same sources would give another text, so that views written
    by an older version are refreshed. `follows` names files outside of `reads` to which the sources
    point: plain paths below `.pipeline/`, there or not. They only feed the view.
    """

    name: str
    target: str
    reads: tuple[str, ...]
    needs: tuple[str, ...]
    options: tuple[str, ...]
    version: int
    render: Render
    follows: Callable[[Sources], tuple[str, ...]] = follows_nothing

    def wants(self, path: str) -> bool:
        """Return whether `path` is a source of this view."""
        return matches(path, *self.reads)


def _select(paths: Iterable[str], patterns: tuple[str, ...]) -> list[str]:
    return sorted((path for path in paths if matches(path, *patterns)), key=natural_key)
