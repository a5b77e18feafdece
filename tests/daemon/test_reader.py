from __future__ import annotations

import hashlib
import os
import shutil
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hypo_compactd import reader
from hypo_compactd.errors import RefusedError, UnstableError
from hypo_compactd.look import PATTERNS
from hypo_compactd.paths import Project
from hypo_compactd.reader import FILE_LIMIT, Layout, Snapshot, kind_of, read_file, take_snapshot

MARKER = "outside-4711"


@pytest.fixture(name="outside")
def _outside(tmp_path: Path) -> Path:
    """A folder beside the project whose files must never be read."""
    folder = tmp_path / "outside"
    for name in ("state.yaml", "reports/01-a.report.md", "records/a.yaml", "archive/summary.md"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{MARKER}: 1\n")
    return folder


def look(project: Project, *patterns: str, moved: dict[str, str] | None = None) -> Snapshot:
    return take_snapshot(project.root, Layout(tuple((moved or {}).items())), patterns or PATTERNS)


def assert_nothing_from_outside(snapshot: Snapshot) -> None:
    assert all(MARKER not in source.text for source in snapshot.files.values())


def replace_by_link(path: Path, target: Path | str) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    path.symlink_to(target)


def test_a_file_is_read_with_its_digest_and_its_signature(project: Project) -> None:
    path = project.pipeline / "state.yaml"
    data = path.read_bytes()
    status = path.stat()
    source = read_file(project.root, ".pipeline/state.yaml", limit=FILE_LIMIT)

    assert source.data == data
    assert source.digest == hashlib.blake2b(data, digest_size=20).hexdigest()
    assert source.signature == (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
    assert source.mtime_ns == status.st_mtime_ns


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"\xef\xbb\xbfa: 1\n", "a: 1\n"),
        (b"\xef\xbb\xbf\xef\xbb\xbfa", "\ufeffa"),
        (b"a\0b", "a\0b"),
        (b"a\r\nb\r", "a\r\nb\r"),
        (b"\xff\xe4\xb8\xad", "\udcff中"),
        (b"\xed\xa0\x80", "\udced\udca0\udc80"),
    ],
)
def test_the_text_is_the_bytes_and_nothing_else(project: Project, data: bytes, text: str) -> None:
    (project.pipeline / "state.yaml").write_bytes(data)

    assert look(project, "state.yaml").files["state.yaml"].text == text
    assert look(project, "state.yaml").files["state.yaml"].data == data


def test_a_snapshot_holds_every_source_of_the_example_and_nothing_else(project: Project) -> None:
    snapshot = look(project)

    assert set(snapshot.files) == {
        "PROGRESS.md",
        "archives/C1-signature-planner/",
        "archives/C1-signature-planner/cycle.yaml",
        "archives/C1-signature-planner/summary.md",
        "archives/C2-cover-and-spine/",
        "archives/C2-cover-and-spine/cycle.yaml",
        "archives/C2-cover-and-spine/summary.md",
        "knowledge/index/config-notes.yaml",
        "knowledge/index/decisions.yaml",
        "knowledge/index/dependencies.yaml",
        "knowledge/index/pitfalls.yaml",
        "knowledge/index/references.yaml",
        "knowledge/index/secret-refs.yaml",
        "knowledge/records/C2-M04-f002-thread-swell-revision-5b20c1de.yaml",
        "knowledge/records/C3-CHAT-20260408-creep-rounding-c06b3f52.yaml",
        "knowledge/records/C3-SYNC-20260408-template-stack-91d7e04a.yaml",
        "log.yaml",
        "patches/P001-spine-rounding-direction.md",
        "patches/P002-template-viewbox-drift.md",
        "patches/P003-missing-paper-stock-hint.md",
        "reports/00-hole-spacing-engine.report.md",
        "reports/01-sewing-template-rendering.report.md",
        "state.yaml",
    }
    assert snapshot.problems == {}
    assert snapshot.unstable == set()
    assert {"reports", "archives", "patches", "knowledge/records", "knowledge/index"} <= set(snapshot.folders)


