"""What must hold of every view, whatever its sources are.

The sources are drawn by `support.generators`: as projects write them, more of them than a view can
hold, and broken. `make fuzz` looks at many more of them than the plain run does.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, event, example, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from hypo_strategies import _report_scores
from hypo_strategies.api import Options, Sources, View
from hypo_strategies.registry import STRATEGIES, compute, get_strategy
from hypo_strategies.text import labels, yaml
from hypo_strategies.text.limits import MAX_BYTES, MAX_LINES, MAX_MARKDOWN_LINE, MAX_YAML_LINE
from hypo_strategies.text.markdown import plain
from support.generators import GRAMMARS, MARKER, SOURCES, Example, brief_prompt, broken

NAMES = [strategy.name for strategy in STRATEGIES]
views = pytest.mark.parametrize("name", NAMES)


LONGEST_S = 1.0
"""Seconds of the processor that one view of drawn sources may take; a real one takes some milliseconds."""

FUZZ = 25
"""So many times the examples of the plain run are those of the profile `fuzz`."""


def quick(examples: int) -> settings:
    """Return the settings of a test with so many examples in the plain run."""
    fuzz = settings.get_current_profile_name() == "fuzz"
    return settings(
        max_examples=examples * (FUZZ if fuzz else 1),
        suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example),
        phases=[phase for phase in Phase if phase is not Phase.explain],  # it takes minutes for a broken project
    )


sources = st.integers(0, 2**16).map(Random)
"""Drives a grammar: one number, as a whole project needs more decisions than Hypothesis draws in good time."""

damage = st.randoms(use_true_random=False)
"""Drives the damage done to a source; this one shrinks."""

options = st.builds(
    Options,
    progress_recent=st.sampled_from((15, 1, 400)),
    state_history_full=st.sampled_from((1, 0, 400)),
    log_recent=st.sampled_from((20, 1, 400)),
    reports_summary_lines=st.sampled_from((3, 1, 10)),
    language=st.sampled_from(("zh-CN", "en")),
    invalid_record=st.sampled_from(("warn", "ignore", "block")),
)


# --- the promises


def assert_promises(name: str, files: dict[str, str], chosen: Options) -> View:
    """Assert what every view promises, whatever its sources are; return the view."""
    strategy = get_strategy(name)
    began = time.process_time()  # what others do on the machine does not count
    view = compute(strategy, Sources(files), chosen)
    assert time.process_time() - began < LONGEST_S, "it hangs"
    again = compute(strategy, Sources(dict(reversed(files.items()))), chosen)
    assert view == again, "the same sources give the same view, in whatever order they are found"
    for finding in view.findings:
        assert MARKER not in str(finding), "a finding names a place, never what stands there"
        assert len(str(finding)) < 400
    event(f"{name}: {'no view' if view.text is None else 'degraded' if view.findings else 'whole'}")
    if view.text is None:
        return view
    assert_fits(view.text, MAX_MARKDOWN_LINE if strategy.target.endswith(".md") else MAX_YAML_LINE)
    if strategy.target.endswith(".md"):
        assert re.match(r"<!-- .*(derived from|派生自).* -->\n", view.text)
    else:
        assert view.text.startswith(labels.yaml_header(SOURCES[name]) + "\n")
        load(view.text)
    assert_invents_nothing(name, view.text, files)
    return view


def assert_fits(text: str, longest: int) -> None:
    lines = text.splitlines()
    assert text.endswith("\n")
    assert len(lines) == text.count("\n"), "no reader sees a line end that is none"
    assert len(lines) <= MAX_LINES
    assert len(text.encode()) <= MAX_BYTES
    assert max(map(len, lines)) <= longest


def load(text: str) -> Any:
    """Return what a view says to a reader for whom every scalar is its characters.

    It must also be YAML for a reader that resolves them; what that one refuses is only a value that
    the source has (a 13th month), never the shape.
    """
    YAML(typ="safe", pure=True).compose(text)
    try:
        YAML(typ="safe", pure=True).load(text)
    except YAMLError:
        raise
    except (ValueError, OverflowError):
        event("a plain scalar that no reader can resolve")
    return YAML(typ="base", pure=True).load(text)


# --- nothing is invented
#
# A token is
# - a run of ASCII letters, digits and `_`, which may be joined by `.`, `:`, `-` or `@`
#   (`12:30`, `2026-05-01T08:00:00Z`, `v1.2`, `E-hinge-k001`, `run_tests`, `03-hinge.report.md`),
#   when it holds a digit or one of those marks, or is a word of six letters or more;
# - a run of four and more Chinese characters.
# A token of a view must stand in the sources or in their paths: whole, or as some of its joined
# parts (`C2-new-cycle` gives `C2` and `new-cycle`); a Chinese one within the text without its
# white space, as a wrapped line is joined. Of the view do not count:
# - its first line, which is checked by itself;
# - what stands right before `…`, the beginning of a token that was cut;
# - the words of the labels and of the keys that are ours (`OUR_WORDS`);
# - marks without a width and those of Markdown, which may be left out;
# - the counts that are ours, each only inside the words that say what is counted (`OUR_COUNTS`);
#   for well-formed sources other tests compare them with what was drawn.
# YAML is read as its scalars and its comments, so that quotes and escapes are none of the text.

_TOKEN = re.compile(r"[A-Za-z0-9_]+(?:[.:@-]+[A-Za-z0-9_]+)*(?P<cut>…)?")
_PART = re.compile(r"[.:@-]+")
_CHINESE = re.compile(r"[\u4e00-\u9fff]{4,}")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_NO_WIDTH = re.compile("[\\u200b\\ufeff]")


def _label_patterns() -> Iterable[re.Pattern[str]]:
    """Yield the pieces of labels that hold a count, as patterns."""
    for texts in labels._LABELS.values():
        for text in texts:
            pieces = re.split(r"\{(?:source|sources|files|names)\}", text)
            for piece in pieces:
                parts = _PLACEHOLDER.split(piece)
                if len(parts) > 1:
                    yield re.compile(r"\d+".join(map(re.escape, parts[::2])))


OUR_COUNTS = (
    re.compile(r"… \d+ more (?:characters|types in|in)(?=[ ,])"),
    re.compile(r"… \(\d+ more characters in the source\)"),
    re.compile(r"(?m)^\d+ more keys(?=,)"),
    re.compile(r"(?m)^ *# \d+ more of the newest \d+ are in"),
    re.compile(r"(?m)^ *# \d+ more (?:Milestones|older prompts|of [a-z_]+|places like these)"),
    re.compile(r"(?m)^ *# only the last \d+ in full"),
    re.compile(r"(?m)^ *# lines? \d+(?:-\d+)?: .*$"),  # what was lost, by its lines
    re.compile(r"(?:(?<=\.yaml)|(?<=\.md)):\d+(?::\d+)?"),  # the same in Markdown
    re.compile(r"(?<=, log\.yaml) line \d+"),
    re.compile(r"… \+\d+"),  # fields of an item
    re.compile(r"… \(\+\d+\)"),  # files
    *_label_patterns(),
)
OUR_WORDS = frozenset(
    {
        *("older", "count", "earliest", "latest", "summary", "entries", "unreadable", "lines", "notable", "untyped"),
        *("completed_prompts", "score_summary", "prompt", "status", "milestones", "history", "archived", "REDACTED"),
    }
) | frozenset(_report_scores._NAMES.values())


def assert_invents_nothing(name: str, view: str, files: dict[str, str]) -> None:
    target = get_strategy(name).target
    text = view.partition("\n")[2] if target.endswith(".md") else _yaml_text(view)
    for pattern in OUR_COUNTS:
        text = pattern.sub(lambda count: "… " if count[0].startswith("…") else " ", text)
    scalars = [value for path, text in files.items() if path.endswith(".yaml") for value in _scalars(text)]
    text = _NO_WIDTH.sub("", text)
    sources = "\n".join([*files, *files.values(), *map(plain, files.values()), *scalars])
    sources += _NO_WIDTH.sub("", sources)
    known = _known(sources)
    words = OUR_WORDS | {
        word for texts in labels._LABELS.values() for text in texts for word in re.findall(r"\w+", text)
    }
    for token in _TOKEN.finditer(text):
        word = token[0].removesuffix("…")
        if _says_something(word) and word not in words and word not in known:
            assert token["cut"], f"{word!r} stands in no source"
            assert any(other.startswith(word) for other in known), f"{word!r}… begins nothing in the sources"
    together = "".join(sources.split())
    for run in _CHINESE.findall(text):
        assert run in words or run in together, f"{run!r} stands in no source"


def _says_something(word: str) -> bool:
    return not word.isalpha() or len(word) >= 6


def _known(text: str) -> set[str]:
    """Return every token of a text, and every run of the parts of one."""
    known = set()
    for match in _TOKEN.finditer(text):
        word = match[0].removesuffix("…")
        starts = [0, *(mark.end() for mark in _PART.finditer(word))][:40]
        ends = [*(mark.start() for mark in _PART.finditer(word)), len(word)][:40]
        known |= {word[start:end] for start in starts for end in ends if start < end}
        known.add(word)
    return known


def _yaml_text(view: str) -> str:
    """Return what a YAML view says: its scalars, a line each, and its comments."""
    data = load(view)
    if isinstance(data, dict):
        data = dict(data)
        older = data.pop("older", None)
        if isinstance(older, dict):  # `type: n, …` are counts of ours, `count` is one
            types, _, notable = str(older.get("summary")).partition("; notable: ")
            data["older"] = [older.get("earliest"), older.get("latest"), re.sub(r": \d+(?=, |$)", "", types), notable]
        data.pop("unreadable", None)  # numbers of lines
    comments = [line for line in view.split("\n")[1:] if line.lstrip().startswith("#")]
    return "\n".join([*_flat(data), *comments])


def _scalars(text: str) -> Iterable[str]:
    """Yield the scalars of a YAML source, as they may be folded or escaped in it; none when it is no YAML."""
    try:
        waiting = [yaml.parse(text)]
    except yaml.YamlError:
        return
    while waiting:
        node = waiting.pop()
        if isinstance(node, yaml.Scalar):
            yield node.value
        elif isinstance(node, yaml.Sequence):
            waiting += node.items
        elif node is not None:
            waiting += [part for pair in node.pairs for part in pair]


def _flat(data: Any) -> Iterable[str]:
    waiting = [data]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            waiting += [*item.keys(), *item.values()]
        elif isinstance(item, (list, tuple)):
            waiting += item
        else:
            yield str(item)


# --- any sources


@views
@quick(15)
@given(pick=sources, chosen=options)
def test_real_sources_give_a_whole_view_that_keeps_the_promises(name: str, pick: Random, chosen: Options) -> None:
    drawn = GRAMMARS[name](pick)
    view = assert_promises(name, drawn.files, chosen)

    assert not view.findings
    assert view.text or name == "reports"


@views
@quick(3)
@given(pick=sources, chosen=options)
def test_more_sources_than_a_view_can_hold_keep_the_promises(name: str, pick: Random, chosen: Options) -> None:
    view = assert_promises(name, GRAMMARS[name](pick, grown=True).files, chosen)

    assert view.text
    assert not view.findings


@views
@quick(70)
@given(pick=sources, harm=damage, chosen=options)
def test_broken_sources_keep_the_promises(name: str, pick: Random, harm: Random, chosen: Options) -> None:
    files = GRAMMARS[name](pick).files
    path = harm.choice(sorted(path for path in files if not path.endswith("/")))

    assert_promises(name, files | {path: broken(harm, files[path])}, chosen)


@views
@quick(40)
@given(text=st.text(max_size=200), chosen=options)
@example(text="", chosen=Options())
@example(text="\t", chosen=Options())
@example(text="---\n---\n", chosen=Options())
@example(text="- a\nmilestones:\n    code", chosen=Options())
def test_any_text_keeps_the_promises(name: str, text: str, chosen: Options) -> None:
    assert_promises(name, {SOURCES[name]: text}, chosen)


LINES = (
    *("# h", "## 结果", "## M1", "- a", "  - b", "- a: b", "1. x", "| a | b |", "|---|---|", "| 12:30 | x |", "> q"),
    *("12:30 x", "```", "    code", "key: value", "  key: value", "key:", "- key: 'x", "- id: E1", "entries:", "---"),
    *("- 状态: closed", "- commit: `abc1234`", "- 结果：pass", "diff_score: 2", "milestones:", "current:", "history:"),
    *("  completed_prompts:", "    - prompt: x", "details:", "  decisions:", "    - title: t", "id: r", "<!--", "-->"),
    *("a: &a [1]", "b: *a", "<<: *a", "? x", ": y", "\ttab", "[", "{a: ", "|", ">", "x: |", "  y", "=====", "", ""),
)


@views
@quick(40)
@given(lines=st.lists(st.sampled_from(LINES), max_size=14), chosen=options)
def test_any_lines_keep_the_promises(name: str, lines: list[str], chosen: Options) -> None:
    assert_promises(name, {SOURCES[name]: "\n".join(lines)}, chosen)


# --- secrets

SECRETS = (
    ("{secret}", "sk-ant-api03-Zq7Wm2Xk9Rt4Yp1Lv8Nc5Bd0Hj3Gs6F"),
    ("{secret}", "ghp_Zq7Wm2Xk9Rt4Yp1Lv8Nc5Bd0Hj3Gs6Fa2Te"),
    ("{secret}", "AKIAZQ7WM2XK9RT4YP1L"),
    ("Authorization: Bearer {secret}", "Zq7Wm2Xk9Rt4Yp1Lv8Nc5Bd0Hj3Gs6F"),
    ("password={secret}", "Zq7Wm2!k9"),
    ("postgres://admin:{secret}@db.example/app", "Zq7Wm2Xk9"),
    ("OPENAI_API_KEY={secret}", "Zq7Wm2Xk9Rt4Yp1Lv8Nc5"),
    ("--token {secret}", "Zq7Wm2Xk9Rt4Yp1Lv8Nc5"),
    ("Cookie: session={secret}", "Zq7Wm2Xk9Rt4Yp1Lv8"),
)


@views
@quick(15)
@given(pick=sources, planted=st.sampled_from(SECRETS), chosen=options)
def test_no_planted_secret_is_in_the_view(name: str, pick: Random, planted: tuple[str, str], chosen: Options) -> None:
    form, secret = planted
    files = GRAMMARS[name](pick).files
    said = form.format(secret=secret)
    hidden = {path: re.sub(r"k\d{3}(?!-|\.|\d)", lambda hit: f"{hit[0]} {said}", text) for path, text in files.items()}
    hidden = {path: _quoted(text, said) if path.endswith(".yaml") else text for path, text in hidden.items()}

    view = compute(get_strategy(name), Sources(hidden), chosen)

    assert secret not in (view.text or "")
    assert not view.findings
    assert secret not in str(view.findings)


def _quoted(text: str, said: str) -> str:
    """Return YAML in which a plain scalar that now holds a colon is quoted."""
    if ": " not in said:
        return text
    return re.sub(r"(?m)^( *(?:- )?[\w-]+: )([^'\">|\n][^\n]*" + re.escape(said) + r"[^\n]*)$", r'\1"\2"', text)


@views
@quick(15)
@given(pick=sources, harm=damage, planted=st.sampled_from(SECRETS[:3]))
def test_no_secret_of_a_known_look_gets_through_broken_sources(
    name: str, pick: Random, harm: Random, planted: tuple[str, str]
) -> None:
    secret = planted[1]
    files = GRAMMARS[name](pick).files
    files = {path: broken(harm, re.sub(r"k\d{3}(?!-)", secret, text)) for path, text in files.items()}

    view = compute(get_strategy(name), Sources(files), Options())

    alone = re.compile(rf"(?<![A-Za-z0-9]){secret}")  # damage may glue letters to it, and then it is a word like others
    assert not alone.search(view.text or "")
    assert not alone.search(str(view.findings))


# --- what the contract keeps is there


def drawn_view(name: str, pick: Random, chosen: Options) -> tuple[Example, str]:
    drawn = GRAMMARS[name](pick)
    view = compute(get_strategy(name), Sources(drawn.files), chosen)
    text = view.text or ""
    lost = [fact for fact in drawn.kept if fact not in text]
    assert not lost
    kept_anyway = [fact for fact in drawn.dropped if fact in text]
    assert not kept_anyway
    return drawn, text


@quick(40)
@given(pick=sources, recent=st.sampled_from((1, 15, 16, 100)))
def test_progress_keeps_the_newest_entries_newest_first(pick: Random, recent: int) -> None:
    drawn, view = drawn_view("progress", pick, Options(progress_recent=recent))

    shown = re.findall(r" e\d{4}", view)
    assert shown == [text[-6:] for text in drawn.data[:recent]]
    assert all(text in view for text in drawn.data[:recent])
    assert f"显示 {min(recent, len(drawn.data))}/{len(drawn.data)} 条" in view
    archived = {path.split("/")[1] for path in drawn.files if path.startswith("archives/")}
    assert re.findall(r"(?m)^- (C\d+) ", view) == [f"C{number}" for number in range(1, len(archived) + 1)]


@quick(40)
@given(pick=sources, full=st.sampled_from((0, 1, 3, 50)))
def test_state_keeps_what_recovery_needs_and_every_milestone(pick: Random, full: int) -> None:
    drawn, view = drawn_view("state", pick, Options(state_history_full=full))

    state, kept = drawn.data, nulls(load(view))
    mirrors = ("pipeline", "current", "last_heartbeat", "acceptance", "continuation", "chat")
    assert {key: kept[key] for key in mirrors if key in kept} == {key: state[key] for key in mirrors if key in state}
    assert kept["milestones"] == [
        {"id": item["id"], "name": item.get("name") or item.get("title"), "status": item["status"]}
        for item in state["milestones"]
    ]
    prompts = state["history"]["completed_prompts"]
    older = prompts[: max(len(prompts) - full, 0)]
    assert kept["history"] == {"completed_prompts": [*map(brief_prompt, older), *prompts[len(older) :]]}
    assert set(kept) <= {*mirrors, "milestones", "history"}


@quick(40)
@given(pick=sources, recent=st.sampled_from((1, 5, 20)))
def test_log_keeps_the_newest_events_complete_and_counts_the_others(pick: Random, recent: int) -> None:
    drawn, view = drawn_view("log", pick, Options(log_recent=recent))

    kept, older = nulls(load(view)), drawn.data[recent:]
    assert kept["entries"] == drawn.data[:recent]
    times = [entry.get("timestamp") or entry.get("time") for entry in older]
    assert kept["older"]["count"] == str(len(older))
    assert kept["older"]["latest"] == (times[0] if older else None)
    assert kept["older"]["earliest"] == (times[-1] if older else None)
    if older:
        types, _, notable = kept["older"]["summary"].partition("; notable: ")
        said = {name: int(number) for name, number in re.findall(r"(\w+): (\d+)", types)}
        assert said == Counter(entry["type"] for entry in older)
        strong = [
            entry
            for entry in older
            if entry["type"] == "cycle_reject" or entry["status"] in {"failed", "needs_changes"}
        ]
        named = re.findall(r"E-[\w-]+", notable)
        assert named == [entry["id"] for entry in strong][: len(named)]
        assert bool(named) == bool(strong)


@quick(40)
@given(pick=sources, language=st.sampled_from(("zh-CN", "en")))
def test_reports_keep_each_title_conclusion_score_and_change(pick: Random, language: Any) -> None:
    drawn, view = drawn_view("reports", pick, Options(language=language))

    names = [path.rpartition("/")[2] for path in drawn.files if path.startswith("reports/") and "/99-" not in path]
    assert re.findall(r"(?m)^## .*\((.*)\)$", view) == names


@quick(40)
@given(pick=sources)
def test_patches_keep_a_row_of_each_closed_patch(pick: Random) -> None:
    drawn, view = drawn_view("patches", pick, Options())

    rows = [
        tuple(cell.strip() for cell in line.split("|")[1:-1]) for line in view.splitlines() if line.startswith("| P0")
    ]
    assert rows == drawn.data


@quick(40)
@given(pick=sources)
def test_knowledge_keeps_every_item_with_its_substance(pick: Random) -> None:
    _, view = drawn_view("knowledge", pick, Options())

    assert all(re.fullmatch(r"- .* \[[^\]]+\]", line) for line in view.splitlines() if line.startswith("- "))


def nulls(data: Any) -> Any:
    """Return loaded data with None for null."""
    if isinstance(data, dict):
        return {key: nulls(value) for key, value in data.items()}
    if isinstance(data, list):
        return [nulls(item) for item in data]
    return None if data in {"null", "", "~"} else data


# --- the tests of the tests


@pytest.mark.parametrize(
    "invented",
    ["| 12:30 | seven tests |", "M07", "abc1234", "invention", "run_all", "v0.4", "2026-05-02", "凭空捏造", "margins…"],
)
def test_an_invented_fact_would_be_seen(invented: str) -> None:
    files = {"PROGRESS.md": "# 书脊 M01\n\n12:31 margin set on 2026-05-01 by run_tests, v0.3 abc1235\n"}
    view = f"<!-- derived from PROGRESS.md -->\n# 书脊 M01\n- {invented}\n"

    with pytest.raises(AssertionError, match=r"stands in no source|begins nothing"):
        assert_invents_nothing("progress", view, files)


def test_what_stands_in_the_sources_is_not_taken_for_invented() -> None:
    files = {"PROGRESS.md": "# 书脊厚度\n取整 M01\n\n12:31 margins set on 2026-05-01 by run_tests, v0.3 abc1235\n"}
    view = (
        "<!-- 9 -->\n# 书脊厚度取整 · 已完成 3/4 个 Milestone\n- 12:31 marg… v0.3 2026-05-01\n… 7 more lines, see x\n"
    )

    assert_invents_nothing("progress", view, files)


def test_stamps_of_the_drawn_logs_rise() -> None:
    from support.generators import stamp

    times = [datetime.fromisoformat(stamp(Random(minute), minute * 7)) for minute in range(600)]
    assert times == sorted(times)
