"""The views there are, and the one way to compute one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from hypo_strategies import knowledge, log, patches, progress, reports, state
from hypo_strategies.api import Finding, Memory, Options, Sources, Strategy, View, matches
from hypo_strategies.text.lines import one_line_each
from hypo_strategies.text.redact import redact_text

STRATEGIES: tuple[Strategy, ...] = (
    progress.STRATEGY,
    state.STRATEGY,
    log.STRATEGY,
    reports.STRATEGY,
    patches.STRATEGY,
    knowledge.STRATEGY,
)
"""All views, in the order in which they are named to people."""


def get_strategy(name: str) -> Strategy:
    """Return the strategy called `name`.

    Raises:
        KeyError: there is none; the message names those there are.
    """
    for strategy in STRATEGIES:
        if strategy.name == name:
            return strategy
    known = ", ".join(strategy.name for strategy in STRATEGIES)
    raise KeyError(f"no view is called {name!r}; there are: {known}")


def compute(strategy: Strategy, sources: Sources, options: Options, memory: Memory | None = None) -> View:
    """Return the view that a strategy makes of its sources; the same input gives the same bytes.

    A source without which there is no view and which could not be read gives no view and an error.
    Secrets in Markdown sources are replaced before the strategy sees them (views.md, rule 8); in
    YAML sources the strategy does it scalar by scalar, where the keys are known.

    Args:
        strategy: which view.
        sources: of this view, or of all.
        options: what it depends on.
        memory: what was kept of the last time that the project's views were computed.
    """
    if not any(matches(path, *strategy.needs) for path in sources.files):
        unreadable = sources.unreadable_matching(*strategy.needs)
        return View(None, tuple(Finding(path, reason) for path, reason in unreadable))
    followed = [path for path in strategy.follows(sources) if path in sources.files]
    paths = (*(path for path in sources.files if matches(path, *strategy.reads)), *followed)
    memory = memory or Memory()
    view = strategy.render(
        replace(sources, files=_Safe(strategy.name, paths, sources, options, memory)), options, memory
    )
    memory.settle(strategy.name)
    if view.text is None or not strategy.target.endswith(".md"):
        return view
    return replace(view, text=one_line_each(view.text))


class _Safe(Mapping[str, str]):
    """The texts of some sources, those in Markdown without secrets; each is read when it is asked for."""

    def __init__(self, view: str, paths: Iterable[str], sources: Sources, options: Options, memory: Memory) -> None:
        self._view = view
        self._paths = dict.fromkeys(paths)
        self._sources = sources
        self._redaction = options.redaction
        self._memory = memory
        self._safe: dict[str, str] = {}

    def __getitem__(self, path: str) -> str:
        if path not in self._paths:
            raise KeyError(path)
        text = self._safe.get(path)
        if text is None:
            text = self._sources.files[path]
            if path.endswith(".md"):
                known = self._memory.recall(self._view, ("safe", path, self._redaction), text, self._redacted)
                text = text if known is None else known
            self._safe[path] = text
        return text

    def _redacted(self, text: str) -> str | None:
        """Return a text without secrets; None for one that holds none."""
        redacted = redact_text(one_line_each(text), self._redaction)
        return None if redacted == text else redacted

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)