def test_what_is_missing_is_no_problem(tmp_path: Path) -> None:
    (tmp_path / ".pipeline").mkdir()
    snapshot = take_snapshot(tmp_path, Layout(), PATTERNS)

    assert (snapshot.files, snapshot.problems, snapshot.unstable, snapshot.folders) == ({}, {}, set(), {})


@pytest.mark.parametrize(
    ("place", "target"),
    [
        ("state.yaml", "state.yaml"),
        ("reports", "reports"),
        ("reports/01-a.report.md", "reports/01-a.report.md"),
        ("reports/deep", "reports"),
        ("knowledge/records", "records"),
        ("knowledge", "."),
        ("archives/C1-signature-planner", "archive"),
        ("archives/C1-signature-planner/summary.md", "archive/summary.md"),
    ],
)
@pytest.mark.parametrize("relative", [False, True])
def test_a_link_out_of_the_project_is_refused_with_the_reason_and_nothing_behind_it_is_read(
    project: Project,
    outside: Path,
    place: str,
    target: str,
    relative: bool,  # noqa: FBT001 - a row of a table
) -> None:
    link = project.pipeline / place
    goal = outside / target
    replace_by_link(link, os.path.relpath(goal, link.parent) if relative else goal)
    snapshot = look(project)

    assert_nothing_from_outside(snapshot)
    reasons = {
        path: reason for path, reason in snapshot.problems.items() if path == place or path.startswith(f"{place}/")
    }
    assert reasons
    assert set(map(str, reasons.values())) == {"is a symbolic link that leads out of the project"}
    assert f"{place}/" not in snapshot.files, "a folder outside is no archived Cycle"
    assert "log.yaml" in snapshot.files, "the others are read"


def test_a_chain_of_links_that_ends_outside_is_refused(project: Project, outside: Path) -> None:
    (project.root / "one").symlink_to("two")
    (project.root / "two").symlink_to(outside)
    replace_by_link(project.pipeline / "state.yaml", "../one/state.yaml")
    snapshot = look(project)

    assert_nothing_from_outside(snapshot)
    assert "leads out of the project" in str(snapshot.problems["state.yaml"])


def test_a_pipeline_that_is_a_link_out_of_the_project_gives_nothing(project: Project, outside: Path) -> None:
    replace_by_link(project.pipeline, outside)
    snapshot = look(project)

    assert snapshot.files == {}
    assert "leads out of the project" in str(snapshot.problems["state.yaml"])


def test_a_link_inside_the_project_is_followed(project: Project) -> None:
    shutil.move(project.pipeline / "reports", project.root / "our-reports")
    (project.pipeline / "reports").symlink_to("../our-reports")
    shutil.move(project.pipeline / "state.yaml", project.root / "state.yaml")
    (project.pipeline / "state.yaml").symlink_to(project.root / "state.yaml")
    (project.root / "data").mkdir()
    snapshot = look(project)

    assert snapshot.problems == {}
    assert {"state.yaml", "reports/00-hole-spacing-engine.report.md"} <= set(snapshot.files)


def test_a_whole_pipeline_behind_a_link_inside_the_project_is_read(project: Project) -> None:
    expected = set(look(project).files)
    shutil.move(project.pipeline, project.root / "elsewhere")
    project.pipeline.symlink_to("elsewhere")

    assert set(look(project).files) == expected


@pytest.mark.parametrize("place", ["state.yaml", "reports", "reports/01-x.report.md", "knowledge"])
def test_a_link_to_itself_is_a_problem_and_no_endless_walk(project: Project, place: str) -> None:
    link = project.pipeline / place
    replace_by_link(link, link.name)
    snapshot = look(project)

    reasons = [reason for path, reason in snapshot.problems.items() if path == place or path.startswith(f"{place}/")]
    assert reasons
    assert all("symbolic link" in str(reason) for reason in reasons)


