from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypo_compactd.paths import Project, state_dir
from hypo_compactd.status import (
    LIMIT,
    NAME,
    SCHEMA,
    Pulse,
    Report,
    Standing,
    boot_id,
    pulse_file,
    read_pulse,
    read_report,
    remove,
    write_pulse,
    write_report,
)
from hypo_strategies.api import Finding
from hypo_strategies.text.phrase import Phrase, phrase
from support.phrases import findings, phrases

PROJECT = Project(Path("/a/p"), Path("/a/p"))
REPORT = Report(
    "p/\udcff",
    7,
    "boot",
    "1.2",
    Standing.PARTIAL,
    phrase("{reason}; {count}", reason=Phrase("the limit is reached\n"), count=3),
    12,
    9,
    3.5,
    pending=True,
    looks=4,
    missed=1,
    repaired=2,
    contested=("log", "st\udcff"),
    errors=(("state", Finding("st\udcff", phrase("{reason}", reason=Phrase("read-only file system")), 3)),),
)
PULSE = Pulse(7, "boot", "1.2", 1.5, 2.5, 3, 4, 5, 6, 17.5, 8)


def file_of(kind: str) -> Path:
    path = PROJECT.state_dir / NAME if kind == "report" else pulse_file(7)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def read(kind: str) -> Report | Pulse | None:
    return read_report(PROJECT) if kind == "report" else read_pulse(7)


def write(kind: str) -> None:
    if kind == "report":
        write_report(PROJECT, REPORT)
    else:
        write_pulse(PULSE)


both = pytest.mark.parametrize("kind", ["report", "pulse"])


@both
def test_what_is_written_is_what_is_read(kind: str) -> None:
    write(kind)

    assert read(kind) == (REPORT if kind == "report" else PULSE)


def test_what_is_not_known_is_read_as_such() -> None:
    report, pulse = Report("p", 1, "", "1", Standing.OK), Pulse(1, "", "1", 0.0, 0.0, 1)
    write_report(PROJECT, report)
    write_pulse(pulse)

    assert (read_report(PROJECT), read_pulse(1)) == (report, pulse)


texts = st.text(st.characters())
counts = st.integers(0, 2**63 - 1)
numbers = st.floats(allow_nan=False, allow_infinity=False)
reports = st.builds(
    Report,
    texts,
    counts,
    texts,
    texts,
    st.sampled_from(Standing.all()),
    st.none() | phrases,
    counts,
    counts,
    numbers,
    pending=st.booleans(),
    looks=counts,
    missed=counts,
    repaired=counts,
    contested=st.lists(texts, max_size=3).map(tuple),
    errors=st.lists(st.tuples(texts, findings), max_size=3).map(tuple),
)
pulses = st.builds(
    Pulse,
    st.just(7),
    texts,
    texts,
    numbers,
    numbers,
    counts,
    st.none() | counts,
    counts,
    counts,
    numbers,
    counts,
)


@settings(max_examples=50)
@given(reports, pulses)
def test_whatever_is_written_is_what_is_read(report: Report, pulse: Pulse) -> None:
    write_report(PROJECT, report)
    write_pulse(pulse)

    assert (read_report(PROJECT), read_pulse(7)) == (report, pulse)


@both
def test_there_may_be_no_file(kind: str) -> None:
    assert read(kind) is None


def test_a_removed_report_is_gone_and_may_be_removed_again() -> None:
    write_report(PROJECT, REPORT)
    for _ in range(2):
        remove(PROJECT)

        assert read_report(PROJECT) is None


@both
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\0\0",
        b"\xff",
        b"{",
        b"null",
        b"[]",
        b"7",
        b'"schema"',
        b"{}",
        b'{"schema": 2}',
        b"[" * 100_000,
        b'{"schema": ' + b"9" * 10_000 + b"}",
        b'{"schema": NaN}',
    ],
    ids=lambda data: repr(data[:14]),
)
def test_a_broken_file_is_none(kind: str, data: bytes) -> None:
    file_of(kind).write_bytes(data)

    assert read(kind) is None


@both
def test_a_file_cut_anywhere_is_none(kind: str) -> None:
    write(kind)
    whole = file_of(kind).read_bytes()
    for length in range(len(whole) - 1):
        file_of(kind).write_bytes(whole[:length])

        assert read(kind) is None


@both
def test_a_file_without_one_of_its_values_is_none(kind: str) -> None:
    write(kind)
    data = json.loads(file_of(kind).read_bytes())
    for key in data:
        file_of(kind).write_text(json.dumps({name: value for name, value in data.items() if name != key}))

        assert read(kind) is None, key


@both
@pytest.mark.parametrize("schema", [0, 1, SCHEMA + 1, -1, str(SCHEMA), None, True, float(SCHEMA), [1], {}])
def test_a_file_of_another_version_is_none(kind: str, schema: object) -> None:
    write(kind)
    data = json.loads(file_of(kind).read_bytes()) | {"schema": schema}
    file_of(kind).write_text(json.dumps(data))

    assert read(kind) is None


VALUES: list[Any] = [None, True, -1, 2**63, 10**400, 1.5, "x", "ok", "\ud800", [], ["x"], [["x"]], [[1, 2]], {}, [None]]
NOT_FINITE: list[Any] = [float("inf"), float("-inf"), float("nan")]


