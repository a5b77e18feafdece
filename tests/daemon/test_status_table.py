"""What `status` prints for people: words in both languages, and lines that fit whatever the width."""

from __future__ import annotations

import io
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

import hypo_compactd
from hypo_compactd.catalogue import SENTENCES
from hypo_compactd.errors import RootError
from hypo_compactd.judge import Life, Verdict
from hypo_compactd.paths import Project
from hypo_compactd.project_status import Freshness, Overview, Settings, ViewStatus
from hypo_compactd.status import Pulse, Report, Standing
from hypo_compactd.status_table import UNBROKEN, lines, styles
from hypo_compactd.status_words import ago, facts, lasting
from hypo_strategies.api import Finding, Language
from hypo_strategies.text.phrase import Phrase
from support.status_runs import ENGLISH, kept, run, set_config
from support.views import TARGETS

VERSION = hypo_compactd.__version__
PROJECT = Project(Path("/home/kim/projects/tide"), Path("/home/kim/projects/tide"))
LANGUAGES: tuple[Language, ...] = ("en", "zh-CN")


def overview(language: Language = "en", views: tuple[ViewStatus, ...] = (), **report: Any) -> Overview:
    """Return a project that a daemon keeps."""
    said = Report(str(PROJECT.shown), 7, "boot", VERSION, Standing.OK, **{"wanted": 10, "held": 10} | report)
    pulse = Pulse(7, "boot", VERSION, 1.0, 2.0, 1, canary_ms=3)
    verdict = Verdict(Life.RUNNING, 7, said, pulse, silent_s=4.0, looked_s=70.0)
    return Overview(PROJECT, verdict, Settings(), views, language=language)


def view(name: str = "log", freshness: str = Freshness.FRESH, **values: Any) -> ViewStatus:
    given: dict[str, Any] = {"tokens_before": 7174, "tokens_after": 2203, "findings": (), "age_s": 90.0} | values
    return ViewStatus(name, f".pipeline/{TARGETS[name]}", freshness, **given)


ALL = (
    view("progress", Freshness.STALE, stale_s=20.0),
    view("state", Freshness.FAILED, findings=(Finding(".pipeline/state.yaml", Phrase("the block has no end"), 12, 3),)),
    view("log", findings=(Finding(".pipeline/log.yaml", Phrase("an entry has no id"), 7, None, "warning"),)),
    view("reports", Freshness.CHANGING, age_s=None),
    view("patches", Freshness.ABSENT, tokens_before=0, tokens_after=0, age_s=None),
    view("knowledge", age_s=3 * 86400.0),
)


def shown(*overviews: Overview, columns: int = UNBROKEN) -> list[str]:
    return ["".join(text for text, _ in line) for line in lines(overviews, columns)]


# Words


@pytest.mark.parametrize(
    ("seconds", "english", "chinese"),
    [
        (0, "0 s", "0 秒"),
        (59.9, "59 s", "59 秒"),
        (60, "1 min", "1 分钟"),
        (3599, "59 min", "59 分钟"),
        (3600, "1 h", "1 小时"),
        (2 * 86400 - 1, "47 h", "47 小时"),
        (2 * 86400, "2 d", "2 天"),
        (1e9, "11574 d", "11574 天"),
    ],
)
def test_how_long_something_lasts_is_said_in_the_largest_unit(seconds: float, english: str, chinese: str) -> None:
    assert (lasting(seconds, "en"), lasting(seconds, "zh-CN")) == (english, chinese)
    assert (ago(seconds, "en"), ago(seconds, "zh-CN")) == (f"{english} ago", f"{chinese}前")


