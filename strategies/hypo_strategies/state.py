"""state.compact.yaml: computed from state.yaml (views.md, state; formats.md, section 2)."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypo_strategies._state_history import by_importance, milestone
from hypo_strategies._state_layout import Cut, lay_out
from hypo_strategies._state_losses import MISFIT, Loss, in_view
from hypo_strategies._state_read import MIRRORS, read
from hypo_strategies.api import Finding, Memory, Options, Severity, Sources, Strategy, View
from hypo_strategies.text.labels import yaml_header
from hypo_strategies.text.limits import MAX_LINES, clip
from hypo_strategies.text.phrase import phrase
from hypo_strategies.text.redact import redact_tree
from hypo_strategies.text.yaml import Mapping, Node, Scalar, Sequence, YamlError, mapping

SOURCE = "state.yaml"

MAX_NAME = 120
"""Characters of the source's name where something is cut."""

MAX_FINDINGS = 50
"""Findings of one view; a file of noise would otherwise give one for each of its lines."""


def render(sources: Sources, options: Options, _memory: Memory) -> View:
    """Return the view of state.yaml: what recovery needs, history and Milestones a line each.

    `pipeline`, `current`, `last_heartbeat`, `acceptance`, `continuation` and `chat` are complete.
    Milestones are `{id, name, status}` without a key that the source lacks. The last
    `state_history_full` of `history.completed_prompts` are complete, the older are
    `{prompt, status, score_summary}`. Keys keep the order of the source.

    A file that does not parse is salvaged; the key `unreadable` then names the lines that were lost.
    In a file that parses, a key that stands twice and a list that is none are named in a comment.
    Each of these gives a warning. An error without a view: nothing could be read, the file is empty,
    or it is no mapping.
    """
    try:
        reading = read(sources.get(SOURCE) or "")
    except YamlError as error:
        return View(
            None,
            (
                Finding(
                    SOURCE, phrase("no state can be read: {problem}", problem=error.problem), error.line, error.column
                ),
            ),
        )
    reduced = _Reduced()
    for key, value in reading.top.pairs:
        reduced.add(key, value)
    top = redact_tree(Mapping(reduced.pairs), options.redaction)
    losses = sorted((*reading.losses, *reduced.misfits), key=lambda loss: (loss.first, loss.last))
    if reading.salvaged and not reduced.pairs:
        return View(None, _findings(losses, "error"))
    name = clip(" ".join(sources.name(SOURCE).split()), MAX_NAME)
    head = [yaml_header(name), *in_view(losses, as_key=reading.salvaged)]
    kept = top if isinstance(top, Mapping) else Mapping()
    lines = lay_out(kept, options.state_history_full, head, Cut(reduced.milestones, reduced.prompts), name)
    return View("\n".join(lines) + "\n", _findings(losses, "warning"))


@dataclass(slots=True)
class _Reduced:
    """The top level as the view has it: Milestones short, of the history the completed prompts alone.

    Of more items than a view has lines only so many are taken; `milestones` and `prompts` count
    the others.
    """

    pairs: list[tuple[Node, Node]] = field(default_factory=list)
    misfits: list[Loss] = field(default_factory=list)
    milestones: int = 0
    prompts: int = 0

    def add(self, key: Node, value: Node) -> None:
        name = key.value if isinstance(key, Scalar) else ""
        if name in MIRRORS or _is_null(value):
            self.pairs.append((key, value))
        elif name == "milestones" and isinstance(value, Sequence):
            items: list[Node] = [short for item in value.items if (short := milestone(item))]
            shown = sorted(by_importance(items)[:MAX_LINES])
            self.milestones = len(items) - len(shown)
            self.pairs.append((key, Sequence([items[at] for at in shown])))
        elif name == "history" and isinstance(value, Mapping):
            self.add_history(key, value.get("completed_prompts"))
        else:
            self.misfit(value)

    def add_history(self, key: Node, done: Node | None) -> None:
        if isinstance(done, Sequence):
            self.prompts = max(len(done.items) - MAX_LINES, 0)
            done = Sequence(done.items[-MAX_LINES:])
        if done is not None and (isinstance(done, Sequence) or _is_null(done)):
            self.pairs.append((key, mapping(completed_prompts=done)))
        elif done is not None:
            self.misfit(done)

    def misfit(self, value: Node) -> None:
        self.misfits.append(Loss(value.line, value.line, value.line, None, MISFIT))


def _is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.is_null


def _findings(losses: list[Loss], severity: Severity) -> tuple[Finding, ...]:
    """Return a finding for each loss; the last of too many says how many more there are."""
    findings = [Finding(SOURCE, loss.told, loss.line, loss.column, severity) for loss in losses[:MAX_FINDINGS]]
    if len(losses) > MAX_FINDINGS:
        findings.append(
            Finding(SOURCE, phrase("{count} more places", count=len(losses) - MAX_FINDINGS), severity=severity)
        )
    return tuple(findings)


STRATEGY = Strategy(
    name="state",
    target="state.compact.yaml",
    reads=("state.yaml",),
    needs=("state.yaml",),
    options=("state_history_full", "redaction"),
    version=1,
    render=render,
)