def is_phrase(value: Any) -> bool:
    """Return whether a value is a phrase, its values too, so that it can be said in any language."""
    return (
        type(value) is Phrase
        and type(value.text) is str
        and all(
            type(name) is str and (type(one) in (str, int) or is_phrase(one)) for name, one in map(tuple, value.values)
        )
    )


def is_whole(value: Report | Pulse) -> bool:
    """Return whether every value is of the type that it is declared to have."""
    for name in value.__match_args__:
        one = getattr(value, name)
        if name in {"looked", "started", "beat", "rss_mb"}:
            fits = type(one) is float and abs(one) < float("inf")
        elif name == "contested":
            fits = type(one) is tuple and all(type(item) is str for item in one)
        elif name == "errors":
            fits = type(one) is tuple and all(
                type(view) is str and type(error) is Finding and is_phrase(error.problem) for view, error in one
            )
        elif name == "reason":
            fits = one is None or is_phrase(one)
        elif name == "standing":
            fits = one in Standing.all()
        elif name == "pending":
            fits = type(one) is bool
        elif name in {"project", "boot", "version"}:
            fits = type(one) is str
        else:
            fits = (one is None and name == "canary_ms") or (type(one) is int and 0 <= one < 2**63)
        if not fits:
            return False
    return True


@both
@pytest.mark.parametrize("value", [*VALUES, *NOT_FINITE], ids=lambda value: repr(value)[:12])
def test_a_value_of_another_type_or_size_is_never_believed(kind: str, value: object) -> None:
    write(kind)
    data = json.loads(file_of(kind).read_bytes())
    for key in data:
        file_of(kind).write_text(json.dumps(data | {key: value}))
        found = read(kind)

        assert found is None or is_whole(found), key
        if value in NOT_FINITE or value == 10**400:
            assert found is None, key


def nested(depth: int) -> list[Any]:
    return ["x", []] if depth == 0 else ["{a}", [["a", nested(depth - 1)]]]


@pytest.mark.parametrize(
    ("reason", "is_one"),
    [
        (["x", []], True),
        (["{not_filled}", []], True),
        (["{a} {b}", [["a", 1], ["b", "y"]]], True),
        (nested(8), True),
        (nested(9), False),
        (nested(60), False),
        (["{a}", [["b", 1]]], False),
        (["{a} {b}", [["a", 1]]], False),
        (["x", [["a", 1]]], False),
        (["{a}", [["a", None]]], False),
        (["{a}", [["a", 1.5]]], False),
        (["{a}", {"a": 1}], False),
        (["x"], False),
        ([1, []], False),
        ("x", False),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_reason_is_a_template_whose_places_are_filled(reason: object, is_one: bool) -> None:  # noqa: FBT001 - a row
    write("report")
    data = json.loads(file_of("report").read_bytes()) | {"reason": reason}
    file_of("report").write_text(json.dumps(data))
    found = read_report(PROJECT)

    assert (found is not None) is is_one
    assert found is None or str(found.reason)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=100)
@given(st.sampled_from(["report", "pulse"]), st.data())
def test_no_value_anywhere_is_an_error(kind: str, draw: st.DataObject) -> None:
    write(kind)
    data = json.loads(file_of(kind).read_bytes())
    for key in draw.draw(st.lists(st.sampled_from(sorted(set(data) - {"schema"})), max_size=3)):
        data[key] = draw.draw(json_values)
    file_of(kind).write_text(json.dumps(data))
    found = read(kind)

    assert found is None or is_whole(found)


@settings(max_examples=100)
@given(st.binary(max_size=60) | json_values.map(lambda value: json.dumps(value).encode()))
def test_no_bytes_are_an_error(data: bytes) -> None:
    for kind in ("report", "pulse"):
        file_of(kind).write_bytes(data)

        assert read(kind) is None


@both
def test_a_file_that_is_none_is_not_opened_for_ever_nor_read_without_end(kind: str) -> None:
    path = file_of(kind)
    path.mkdir()
    assert read(kind) is None

    path.rmdir()
    os.mkfifo(path)
    assert read(kind) is None

    path.unlink()
    path.symlink_to(path.name)
    assert read(kind) is None

    path.unlink()
    write(kind)
    whole = path.read_bytes()
    path.write_bytes(whole.ljust(LIMIT))
    assert read(kind) is not None

    path.write_bytes(whole.ljust(LIMIT + 1))
    assert read(kind) is None


@pytest.mark.parametrize("pid", [-1, 0, 2**70, 10**300])
def test_any_number_of_a_process_may_be_asked_for(pid: int) -> None:
    assert read_pulse(pid) is None


def test_our_folder_may_be_behind_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    monkeypatch.setenv("HYPO_COMPACTD_STATE_DIR", os.fspath(tmp_path / "link"))
    write_report(PROJECT, REPORT)

    assert read_report(PROJECT) == REPORT


def test_a_status_file_is_for_its_owner_alone_and_leaves_no_temporary_file() -> None:
    write_report(PROJECT, REPORT)
    write_pulse(PULSE)
    files = [path for path in state_dir().rglob("*") if path.is_file()]

    assert sorted(files) == sorted([PROJECT.state_dir / NAME, pulse_file(7)])
    for path in files:
        assert path.parent.stat().st_mode & 0o077 == 0
        assert json.loads(path.read_bytes())["schema"] == SCHEMA


def test_one_boot_has_one_name() -> None:
    assert boot_id() == boot_id()
    if Path("/proc/sys/kernel/random/boot_id").exists():
        assert len(boot_id()) == 36
