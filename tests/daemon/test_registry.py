"""The list of projects: ours, and the one that Hypo-Workflow keeps."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_compactd import registry
from hypo_compactd.errors import BusyError, ConfigurationError, InputError
from hypo_strategies.text import yaml

PROCESSES = 20

ADD = "import sys; from pathlib import Path; from hypo_compactd import registry; sys.exit(not registry.add(Path(sys.argv[1])))"


@pytest.fixture(name="ours", autouse=True)
def _ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HYPO_COMPACTD_CONFIG_DIR", os.fspath(tmp_path / "config"))
    return tmp_path / "config" / "projects.json"


@pytest.fixture(name="theirs")
def _theirs(tmp_path: Path) -> Path:
    file = tmp_path / "home" / ".hypo-workflow" / "projects.yaml"
    file.parent.mkdir(parents=True)
    return file


def folder(parent: Path, name: str) -> Path:
    made = parent / name
    made.mkdir()
    return made


def test_without_a_file_there_are_none() -> None:
    assert registry.registered() == ()
    assert registry.everything() == ()


def test_what_was_added_is_there_in_order_and_once(tmp_path: Path, ours: Path) -> None:
    one, two = folder(tmp_path, "one"), folder(tmp_path, "two")

    assert registry.add(two)
    assert registry.add(one)
    assert not registry.add(tmp_path / "one" / ".." / "two")

    assert registry.registered() == (two, one)
    assert json.loads(ours.read_text()) == {"schema": 1, "projects": [os.fspath(two), os.fspath(one)]}
    assert sorted(entry.name for entry in ours.parent.iterdir()) == ["projects.json", "projects.lock"]


def test_a_project_is_kept_by_its_real_path(tmp_path: Path) -> None:
    real = folder(tmp_path, "real")
    (tmp_path / "link").symlink_to(real)

    assert registry.add(tmp_path / "link")

    assert registry.registered() == (real,)
    assert registry.remove(tmp_path / "link")
    assert registry.registered() == ()


def test_a_relative_path_is_taken_from_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = folder(tmp_path, "one")
    monkeypatch.chdir(one)

    registry.add(Path())

    assert registry.registered() == (one,)


def test_one_that_is_gone_from_the_disk_can_be_removed(tmp_path: Path) -> None:
    gone, kept = folder(tmp_path, "gone"), folder(tmp_path, "kept")
    registry.add(gone)
    registry.add(kept)
    gone.rmdir()

    assert registry.remove(gone)
    assert not registry.remove(gone)

    assert registry.registered() == (kept,)


def test_one_below_a_folder_that_has_become_a_link_can_be_removed_by_either_path(tmp_path: Path) -> None:
    registry.add(folder(folder(tmp_path, "old"), "tide"))
    (tmp_path / "old").rename(tmp_path / "new")
    (tmp_path / "old").symlink_to(tmp_path / "new")

    assert registry.remove(tmp_path / "new" / "tide")


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS has no names that are not UTF-8")
def test_a_path_that_is_not_utf_8_survives(tmp_path: Path, ours: Path) -> None:
    odd = folder(tmp_path, os.fsdecode(b"caf\xe9 \xe4\xbd\xa0\n"))

    registry.add(odd)

    assert registry.registered() == (odd,)
    assert ours.read_bytes().isascii()
    assert registry.remove(odd)


def test_processes_that_add_at_once_lose_nothing(tmp_path: Path) -> None:
    folders = [folder(tmp_path, f"project-{number}") for number in range(PROCESSES)]

    running = [subprocess.Popen([sys.executable, "-c", ADD, one]) for one in folders]

    assert [one.wait() for one in running] == [0] * PROCESSES
    assert sorted(registry.registered()) == sorted(folders)


def test_who_finds_the_list_locked_for_long_says_so(
    tmp_path: Path, ours: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from filelock import FileLock

    monkeypatch.setattr(registry, "LOCK_WAIT_S", 0.05)
    ours.parent.mkdir()

    with FileLock(ours.with_name("projects.lock")), pytest.raises(BusyError, match="locked"):
        registry.add(tmp_path)

    assert registry.registered() == ()


BROKEN = [
    (b"", ":1: not JSON"),
    (b'{"schema": 1,\n "projects": [,]}', ":2: not JSON"),
    (b'{"schema": 1,\n "projects": ["/a\xff"]}', ":2: bytes that are not UTF-8"),
    (b"[" * 100_000, ":1: not JSON"),
    (b"[]", ':1: it must hold {"schema": 1'),
    (b'{"projects": []}', ":1: it must hold"),
    (b'{\n"schema": true, "projects": []}', ":2: it must hold"),
    (b'{\n"schema": 1.0, "projects": []}', ":2: it must hold"),
    (b'{\n"schema": "1", "projects": []}', ":2: it must hold"),
    (b'{"schema": 1, "projects": {}}', ":1: it must hold"),
    (b'{"schema": 1}', ":1: it must hold"),
    (b'{\n"schema": 2, "projects": []}', ":2: schema 2 is a newer version's"),
    (b'{"schema": 1, "projects": [\n"/a",\n"b"]}', ':3: "b" is not an absolute path'),
    (b'{"schema": 1, "projects": [\n7]}', ":2: 7 is not an absolute path"),
    (b'{"schema": 1, "projects": [\n"/a\\u0000b"]}', ":2: "),
    (b'{"schema": 1, "projects": [\n"/a\\ud800"]}', ":2: "),
]


@pytest.mark.parametrize(("content", "said"), BROKEN)
def test_a_file_that_is_not_ours_is_refused_with_its_line_and_left_as_it_is(
    content: bytes, said: str, tmp_path: Path, ours: Path
) -> None:
    ours.parent.mkdir()
    ours.write_bytes(content)

    for attempt in (registry.registered, registry.everything, lambda: registry.add(tmp_path)):
        with pytest.raises(ConfigurationError) as caught:
            attempt()
        assert f"{ours}{said}" in str(caught.value)
        assert str(caught.value).isprintable()
    with pytest.raises(ConfigurationError):
        registry.remove(tmp_path)
    assert ours.read_bytes() == content


def test_a_file_that_cannot_be_read_is_refused(ours: Path) -> None:
    ours.mkdir(parents=True)

    with pytest.raises(ConfigurationError, match="is a folder, not a file"):
        registry.registered()


def test_a_fifo_in_its_place_does_not_hang(tmp_path: Path, ours: Path) -> None:
    ours.parent.mkdir()
    os.mkfifo(ours)

    with pytest.raises(ConfigurationError, match="is a FIFO"):
        registry.add(tmp_path)


def test_a_place_that_cannot_be_written_says_what_to_do(ours: Path, tmp_path: Path) -> None:
    ours.parent.write_text("a file where the folder should be")

    with pytest.raises(InputError, match="HYPO_COMPACTD_CONFIG_DIR"):
        registry.add(tmp_path)


def test_our_file_may_be_a_link_into_a_folder_of_dotfiles(tmp_path: Path, ours: Path) -> None:
    target = folder(tmp_path, "dotfiles") / "projects.json"
    ours.parent.mkdir()
    ours.symlink_to(target)

    registry.add(tmp_path)

    assert ours.is_symlink()
    assert json.loads(target.read_text())["projects"] == [os.fspath(tmp_path)]


def test_without_an_override_it_lies_in_the_user_s_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HYPO_COMPACTD_CONFIG_DIR")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)

    assert registry.file().is_relative_to(tmp_path / "home")
    assert registry.file().parent.name == "hypo-compactd"
    assert registry.files() == (registry.file(), tmp_path / "home" / ".hypo-workflow" / "projects.yaml")


# --- what Hypo-Workflow lists


def test_hypo_workflow_s_projects_are_read_and_its_file_is_not_written(theirs: Path, tmp_path: Path) -> None:
    text = "schema_version: '1'\nprojects:\n  - id: a\n    path: ~/one\n  - {path: /two}\n  - path: /two\n"
    theirs.write_text(text)
    before = theirs.stat()

    assert registry.hypo_workflow() == (tmp_path / "home" / "one", Path("/two"))
    assert registry.hypo_workflow_list().findings == ()
    registry.add(tmp_path)
    assert registry.everything() == (tmp_path, tmp_path / "home" / "one", Path("/two"))
    assert theirs.read_text() == text
    assert theirs.stat() == before
    assert list(theirs.parent.iterdir()) == [theirs]


def test_one_on_both_lists_counts_once(theirs: Path, tmp_path: Path) -> None:
    one = folder(tmp_path, "one")
    (tmp_path / "link").symlink_to(one)
    theirs.write_text(f"projects: [{{path: {tmp_path}/link}}]")

    registry.add(one)

    assert registry.everything() == (one,)


@pytest.mark.parametrize(
    ("text", "projects", "findings"),
    [
        ("", (), ()),
        ("null", (), ()),
        ("other: 1", (), ()),
        ("projects:", (), ()),
        ("projects: []", (), ()),
        ("projects: x", (), ("~/.hypo-workflow/projects.yaml:1: the file must hold a mapping",)),
        ("\n- path: /a", (), ("~/.hypo-workflow/projects.yaml:2: the file must hold a mapping",)),
        ("projects:\n- path: /a\n- path: b", (Path("/a"),), (":3: projects[1] path: 'b' is not an absolute path",)),
        ("projects:\n- path: ~nobody-such/a", (), ("is not an absolute path; it is left out",)),
        ("projects:\n- name: x\n- /a\n-", (), ("[0] has no path", "[1] has no path", "[2] has no path")),
        ('projects:\n- path: "/a\\0b"', (), ("'/a\\\\x00b' is not an absolute path",)),
    ],
)
def test_an_entry_that_is_no_project_is_reported_and_left_out(
    text: str, projects: tuple[Path, ...], findings: tuple[str, ...]
) -> None:
    found = registry.listed(yaml.parse(text))

    assert found.projects == projects
    assert len(found.findings) == len(findings)
    for finding, said in zip(found.findings, findings, strict=True):
        assert said in str(finding)


@pytest.mark.parametrize("content", [b"projects: [", b"a: \xff", b"x: [1\n", b"#" * (registry.LIMIT + 1)])
def test_a_list_of_theirs_that_cannot_be_used_is_a_finding_and_no_end(
    content: bytes, theirs: Path, tmp_path: Path
) -> None:
    theirs.write_bytes(content)
    registry.add(tmp_path)

    assert registry.hypo_workflow() == ()
    assert len(registry.hypo_workflow_list().findings) == 1
    assert registry.everything() == (tmp_path,)


def test_a_folder_in_the_place_of_their_list_is_a_finding(theirs: Path) -> None:
    theirs.mkdir()

    assert [str(one) for one in registry.hypo_workflow_list().findings] == [
        "~/.hypo-workflow/projects.yaml: is a folder, not a file"
    ]


@given(
    st.recursive(
        st.none() | st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_any_list_of_theirs_gives_absolute_paths_or_findings(data: object) -> None:
    found = registry.listed(yaml.parse(json.dumps({"projects": [{"path": data}, data]})))

    assert all(one.is_absolute() for one in found.projects)
    assert len(found.projects) + len(found.findings) >= 2 or found.projects
