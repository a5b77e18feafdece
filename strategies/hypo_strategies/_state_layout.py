"""state.compact.yaml written within its limits (views.md, rule 6).

As a rule all of it fits. Where it does not, the older history and the finished Milestones are cut
first; long values only where that would not be enough. Each cut says how much is gone.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypo_strategies._state_history import brief, by_importance
from hypo_strategies._state_read import MIRRORS
from hypo_strategies._state_values import WIDEST, item_lines, short, value_lines
from hypo_strategies.text.limits import MAX_BYTES, MAX_LINES, bytes_of, fits
from hypo_strategies.text.yaml import Mapping, Node, Sequence, flow, string

_WIDTHS = (WIDEST, 1_000, 300, 100)
"""Characters that a value may have; the next is tried when the most important does not fit with the last."""

_MAX_FIELD = 1_000
"""Characters of a field of a Milestone or of an older prompt."""

_RESERVED = 24, 2_000
"""Lines and bytes for the keys of the sections and for what is said about cuts."""

_SPARE = 60, 6_000
"""Lines and bytes that the mirrors and the newest prompt leave to the rest, before long values are cut for it."""

_Lines = list[str]
"""Some lines that are shown together or not at all."""


@dataclass(frozen=True, slots=True)
class Cut:
    """How many Milestones and completed prompts were left out before: more than a view has lines."""

    milestones: int = 0
    prompts: int = 0


@dataclass(frozen=True, slots=True)
class _Blocks:
    """What a view may hold: the keys of its mirrors, its Milestones, the newest prompts in full, all in short."""

    mirrors: dict[str, list[_Lines]]
    milestones: list[_Lines]
    by_importance: list[int]
    full: list[_Lines]
    brief: list[_Lines]


@dataclass(frozen=True, slots=True)
class _Choice:
    """What it does hold: which keys, which Milestones, how many of the newest prompts in full, how many before them."""

    mirrors: dict[str, list[_Lines]]
    milestones: list[int]
    full: int
    older: int


@dataclass(slots=True)
class _Room:
    """Lines and bytes that are left."""

    lines: int
    size: int

    def takes(self, lines: _Lines) -> bool:
        """Take the lines in if there is room for them; return whether there was."""
        count, size = len(lines), bytes_of(lines)
        if count > self.lines or size > self.size:
            return False
        self.lines -= count
        self.size -= size
        return True

    def newest(self, groups: list[_Lines]) -> list[_Lines]:
        """Take in the last groups, as many as there is room for, and return them."""
        taken = 0
        while taken < len(groups) and self.takes(groups[-1 - taken]):
            taken += 1
        return groups[len(groups) - taken :]

    def part(self, parts: int) -> _Room:
        return _Room(self.lines // parts, self.size // parts)


def lay_out(top: Mapping, full: int, head: list[str], cut: Cut, source: str) -> list[str]:
    """Return the lines of the view.

    Args:
        top: the top level; Milestones and history hold only what the view keeps of them.
        full: how many of the last completed prompts are wanted complete.
        head: the lines that stand first.
        cut: what was left out of `top`.
        source: how the source is called where something is cut.
    """
    lines = head
    for width in _WIDTHS:
        blocks = _blocks(top, full, width)
        lines = [*head, *_written(top, blocks, _everything(blocks), cut, source)]
        if fits(lines):
            break
        choice, whole = _choose(blocks, head, share=width == _WIDTHS[-1])
        lines = [*head, *_written(top, blocks, choice, cut, source)]
        if whole:
            break
    return lines if any(not line.startswith("#") for line in lines) else [*lines, "{}"]


def _blocks(top: Mapping, full: int, width: int) -> _Blocks:
    milestones, history = top.get("milestones"), top.get("history")
    done = history.get("completed_prompts") if isinstance(history, Mapping) else None
    items = milestones.items if isinstance(milestones, Sequence) else []
    prompts = done.items if isinstance(done, Sequence) else []
    return _Blocks(
        {key: _keys(key, value, width) for key, value in top.items() if key in MIRRORS},
        [[_row(item, 2)] for item in items],
        by_importance(items),
        [item_lines(item, 4, width) for item in prompts[max(len(prompts) - full, 0) :]],
        [[_row(brief(item), 4)] for item in prompts],
    )


def _keys(key: str, value: Node, width: int) -> list[_Lines]:
    if isinstance(value, Mapping) and value.pairs:
        return [value_lines(name, inner, 2, width) for name, inner in value.pairs]
    return [value_lines(string(key), value, 0, width)]


def _row(item: Node, indent: int) -> str:
    if isinstance(item, Mapping):
        item = Mapping([(key, short(value, _MAX_FIELD)) for key, value in item.pairs])
    return f"{' ' * indent}- {flow(item)}"


def _everything(blocks: _Blocks) -> _Choice:
    older = len(blocks.brief) - len(blocks.full)
    return _Choice(blocks.mirrors, list(range(len(blocks.milestones))), len(blocks.full), older)


def _choose(blocks: _Blocks, head: list[str], *, share: bool) -> tuple[_Choice, bool]:
    """Return what is shown when not all can be, and whether that is enough.

    First come the mirrors (with `share` none takes more than half of what the ones before it left),
    then the newest prompt: it is enough when they are whole and some room is left. Half of that may
    go to more prompts in full; then older prompts have a third, if they need it, and Milestones the
    rest.
    """
    room = _Room(MAX_LINES - _RESERVED[0] - len(head), MAX_BYTES - _RESERVED[1] - bytes_of(head))
    mirrors: dict[str, list[_Lines]] = {}
    for key in (key for key in MIRRORS if key in blocks.mirrors):
        own = room.part(2) if share else room
        mirrors[key] = [group for group in blocks.mirrors[key] if own.takes(group)]
        if share:
            room.takes([line for group in mirrors[key] for line in group])
    full = len(room.newest(blocks.full[-1:]))
    enough = mirrors == blocks.mirrors and full == len(blocks.full[-1:])
    enough = enough and room.lines >= _SPARE[0] and room.size >= _SPARE[1]
    if full:
        full += len(room.newest(room.part(2).newest(blocks.full[:-1])))
    older = blocks.brief[: len(blocks.brief) - full]
    rest = _Room(room.lines, room.size)
    rest.newest(room.part(3).newest(older))
    shown = sorted(at for at in blocks.by_importance if rest.takes(blocks.milestones[at]))
    for at in shown:
        room.takes(blocks.milestones[at])
    return _Choice(mirrors, shown, full, len(room.newest(older))), enough


def _written(top: Mapping, blocks: _Blocks, choice: _Choice, cut: Cut, source: str) -> list[str]:
    """Return the lines of the top-level keys; where something is cut, they say so."""
    out: list[str] = []
    for key, value in top.items():
        if key in choice.mirrors:
            groups = choice.mirrors[key]
            lines = [line for group in groups for line in group]
            nested = isinstance(value, Mapping) and value.pairs
            out += [f"{key}:", *lines] if nested and lines else lines
            out += _more(2 if nested and lines else 0, len(blocks.mirrors[key]) - len(groups), f"of {key}", source)
        elif key == "milestones" and blocks.milestones:
            missing = len(blocks.milestones) - len(choice.milestones) + cut.milestones
            out += [f"{key}:", *_more(2, missing, "Milestones", source)]
            out += [line for at in choice.milestones for line in blocks.milestones[at]]
        elif key == "history" and blocks.brief:
            out += [f"{key}:", "  completed_prompts:", *_prompts(blocks, choice, cut, source)]
        else:
            out += value_lines(string(key), value, 0, WIDEST)
    return out


def _prompts(blocks: _Blocks, choice: _Choice, cut: Cut, source: str) -> list[str]:
    older = blocks.brief[: len(blocks.brief) - choice.full]
    shown = older[len(older) - choice.older :]
    newest = blocks.full[len(blocks.full) - choice.full :]
    out = _more(4, len(older) - len(shown) + cut.prompts, "older prompts", source)
    if choice.full < len(blocks.full):
        out.append(f"    # only the last {choice.full} in full, see {source}")
    return out + [line for group in (*shown, *newest) for line in group]


def _more(indent: int, count: int, what: str, source: str) -> list[str]:
    return [f"{' ' * indent}# {count} more {what}, see {source}"] if count else []
