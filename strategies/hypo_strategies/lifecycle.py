"""Where a project stands: which reports are current, which Milestones are final (formats.md, 4.3 and 9.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from hypo_strategies.text import salvage, yaml
from hypo_strategies.text.yaml import Mapping, Node, Sequence, YamlError

_FINAL_STATUS = frozenset({"done", "completed", "complete", "failed", "skipped", "deferred"})
_FINAL_WHEN_STOPPED = frozenset({"blocked", "aborted"})
_STOPPED_FOR_GOOD = frozenset({"blocked", "aborted", "completed"})
_FINAL_RESULT = frozenset({"blocked", "aborted", "skipped"})
_OPEN = frozenset(
    {"running", "in_progress", "active", "pending", "candidate", "stopped", "manual_validation"}
    | {"pending_acceptance", "needs_revision"}
)
_MILESTONE = re.compile(
    r"(?:C(?P<cycle>\d{1,4})[-_ /]+)?M(?P<number>\d{1,4}(?:\.\d{1,4})?)(?![A-Za-z0-9])", re.IGNORECASE
)

_ELSEWHERE = re.compile(
    r"(?!(?:reports|archives|knowledge|patches|prompts)/)(?!.*\.compact\.)(?:[^/.][^/]*/)+[^/.][^/]*\.md"
)
"""A report's path outside of reports/: in a folder that holds nothing else of ours, never up and never hidden."""

REPORTS_FOLDER = "reports"
"""Where the reports stand when no configuration says otherwise, as `Sources.name` gives it."""

_LONGEST_PATH = 300

_MOST_ELSEWHERE = 200
"""Reports outside of reports/ that are followed; real states name one."""


@dataclass(frozen=True, slots=True)
class MilestoneId:
    """A Milestone's number, `M4.5` as (4, 5), and the Cycle's where the name says it (`C14-M0`)."""

    number: tuple[int, ...]
    cycle: int | None = None

    def names(self, other: MilestoneId) -> bool:
        """Return whether both can mean the same Milestone: a Cycle that is not named matches any."""
        return self.number == other.number and (self.cycle == other.cycle or None in (self.cycle, other.cycle))


def leading_id(text: str) -> MilestoneId | None:
    """Return the Milestone that a name begins with: `M07 / F001 - …`, `m08-plan.md`, `C14-M0-index.md`."""
    match = _MILESTONE.match(text.strip())
    if match is None:
        return None
    cycle = match["cycle"]
    return MilestoneId(tuple(int(part) for part in match["number"].split(".")), int(cycle) if cycle else None)


@dataclass(frozen=True, slots=True)
class Record:
    """What state.yaml says of one Milestone, in `milestones` or in `history.completed_prompts`.

    `prompt` is the name of the prompt file without folder and `.md`, `report` a path such as
    `reports/03-hooks.report.md`; everything is "" where the state does not say it.
    """

    id: str = ""
    name: str = ""
    prompt: str = ""
    report: str = ""
    status: str = ""

    @property
    def milestone(self) -> MilestoneId | None:
        """The Milestone's number, from its id, else from what its name or its prompt begins with."""
        return leading_id(self.id) or leading_id(self.name) or leading_id(self.prompt)

    @property
    def key(self) -> str:
        """What tells this Milestone from every other, also of other Cycles, and never changes with its status."""
        return " ".join(part for part in (self.id, self.prompt or self.name) if part)


@dataclass(frozen=True, slots=True)
class Standing:
    """What state.yaml says of where the project stands.

    `readable` is False when `current` may stand in the file but cannot be read.
    """

    current: Record = Record()
    milestones: tuple[Record, ...] = ()
    history: tuple[Record, ...] = ()
    pipeline_status: str = ""
    current_is_final: bool = False
    readable: bool = True


@lru_cache(maxsize=4)
def read_standing(state: str | None, folder: str = REPORTS_FOLDER) -> Standing:
    """Return what the text of state.yaml says; a file that is not YAML gives what can be proved of it.

    `folder` is where the configuration has reports/, as `Sources.name` gives it, here and below: the
    state points into that place.
    """
    root, readable = _root(state or "")
    current = _mapping(root.get("current"))
    pipeline = _mapping(root.get("pipeline"))
    history = _mapping(root.get("history"))
    return Standing(
        current=_record(current, folder),
        milestones=_records(root.get("milestones"), folder),
        history=_records(history.get("completed_prompts"), folder),
        pipeline_status=_word(pipeline, "status"),
        current_is_final=_prompt_is_final(_mapping(root.get("prompt_state"))),
        readable=readable,
    )