def test_of_a_daemon_that_keeps_a_project_well_there_is_little_to_say() -> None:
    assert facts(overview(), "en") == [
        "inotify on 10 folders".replace("inotify", overview().backend or ""),
        "daemon 7, last sign of life 4 s ago",
        "idle for 1 min",
        "an event takes 3 ms",
    ]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"missed": 2}, "missed changes: 2"),
        ({"repaired": 5}, "repaired views: 5"),
        ({"held": 3, "standing": Standing.PARTIAL}, " on 3 of 10 folders"),
        ({"held": 0, "standing": Standing.WAITING}, "files are polled"),
        ({"held": 0, "standing": Standing.PARTIAL}, "files are looked at by the sweep only"),
        ({"pending": True}, "changes to look at"),
    ],
)
def test_what_is_out_of_the_ordinary_is_said(values: dict[str, Any], said: str) -> None:
    changes: dict[str, Any] = {"standing": Standing.OK, "wanted": 10, "held": 10} | values
    report = Report("p", 7, "boot", VERSION, **changes)
    one = Overview(PROJECT, Verdict(Life.RUNNING, 7, report, None, 4.0, 70.0))

    assert any(said in fact for fact in facts(one, "en"))
    assert not any(said in fact for fact in facts(overview(), "en"))


def test_where_the_state_says_that_files_are_polled_it_is_not_said_again() -> None:
    one = Overview(PROJECT, Verdict(Life.RUNNING, 7, Report("p", 7, "boot", VERSION, Standing.POLLING), None, 4.0))

    assert facts(one, "en") == ["daemon 7, last sign of life 4 s ago"]


def test_every_word_for_a_state_is_there() -> None:
    assert {f"daemon_{one}" for one in (*Standing.all(), *Life.all()) if one is not Life.RUNNING} <= set(SENTENCES)
    assert {f"view_{one}" for one in Freshness.all()} <= set(SENTENCES)


# Lines


def test_each_view_has_a_line_and_what_is_wrong_with_it_stands_below() -> None:
    head, facts, *table = shown(overview(views=ALL))

    assert head == "/home/kim/projects/tide  ok"
    assert facts.startswith("  ")
    assert table == [
        "  view       state     stale for  written  tokens        file",
        "  progress   stale     20 s       1 min    7174 -> 2203  .pipeline/PROGRESS.compact.md",
        "  state      failed    -          1 min    7174 -> 2203  .pipeline/state.compact.yaml",
        "    .pipeline/state.yaml:12:3: the block has no end",
        "  log        fresh     -          1 min    7174 -> 2203  .pipeline/log.compact.yaml",
        "    .pipeline/log.yaml:7: an entry has no id",
        "  reports    changing  -          -        7174 -> 2203  .pipeline/reports.compact.md",
        "  patches    absent    -          -        -             .pipeline/patches.compact.md",
        "  knowledge  fresh     -          3 d      7174 -> 2203  .pipeline/knowledge/knowledge.compact.md",
    ]


