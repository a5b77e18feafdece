from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

import hypo_compactd
from hypo_compactd.cli import main
from hypo_compactd.commands.compact import VIEWS
from hypo_compactd.errors import ExitCode, exit_codes
from hypo_compactd.lock import writer_lock
from hypo_compactd.paths import Project, state_dir
from hypo_strategies.registry import STRATEGIES
from support.views import TARGETS, views

ENGLISH = "output: {language: en}\n"


class Run:
    """One command in this process: its exit code and what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> None:
        capsys.readouterr()
        try:
            self.code = main([os.fspath(argument) for argument in arguments])
        except SystemExit as end:
            self.code = end.code  # type: ignore[assignment]
        captured = capsys.readouterr()
        self.out, self.err = captured.out, captured.err

    @property
    def data(self) -> Any:
        return json.loads(self.out)

    def state(self, name: str) -> str:
        (view,) = [view for view in self.data["views"] if view["name"] == name]
        return str(view["state"])


@pytest.fixture(name="run")
def _run(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: Run(capsys, *arguments)


def set_config(project: Project, text: str) -> None:
    (project.pipeline / "config.yaml").write_text(text, "utf-8")


def source_of(name: str) -> str:
    return {"progress": "PROGRESS.md", "state": "state.yaml", "log": "log.yaml"}[name]


# The sentence


def test_the_first_run_prints_the_specification_s_sentence(project: Project, run: Any) -> None:
    first = run("compact", project.root)

    assert first.code == 0
    assert re.fullmatch(r"已生成 6 个 \.compact 文件，预计节省 ~\d\d% context token\n", first.out)
    assert first.err == ""


def test_the_sentence_is_english_where_the_project_is(project: Project, run: Any) -> None:
    set_config(project, ENGLISH)
    first = run("compact", project.root)

    assert re.fullmatch(r"Generated 6 \.compact files, estimated to save ~\d\d% of context tokens\n", first.out)


def test_the_sentence_tells_what_was_not_changed(project: Project, run: Any) -> None:
    run("compact", project.root)
    again = run("compact", project.root)
    assert re.fullmatch(r"已生成 0 个 \.compact 文件，预计节省 ~\d\d% context token（另有 6 个未变）\n", again.out)

    (project.pipeline / TARGETS["log"]).unlink()
    set_config(project, "output: {language: auto}\n")
    (project.pipeline / TARGETS["progress"]).unlink()
    english = run("compact", project.root)
    assert english.out.startswith("Generated ")


def test_one_file_is_one_file(project: Project, run: Any) -> None:
    set_config(project, ENGLISH)
    run("compact", project.root)
    (project.pipeline / TARGETS["log"]).unlink()
    again = run("compact", project.root)

    assert re.fullmatch(
        r"Generated 1 \.compact file, estimated to save ~\d\d% of context tokens \(5 unchanged\)\n", again.out
    )


def test_the_sentence_names_what_was_withdrawn(project: Project, run: Any) -> None:
    run("compact", project.root)
    (project.pipeline / "state.yaml").unlink()
    again = run("compact", project.root)

    assert again.code == 0
    assert again.out.endswith("；已撤回：.pipeline/state.compact.yaml\n")


def test_a_project_without_sources_has_nothing_to_compact(tmp_path: Path, run: Any) -> None:
    (tmp_path / "p/.pipeline").mkdir(parents=True)
    (tmp_path / "p/.pipeline/config.yaml").write_text("a: 1\n")
    first = run("compact", tmp_path / "p")

    assert (first.code, first.out) == (0, "没有可压缩的源文件\n")


def test_a_project_whose_only_source_is_broken_is_not_called_one_without_sources(tmp_path: Path, run: Any) -> None:
    (tmp_path / "p/.pipeline").mkdir(parents=True)
    (tmp_path / "p/.pipeline/state.yaml").write_text("`x`\n")
    first = run("compact", tmp_path / "p")

    assert first.code == ExitCode.BAD_INPUT
    assert "没有可压缩的源文件" not in first.out


def test_quiet_prints_nothing_on_stdout(project: Project, run: Any) -> None:
    quiet = run("compact", "-q", project.root)

    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")
    assert set(views(project.root)) == set(TARGETS)


# JSON


def test_json_is_one_object_with_every_view(project: Project, run: Any) -> None:
    first = run("compact", "--json", project.root)
    data = first.data

    assert first.out.count("\n") == 1
    assert set(data) == {
        "schema",
        "project",
        "check",
        "views",
        "moments",
        "tokens_before",
        "tokens_after",
        "saved_percent",
        "milliseconds",
    }
    assert (data["schema"], data["check"], data["moments"]) == (1, False, [])
    assert data["project"] == os.fspath(project.root)
    assert [view["name"] for view in data["views"]] == list(TARGETS)
    for view in data["views"]:
        assert set(view) == {"name", "file", "state", "tokens_before", "tokens_after", "findings"}
        assert view["state"] == "written"
        assert (project.root / view["file"]).is_file()
        assert view["findings"] == []
    assert data["tokens_before"] == sum(view["tokens_before"] for view in data["views"])
    assert data["saved_percent"] == round(100 * (1 - data["tokens_after"] / data["tokens_before"]))


def test_json_names_the_place_of_a_fault_from_the_project_on(project: Project, run: Any) -> None:
    (project.pipeline / "log.yaml").write_text("entries:\n  - {id: a, timestamp: 2026-01-01}\n  - {id: `b`}\n")
    data = run("compact", "--json", project.root).data
    findings = [finding for view in data["views"] for finding in view["findings"]]

    assert findings
    for finding in findings:
        assert set(finding) == {"file", "line", "column", "severity", "message"}
        assert finding["file"] == ".pipeline/log.yaml"
        assert (project.root / finding["file"]).is_file()
        assert finding["severity"] in {"error", "warning"}


def test_a_fault_is_placed_where_the_configuration_puts_the_source(project: Project, run: Any) -> None:
    (project.root / "docs").mkdir()
    (project.root / "docs/state.yaml").write_text("`x`\n")
    (project.root / "docs/r").mkdir()
    (project.root / "docs/r/09-x.report.md").mkdir()
    set_config(project, ENGLISH + "pipeline: {state_file: docs/state.yaml, reports_dir: docs/r}\n")
    broken = run("compact", project.root)

    assert f"hypo-compactd: {project.root}/docs/state.yaml:1:1: " in broken.err
    assert f"hypo-compactd: {project.root}/docs/r/09-x.report.md: is a folder" in broken.err


# Check and if-stale


def test_check_says_what_is_stale_with_code_3_and_then_that_all_is_fresh(project: Project, run: Any) -> None:
    stale = run("compact", "--check", project.root)
    assert stale.code == ExitCode.STALE
    assert stale.out == "需要更新：" + ", ".join(f".pipeline/{place}" for place in TARGETS.values()) + "\n"
    assert views(project.root) == {}
    assert not state_dir().exists()

    run("compact", project.root)
    fresh = run("compact", "--check", project.root)
    assert (fresh.code, fresh.out) == (0, "所有 .compact 文件都是最新的\n")


def test_check_speaks_english_where_the_project_does(project: Project, run: Any) -> None:
    set_config(project, ENGLISH)
    assert run("compact", "--check", "--view", "log", project.root).out == "Would change: .pipeline/log.compact.yaml\n"

    run("compact", project.root)
    assert run("compact", "--check", project.root).out == "All .compact files are fresh\n"


def test_check_notices_a_view_to_withdraw(project: Project, run: Any) -> None:
    run("compact", project.root)
    (project.pipeline / "state.yaml").unlink()
    stale = run("compact", "--check", "--json", project.root)

    assert stale.code == ExitCode.STALE
    assert stale.data["check"] is True
    assert stale.state("state") == "withdrawn"
    assert (project.pipeline / "state.compact.yaml").exists()


def test_if_stale_works_only_where_something_changed(project: Project, run: Any) -> None:
    assert run("compact", "--if-stale", project.root).out.startswith("已生成 6 个")

    before = (project.state_dir / "manifest.json").stat().st_mtime_ns
    fresh = run("compact", "--if-stale", project.root)
    assert (fresh.code, fresh.out, fresh.err) == (0, "", "")
    assert (project.state_dir / "manifest.json").stat().st_mtime_ns == before
    assert run("compact", "--if-stale", "--json", project.root).data == {
        "schema": 1,
        "project": os.fspath(project.root),
        "fresh": True,
    }
    assert run("compact", "--if-stale", "--check", project.root).code == 0

    (project.pipeline / TARGETS["log"]).unlink()
    assert run("compact", "--if-stale", "--check", project.root).code == ExitCode.STALE
    assert run("compact", "--if-stale", project.root).out.startswith("已生成 1 个")


def test_if_stale_reports_a_broken_source_each_time(project: Project, run: Any) -> None:
    (project.pipeline / "state.yaml").write_text("`x`\n")
    codes = [run("compact", "--if-stale", project.root).code for _ in range(3)]

    assert codes == [ExitCode.BAD_INPUT] * 3


@pytest.mark.parametrize("if_stale", [(), ("--if-stale",)])
def test_only_the_named_views_are_made(project: Project, run: Any, if_stale: tuple[str, ...]) -> None:
    made = run("compact", "--json", *if_stale, "--view", "log", "--view", "patches", project.root)

    assert made.code == 0
    assert [view["name"] for view in made.data["views"]] == ["log", "patches"]
    assert set(views(project.root)) == {"log", "patches"}


def test_a_named_view_is_looked_at_even_where_all_is_fresh(project: Project, run: Any) -> None:
    run("compact", project.root)

    assert run("compact", "--json", "--if-stale", "--view", "log", project.root).state("log") == "unchanged"


def test_a_person_may_compact_where_the_daemon_may_not(project: Project, run: Any) -> None:
    set_config(project, "compact: {auto: false}\nknowledge: {enabled: false}\n")

    assert run("compact", project.root).out.startswith("已生成 6 个")


# The project


@pytest.mark.parametrize("below", ["", ".pipeline", "src/deep", ".pipeline/reports"])
def test_without_a_name_the_project_is_the_nearest_one_upwards(
    project: Project, run: Any, below: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.root / "src/deep").mkdir(parents=True)
    monkeypatch.chdir(project.root / below)

    assert run("compact").code == 0
    assert set(views(project.root)) == set(TARGETS)


def test_a_project_may_be_named_by_its_pipeline(project: Project, run: Any) -> None:
    assert run("compact", project.pipeline).code == 0
    assert set(views(project.root)) == set(TARGETS)


@pytest.mark.usefixtures("english_user")
def test_no_project_is_bad_input_with_what_to_do(tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments in ((), (tmp_path,), (tmp_path / "missing",)):
        missing = run("compact", *arguments)

        assert missing.code == ExitCode.BAD_INPUT
        assert missing.out == ""
        assert missing.err.startswith(f"hypo-compactd: {tmp_path}")
        assert re.search(r"; (name the project|give the folder)", missing.err)


@pytest.mark.usefixtures("english_user")
def test_an_empty_pipeline_is_bad_input(tmp_path: Path, run: Any) -> None:
    (tmp_path / ".pipeline").mkdir()
    empty = run("compact", tmp_path)

    assert empty.code == ExitCode.BAD_INPUT
    assert ".pipeline: is empty" in empty.err


# Wrong usage


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("nonsense",),
        ("compact", "--nonsense"),
        ("compact", "--view", "nonsense"),
        ("compact", "--view"),
        ("compact", "a", "b"),
        ("run", "--policy", "never"),
        ("run", "--quiet-ms", "0"),
        ("run", "--quiet-ms", "-1"),
        ("run", "--quiet-ms", "1.5"),
        ("run", "--quiet-ms", "２００"),
        ("run", "--quiet-ms", "9" * 5000),
        ("run", "--max-wait-ms", "3600001"),
        ("run", "--log-format", "xml"),
    ],
)
def test_wrong_usage_is_code_64_and_explained_on_stderr(run: Any, arguments: tuple[str, ...]) -> None:
    wrong = run(*arguments)

    assert wrong.code == ExitCode.USAGE
    assert wrong.out == ""
    assert wrong.err.startswith("usage: hypo-compactd")
    assert "hypo-compactd" in wrong.err.splitlines()[-1]


@pytest.mark.usefixtures("english_user")
def test_a_maximum_wait_below_the_quiet_period_is_wrong_usage(project: Project, run: Any) -> None:
    wrong = run("run", "--quiet-ms", "500", "--max-wait-ms", "499", project.root)

    assert wrong.code == ExitCode.USAGE
    assert "--max-wait-ms must not be less than --quiet-ms" in wrong.err


@pytest.mark.parametrize("arguments", [("--help",), ("compact", "--help"), ("run", "--help")])
def test_help_is_printed_on_stdout_with_every_exit_code(run: Any, arguments: tuple[str, ...]) -> None:
    helped = run(*arguments)

    assert (helped.code, helped.err) == (0, "")
    for code in exit_codes():
        assert re.search(rf"^  {code} +\w", helped.out, re.MULTILINE), code


def test_the_version_is_printed(run: Any) -> None:
    assert run("--version").out == f"hypo-compactd {hypo_compactd.__version__}\n"


def test_the_names_of_the_views_are_the_registry_s() -> None:
    assert list(VIEWS) == [strategy.name for strategy in STRATEGIES] == list(TARGETS)


# Sources with faults


@pytest.mark.parametrize("path", ["state.yaml", "log.yaml"])
@pytest.mark.parametrize(
    "data",
    [b"`x`\n", b"a: [1\n", b"\tx\n", b"a: b: c\n", b"\xff\xfe", b"a: \xff\n", b"%\n", b'"', b"a: &x [*x]\n"],
    ids=repr,
)
def test_a_source_that_is_no_yaml_is_bad_input_with_its_place_and_leaves_no_view(
    project: Project, run: Any, path: str, data: bytes
) -> None:
    set_config(project, ENGLISH)
    run("compact", "-q", project.root)
    (project.pipeline / path).write_bytes(data)
    broken = run("compact", "--json", project.root)
    name = path.removesuffix(".yaml")

    assert broken.code == ExitCode.BAD_INPUT
    assert broken.state(name) == "withdrawn"
    assert re.search(
        rf"^hypo-compactd: {re.escape(str(project.pipeline))}/{path}:\d+(:\d+)?: \S", broken.err, re.MULTILINE
    )
    assert broken.err.count("\n") == len(broken.err.splitlines())
    assert set(views(project.root)) == set(TARGETS) - {name} - (
        {"reports"} if broken.state("reports") == "absent" else set()
    )


def test_one_bad_entry_of_a_log_costs_that_entry(project: Project, run: Any) -> None:
    path = project.pipeline / "log.yaml"
    text = path.read_text("utf-8")
    head, first, *rest = re.split(r"(?m)^(?=  - )", text)
    bad = "  - id: BAD-1\n    timestamp: 2026-04-08T10:00:00+08:00\n    summary: a: b: `c`\n"
    path.write_text(head + first + bad + "".join(rest), "utf-8")
    salvaged = run("compact", project.root)

    assert salvaged.code == 0
    assert f"{project.pipeline}/log.yaml:" in salvaged.err
    view = views(project.root)["log"].decode()
    assert "unreadable: {count: 1, lines: [" in view
    assert "BAD-1" not in view


def test_a_state_with_one_bad_line_is_salvaged(project: Project, run: Any) -> None:
    path = project.pipeline / "state.yaml"
    path.write_text(path.read_text("utf-8") + "notes: `x` is bad\n", "utf-8")
    salvaged = run("compact", project.root)

    assert salvaged.code == 0
    assert f"{project.pipeline}/state.yaml:" in salvaged.err
    assert "unreadable:" in views(project.root)["state"].decode()


@pytest.mark.parametrize(
    "path", ["PROGRESS.md", "reports/00-hole-spacing-engine.report.md", "patches/P001-spine-rounding-direction.md"]
)
def test_markdown_that_is_not_utf_8_is_read_without_the_bad_bytes(project: Project, run: Any, path: str) -> None:
    data = (project.pipeline / path).read_bytes()
    (project.pipeline / path).write_bytes(data + b"\n\xff\xfe more\n")
    salvaged = run("compact", project.root)

    assert salvaged.code == 0
    assert f"{project.pipeline}/{path}" in salvaged.err
    assert set(views(project.root)) == set(TARGETS)
    for data in views(project.root).values():
        data.decode("utf-8")


@pytest.mark.parametrize("data", [b"", b"\n", b"\xef\xbb\xbf", b"\0", b"\r\n" * 3, b" "])
def test_sources_that_are_empty_are_no_trouble(project: Project, run: Any, data: bytes) -> None:
    for path in project.pipeline.rglob("*"):
        if path.is_file() and path.name != "config.yaml":
            path.write_bytes(data)
    empty = run("compact", "--json", project.root)

    assert empty.code in {0, ExitCode.BAD_INPUT}
    assert "Traceback" not in empty.err
    assert "could not be computed" not in empty.err
    assert all(view["state"] != "waiting" for view in empty.data["views"])


@pytest.mark.parametrize(
    "path",
    [
        "state.yaml",
        "log.yaml",
        "PROGRESS.md",
        "reports/09-x.report.md",
        "knowledge/records/x.yaml",
        "patches/P009-x.md",
    ],
)
def test_a_folder_where_a_file_is_expected_is_reported(project: Project, run: Any, path: str) -> None:
    set_config(project, ENGLISH)
    (project.pipeline / path).unlink(missing_ok=True)
    (project.pipeline / path).mkdir()
    broken = run("compact", project.root)

    assert f"hypo-compactd: {project.pipeline}/{path}: is a folder, not a file" in broken.err
    assert (broken.code == ExitCode.BAD_INPUT) == (path in {"state.yaml", "log.yaml", "PROGRESS.md"})


def test_a_file_name_that_would_move_the_cursor_is_shown_as_its_code(project: Project, run: Any) -> None:
    (project.pipeline / "reports/\x1b[2J\n.md").mkdir()
    broken = run("compact", project.root)

    assert "\\x1b[2J\\x0a.md" in broken.err
    assert "\x1b" not in broken.err


def test_a_view_whose_place_is_taken_is_bad_input_with_what_to_do(project: Project, run: Any) -> None:
    set_config(project, ENGLISH)
    (project.pipeline / TARGETS["log"]).mkdir()
    taken = run("compact", "--json", project.root)

    assert taken.code == ExitCode.BAD_INPUT
    assert taken.state("log") == "failed"
    assert f"{project.pipeline}/log.compact.yaml: is a folder" in taken.err
    assert set(views_without(project, "log")) == set(TARGETS) - {"log"}


def views_without(project: Project, name: str) -> list[str]:
    return [each for each, place in TARGETS.items() if each != name and (project.pipeline / place).is_file()]


# The configuration


def test_bad_values_are_reported_all_at_once_and_the_run_goes_on(project: Project, run: Any) -> None:
    set_config(project, 'compact:\n  log_recent: "5"\n  auto: maybe\noutput: {timezone: Mars, language: en}\n')
    reported = run("compact", project.root)
    zone = "an IANA time zone such as Asia/Shanghai; Asia/Shanghai is used"

    assert reported.code == 0
    assert sorted(reported.err.splitlines()) == [
        "hypo-compactd: .pipeline/config.yaml:2: compact.log_recent: the text '5' is not an integer from 1 to 1000; 20 is used",
        "hypo-compactd: .pipeline/config.yaml:3: compact.auto: 'maybe' is not true or false; true is used",
        f"hypo-compactd: .pipeline/config.yaml:4: output.timezone: 'Mars' is not {zone}",
    ]
    assert reported.out.startswith("Generated 6 ")


@pytest.mark.usefixtures("english_user")
def test_a_configuration_that_cannot_be_read_is_code_78_and_nothing_is_written(project: Project, run: Any) -> None:
    set_config(project, "compact: [\n")
    broken = run("compact", project.root)

    assert broken.code == ExitCode.BAD_CONFIGURATION
    assert broken.out == ""
    assert re.match(r"hypo-compactd: \.pipeline/config\.yaml:\d+:\d+: .*; mend the file and try again\n$", broken.err)
    assert views(project.root) == {}


def test_a_global_configuration_that_cannot_be_read_is_code_78(project: Project, run: Any, tmp_path: Path) -> None:
    (tmp_path / "home/.hypo-workflow").mkdir(parents=True)
    (tmp_path / "home/.hypo-workflow/config.yaml").write_text("a: [\n")
    broken = run("compact", project.root)

    assert broken.code == ExitCode.BAD_CONFIGURATION
    assert broken.err.startswith("hypo-compactd: ~/.hypo-workflow/config.yaml:")


# Other trouble


def test_a_project_that_another_process_writes_is_code_69(
    project: Project, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hypo_compactd import lock

    monkeypatch.setattr(lock.writer_lock.__wrapped__, "__kwdefaults__", {"wait_s": 0.05})  # type: ignore[attr-defined]
    set_config(project, ENGLISH)
    with writer_lock(project):
        busy = run("compact", project.root)

    assert busy.code == ExitCode.BUSY
    assert f"(process {os.getpid()}); try again" in busy.err


def test_a_check_needs_no_lock(project: Project, run: Any) -> None:
    with writer_lock(project):
        assert run("compact", "--check", project.root).code == ExitCode.STALE


def test_a_state_folder_that_cannot_be_used_is_explained(
    project: Project, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("HYPO_COMPACTD_STATE_DIR", os.fspath(tmp_path / "file"))
    broken = run("compact", project.root)

    assert broken.code == ExitCode.BAD_INPUT
    assert "HYPO_COMPACTD_STATE_DIR" in broken.err


@pytest.mark.usefixtures("english_user")
@pytest.mark.parametrize("name", ["compact", "run", "status", "wait", "init", "doctor"])
def test_a_state_folder_that_depends_on_the_working_directory_is_refused(
    name: str, project: Project, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_config(project, ENGLISH)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HYPO_COMPACTD_STATE_DIR", "here")
    refused = run(name, project.root)

    assert refused.code == 65
    assert "HYPO_COMPACTD_STATE_DIR: here is not an absolute path" in refused.out + refused.err
    assert not (tmp_path / "here").exists()
    assert views(project.root) == {}


# As a process


def command(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[bytes]:
    line = [sys.executable, "-m", "hypo_compactd", *(os.fspath(argument) for argument in arguments)]
    given: dict[str, Any] = {"capture_output": True, "check": False} | options
    return cast("subprocess.CompletedProcess[bytes]", subprocess.run(line, **given))  # noqa: PLW1510 - among the options


def test_the_module_is_the_program_and_stdout_is_data_only(project: Project) -> None:
    set_config(project, "compact: {log_recent: x}\n")
    (project.pipeline / "reports/é\udcff.md").mkdir()
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    result = command("compact", "--json", project.root, env=environment)
    data = json.loads(result.stdout)

    assert result.returncode == 0
    assert [view["state"] for view in data["views"]] == ["written"] * 6
    assert any("é\udcff.md" in finding["file"] for view in data["views"] for finding in view["findings"])
    assert b"compact.log_recent" in result.stderr
    assert result.stderr.isascii()


@pytest.mark.parametrize("arguments", [("--json",), ()])
@pytest.mark.parametrize("unbuffered", [{}, {"PYTHONUNBUFFERED": "1"}])
def test_a_reader_that_has_gone_is_no_error(
    project: Project, arguments: tuple[str, ...], unbuffered: dict[str, str]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    result = command(
        "compact",
        *arguments,
        project.root,
        env=environment | unbuffered,
        capture_output=False,
        stdout=writing,
        stderr=subprocess.PIPE,
    )
    os.close(writing)

    assert (result.returncode, result.stderr) == (0, b"")
    assert set(views(project.root)) == set(TARGETS)


def test_closed_outputs_are_no_error(project: Project) -> None:
    line = f'"{sys.executable}" -m hypo_compactd compact "{project.root}" >&- 2>&-'

    assert subprocess.run(["/bin/sh", "-c", line], check=False).returncode == 0
    assert set(views(project.root)) == set(TARGETS)


def test_a_copy_elsewhere_gives_the_same_bytes_in_another_process(project: Project, tmp_path: Path, run: Any) -> None:
    run("compact", "-q", project.root)
    shutil.copytree(project.root, tmp_path / "other", ignore=shutil.ignore_patterns("*.compact.*"))
    environment = os.environ | {"PYTHONHASHSEED": "7", "LC_ALL": "C", "TZ": "America/New_York"}

    assert command("compact", "-q", tmp_path / "other", env=environment).returncode == 0
    assert views(tmp_path / "other") == views(project.root)


def test_an_output_that_cannot_be_written_is_said_in_one_line(project: Project) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    set_config(project, ENGLISH)
    with Path("/dev/full").open("w") as full:
        result = command("compact", project.root, capture_output=False, stdout=full, stderr=subprocess.PIPE)

    assert result.returncode == 1
    assert result.stderr == b"hypo-compactd: stdout: no space left on device\n"


def test_with_stderr_closed_no_message_for_people_gets_into_the_data(project: Project) -> None:
    set_config(project, "compact: {log_recent: none}\n")
    line = f'exec "{sys.executable}" -m hypo_compactd compact --json "{project.root}" 2>&-'
    result = subprocess.run(["/bin/sh", "-c", line], check=False, capture_output=True)

    assert result.returncode == 0
    assert json.loads(result.stdout)["schema"] == 1


def test_nobody_who_listens_to_the_complaints_does_not_stop_the_work(project: Project) -> None:
    set_config(project, "compact: {log_recent: none}\n")
    reading, writing = os.pipe()
    os.close(reading)
    command("compact", project.root, capture_output=False, stdout=subprocess.PIPE, stderr=writing)
    os.close(writing)

    assert set(views(project.root)) == set(TARGETS)


def test_a_user_without_a_home_is_told_what_to_do(project: Project, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    for name in ("compact", "run"):
        result = run(name, project.root)

        assert result.code == 65
        assert result.err == "hypo-compactd: 当前用户没有主文件夹；请用 HOME 指定一个\n"