def current_reports(state: str | None, reports: Iterable[str], folder: str = REPORTS_FOLDER) -> frozenset[str]:
    """Return those of `reports` (paths such as `reports/03-hooks.report.md`) that belong to the current Milestone.

    `current` names it also after the last prompt has been completed. The first pointer that leads to
    a report decides: the prompt's name, the report that the Milestone or its history item names, the
    Milestone's id in file names (formats.md, 4.3). Without a state nothing is current.
    """
    standing = read_standing(state, folder)
    here = standing.current
    if not here.prompt and not here.id:
        return frozenset()
    index = _Reports(reports)
    records = [here, *(record for record in (*standing.milestones, *standing.history) if _same(here, record))]
    exact = next((found for record in records if (found := index.pointed_at(record))), None)
    return exact or next((found for record in records if (found := index.named_after(record))), frozenset())


def final_milestones(state: str | None, reports: Iterable[str], folder: str = REPORTS_FOLDER) -> frozenset[str]:
    """Return a stable key for each Milestone that is in a final state and whose report is among `reports`.

    A key is the Milestone's id and its prompt's name; it is the same whichever part of the state
    says that the Milestone is final, so each Milestone counts once (formats.md, 9.1).
    """
    standing = read_standing(state, folder)
    index = _Reports(reports)
    planned = _Planned(standing.milestones)
    keys: set[str] = set()
    for record in _final_records(standing):
        milestone = planned.like(record)
        if any(index.pointed_at(each) or index.named_after(each) for each in (record, milestone)):
            keys.add(milestone.key)
    return frozenset(keys - {""})


def milestones_of(state: str | None, reports: Iterable[str], folder: str = REPORTS_FOLDER) -> dict[str, MilestoneId]:
    """Return the Milestone of each of `reports` to which an entry of the state points."""
    standing = read_standing(state, folder)
    index = _Reports(reports)
    found: dict[str, MilestoneId] = {}
    for record in (*standing.milestones, *standing.history):
        milestone = record.milestone
        if milestone is not None:
            for path in index.pointed_at(record):
                found.setdefault(path, milestone)
    return found


def reports_elsewhere(state: str | None, folder: str = REPORTS_FOLDER) -> tuple[str, ...]:
    """Return the paths below `.pipeline/` that the state names as reports and that stand outside of reports/.

    The files may be missing. What belongs to another view or to an archived Cycle is left out, and
    so is everything but the plain path of a Markdown file (formats.md, 4.1).
    """
    standing = read_standing(state, folder)
    named = dict.fromkeys(record.report for record in (*standing.milestones, *standing.history))
    plain = (path for path in named if len(path) <= _LONGEST_PATH and path.isprintable() and "\\" not in path)
    return tuple(islice((path for path in plain if _ELSEWHERE.fullmatch(path)), _MOST_ELSEWHERE))


class _Reports:
    """The reports there are, found by what a record says of its own."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = frozenset(paths)
        self.by_name: dict[str, set[str]] = {}
        self.by_number: dict[tuple[int, ...], list[tuple[MilestoneId, str]]] = {}
        for path in self.paths:
            name = path.rpartition("/")[2]
            self.by_name.setdefault(name, set()).add(path)
            milestone = leading_id(name)
            if milestone is not None:
                self.by_number.setdefault(milestone.number, []).append((milestone, path))

    def pointed_at(self, record: Record) -> frozenset[str]:
        """Return the reports called as the record's prompt, else the one that the record names."""
        names = (f"{record.prompt}.report.md", f"{record.prompt}.md") if record.prompt else ()
        found = [path for name in names for path in self.by_name.get(name, ())]
        return frozenset(found) or self.paths & {record.report}

    def named_after(self, record: Record) -> frozenset[str]:
        """Return the reports whose file names begin with the record's Milestone."""
        milestone = record.milestone
        if milestone is None:
            return frozenset()
        named = self.by_number.get(milestone.number, [])
        return frozenset(path for name, path in named if milestone.names(name))


