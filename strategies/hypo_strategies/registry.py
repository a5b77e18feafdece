"""The views there are, and the one way to compute one."""

from __future__ import annotations

from dataclasses import replace

from hypo_strategies import knowledge, log, patches, progress, reports, state
from hypo_strategies.api import Finding, Options, Sources, Strategy, View
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


def compute(strategy: Strategy, sources: Sources, options: Options) -> View:
    """Return the view that a strategy makes of its sources; the same input gives the same bytes.

    A source without which there is no view and which could not be read gives no view and an error.
    Secrets in Markdown sources are replaced before the strategy sees them (views.md, rule 8); in
    YAML sources the strategy does it scalar by scalar, where the keys are known.
    """
    readable = sources.matching(*strategy.needs)
    unreadable = sources.unreadable_matching(*strategy.needs)
    if not readable:
        return View(None, tuple(Finding(path, reason) for path, reason in unreadable))
    followed = [(path, text) for path in strategy.follows(sources) if (text := sources.get(path)) is not None]
    files = {
        path: redact_text(one_line_each(text), options.redaction) if path.endswith(".md") else text
        for path, text in (*sources.matching(*strategy.reads), *followed)
    }
    view = strategy.render(replace(sources, files=files), options)
    if view.text is None or not strategy.target.endswith(".md"):
        return view
    return replace(view, text=one_line_each(view.text))