def test_a_link_to_a_folder_above_is_walked_once(project: Project) -> None:
    (project.pipeline / "reports/again").symlink_to("..")
    (project.pipeline / "reports/deep").mkdir()
    (project.pipeline / "reports/deep/up").symlink_to("../..")
    snapshot = look(project, "reports/**/*.md")

    assert len([path for path in snapshot.files if path.endswith("00-hole-spacing-engine.report.md")]) == 1


def test_the_order_in_which_a_folder_is_listed_is_of_no_effect(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that is reached by two names is read under the same one wherever the file system puts it."""
    (project.pipeline / "reports/zz").mkdir()
    (project.pipeline / "reports/zz/09-x.report.md").write_text("# M9\n")
    (project.pipeline / "reports/aa").symlink_to("zz")
    forwards = set(look(project).files)

    class Backwards:
        def __init__(self, folder: int) -> None:
            with scandir(folder) as entries:
                self.entries = sorted(entries, key=lambda entry: entry.name, reverse=True)

        def __enter__(self) -> Iterator[os.DirEntry[str]]:
            return iter(self.entries)

        def __exit__(self, *_: object) -> None: ...

    scandir = os.scandir
    for order in (Backwards, type("Forwards", (Backwards,), {"__enter__": lambda self: reversed(self.entries)})):
        monkeypatch.setattr(os, "scandir", order)
        assert set(look(project).files) == forwards


@pytest.mark.parametrize("target", ["nowhere", "../nowhere/deep"])
def test_a_link_to_nothing_inside_the_project_is_a_missing_file(project: Project, target: str) -> None:
    replace_by_link(project.pipeline / "state.yaml", target)
    snapshot = look(project)

    assert "state.yaml" not in snapshot.files
    assert snapshot.problems == {}


def test_a_link_to_nothing_outside_is_refused(project: Project, tmp_path: Path) -> None:
    replace_by_link(project.pipeline / "state.yaml", tmp_path / "nowhere")

    assert "leads out of the project" in str(look(project).problems["state.yaml"])


def test_a_link_that_is_put_in_its_place_between_check_and_open_is_refused(
    project: Project, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    realpath = os.path.realpath
    reports = project.pipeline / "reports"

    def swap(path: str, **options: bool) -> str:
        real = realpath(path, **options)
        if not reports.is_symlink():
            replace_by_link(reports, outside / "reports")
        return real

    name = "00-hole-spacing-engine.report.md"
    (outside / "reports" / name).write_text(MARKER)
    monkeypatch.setattr(os.path, "realpath", swap)
    with pytest.raises(RefusedError, match="symbolic link"):
        read_file(project.root, f".pipeline/reports/{name}", limit=FILE_LIMIT)


def test_a_file_that_becomes_a_link_between_check_and_open_is_refused(
    project: Project, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    realpath = os.path.realpath
    path = project.pipeline / "state.yaml"

    def swap(given: str, **options: bool) -> str:
        real = realpath(given, **options)
        replace_by_link(path, outside / "state.yaml")
        return real

    monkeypatch.setattr(os.path, "realpath", swap)
    with pytest.raises(RefusedError, match="symbolic link"):
        read_file(project.root, ".pipeline/state.yaml", limit=FILE_LIMIT)


def make_socket(path: Path) -> None:
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(path.parent)  # a socket's path may have 107 bytes only
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path.name)
    finally:
        os.fchdir(here)
        os.close(here)


KINDS: list[tuple[str, Callable[[Path], object], str]] = [
    ("a FIFO", os.mkfifo, "is a FIFO, not a file"),
    ("a socket", make_socket, "is a socket, not a file"),
    ("a folder", Path.mkdir, "is a folder, not a file"),
    ("a device", lambda path: path.symlink_to("/dev/zero"), "leads out of the project"),
    ("the kernel's memory of us", lambda path: path.symlink_to("/proc/self/environ"), "leads out of the project"),
]


@pytest.mark.parametrize("place", ["state.yaml", "reports/09-x.report.md", "knowledge/records/x.yaml"])
@pytest.mark.parametrize(("kind", "make", "reason"), KINDS, ids=[kind for kind, *_ in KINDS])
@pytest.mark.timeout(20)
def test_what_is_no_file_is_refused_and_holds_nobody_up(
    project: Project, place: str, kind: str, make: Callable[[Path], object], reason: str
) -> None:
    path = project.pipeline / place
    path.unlink(missing_ok=True)
    make(path)
    snapshot = look(project)

    assert reason in str(snapshot.problems[place])
    assert place not in snapshot.files
    assert "log.yaml" in snapshot.files


def test_a_device_in_the_project_is_refused(project: Project) -> None:
    path = project.pipeline / "state.yaml"
    path.unlink()
    try:
        os.mknod(path, 0o600 | 0o020000, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only root may make a device")
    snapshot = look(project)

    assert "state.yaml" not in snapshot.files
    assert snapshot.problems["state.yaml"]


@pytest.mark.parametrize("place", ["reports", "knowledge", "knowledge/records", "archives", "patches"])
def test_a_file_in_a_folder_s_place_is_a_problem(project: Project, place: str) -> None:
    shutil.rmtree(project.pipeline / place)
    (project.pipeline / place).write_text("x")
    snapshot = look(project)

    assert {path: reason for path, reason in snapshot.problems.items() if path.startswith(place)}
    assert set(map(str, snapshot.problems.values())) == {"not a directory"}


@pytest.mark.parametrize(("extra", "is_read"), [(0, True), (1, False)])
def test_a_file_over_the_limit_is_refused_before_it_is_read(
    project: Project,
    extra: int,
    is_read: bool,  # noqa: FBT001 - a row of a table
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reader, "FILE_LIMIT", 5000)
    os.truncate(project.pipeline / "state.yaml", 5000 + extra)
    snapshot = look(project)

    assert ("state.yaml" in snapshot.files) == is_read
    assert is_read or "larger than the limit" in str(snapshot.problems["state.yaml"])


def test_a_huge_file_costs_no_memory(project: Project) -> None:
    os.truncate(project.pipeline / "state.yaml", 1 << 40)
    os.truncate(project.pipeline / "log.yaml", 1 << 40)
    snapshot = look(project)

    assert {path: str(reason) for path, reason in snapshot.problems.items()} == {
        "state.yaml": "is larger than the limit of 2 MiB",
        "log.yaml": "is larger than the limit of 64 MiB",
    }


def test_more_than_may_be_read_of_a_project_is_left_out_with_the_reason(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "TOTAL_LIMIT", 1000)
    snapshot = look(project)

    assert sum(len(one.data) for path, one in snapshot.files.items() if path != "log.yaml") < 1000 + reader.FILE_LIMIT
    assert "log.yaml" in snapshot.files
    assert set(map(str, snapshot.problems.values())) == {"is beyond the 0 MiB that are read of a project"}


def test_a_log_may_be_larger_than_other_sources(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "FILE_LIMIT", 10)

    assert {path for path in look(project).files if not path.endswith("/")} == {"log.yaml"}


def changed_on_read(path: Path, change: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let another program change the file when the first piece of it has been read."""
    read = os.read
    inode = path.stat().st_ino
    left = [True]

    def read_then_change(descriptor: int, length: int) -> bytes:
        data = read(descriptor, length)
        if left and os.fstat(descriptor).st_ino == inode:
            left.clear()
            change(path)
        return data

    monkeypatch.setattr(os, "read", read_then_change)


def grow(path: Path) -> None:
    with path.open("a") as stream:
        stream.write("more: 1\n")


def shrink(path: Path) -> None:
    os.truncate(path, 3)


def rewrite(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[::-1])
    os.utime(path, ns=(1, 1))


@pytest.mark.parametrize("change", [grow, shrink, rewrite])
def test_a_file_that_changes_while_it_is_read_is_unstable(
    project: Project, change: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    changed_on_read(project.pipeline / "state.yaml", change, monkeypatch)
    snapshot = look(project)

    assert snapshot.unstable == {"state.yaml"}
    assert "state.yaml" not in snapshot.files
    assert "state.yaml" not in snapshot.problems


def test_a_file_that_changes_is_unstable_for_whoever_reads_it_alone(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed_on_read(project.pipeline / "state.yaml", grow, monkeypatch)

    with pytest.raises(UnstableError):
        read_file(project.root, ".pipeline/state.yaml", limit=FILE_LIMIT)


def test_a_file_that_grows_without_end_is_given_up_at_the_limit(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = os.read

    def read_for_ever(descriptor: int, length: int) -> bytes:
        return read(descriptor, length) or b"x" * length

    monkeypatch.setattr(os, "read", read_for_ever)
    with pytest.raises(RefusedError, match="larger than the limit"):
        read_file(project.root, ".pipeline/state.yaml", limit=FILE_LIMIT)


def test_a_file_that_is_replaced_while_it_is_read_is_read_as_it_was(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = project.pipeline / "state.yaml"
    before = path.read_bytes()

    def replace(path: Path) -> None:
        new = path.with_name("new.tmp")
        new.write_text("a: 1\n")
        new.replace(path)

    changed_on_read(path, replace, monkeypatch)

    assert look(project).files["state.yaml"].data == before


@pytest.mark.parametrize(
    "name",
    [
        "01-a.md~",
        ".01-a.md",
        ".#01-a.md",
        "#01-a.md#",
        ".01-a.md.swp",
        "01-a.md.tmp.4711.0badcafe",
        "01-a.tmp.4711.md",
        "01-a.md.tmp-4711-1712345678901-0",
        "01-a.tmp-1.md",
        "01-a.bak.md",
        "01-a.md.bak",
        "01-a.bck",
        "01-a.md___jb_tmp___",
        "reports.compact.md",
        "4913",
        "sed4AbCdE",
        ".DS_Store",
        ".goutputstream-XYZ.md",
        ".hypo-compactd-1-a.tmp",
    ],
)
def test_temporary_copies_and_our_own_views_are_no_sources(project: Project, name: str) -> None:
    before = set(look(project).files)
    for folder in ("reports", "patches", "knowledge/records"):
        (project.pipeline / folder / name).write_text("x")

    assert set(look(project).files) == before


@pytest.mark.parametrize("name", ["C9.bak", ".git", "C9~"])
def test_folders_with_temporary_names_are_not_looked_into(project: Project, name: str) -> None:
    before = set(look(project).files)
    for place in ("archives", "reports"):
        (project.pipeline / place / name).mkdir()
        (project.pipeline / place / name / "summary.md").write_text("x")

    assert set(look(project).files) == before


@pytest.mark.parametrize(
    "name", ["a b.report.md", "中文报告.md", "a\nb.md", "it's [1].md", "-rf.md", "x" * 252 + ".md", "$(x).md", "\\.md"]
)
def test_odd_names_are_read_like_any_other(project: Project, name: str) -> None:
    (project.pipeline / "reports" / name).write_text("odd")

    assert look(project).files[f"reports/{name}"].text == "odd"


def test_a_name_that_is_not_utf_8_is_read_like_any_other(project: Project) -> None:
    try:
        Path(os.fsdecode(os.fsencode(project.pipeline / "reports") + b"/bad-\xff.md")).write_text("odd")
    except OSError:
        pytest.skip("this file system takes no such name")

    assert look(project).files["reports/bad-\udcff.md"].text == "odd"


def test_reports_are_found_at_any_depth_to_a_limit_and_other_folders_are_flat(project: Project) -> None:
    nested = project.pipeline / "reports"
    for level in range(1, reader.DEPTH_LIMIT + 3):
        nested = nested / f"l{level}"
        nested.mkdir()
        (nested / "r.md").write_text("x")
    (project.pipeline / "patches/feedback").mkdir()
    (project.pipeline / "patches/feedback/P001-x.md").write_text("x")
    (project.pipeline / "archives/C1-signature-planner/deep").mkdir()
    (project.pipeline / "archives/C1-signature-planner/deep/summary.md").write_text("x")
    snapshot = look(project)

    depths = [path.count("/") for path in snapshot.files if path.startswith("reports/l1/")]
    assert sorted(depths) == list(range(2, reader.DEPTH_LIMIT + 1))
    assert not any("feedback" in path or "deep" in path for path in snapshot.files)


def test_a_folder_with_too_many_files_is_a_problem_and_the_others_are_read(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "COUNT_LIMIT", 10)
    for number in range(11):
        (project.pipeline / f"patches/P1{number:02}-x.md").write_text("x")
    snapshot = look(project)

    assert "holds more than 10 files" in str(snapshot.problems["patches"])
    assert "log.yaml" in snapshot.files
    assert any(path.startswith("reports/") for path in snapshot.files)


@pytest.mark.parametrize(
    ("moved", "path", "place"),
    [
        ({}, "reports/a.md", ".pipeline/reports/a.md"),
        ({"reports": "docs/r"}, "reports/a.md", "docs/r/a.md"),
        ({"reports": "docs/r"}, "reports", "docs/r"),
        ({"reports": "docs/r"}, "reports.compact.md", ".pipeline/reports.compact.md"),
        ({"state.yaml": "s.yml"}, "state.yaml", "s.yml"),
        ({"state.yaml": "s.yml"}, "state.compact.yaml", ".pipeline/state.compact.yaml"),
        ({"knowledge": "kb"}, "knowledge/records/a.yaml", "kb/records/a.yaml"),
        ({"knowledge": "kb"}, "knowledge/knowledge.compact.md", "kb/knowledge.compact.md"),
    ],
)
def test_a_layout_moves_a_file_or_all_that_is_below_a_folder(moved: dict[str, str], path: str, place: str) -> None:
    assert Layout(tuple(moved.items())).place(path) == place


def test_moved_sources_are_read_under_their_usual_names(project: Project) -> None:
    expected = {path: source.data for path, source in look(project).files.items()}
    (project.root / "docs").mkdir()
    shutil.move(project.pipeline / "reports", project.root / "docs/reports")
    shutil.move(project.pipeline / "knowledge", project.root / "docs/kb")
    shutil.move(project.pipeline / "state.yaml", project.root / "docs/where.yml")
    moved = {"reports": "docs/reports", "knowledge": "docs/kb", "state.yaml": "docs/where.yml"}

    assert {path: source.data for path, source in look(project, moved=moved).files.items()} == expected


def test_what_the_user_may_not_read_is_a_problem_and_the_others_are_read(project: Project, unprivileged: Any) -> None:
    folder, as_user = unprivileged
    shutil.copytree(project.root, folder / "project")
    pipeline = folder / "project/.pipeline"
    (pipeline / "state.yaml").chmod(0o000)
    (pipeline / "reports").chmod(0o000)
    (pipeline / "archives/C1-signature-planner").chmod(0o000)
    with as_user():
        snapshot = take_snapshot(folder / "project", Layout(), PATTERNS)

    assert {path: str(reason) for path, reason in snapshot.problems.items()} == {
        "state.yaml": "permission denied",
        "reports": "permission denied",
        "archives/C1-signature-planner": "permission denied",
    }
    assert {"log.yaml", "archives/C2-cover-and-spine/summary.md"} <= set(snapshot.files)


def test_no_descriptor_stays_open(project: Project, outside: Path) -> None:
    os.mkfifo(project.pipeline / "reports/09-x.report.md")
    (project.pipeline / "reports/10-x.report.md").symlink_to(outside / "state.yaml")
    (project.pipeline / "reports/11-x.report.md").symlink_to("11-x.report.md")
    look(project)
    before = len(os.listdir("/dev/fd"))  # noqa: PTH208 - a count of names
    for _ in range(5):
        look(project)

    assert len(os.listdir("/dev/fd")) == before  # noqa: PTH208 - a count of names


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        (0o040755, "a folder"),
        (0o100644, "a file"),
        (0o010644, "a FIFO"),
        (0o140644, "a socket"),
        (0o120777, "a symbolic link"),
        (0o020666, "a device"),
        (0o060660, "a device"),
    ],
)
def test_a_kind_is_called_by_its_name(mode: int, kind: str) -> None:
    assert str(kind_of(mode)) == kind
