from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypo_compactd.config import Config
from hypo_compactd.manifest import NAME, SCHEMA, Entry, Manifest, load, save
from hypo_compactd.outcome import Request
from hypo_compactd.paths import Project, state_dir
from hypo_compactd.plan import Facts
from hypo_compactd.reconcile import reconcile
from hypo_strategies.api import Finding
from hypo_strategies.text.phrase import phrase
from support.phrases import findings

FULL = Manifest(
    entries={
        "log": Entry(
            "i",
            "o",
            (1, 2, 3, 4),
            50,
            6,
            (Finding("log.yaml", phrase("{count} more like these", count=2), 3, 4, "warning"),),
        ),
        "state": Entry("", None),
    },
    facts=Facts(frozenset({"M1 a", "M2 b"}), "k", frozenset({"C1"})),
    owed=("log",),
)


@pytest.mark.parametrize("manifest", [Manifest(), FULL])
def test_what_is_saved_is_what_is_loaded(manifest: Manifest, tmp_path: Path) -> None:
    save(tmp_path / "deep/er", manifest)

    assert load(tmp_path / "deep/er") == manifest


signatures = st.tuples(*[st.integers(-(2**63), 2**63)] * 4)
entries = st.builds(
    Entry,
    st.text(),
    st.none() | st.text(),
    st.none() | signatures,
    st.integers(),
    st.integers(),
    st.lists(findings, max_size=2).map(tuple),
)
facts = st.builds(Facts, st.frozensets(st.text()), st.text(), st.frozensets(st.text()))
manifests = st.builds(
    Manifest,
    st.dictionaries(st.text(), entries, max_size=3),
    st.none() | facts,
    st.lists(st.text(), max_size=3).map(tuple),
)


@settings(max_examples=50)
@given(manifests)
def test_whatever_is_saved_is_what_is_loaded(tmp_path_factory: pytest.TempPathFactory, manifest: Manifest) -> None:
    folder = tmp_path_factory.mktemp("state")
    save(folder, manifest)

    assert load(folder) == manifest


def test_there_may_be_no_manifest(tmp_path: Path) -> None:
    assert load(tmp_path / "missing") == Manifest()
    (tmp_path / NAME).mkdir()
    assert load(tmp_path) == Manifest()


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
        b'"x"',
        b"{}",
        b'{"schema": 1}',
        b"[" * 100_000,
        b'{"schema": ' + b"9" * 10_000 + b"}",
    ],
    ids=lambda data: repr(data[:12]),
)
def test_a_broken_manifest_is_an_empty_one(data: bytes, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(data)

    assert load(tmp_path) == Manifest()


def test_a_manifest_cut_anywhere_is_an_empty_one(tmp_path: Path) -> None:
    save(tmp_path, FULL)
    whole = (tmp_path / NAME).read_bytes()
    for length in range(0, len(whole) - 2, 7):
        (tmp_path / NAME).write_bytes(whole[:length])

        assert load(tmp_path) == Manifest()


OTHERS: list[Any] = [None, 7, "x", [], {}, [1], {"a": 1}, float("inf")]
PLACES = [
    ("schema",),
    ("views",),
    ("views", "log"),
    ("views", "log", "inputs"),
    ("views", "log", "output"),
    ("views", "log", "signature"),
    ("views", "log", "tokens_before"),
    ("views", "log", "findings"),
    ("views", "log", "findings", 0),
    ("views", "log", "findings", 0, "path"),
    ("facts",),
    ("facts", "final"),
    ("facts", "archives"),
    ("owed",),
    ("owed", 0),
]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: ".".join(map(str, place)))
@pytest.mark.parametrize("other", OTHERS, ids=repr)
def test_a_value_of_another_type_is_never_believed(place: tuple[Any, ...], other: Any, tmp_path: Path) -> None:
    save(tmp_path, FULL)
    data = json.loads((tmp_path / NAME).read_bytes())
    node = data
    for step in place[:-1]:
        node = node[step]
    node[place[-1]] = other
    (tmp_path / NAME).write_text(json.dumps(data))
    found = load(tmp_path)

    assert {type(entry.inputs) for entry in found.entries.values()} <= {str}
    assert {type(entry.output) for entry in found.entries.values()} <= {str, type(None)}
    for entry in found.entries.values():
        assert isinstance(entry.tokens_before + entry.tokens_after, int)
        assert {type(finding.path) for finding in entry.findings} <= {str}
        assert all(map(str, entry.findings))
    if found != Manifest():
        save(tmp_path, found)
        assert load(tmp_path) == found


@pytest.mark.parametrize("schema", [0, SCHEMA - 1, SCHEMA + 1, str(SCHEMA), None, True])
def test_a_manifest_of_another_version_is_an_empty_one(schema: object, tmp_path: Path) -> None:
    save(tmp_path, FULL)
    data = json.loads((tmp_path / NAME).read_bytes()) | {"schema": schema}
    (tmp_path / NAME).write_text(json.dumps(data))

    assert load(tmp_path) == Manifest()


def test_nothing_of_what_the_sources_say_is_ever_kept_outside_the_project(project: Project) -> None:
    marker = "Zwiebelfisch-4711"
    for path in project.pipeline.rglob("*"):
        if path.suffix in {".md", ".yaml"} and path.name != "config.yaml":
            with path.open("a", encoding="utf-8") as stream:
                stream.write(f"\n- {marker}: [`{marker}\n")
    outcome = reconcile(project, Config(), Request(), {})
    reconcile(project, Config(), Request(), outcome.pending)

    assert outcome.findings
    files = [path for path in state_dir().rglob("*") if path.is_file()]
    assert any(path.name == NAME for path in files)
    for path in files:
        assert marker.encode() not in path.read_bytes(), path
    assert marker not in "".join(map(str, outcome.findings))


def test_no_temporary_file_is_left_beside_the_manifest(tmp_path: Path) -> None:
    save(tmp_path, FULL)

    assert os.listdir(tmp_path) == [NAME]  # noqa: PTH208 - names are what is compared