class _Planned:
    """The entries of `milestones`, found by another record of the same Milestone."""

    def __init__(self, milestones: Iterable[Record]) -> None:
        self.by_prompt: dict[str, Record] = {}
        self.by_number: dict[tuple[int, ...], Record] = {}
        for record in milestones:
            self.by_prompt.setdefault(record.prompt, record)
            if record.milestone is not None:
                self.by_number.setdefault(record.milestone.number, record)

    def like(self, record: Record) -> Record:
        """Return the entry that means the same Milestone, else the record itself."""
        if record.prompt in self.by_prompt and record.prompt:
            return self.by_prompt[record.prompt]
        known = self.by_number.get(record.milestone.number) if record.milestone else None
        return known if known is not None and _same(record, known) else record


def _final_records(standing: Standing) -> Iterator[Record]:
    final = _FINAL_STATUS
    if standing.pipeline_status in _STOPPED_FOR_GOOD:
        final |= _FINAL_WHEN_STOPPED
    yield from (record for record in standing.milestones if record.status in final)
    yield from (record for record in standing.history if record.status not in _OPEN)
    if standing.current_is_final:
        yield standing.current


def _prompt_is_final(prompt_state: Mapping) -> bool:
    result = _word(prompt_state, "result")
    final = result in _FINAL_RESULT or result.startswith("pass")
    return final and prompt_state.text("finished_at") is not None


def _same(one: Record, other: Record) -> bool:
    """Return whether two records mean the same Milestone: by the prompt where both name it, else by the id."""
    if one.prompt and other.prompt:
        return one.prompt == other.prompt
    first, second = one.milestone, other.milestone
    if first is not None and second is not None:
        return first.names(second)
    return bool(one.name) and one.name == other.name


def _root(state: str) -> tuple[Mapping, bool]:
    """Return the state as a mapping, and whether `current` is known to be read if there is one."""
    try:
        root = yaml.parse(state)
    except YamlError:
        return _salvaged(state)
    return _mapping(root), True


def _salvaged(state: str) -> tuple[Mapping, bool]:
    """Return the top-level sections that parse alone; of the two lists, also the items that do."""
    root = Mapping()
    for piece in salvage.sections(state):
        section = _parsed(piece.text)
        if isinstance(section, Mapping):
            root.pairs.extend(section.pairs)
            continue
        items = [_parsed(salvage.dedent_item(item)) for item in salvage.items(piece.text)]
        records = Sequence([item for item in items if isinstance(item, Mapping)])
        if piece.key == "milestones":
            root.pairs.append((yaml.string("milestones"), records))
        elif piece.key == "history":
            root.pairs.append((yaml.string("history"), yaml.mapping(completed_prompts=records)))
    return root, isinstance(root.get("current"), Mapping)


def _parsed(text: str) -> Node | None:
    try:
        return yaml.parse(text)
    except YamlError:
        return None


def _records(node: Node | None, folder: str) -> tuple[Record, ...]:
    items = node.items if isinstance(node, Sequence) else []
    return tuple(_record(item, folder) for item in items if isinstance(item, Mapping))


def _record(node: Mapping, folder: str) -> Record:
    prompt = node.text("prompt_file", "prompt") or ""
    is_file = prompt.endswith(".md")
    return Record(
        id=node.text("id", "milestone_id", "milestone") or "",
        name=node.text("name", "title", "prompt_name") or ("" if is_file else prompt),
        prompt=prompt.rpartition("/")[2].removesuffix(".md") if is_file else "",
        report=_report_path(node.text("report_file", "report") or "", folder),
        status=_word(node, "status", "result"),
    )


def _report_path(pointer: str, folder: str) -> str:
    """Return a report pointer relative to `.pipeline/`; what it names in `folder`, or barely, stands in `reports/`."""
    pointer = pointer.removeprefix("./")
    for place in (folder, folder.removeprefix(".pipeline/")):
        if pointer.startswith(f"{place}/"):
            return REPORTS_FOLDER + pointer.removeprefix(place)
    pointer = pointer.removeprefix(".pipeline/")
    return pointer if "/" in pointer or not pointer else f"{REPORTS_FOLDER}/{pointer}"


def _mapping(node: Node | None) -> Mapping:
    return node if isinstance(node, Mapping) else Mapping()


def _word(node: Mapping, *keys: str) -> str:
    return (node.text(*keys) or "").lower()
