"""In which language people are spoken to: that of the project, else of the global configuration, else Chinese."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from hypo_compactd import cli, config, logs, registry
from hypo_compactd.cli import COMMANDS, main
from hypo_compactd.language import GlobalLanguage, language_for, language_of
from hypo_compactd.lock import writer_lock
from hypo_compactd.messages import translated
from hypo_compactd.paths import Project
from hypo_compactd.reporter import Reporter
from hypo_compactd.status import Standing, read_report
from hypo_strategies.api import Finding, Language
from hypo_strategies.text.phrase import Phrase, phrase
from support.daemon_process import DaemonProcess, wait_until
from support.status_runs import kept, run, set_config
from support.views import TARGETS

CJK = re.compile("[\u4e00-\u9fff]")
ENGLISH_WORDS = re.compile(r"\b[a-z]+ [a-z]+ [a-z]+\b")
LANGUAGES: tuple[Language, ...] = ("zh-CN", "en")


@pytest.fixture(name="home")
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the global configuration; the user has no lists of projects and no service manager."""
    monkeypatch.setenv("HYPO_COMPACTD_CONFIG_DIR", os.fspath(tmp_path / "config"))
    monkeypatch.setenv("PATH", os.fspath(tmp_path / "no programs"))
    home = tmp_path / "home" / ".hypo-workflow"
    home.mkdir(parents=True)
    return home


def speak(where: Path, text: str) -> None:
    where.mkdir(parents=True, exist_ok=True)
    (where / "config.yaml").write_text(text, "utf-8")


# Which language


@pytest.mark.parametrize(
    ("own", "shared", "language"),
    [
        (None, None, "zh-CN"),
        (None, "output: {language: en}", "en"),
        ("output: {language: en}", None, "en"),
        ("output: {language: en}", "output: {language: zh-CN}", "en"),
        ("output: {language: zh}", "output: {language: en}", "zh-CN"),
        ("compact: {log_recent: 3}", "output: {language: en}", "en"),
        ("output: [", "output: {language: en}", "en"),
        ("output: [", None, "zh-CN"),
        ("output: {language: en}", "output: [", "zh-CN"),
        ("output: {language: tlh}", "output: {language: en}", "zh-CN"),
    ],
)
def test_the_project_s_own_counts_then_the_global_one_then_the_default(
    own: str | None, shared: str | None, language: str, project: Project, home: Path
) -> None:
    (project.pipeline / "config.yaml").unlink()
    if own is not None:
        speak(project.pipeline, own)
    if shared is not None:
        speak(home, shared)

    assert language_of(project.root) == language


def test_what_concerns_no_single_project_is_said_in_the_global_language(project: Project, home: Path) -> None:
    speak(home, "output: {language: en}")

    assert language_of() == "en"
    assert language_of(project.root) == "zh-CN"


