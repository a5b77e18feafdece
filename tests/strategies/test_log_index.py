"""A log of which only what has changed is read gives the view that all of it gives.

`make fuzz` looks at many times as many changes as the plain run does.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from itertools import groupby, islice, pairwise, takewhile
from operator import itemgetter
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode

from hypo_strategies import _log_index, log
from hypo_strategies._log_columns import MEDIUM, STRONG, UNDATED, Columns
from hypo_strategies._log_index import Index
from hypo_strategies._log_reading import read_as_tree
from hypo_strategies._log_records import TIME_KEYS, moment_of, one_line
from hypo_strategies.api import Finding, Memory, Options, Redaction, Sources, View
from hypo_strategies.text import yaml
from hypo_strategies.text.times import instant
from hypo_strategies.text.yaml import NotPlainError, YamlError
from support.log_edits import edited
from support.log_edits import log as grown

OPTIONS = Options(log_recent=3)
CHANGES = 25
"""Changes of one log in a row."""
MENDED = 0.8
"""The share of changes that leave no plain log and are taken back."""
FUZZ = 100
"""So many times the logs of the plain run are those of the profile `fuzz`."""


def many(examples: int) -> settings:
    fuzz = settings.get_current_profile_name() == "fuzz"
    return settings(max_examples=examples * (FUZZ if fuzz else 1), suppress_health_check=list(HealthCheck))


def view(text: str, memory: Memory | None = None) -> View:
    sources = Sources({log.SOURCE: text.removeprefix("\ufeff")}, data={log.SOURCE: text.encode()})
    return log.render(sources, OPTIONS, memory or Memory())


def view_of_tree(text: str) -> View:
    """Return the view as it is made without an index."""
    try:
        reading = read_as_tree(text.removeprefix("\ufeff"), OPTIONS.timezone)
    except YamlError as error:
        return View(None, (Finding(log.SOURCE, error.problem, error.line, error.column),))
    return log._view(reading, log.SOURCE, OPTIONS)


def changed(chance: Random, text: str) -> str:
    """Return a log after one change; most of those that break it are taken back, since a broken log stays so."""
    new = edited(chance, text)
    return text if chance.random() < MENDED and not is_plain(new) else new


def is_plain(text: str) -> bool:
    try:
        Index(text.encode(), UTC)
    except NotPlainError:
        return False
    return True


seeds = st.integers(0, 2**32)


@many(40)
@given(seeds)
def test_a_log_that_is_followed_gives_the_view_of_a_log_that_is_read_anew(seed: int) -> None:
    chance = Random(seed)
    text = grown(chance, chance.randint(0, 12))
    memory = Memory()
    for _ in range(CHANGES):
        assert view(text, memory) == view(text)
        text = changed(chance, text)


@many(40)
@given(seeds)
def test_events_give_the_view_that_the_tree_gives(seed: int) -> None:
    chance = Random(seed)
    text = grown(chance, chance.randint(0, 12))
    for _ in range(CHANGES):
        assert view(text) == view_of_tree(text)
        text = changed(chance, text)


@many(40)
@given(seeds)
def test_events_are_those_that_ruamel_yaml_reads(seed: int) -> None:
    chance = Random(seed)
    text = grown(chance, chance.randint(0, 12))
    for _ in range(3):
        try:
            index = Index(text.encode(), UTC)
        except NotPlainError:
            pass
        else:
            with suppress(YAMLError):  # it refuses some of what libyaml reads, such as a tab inside of a value
                assert in_columns(index.reading().columns) == composed(text)
        text = changed(chance, text)


def in_columns(columns: Columns) -> list[tuple[str | None, int]]:
    return list(zip(columns.kinds, columns.moments, strict=True))


def composed(text: str) -> list[tuple[str | None, int]]:
    """Return type and instant of each entry, as ruamel.yaml's own safe parser sees them."""
    root: Any = YAML(typ="safe", pure=True).compose(text)
    if isinstance(root, MappingNode):
        root = next(value for key, value in root.value if key.value == "entries")
    assert isinstance(root, SequenceNode)
    found = []
    for entry in root.value:
        values: dict[str, str] = {}
        for key, value in entry.value:
            if isinstance(key, ScalarNode) and isinstance(value, ScalarNode) and value.value.strip():
                if value.style is None and value.value in yaml._NULLS and value.ctag.suffix != "str":
                    continue
                values.setdefault(key.value, value.value)
        time = next((values[key] for key in TIME_KEYS if key in values), None)
        kind = values.get("type")
        found.append((None if kind is None else one_line(kind), moment_of(time, UTC)))
    return found