def test_without_a_stale_view_there_is_no_column_for_how_long_it_is_so() -> None:
    *_, header, row = shown(overview(views=(view(),)))

    assert header.split() == ["view", "state", "written", "tokens", "file"]
    assert row.split()[:4] == ["log", "fresh", "1", "min"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_narrow_terminal_costs_the_last_columns_one_by_one(language: Language) -> None:
    names = ("view", "state", "stale", "written", "tokens", "file")
    headings = [SENTENCES[f"column_{name}"][language == "en"] for name in names]
    views = tuple(replace(one, findings=()) for one in ALL)
    counts = []
    for columns in range(120, 19, -1):
        header = shown(overview(language, views), columns=columns)[-len(views) - 1]
        there = [heading for heading in headings if heading in header]
        assert there == headings[: len(there)]
        assert re.split(" {2,}", header.strip()) == there
        counts.append(len(there))

    assert counts == sorted(counts, reverse=True)
    assert set(counts) == {6, 5, 4, 3, 2}


@pytest.mark.parametrize("language", LANGUAGES)
def test_columns_stand_below_each_other_however_wide_a_character_is(language: Language) -> None:
    rows = [line for line in shown(overview(language, ALL)) if ".pipeline/" in line and not line.startswith("    ")]

    assert len(rows) == len(ALL)
    assert len({cell_len(row[: row.index(".pipeline/")]) for row in rows}) == 1


@given(st.integers(1, 130), st.sampled_from(LANGUAGES), st.text(max_size=60))
def test_no_line_is_wider_than_the_terminal_and_no_sentence_is_cut(
    columns: int, language: Language, reason: str
) -> None:
    error = RootError("{path}: no such folder", path=reason)
    found = (
        overview(language, ALL, reason=Phrase(reason), contested=("log",)),
        Overview(PROJECT, error=error, language="en"),
    )
    told, whole = shown(*found, columns=columns), shown(*found)

    assert all(cell_len(line) <= max(columns, 20) for line in told)
    assert all(line.isprintable() for line in told)
    for sentence in (line for line in whole if "block has no end" in line or "no such folder" in line):
        assert "".join(sentence.split()) in "".join("".join(told).split())


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [Terminal(), io.StringIO()], ids=["terminal", "pipe"])
@pytest.mark.parametrize("term", [None, "", "xterm-256color", "dumb", "Unknown"])
@pytest.mark.parametrize("forced", [None, "", "1"])
@pytest.mark.parametrize("without", [None, "", "1"])
def test_there_are_colours_where_rich_would_have_them(
    stream: io.StringIO, term: str | None, forced: str | None, without: str | None
) -> None:
    given = {"TERM": term, "FORCE_COLOR": forced, "NO_COLOR": without}
    environment = {name: value for name, value in given.items() if value is not None}
    console = Console(file=stream, _environ=environment)
    used = styles(environment, is_terminal=stream.isatty())

    assert ("bold" in used, "dim" in used) == (console.color_system is not None,) * 2
    assert ("red" in used) == (console.color_system is not None and not console.no_color)


# The command


@pytest.fixture(name="fresh")
def _fresh(project: Project) -> Project:
    """A project whose views are all current."""
    assert run("compact", "-q", project.root).code == 0
    return project


def test_in_a_pipe_no_line_is_broken_and_there_are_no_colours(fresh: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    set_config(fresh, ENGLISH)
    run("compact", "-q", fresh.root)
    (fresh.pipeline / TARGETS["log"]).unlink()
    with kept(fresh, standing=Standing.PARTIAL, reason=Phrase("9 of 12 folders are watched"), held=9) as process:
        printed = run("status", fresh.root).out
    told = printed.splitlines()

    assert "\x1b" not in printed
    assert told[:2] == [f"{fresh.root}  partial", "  9 of 12 folders are watched"]
    assert f" on 9 of 12 folders; daemon {process.pid}, last sign of life 1 s ago; idle for " in told[2]
    assert [(line.split()[:2], line.split()[-1]) for line in told[4:]] == [
        ([name, "stale" if name == "log" else "fresh"], f".pipeline/{place}") for name, place in TARGETS.items()
    ]


def test_the_table_is_chinese_where_the_project_is(project: Project) -> None:
    told = run("status", project.root).out.splitlines()

    assert told[1] == "  没有守护进程维护此项目；可用 hypo-compactd run 启动"
    assert [line.split()[1] for line in told[3:]] == ["过期"] * 6


def test_every_project_of_the_table_speaks_its_own_language(fresh: Project, tmp_path: Path) -> None:
    other = shutil.copytree(fresh.root, tmp_path / "other")
    (other / ".pipeline/config.yaml").write_text(ENGLISH)
    printed = run("status", fresh.root, other).out

    assert "最新" in printed
    assert "fresh" in printed


def test_values_of_the_configuration_that_cannot_be_used_are_said(fresh: Project) -> None:
    set_config(fresh, ENGLISH + "compact: {log_recent: none}\n")
    found = run("status", fresh.root)

    assert found.err == ""
    assert "\n  .pipeline/config.yaml:2: compact.log_recent: " in found.out