@pytest.mark.parametrize(
    ("arguments", "language"),
    [
        ({"project": "PROJECT"}, "zh-CN"),
        ({"project": "PROJECT/.pipeline"}, "zh-CN"),
        ({"project": "gone"}, "en"),
        ({"project": None}, "zh-CN"),
        ({"projects": ["PROJECT"], "all": False}, "zh-CN"),
        ({"projects": [], "all": False}, "zh-CN"),
        ({"projects": [], "all": True}, "en"),
        ({"projects": ["PROJECT", "gone"], "all": False}, "en"),
        ({"projects": ["PROJECT"], "action": "add"}, "en"),
        ({"shell": "bash"}, "en"),
    ],
    ids=str,
)
def test_the_one_project_that_a_command_is_called_for_counts(
    arguments: dict[str, object], language: str, project: Project, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    speak(home, "output: {language: en}")
    monkeypatch.chdir(project.pipeline)

    def named(value: object) -> object:
        if isinstance(value, list):
            return [named(one) for one in value]
        return value.replace("PROJECT", os.fspath(project.root)) if isinstance(value, str) else value

    given = argparse.Namespace(**{name: named(value) for name, value in arguments.items()})

    assert language_for(given) == language


def test_the_global_language_is_read_anew_only_when_the_file_has_changed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads = []
    load = config.load

    def counted(root: Path) -> config.Config:
        loads.append(root)
        return load(root)

    monkeypatch.setattr(config, "load", counted)
    spoken = GlobalLanguage()
    assert [spoken() for _ in range(3)] == ["zh-CN"] * 3
    assert len(loads) == 1

    speak(home, "output: {language: en}")
    assert [spoken() for _ in range(3)] == ["en"] * 3
    assert len(loads) == 2

    (home / "config.yaml").unlink()
    assert spoken() == "zh-CN"


def test_without_a_home_the_default_is_spoken(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", no_home)

    assert (language_of(), language_of(project.root), GlobalLanguage()()) == ("zh-CN", "zh-CN", "zh-CN")


@pytest.mark.parametrize("failure", [ImportError, OSError(24, "Too many open files"), MemoryError])
def test_where_not_even_the_configuration_can_be_loaded_errors_are_english(
    failure: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: object) -> Language:
        raise failure

    monkeypatch.setattr("hypo_compactd.language.language_for", fail)

    assert main(["compact", os.fspath(tmp_path / "gone")]) == 65
    assert capsys.readouterr().err == (
        f"hypo-compactd: {tmp_path}/gone: no such folder; give the folder that holds .pipeline/\n"
    )


# Every command


@dataclass(frozen=True)
class Row:
    """A command of which people read something, and what it says in each language."""

    name: str
    arguments: tuple[str, ...]
    chinese: str
    english: str
    prepare: Callable[[Project], object] = lambda _: None


def broken_log(project: Project) -> None:
    path = project.pipeline / "log.yaml"
    path.write_text(path.read_text("utf-8") + "  - {id: a: b}\n", "utf-8")


def bad_value(project: Project) -> None:
    set_config(project, (project.pipeline / "config.yaml").read_text("utf-8") + "\ncompact: {log_recent: many}\n")


def no_auto(project: Project) -> None:
    set_config(project, (project.pipeline / "config.yaml").read_text("utf-8") + "\ncompact: {auto: false}\n")


def taken_place(project: Project) -> None:
    (project.pipeline / TARGETS["log"]).mkdir()


def linked_gitignore(project: Project) -> None:
    (project.root / ".gitignore").unlink(missing_ok=True)
    (project.root / ".gitignore").symlink_to("elsewhere")


def emptied(project: Project) -> None:
    shutil.rmtree(project.pipeline)
    project.pipeline.mkdir()


def broken_list(_: Project) -> None:
    registry.file().parent.mkdir(parents=True, exist_ok=True)
    registry.file().write_text("{", "utf-8")


def odd_list(_: Project) -> None:
    registry.hypo_workflow_file().write_text("projects: [{name: tide}]\n", "utf-8")


def gone_listed(_: Project) -> None:
    registry.add(Path("/nowhere/tide"))


ROWS = (
    Row("no project", ("compact", "gone"), "文件夹不存在", "no such folder"),
    Row("result", ("compact", "PROJECT"), "已生成 6 个", "Generated 6"),
    Row("check", ("compact", "--check", "PROJECT"), "需要更新", "Would change"),
    Row("finding", ("compact", "-q", "PROJECT"), "条目不是有效的 YAML", "an entry that is not valid YAML", broken_log),
    Row("value", ("compact", "-q", "PROJECT"), "应为介于 1 和 1000 之间的整数", "is not an integer from 1", bad_value),
    Row("view", ("compact", "-q", "PROJECT"), "是文件夹，不是文件", "is a folder, not a file", taken_place),
    Row("empty", ("compact", "PROJECT"), "文件夹为空", "is empty", emptied),
    Row("no project", ("wait", "gone"), "文件夹不存在", "no such folder"),
    Row("behind", ("wait", "PROJECT"), "已过期；compact.auto 为 false", "behind; compact.auto is false", no_auto),
    Row("only look", ("wait", "--timeout", "0", "PROJECT"), "可用 hypo-compactd compact 更新", "compact refreshes"),
    Row("source", ("wait", "PROJECT"), "是文件夹，不是文件", "is a folder, not a file", taken_place),
    Row("views", ("status", "PROJECT"), "没有守护进程维护此项目", "no daemon keeps this project"),
    Row("no project", ("status", "gone"), "文件夹不存在", "no such folder"),
    Row("finding", ("status", "PROJECT"), "条目不是有效的 YAML", "an entry that is not valid YAML", broken_log),
    Row("value", ("status", "PROJECT"), "将使用 20", "20 is used", bad_value),
    Row("value", ("status", "--json", "PROJECT"), "将使用 20", "20 is used", bad_value),
    Row("none listed", ("status", "--all"), "没有已注册的项目", "no project is registered"),
    Row("list", ("status", "--all"), "没有 path；已略去该项", "has no path; it is left out", odd_list),
    Row(
        "broken list",
        ("status", "--all"),
        "不是有效的 JSON：缺少应有的双引号属性名",
        "not JSON: expecting",
        broken_list,
    ),
    Row("usage", ("status", "--watch", "PROJECT"), "--watch 需要终端", "--watch needs a terminal"),
    Row("no project", ("run", "gone"), "文件夹不存在", "no such folder"),
    Row("usage", ("run", "--quiet-ms", "9", "--max-wait-ms", "8", "PROJECT"), "不得小于", "must not be less"),
    Row("result", ("init", "PROJECT"), "已加入列表", "added to the list"),
    Row("gitignore", ("init", "PROJECT"), "请自行加入一行", "put the line", linked_gitignore),
    Row("no project", ("init", "gone"), "文件夹不存在", "no such folder"),
    Row("none listed", ("projects",), "列表中没有项目", "no project is listed"),
    Row("listed", ("projects",), "文件夹不存在", "no such folder", gone_listed),
    Row("usage", ("projects", "list", "x"), "list 不接受 PROJECT", "list takes no PROJECT"),
    Row("add", ("projects", "add", "gone"), "文件夹不存在", "no such folder"),
    Row("remove", ("projects", "remove", "gone"), "不在列表中", "it is not on the list"),
    Row("broken list", ("projects", "add", "PROJECT"), "请修复该文件", "mend the file", broken_list),
    Row("usage", ("service", "show", "--force"), "--force 只能用于 install", "--force belongs to install"),
    Row("manager", ("service", "install", "--manager", "systemd"), "没有此程序", "no such program"),
    Row("all", ("doctor", "--verbose", "PROJECT"), "正常：配置", "fine: configuration"),
    Row("value", ("doctor", "PROJECT"), "将使用 20", "20 is used", bad_value),
    Row("empty", ("doctor", "PROJECT"), "文件夹为空", "is empty", emptied),
    Row("no project", ("doctor", "gone"), "文件夹不存在", "no such folder"),
    Row("missing", ("compact-context", "gone.md"), "没有该文件或文件夹", "no such file or directory"),
    Row("list", ("doctor", "PROJECT"), "没有 path；已略去该项", "has no path; it is left out", odd_list),
    Row("broken list", ("doctor", "PROJECT"), "不是有效的 JSON", "not JSON: expecting", broken_list),
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.arguments[0]}-{row.name}")
def test_a_command_speaks_the_user_s_language_and_no_other(
    row: Row, language: Language, project: Project, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    if language == "en":
        speak(home, "output: {language: en}\n")
    set_config(project, f"output: {{language: {language}}}\n")
    row.prepare(project)
    done = run(*(one.replace("PROJECT", os.fspath(project.root)) for one in row.arguments))
    told = done.err if "--json" in row.arguments else done.out + done.err
    # Commands and what stands in a source stay as they are.
    words = re.sub(
        r"`[^`]*`|/[^\s：]+", "", "\n".join(line for line in told.splitlines() if not line.startswith("    "))
    )

    assert (row.chinese if language == "zh-CN" else row.english) in told
    if language == "en":
        assert not CJK.search(words)
    else:
        assert CJK.search(words)
        assert not ENGLISH_WORDS.search(words)


def test_every_command_that_speaks_is_in_the_table() -> None:
    assert {row.arguments[0] for row in ROWS} == {*COMMANDS} - {"completion"}


def test_a_user_who_has_configured_nothing_is_told_in_chinese_by_the_program_itself(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hypo_compactd", "compact", "gone"], cwd=tmp_path, capture_output=True, check=False
    )

    assert done.returncode == 65
    assert done.stderr.decode() == "hypo-compactd: gone：文件夹不存在；请指定包含 .pipeline/ 的文件夹\n"


def test_a_project_that_another_process_writes_is_told_of_in_chinese(project: Project) -> None:
    with writer_lock(project):
        waited = run("wait", "--timeout", "0.1", project.root)

    assert re.search("视图正由另一个进程写入（进程 [0-9]+）；请重试", waited.err)


@pytest.mark.parametrize("arguments", [("--help",), ("compact", "--help"), ("compact", "--nonsense"), ("nonsense",)])
def test_help_and_what_argparse_says_are_english(arguments: tuple[str, ...], home: Path) -> None:
    done = run(*arguments)

    assert home.is_dir()
    assert (done.out + done.err).isascii()


# Across processes: what a daemon says, `status` says in its own language


REASON = phrase(
    "{reason}; its files are {instead}",
    reason=Phrase("permission denied"),
    instead=phrase("looked at every second or a little less often"),
)


@pytest.mark.parametrize(
    ("language", "said", "failed"),
    [
        ("zh-CN", "权限不足；其文件改为轮询，每秒一次或略慢", "log.compact.yaml：设备上没有剩余空间"),
        ("en", f"{REASON}", "log.compact.yaml: no space left on device"),
    ],
)
def test_status_says_a_daemon_s_reasons_and_errors_in_the_project_s_language(
    language: str, said: str, failed: str, project: Project
) -> None:
    set_config(project, f"output: {{language: {language}}}\n")
    run("compact", "-q", project.root)
    (project.pipeline / TARGETS["log"]).unlink()
    error = Finding(f".pipeline/{TARGETS['log']}", Phrase("no space left on device"))
    with kept(project, standing=Standing.POLLING, reason=REASON, errors=(("log", error),)):
        shown = run("status", project.root).out
        data = run("status", "--json", project.root)

    assert said in shown
    assert failed in shown
    assert data.project["reason"] == str(REASON)
    assert data.view("log")["findings"][-1]["message"] == "no space left on device"
    assert data.out.isascii()


def test_programs_are_told_in_english_whatever_the_language(project: Project) -> None:
    broken_log(project)
    compacted = json.loads(run("compact", "--json", project.root).out)
    findings = [finding["message"] for view in compacted["views"] for finding in view["findings"]]

    assert any("an entry that is not valid YAML: " in message for message in findings)
    assert not any(CJK.search(message) for message in findings)


def test_the_log_is_english_whatever_the_language(
    project: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", sys.__stderr__ if sys.stderr is None else sys.stderr)
    Reporter(project, logs.setup("json")).stand(Standing.POLLING, REASON)
    event = json.loads(capsys.readouterr().err)

    assert event["reason"] == str(REASON)


def test_the_real_daemon_s_reason_is_said_in_chinese(project: Project) -> None:
    with DaemonProcess(project.root, options=("--poll", "always")) as daemon:
        daemon.wait_for("ready")
        wait_until(lambda: read_report(project) is not None, "it has said how it keeps the project")
        event = next(event for event in daemon.events if event["event"] == "polling")
        shown = run("status", project.root).out
        assert daemon.stop() == 0

    assert event["reason"] == "as asked for by --poll always"
    assert "由 --poll always 指定" in shown


def test_a_finding_that_was_remembered_is_said_in_the_language_of_today(project: Project) -> None:
    broken_log(project)
    run("compact", "-q", project.root)
    chinese = run("status", project.root).out
    set_config(project, "output: {language: en}\n")
    english = run("status", project.root).out

    assert "条目不是有效的 YAML" in chinese
    assert "an entry that is not valid YAML" in english


# What it costs


def test_who_has_nothing_to_say_does_not_load_the_catalogue(project: Project) -> None:
    run("compact", "-q", project.root)
    code = (
        "import sys; from hypo_compactd.cli import main; code = main(sys.argv[1:]);"
        "print(code, *sorted({'hypo_compactd.catalogue', 'hypo_compactd.config'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "wait", os.fspath(project.root)], capture_output=True, text=True, check=True
    )

    assert done.stdout == "0\n"


def test_an_error_of_the_system_s_is_said_in_the_language_too(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: object) -> int:
        raise OSError(28, "No space left on device", "a\nb")

    monkeypatch.setattr("hypo_compactd.commands.compact.compact", fail)
    monkeypatch.setattr(cli, "close_stdout", lambda: None)
    code = main(["compact", os.fspath(project.root)])

    assert code == 1
    assert capsys.readouterr().err == "hypo-compactd: a\\x0ab：设备上没有剩余空间\n"
    assert translated(Phrase("no space left on device"), "en") == "no space left on device"