@many(400)
@given(st.lists(st.sampled_from([None, 1, 1, 2, 2, 3, 4]), max_size=20), st.integers(0, 22))
def test_newest_events_are_those_of_the_whole_order(moments: list[int | None], count: int) -> None:
    columns = Columns()
    columns.splice(
        0, 0, [UNDATED if one is None else one for one in moments], ["x"] * len(moments), bytes(len(moments))
    )
    expected = ordered(moments)

    assert columns.newest(count) == expected[:count]
    dated = [at for at in expected if moments[at] is not None]
    assert columns.oldest() == (dated[-1] if dated else None)


@pytest.mark.parametrize("entries", [6, 90, 3_000])
def test_the_newest_failures_are_named_first_and_all_are_counted(entries: int) -> None:
    chance = Random(entries)
    moments = [chance.randrange(entries // 3) for _ in range(entries)]
    strengths = bytes(chance.choice((0, MEDIUM, STRONG)) for _ in range(entries))
    columns = Columns()
    columns.splice(0, 0, moments, ["x"] * entries, strengths)
    besides = columns.newest(min(20, entries // 3))
    count, named = columns.notable(besides)
    order = [at for at in ordered(list(moments)) if at not in besides]
    expected = [at for level in (STRONG, MEDIUM) for at in order if strengths[at] == level]

    assert count == len(expected)
    assert list(islice(named, 300)) == expected[:300]


def run(steps: list[bool]) -> list[bool]:
    """Return the steps in one direction with which some begin."""
    return [*takewhile(lambda step: step == steps[0], steps)]


def ordered(moments: list[int | None]) -> list[int]:
    """Return all positions from the newest event to the oldest, by the rules as they are written."""
    dated = [(moment, at) for at, moment in enumerate(moments) if moment is not None]
    plateaus = [(moment, [at for _, at in group]) for moment, group in groupby(dated, key=itemgetter(0))]
    steps = [after < before for (before, _), (after, _) in pairwise(plateaus)]
    result: list[tuple[int, list[int]]] = []
    for number, (moment, places) in enumerate(plateaus):
        weight = sum(1 if step else -1 for step in (*run(steps[:number][::-1]), *run(steps[number:])))
        result.append((moment, places if weight > 0 else places[::-1]))
    result.reverse()  # of equal instants the later one goes first
    newest = sorted(result, key=itemgetter(0), reverse=True)
    return [at for _, places in newest for at in places] + [at for at, one in enumerate(moments) if one is None]


ENTRY = "  - id: E{n}\n    type: note\n    timestamp: 2026-05-01T10:{n:02d}:00Z\n    text: {text}\n"


def entries(*texts: str) -> str:
    return "entries:\n" + "".join(ENTRY.format(n=number, text=text) for number, text in enumerate(texts, 10))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(entries("a", "b", "c"), entries("a", "b", "c", "d"), id="at the end"),
        pytest.param(entries("a", "b", "c"), entries("a", "b", "c").replace("E10", "E09", 1), id="at the top"),
        pytest.param(entries("a", "b", "c"), entries("a", "x\n    more: y", "c"), id="in the middle"),
        pytest.param(entries("a", "b", "c"), entries("a", "b"), id="the last one gone"),
        pytest.param(
            entries("a", "b", "c").rstrip("\n"), entries("a", "b", "c", "d"), id="the last line without a break"
        ),
        pytest.param(
            entries("a", "|\n      b", "c"), entries("a", "|\n      b\n\n      more", "c"), id="a block scalar goes on"
        ),
    ],
)
def test_only_what_changed_is_read_again(before: str, after: str, monkeypatch: pytest.MonkeyPatch) -> None:
    index = Index(before.encode(), UTC)
    read: list[int] = []

    def noted(data: bytes, zone: tzinfo) -> _log_index._Reader:
        read.append(len(data))
        return READER(data, zone)

    monkeypatch.setattr(_log_index, "_Reader", noted)
    index.update(after.encode())

    assert in_columns(index.reading().columns) == composed(after)
    assert read
    assert max(read) < len(after) * 0.8


READER = _log_index._Reader


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(entries("a", "b"), entries("a", '"b\n  - c"'), id="a dash inside of quotes"),
        pytest.param(entries("a", "b", "c"), entries("a", '"b', "c"), id="quotes that are not closed"),
        pytest.param(entries("a", "b", "c"), entries("a", "[b", "c"), id="a list that is not closed"),
        pytest.param(entries("a", "b", "c"), entries("a", "&x b", "c"), id="an anchor"),
        pytest.param(entries("a", "b", "c"), entries("a", "*x", "c"), id="an alias"),
        pytest.param(entries("a", "b", "c"), entries("a", "b\n    <<: {d: e}", "c"), id="a merge key"),
        pytest.param(entries("a", "b", "c"), entries("a", "b\n...", "c"), id="the end of a document"),
        pytest.param(entries("a", "b", "c"), entries("a", "b\n---", "c"), id="a second document"),
        pytest.param(entries("a", "b", "c"), entries("a", "b\nmore: c", "c"), id="another key at the margin"),
        pytest.param(entries("a", "b", "c"), entries("a", "b", "c") + "tail: d\n", id="a key below the list"),
        pytest.param(
            entries("a", "b", "c"),
            entries("a", "b", "c").replace("entries:", "%YAML 1.1\n---\nentries:"),
            id="a directive",
        ),
        pytest.param(entries("a", "b", "c"), entries("a", "b\rc", "c"), id="a lone carriage return"),
        pytest.param(entries("a", "b", "c"), entries("a", "b\u2028c", "c"), id="a line break of YAML 1.1"),
        pytest.param(
            entries("a", "b", "c"), entries("a", "b", "c").replace("  - id: E11", "   - id: E11"), id="another column"
        ),
        pytest.param(
            entries("a", "b", "c"),
            entries("a", "b", "c").replace("  - id: E11", "  -\tid: E11"),
            id="a tab behind the dash",
        ),
        pytest.param(entries("a", "b", "c"), entries("a", "|\n\n", "c"), id="an empty block scalar before blank lines"),
        pytest.param(entries("a", "b", "c"), entries("a", "b\n  - text", "c"), id="an entry that is no mapping"),
        pytest.param(
            entries("a", "b", "c"),
            entries("a", "b", "c").replace("entries:", "# log\nentries:"),
            id="a line above the list",
        ),
    ],
)
def test_what_cannot_be_read_by_itself_is_read_with_all_the_rest(before: str, after: str) -> None:
    index = Index(before.encode(), UTC)
    kept = in_columns(index.reading().columns)
    with pytest.raises(NotPlainError):
        index.update(after.encode())

    assert in_columns(index.reading().columns) == kept
    memory = Memory()
    view(before, memory)
    assert view(after, memory) == view_of_tree(after)


