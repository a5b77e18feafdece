"""The command `init`, and the line in `.gitignore`."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_compactd import git, gitignore, registry
from hypo_compactd.cli import main
from hypo_compactd.errors import InputError, RefusedError
from hypo_compactd.git import Rule
from hypo_compactd.gitignore import Cure, Ensured, Unignored, command, has_line, left_over, with_line
from hypo_compactd.paths import Project
from support.views import views

VIEWS = (".pipeline/state.compact.yaml", ".pipeline/log.compact.yaml")

HOSTILE = """\
[core]
    fsmonitor = {script}
    hooksPath = {hooks}
    sshCommand = {script}
    pager = {script}
[filter "x"]
    clean = {script}
    process = {script}
    required = true
[diff]
    external = {script}
"""


@pytest.fixture(autouse=True)
def _english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYPO_COMPACTD_CONFIG_DIR", os.fspath(tmp_path / "config"))
    file = tmp_path / "home" / ".hypo-workflow" / "config.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("output: {language: en}\n", "utf-8")


@pytest.fixture(name="bare")
def _bare(project: Project) -> Project:
    """The example project without its `.gitignore` and without views."""
    (project.root / ".gitignore").unlink(missing_ok=True)
    for path in project.root.rglob("*.compact.*"):
        path.unlink()
    (project.pipeline / "config.yaml").write_text("output: {language: en}\n", "utf-8")
    return project


@pytest.fixture(name="run")
def _run(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: str | Path) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["init", *(os.fspath(one) for one in arguments)])
        return (code, *capsys.readouterr())

    return run


def in_git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=n", "-c", "user.email=e")
    return subprocess.run(["git", "-C", folder, *identity, *words], check=True, capture_output=True, text=True).stdout


# The line


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b"*.compact.*\n"),
        (b"a\n", b"a\n*.compact.*\n"),
        (b"a", b"a\n*.compact.*\n"),
        (b"a\r\nb\r\n", b"a\r\nb\r\n*.compact.*\r\n"),
        (b"a\r\nb", b"a\r\nb\r\n*.compact.*\r\n"),
        (b"a\nb\nc\r\n", b"a\nb\nc\r\n*.compact.*\n"),
        (b"\xef\xbb\xbf", b"\xef\xbb\xbf*.compact.*\n"),
        (b"caf\xe9\n", b"caf\xe9\n*.compact.*\n"),
    ],
)
def test_the_line_comes_to_the_end_in_the_file_s_own_kind(before: bytes, after: bytes) -> None:
    assert with_line(before) == after


@pytest.mark.parametrize(
    ("data", "there"),
    [
        (b"*.compact.*\n", True),
        (b"*.compact.*", True),
        (b"a\r\n*.compact.*\r\nb", True),
        (b"*.compact.*  \n", True),
        (b"*.compact.*\t\n", None),
        (b"a\r*.compact.*\n", None),
        (b"**/*.compact.*\n", True),
        (b"\xef\xbb\xbf*.compact.*\n", True),
        (b"# *.compact.*\n", None),
        (b"/*.compact.*\n", None),
        (b" *.compact.*\n", None),
        (b"*.compact.md\n", None),
        (b"*.compact.*\n!*.compact.*\n", False),
        (b"!*.compact.*\n*.compact.*\n", True),
        (b"", None),
    ],
)
def test_only_an_equal_line_counts_and_only_while_none_takes_it_back(data: bytes, *, there: bool | None) -> None:
    assert has_line(data) is there


def test_what_is_no_text_gets_no_line() -> None:
    with pytest.raises(RefusedError, match="NUL"):
        with_line("a\n".encode("utf-16"))


@given(st.binary(max_size=40).filter(lambda data: b"\0" not in data))
def test_whatever_stands_there_is_kept_and_the_line_is_found_afterwards(data: bytes) -> None:
    after = with_line(data)

    assert after.startswith(data)
    assert has_line(after)


def test_git_ignores_the_views_by_that_line_whatever_stood_there(bare: Project) -> None:
    in_git(bare.root, "init", "-q")
    (bare.root / ".gitignore").write_bytes(b"x\r\n!*.compact.*\r\ny")

    assert gitignore.ensure(bare.root, VIEWS) is Ensured.ADDED

    rules = git.rules(bare.root, [VIEWS[0], ".pipeline/state.yaml"])
    assert rules == {VIEWS[0]: Rule(f"{bare.root}/.gitignore", 4, "*.compact.*"), ".pipeline/state.yaml": None}


# What takes views back


OURS, BELOW = "/p/.gitignore", "/p/.pipeline/.gitignore"


@pytest.mark.parametrize(
    ("rule", "data", "cure"),
    [
        (None, b"", Cure.ENSURE),
        (None, b"x\n*.compact.*\n!*.compact.*\n", Cure.ENSURE),
        (Rule(OURS, 2, "!*.yaml"), b"*.compact.*\n!*.yaml\n", Cure.ENSURE),
        (Rule("/.gitignore", 2, "!*.yaml"), b"", Cure.ENSURE),
        (Rule("/p/.git/info/exclude", 2, "!*"), b"", Cure.ENSURE),
        (Rule(BELOW, 1, "!*"), b"*.compact.*\n", Cure.APPEND),
        # It never grows for nothing.
        (None, b"*.compact.*\nx\n", Cure.ASK),
        (None, b"x\n*.compact.*\r\n\n", Cure.ASK),
        (Rule(OURS, 1, "!*"), b"!*\n*.compact.*\n", Cure.ASK),
    ],
)
def test_the_line_comes_to_the_end_again_only_where_that_helps(rule: Rule | None, data: bytes, cure: Cure) -> None:
    fine = Rule(OURS, 1, "*.compact.*")

    assert left_over({"a": rule, "b": fine, "c": rule}, Path("/p"), data) == (Unignored(("a", "c"), rule, cure),)


def test_a_view_that_a_later_rule_takes_back_is_ignored_again(bare: Project, run: Any) -> None:
    in_git(bare.root, "init", "-q")
    file = bare.root / ".gitignore"
    file.write_text("*.compact.*\n!/.pipeline/state.compact.*\n")

    assert run(bare.root)[1].startswith(".gitignore: *.compact.* added\n")
    assert file.read_text() == "*.compact.*\n!/.pipeline/state.compact.*\n*.compact.*\n"
    assert in_git(bare.root, "status", "--porcelain", "--untracked-files=all", "--", ":(glob)**/*.compact.*") == ""

    code, out, err = run(bare.root)
    assert (code, err) == (0, "")
    assert ".gitignore: *.compact.* is there already" in out


def test_what_a_folder_below_takes_back_is_named_with_the_command(bare: Project, run: Any) -> None:
    in_git(bare.root, "init", "-q")
    below = bare.pipeline / ".gitignore"
    below.write_text("x\n!*.yaml")
    run(bare.root)
    before = (bare.root / ".gitignore").read_bytes()

    code, out, err = run(bare.root)

    assert code == 65
    assert f"git does not ignore .pipeline/state.compact.yaml, .pipeline/log.compact.yaml: {below}:2 (!*.yaml) " in err
    assert "Generated" in out
    assert (bare.root / ".gitignore").read_bytes() == before == b"*.compact.*\n"
    subprocess.run(err.strip().partition("; ")[2], shell=True, check=True)  # noqa: S602 - as a person would paste it
    assert run(bare.root)[::2] == (0, "")


def test_the_line_is_appended_although_a_folder_below_takes_some_views_back(bare: Project, run: Any) -> None:
    in_git(bare.root, "init", "-q")
    (bare.root / ".gitignore").write_text("*.compact.*\n!*.md\n")
    (bare.pipeline / ".gitignore").write_text("!*.yaml\n")

    code, out, err = run(bare.root)

    assert code == 65
    assert ".gitignore: *.compact.* added" in out
    assert "state.compact.yaml" in err
    assert ".compact.md" not in err


def test_without_git_a_line_that_takes_back_those_of_a_folder_above_counts(
    bare: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    in_git(bare.root.parent, "init", "-q")
    (bare.root.parent / ".gitignore").write_text("*.compact.*\n")
    (bare.root / ".gitignore").write_text("!*.compact.*\n")
    monkeypatch.setenv("PATH", os.fspath(tmp_path))

    assert gitignore.unignored(bare.root, VIEWS) == (Unignored(VIEWS),)
    assert gitignore.ensure(bare.root, VIEWS) is Ensured.ADDED
    assert gitignore.unignored(bare.root, VIEWS) == ()
    assert gitignore.ensure(bare.root, VIEWS) is Ensured.THERE


def test_a_name_of_a_file_and_a_rule_cannot_move_a_cursor(bare: Project) -> None:
    rule = Rule("/a\x1b/.gitignore", 1, "!\x1b[2J" + "x" * 200)

    assert str(rule).isprintable()
    assert len(str(rule)) < 120
    assert "\x1b" not in command(Unignored(("a",), rule, Cure.APPEND), "/p")


# The command


def test_everything_is_made_and_the_second_run_finds_it_there(bare: Project, run: Any) -> None:
    in_git(bare.root, "init", "-q")

    code, out, err = run(bare.root)

    assert (code, err) == (0, "")
    assert out.splitlines()[:2] == [".gitignore: *.compact.* added", f"{bare.root}: added to the list"]
    assert out.splitlines()[2].startswith("Generated 6 .compact files")
    assert (bare.root / ".gitignore").read_bytes() == b"*.compact.*\n"
    assert registry.registered() == (bare.root,)
    assert len(views(bare.root)) == 6
    assert not list(bare.root.rglob("*.tmp"))

    before = {path: path.stat().st_mtime_ns for path in bare.root.rglob("*") if ".git/" not in f"{path}/"}
    code, out, err = run(bare.root)

    assert (code, err) == (0, "")
    assert out.splitlines()[:2] == [".gitignore: *.compact.* is there already", f"{bare.root}: on the list already"]
    assert "(6 unchanged)" in out
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_without_a_repository_no_file_is_made(bare: Project, run: Any) -> None:
    code, out, _ = run(bare.root)

    assert code == 0
    assert "not in a git repository" in out
    assert not (bare.root / ".gitignore").exists()


def test_a_file_that_is_there_gets_the_line_without_a_repository_too(bare: Project, run: Any) -> None:
    (bare.root / ".gitignore").write_text("x")

    run(bare.root)

    assert (bare.root / ".gitignore").read_text() == "x\n*.compact.*\n"


def test_the_line_of_a_folder_above_in_the_same_repository_counts(bare: Project, run: Any) -> None:
    in_git(bare.root.parent, "init", "-q")
    (bare.root.parent / ".gitignore").write_text("*.compact.*\n")

    assert "is there already" in run(bare.root)[1]
    assert not (bare.root / ".gitignore").exists()


def test_that_of_a_folder_above_the_repository_does_not(tmp_path: Path) -> None:
    for top in ("alone", "with/projects"):
        root = tmp_path / top / "tide"
        root.mkdir(parents=True)
        in_git(tmp_path / top.partition("/")[0] if "/" in top else root, "init", "-q")
        (tmp_path / ".gitignore").write_text("*.compact.*\n")

        assert gitignore.ensure(root, VIEWS) is Ensured.ADDED


def test_its_permissions_stay(bare: Project, run: Any) -> None:
    file = bare.root / ".gitignore"
    file.write_text("x\n")
    file.chmod(0o640)

    run(bare.root)

    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@pytest.mark.parametrize("kind", ["link out", "link inside", "fifo", "folder", "huge", "utf-16"])
def test_a_file_that_git_does_not_read_is_left_as_it_is_and_all_else_is_done(
    kind: str, bare: Project, run: Any, tmp_path: Path
) -> None:
    file, outside = bare.root / ".gitignore", tmp_path / "outside"
    outside.write_text("private\n")
    if kind == "link out":
        file.symlink_to(outside)
    elif kind == "link inside":
        (bare.root / "other").write_text("*.compact.*\n")
        file.symlink_to("other")
    elif kind == "fifo":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    else:
        file.write_bytes(b"#" * (3 << 20) if kind == "huge" else "x\n".encode("utf-16"))
    before = file.lstat()

    code, out, err = run(bare.root)

    assert code == 65
    assert f"{file}: " in err
    assert "put the line *.compact.* there yourself" in err
    assert file.lstat() == before
    assert outside.read_text() == "private\n"
    assert "Generated 6" in out
    assert registry.registered() == (bare.root,)


def test_an_unreadable_file_is_refused(unprivileged: Any, bare: Project) -> None:
    folder, drop = unprivileged
    file = folder / ".gitignore"
    file.write_text("x\n")
    file.chmod(0o000)

    with drop(), pytest.raises(InputError, match="permission denied; put the line"):
        gitignore.ensure(folder, VIEWS)


def test_a_list_that_is_broken_keeps_the_views_from_nothing(bare: Project, run: Any, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "projects.json").write_text("{")

    code, out, err = run(bare.root)

    assert code == 78
    assert "not JSON" in err
    assert "Generated 6" in out


def test_views_that_git_tracks_already_are_named_with_the_command(bare: Project, run: Any) -> None:
    in_git(bare.root, "init", "-q")
    run(bare.root)
    in_git(bare.root, "add", "-f", ".pipeline/state.compact.yaml")
    in_git(bare.root, "commit", "-qm", "x")

    code, _, err = run(bare.root)

    assert code == 0
    assert "git tracks .pipeline/state.compact.yaml" in err
    command = err.strip().partition("; ")[2]
    subprocess.run(command, shell=True, check=True)  # noqa: S602 - it is what a person would paste
    assert run(bare.root)[2] == ""
    assert len(views(bare.root)) == 6


def test_no_project_is_bad_input(run: Any, tmp_path: Path) -> None:
    assert run(tmp_path)[0] == 65
    assert registry.registered() == ()


# A repository is hostile


def test_no_program_that_a_repository_names_is_run(bare: Project, tmp_path: Path) -> None:
    in_git(bare.root, "init", "-q")
    place = ".pipeline/state.yaml"
    in_git(bare.root, "add", place)
    traces = tmp_path / "traces"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\necho $0 $* >>{traces}\n")
    script.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "fsmonitor-watchman", "query-watchman"):
        (hooks / name).symlink_to(script)
    (bare.root / ".git" / "config").write_text(
        "[core]\n\trepositoryformatversion = 0\n" + HOSTILE.format(script=script, hooks=hooks)
    )
    (bare.root / ".gitattributes").write_text("* filter=x\n")
    subprocess.run(["git", "-C", bare.root, "status"], check=False, capture_output=True)
    assert traces.exists(), "the trap does not work"
    traces.unlink()

    assert git.tracked(bare.root, [place, "missing"]) == (place,)
    assert git.rules(bare.root, [place]) == {place: None}

    assert not traces.exists()


def test_a_git_that_hangs_is_not_waited_for(bare: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexec sleep 1000\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setattr(git, "WAIT_S", 0.1)

    assert git.tracked(bare.root, ["x"]) is None


def test_without_git_or_a_repository_nothing_is_known(
    bare: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert git.tracked(bare.root, ["x"]) is None
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    assert git.rules(bare.root, ["x"]) is None
    assert git.foreign(bare.root) is None


def test_a_hook_s_own_variables_do_not_lead_git_to_another_repository(
    bare: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_git(bare.root, "init", "-q")
    in_git(bare.root, "add", ".pipeline/state.yaml")
    monkeypatch.setenv("GIT_DIR", os.fspath(tmp_path / "elsewhere"))

    assert git.tracked(bare.root, [".pipeline/state.yaml"]) == (".pipeline/state.yaml",)