@pytest.mark.parametrize(
    "options", [Options(log_recent=1), Options(timezone=UTC), Options(redaction=Redaction(replacement="x"))]
)
def test_other_options_count_although_the_log_is_known(options: Options) -> None:
    text = entries("a", "b").replace("00Z", "00").replace("text: a", "password: abcd1234")
    memory = Memory()
    sources = Sources({log.SOURCE: text})
    log.render(sources, Options(), memory)

    assert log.render(sources, options, memory) == log.render(sources, options, Memory())


def test_what_is_kept_does_not_grow_with_the_looks() -> None:
    memory = Memory()
    text = entries(*"abcdefgh")
    sizes = set()
    for number in range(40):
        text = text.replace("entries:\n", f"entries:\n{ENTRY.format(n=number % 10, text=number)}", 1)
        view(text, memory)
        sizes.add(len(memory.log[1]._used) + len(memory.log[1]._kept))

    assert max(sizes) <= 4 * OPTIONS.log_recent + 2


def test_without_the_binding_of_libyaml_events_and_tree_agree_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "_c_parser", lambda: None)
    memory = Memory()
    for seed in range(20):
        chance = Random(seed)
        text = grown(chance, 5)
        for _ in range(4):
            assert view(text, memory) == view(text) == view_of_tree(text)
            text = changed(chance, text)


@many(200)
@given(
    st.from_regex(r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d\Z", fullmatch=True)
    | st.datetimes().map(lambda moment: f"{moment:%Y-%m-%dT%H:%M:%S}+08:00")
    | st.sampled_from(
        [
            "2026-05-05T23:05:00+08:0x",
            "2026-05-05T24:00:00+08:00",
            "2026-05-05T23:05:60+08:00",
            "0001-01-01T00:00:00+23:59",
        ]
    )
)
def test_the_usual_timestamp_is_read_as_every_other(time: str) -> None:
    moment = instant(time, UTC)
    expected = UNDATED if moment is None else round((moment - EPOCH).total_seconds()) * 1_000_000

    assert moment_of(time, UTC) == expected


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
