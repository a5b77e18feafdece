from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypo_strategies.api import Options, Sources, View
from hypo_strategies.registry import compute, get_strategy
from hypo_strategies.text import yaml
from hypo_strategies.text.limits import MAX_BYTES, MAX_LINES, MAX_YAML_LINE
from hypo_strategies.text.yaml import Mapping, Node, Scalar, Sequence


def view_of(log: str, *, log_recent: int = 20) -> View:
    return compute(get_strategy("log"), Sources({"log.yaml": log}), Options(log_recent=log_recent))


def parsed(view: View) -> Mapping:
    assert view.text is not None
    root = yaml.parse(view.text)
    assert isinstance(root, Mapping)
    return root


def entries(view: View) -> list[Mapping]:
    node = parsed(view).get("entries")
    assert isinstance(node, Sequence)
    return [entry for entry in node.items if isinstance(entry, Mapping)]


def ids(view: View) -> list[str | None]:
    return [entry.text("id") for entry in entries(view)]


def older(view: View, key: str) -> str | None:
    node = parsed(view).get("older")
    assert isinstance(node, Mapping)
    return node.text(key)


def summary(view: View) -> str:
    return older(view, "summary") or ""


def event(number: int, *, key_count: int = 0, value: str = "x", status: str = "done") -> str:
    more = "".join(f"    key{index}: {value}\n" for index in range(key_count))
    stamp = f"2026-05-{1 + number // 24:02d}T{number % 24:02d}:00:00Z"
    return f"  - id: E{number}\n    status: {status}\n    type: step\n    timestamp: {stamp}\n{more}"


def log_of(count: int, write: Callable[[int], str] = event) -> str:
    return "entries:\n" + "".join(write(number) for number in range(count))


def plain(node: Node) -> object:
    if isinstance(node, Scalar):
        return None if node.is_null else node.value
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {str(plain(key)): plain(value) for key, value in node.pairs}


def assert_fits(view: View) -> None:
    assert view.text is not None
    lines = view.text.removesuffix("\n").split("\n")
    assert len(lines) <= MAX_LINES
    assert len(view.text.encode()) <= MAX_BYTES
    assert max(map(len, lines)) <= MAX_YAML_LINE


def test_events_stand_one_line_a_key_while_there_is_room() -> None:
    view = view_of(log_of(30))

    assert view.text is not None
    assert "\nentries:\n  - id: E29\n    status: done\n" in view.text
    assert ids(view) == [f"E{number}" for number in range(29, 9, -1)]
    assert older(view, "count") == "10"


def test_only_as_many_of_the_oldest_events_as_must_stand_on_one_line_each_and_lose_nothing() -> None:
    view = view_of(log_of(30, lambda number: event(number, key_count=12)))

    assert_fits(view)
    assert view.text is not None
    layout = re.findall(r"^  - (\{?)id: E\d+", view.text, re.MULTILINE)
    assert layout == [""] * 14 + ["{"] * 6
    assert [len(entry.pairs) for entry in entries(view)] == [16] * 20
    assert "more" not in view.text


def test_newest_events_stay_in_full_while_the_oldest_are_shortened() -> None:
    def write(number: int) -> str:
        lists = "".join(f"    list{index}: [{', '.join(['item'] * 60)}]\n" for index in range(4))
        return event(number, key_count=4, value="word " * 80 + "end") + lists

    view = view_of(log_of(30, write))

    assert_fits(view)
    cut = ["more" in yaml.flow(entry) for entry in entries(view)]
    assert cut == sorted(cut)
    assert cut.count(False) == 3
    assert len(cut) == 20


def test_event_that_fills_the_view_alone_is_shortened_before_the_older_ones() -> None:
    def write(number: int) -> str:
        return event(number, key_count=12, value="w" * 3_000 if number == 9 else "short")

    view = view_of(log_of(10, write))

    assert_fits(view)
    assert ["more" in yaml.flow(entry) for entry in entries(view)] == [True] + [False] * 9


def test_timestamps_keep_their_spelling_on_one_line() -> None:
    view = view_of(log_of(30, lambda number: event(number, key_count=12)))

    assert view.text is not None
    stamps = re.findall(r"(?<![\w-])timestamp: *([^\s,}]+)", view.text)
    assert stamps[0] == "2026-05-02T05:00:00Z"
    assert len(stamps) == 20


def test_longest_values_are_cut_first_and_say_how_much_and_where() -> None:
    def write(number: int) -> str:
        return event(number, key_count=1, value="w" * 40_000 if number == 5 else "short")

    view = view_of(log_of(10, write))

    assert_fits(view)
    values = [entry.text("key0") for entry in entries(view)]
    value = values.pop(4)
    assert ids(view)[4] == "E5"
    assert value is not None
    match = re.fullmatch(r"(w+)… (\d+) more characters, log.yaml line 27", value)
    assert match
    assert len(match[1]) + int(match[2]) == 40_000
    assert values == ["short"] * 9


def test_of_values_of_one_length_those_of_the_oldest_events_are_cut() -> None:
    view = view_of(log_of(20, lambda number: event(number, key_count=1, value="w" * 2_000)))

    whole = [len(entry.text("key0") or "") == 2_000 for entry in entries(view)]
    assert_fits(view)
    assert whole == sorted(whole, reverse=True)
    assert any(whole)
    assert not all(whole)


def test_values_cut_again_and_again_still_count_all_that_is_left_out() -> None:
    view = view_of(log_of(20, lambda number: event(number, key_count=8, value="w " * 2_000 + "w")))

    assert_fits(view)
    for entry in entries(view):
        for number in range(8):
            match = re.fullmatch(r"(.*\S)… (\d+) more characters, log.yaml line \d+", entry.text(f"key{number}") or "")
            assert match
            assert len(match[1]) + int(match[2]) == 4_001


def test_long_list_keeps_its_first_items() -> None:
    items = ", ".join(f"item-{number}" for number in range(2_000))
    view = view_of(f"entries:\n  - id: a\n    refs: [{items}]\n")

    refs = entries(view)[0].get("refs")
    assert_fits(view)
    assert isinstance(refs, Sequence)
    kept = [item.value for item in refs.items if isinstance(item, Scalar)]
    assert kept[:2] == ["item-0", "item-1"]
    assert kept[-1] == f"… {2_000 - len(kept) + 1} more, log.yaml line 2"


def test_long_mapping_keeps_its_first_keys_down_to_the_one_that_is_too_long() -> None:
    view = view_of(
        "entries:\n  - worker: {name: w, notes: [" + ", ".join(["word"] * 2_000) + "], last: 1}\n    id: a\n"
    )

    worker = entries(view)[0].get("worker")
    assert_fits(view)
    assert isinstance(worker, Mapping)
    assert [key for key, _ in worker.items()] == ["name", "notes", "…"]
    assert worker.text("…") == "1 more keys, log.yaml line 2"


def test_event_of_too_many_keys_keeps_those_that_name_it() -> None:
    name = "big" * 25
    keys = "".join(f"    k{number}: v\n" for number in range(5_000))
    view = view_of(f"entries:\n  - a: 1\n{keys}    id: {name}\n    status: failed\n  - id: other\n")

    big = entries(view)[0]
    assert_fits(view)
    assert ids(view) == [name, "other"]
    assert big.text("status") == "failed"
    assert big.text("…") == f"{5_003 - len(big.pairs) + 1} more keys, log.yaml line 2"
    assert 3_300 < len(yaml.flow(big)) <= 3_500


@pytest.mark.parametrize(
    ("member", "count"), [("x", 980), ("[]", 740), ("{{}}", 740), ("key{:03d}: []", 248), ("key{:03d}: {{}}", 248)]
)
def test_collection_is_whole_up_to_three_thousand_characters(member: str, count: int) -> None:
    view = view_of(f"- refs: {collection(member, count)}\n  id: a\n")

    assert view.text is not None
    assert f"refs: {collection(member, count)}\n" in view.text


@pytest.mark.parametrize(
    "member", ["x", "item-{}", "[]", "{{}}", "k{:04d}: v", "k{:04d}: []", "k{:04d}: {{}}", "a-long-key-{:04d}: v"]
)
def test_longer_collection_is_cut_to_nearly_as_many(member: str) -> None:
    view = view_of(f"- refs: {collection(member, 1_500)}\n  id: a\n")

    refs = entries(view)[0].get("refs")
    assert_fits(view)
    assert refs is not None
    assert 2_800 < len(yaml.flow(refs)) <= 3_000


def collection(member: str, count: int) -> str:
    members = ", ".join(member.format(number) for number in range(count))
    return f"{{{members}}}" if ":" in member else f"[{members}]"


def test_what_quoting_adds_counts_for_the_length_of_a_value() -> None:
    lines = "      x\n" * 1_450
    view = view_of(f"entries:\n  - id: a\n    summary: |\n{lines}")

    assert_fits(view)
    assert (entries(view)[0].text("summary") or "").endswith(" more characters, log.yaml line 2")


@pytest.mark.parametrize(
    ("value", "left_out"),
    [
        ("[short, LONG]", "… {} more characters, log.yaml line 1"),
        ("{first: short, second: LONG}", "… {} more characters, log.yaml line 1"),
        ("{first: [short, LONG]}", "… {} more characters, log.yaml line 1"),
    ],
)
def test_what_is_cut_inside_a_collection_says_how_much_and_where(value: str, left_out: str) -> None:
    view = view_of(f"- refs: {value.replace('LONG', 'w' * 5_000)}\n")

    refs = entries(view)[0].get("refs")
    assert refs is not None
    kept = yaml.flow(refs).count("w")
    assert yaml.flow(refs) == value.replace("LONG", f'"{"w" * kept}{left_out.format(5_000 - kept)}"')


def test_events_without_room_are_counted_among_the_older() -> None:
    view = view_of(log_of(400), log_recent=300)

    shown = len(ids(view))
    assert_fits(view)
    assert older(view, "count") == str(400 - shown)
    assert view.text is not None
    assert view.text.endswith(f"# {300 - shown} more of the newest 300 are in log.yaml\n")


def test_events_that_are_too_long_even_when_short_are_counted_among_the_older() -> None:
    view = view_of(log_of(240, lambda number: event(number, key_count=5, value="wörter")), log_recent=240)

    shown = len(ids(view))
    assert_fits(view)
    assert ids(view) == [f"E{number}" for number in range(239, 239 - shown, -1)]
    assert older(view, "count") == str(240 - shown)
    assert view.text is not None
    assert len(view.text.encode()) > MAX_BYTES - 250, "there is no room for one more"
    assert view.text.endswith(f"# {240 - shown} more of the newest 240 are in log.yaml\n")


def test_types_have_the_whole_summary_where_nothing_failed() -> None:
    view = view_of(log_of(500, lambda number: event(number).replace("type: step", f"type: t{number}")))

    assert 1_450 < len(summary(view)) <= 1_500
    assert re.search(r", … \d+ more types in log\.yaml; notable: none$", summary(view))


def test_summary_is_whole_exactly_as_long_as_it_fits() -> None:
    fits = set()
    for length in range(1, 100):
        names = ["x" * length, *(f"E{number:03d}" for number in range(108))]
        log = "".join(f"- {{id: {name}, type: step, status: failed}}\n" for name in names)
        whole = "step: 109; notable: " + ", ".join(f"{name} failed" for name in names)
        text = summary(view_of(log, log_recent=0))

        assert len(text) <= 1_500
        assert (text == whole) == (len(whole) <= 1_500)
        fits.add(text == whole)
    assert fits == {True, False}


def test_summary_stays_short_and_counts_what_it_leaves_out() -> None:
    def write(number: int) -> str:
        return event(number, status="failed").replace("type: step", f"type: a_rather_long_type_name_{number}")

    view = view_of(log_of(500, write))

    text = summary(view)
    types, _, failures = text.partition("; notable: ")
    assert len(text) <= 1_500
    assert len(failures) > 550
    for part, what in ((types, r" types"), (failures, "")):
        match = re.search(rf"… (\d+) more{what} in log\.yaml$", part)
        assert match
        assert part.count(", ") + int(match[1]) == 480


@pytest.mark.parametrize(
    ("status", "kind", "named"),
    [
        ("failed", "step", True),
        ("BLOCKED", "step", True),
        ("needs-revision", "step", True),
        ("needs changes", "step", True),
        ("skipped", "milestone", True),
        ("completed", "recovery", True),
        ("completed", "patch_reject", True),
        ("done", "platform_failure", True),
        ("completed", "step", False),
        ("active", "milestone_start", False),
        ("running", "step", False),
        ("pass_with_warning", "step", False),
        ("manual_validation", "failed_test_review", False),
    ],
)
def test_notable_is_known_by_status_and_type(status: str, kind: str, *, named: bool) -> None:
    entry = f"- {{id: X1, status: {status}, type: {kind}, summary: failed error blocked}}\n"

    assert summary(view_of(entry, log_recent=0)).endswith(f"notable: X1 {status}" if named else "notable: none")


@pytest.mark.parametrize(
    ("hours", "expected"),
    [
        ([5, 5], [1, 0]),
        ([1, 5, 5], [2, 1, 0]),
        ([9, 5, 5], [0, 1, 2]),
        ([5, 5, 1], [0, 1, 2]),
        ([5, 5, 9], [2, 1, 0]),
        ([9, 7, 5, 5, 8], [0, 4, 1, 2, 3]),
        ([7, 5, 5, 8, 9], [4, 3, 0, 2, 1]),
        ([1, 2, 3, 3, 0], [3, 2, 1, 0, 4]),
        ([5, 9, 5], [1, 2, 0]),
        ([1, 9, 9, 7, 3, 4, 5], [1, 2, 3, 6, 5, 4, 0]),
        ([9, 5, 7, 7], [0, 3, 2, 1]),
    ],
    ids=[
        "alone",
        "rising",
        "falling",
        "falls after",
        "rises after",
        "longer fall",
        "longer rise",
        "peak",
        "apart",
        "longer fall after",
        "last steps rise",
    ],
)
def test_tie_is_broken_by_the_direction_of_its_stretch(hours: list[int], expected: list[int]) -> None:
    lines = "".join(f"- {{id: {number}, timestamp: 2026-05-01T{hour:02d}:00Z}}\n" for number, hour in enumerate(hours))

    assert ids(view_of(lines)) == [str(number) for number in expected]


def test_entry_without_a_time_does_not_part_a_stretch() -> None:
    lines = "".join(
        f"- {{id: {name}, timestamp: {stamp}}}\n"
        for name, stamp in [("a", "2026-05-02"), ("b", "2026-05-01"), ("undated", "soon"), ("c", "2026-05-01")]
    )

    assert ids(view_of(lines)) == ["a", "b", "c", "undated"]


def test_unreadable_lines_are_bounded_and_counted() -> None:
    view = view_of(log_of(500, lambda number: event(number) + ("    bad: a: b\n" if number else "")))

    unreadable = parsed(view).get("unreadable")
    assert_fits(view)
    assert isinstance(unreadable, Mapping)
    lines = unreadable.get("lines")
    assert unreadable.text("count") == "499"
    assert isinstance(lines, Sequence)
    assert plain(lines.items[-1]) == "… 399 more in log.yaml"
    assert len(view.findings) == 101
    assert str(view.findings[-1]) == "log.yaml: 399 more like these"
    assert {finding.severity for finding in view.findings} == {"warning"}


@pytest.mark.parametrize("cut", range(40, 110, 3))
def test_log_cut_anywhere_keeps_the_entries_before_the_cut(cut: int) -> None:
    whole = log_of(1, lambda number: event(number) + '    summary: "quoted"\n')
    view = view_of((whole + whole.removeprefix("entries:\n").replace("E0", "E1"))[: len(whole) + cut])

    assert "E0" in ids(view)
    assert entries(view)[ids(view).index("E0")].text("summary") == "quoted"


def test_salvaged_entry_keeps_a_dash_in_its_text() -> None:
    view = view_of("entries:\n  -\n    id: a\n    summary: one - two\n  - id: b: c\n")

    assert entries(view)[0].text("summary") == "one - two"


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("words", "b"),
        ("X", "b"),
        ('"in: quotes"', "b"),
        ("'in quotes'", "b"),
        ('""', "b"),
        ("", "a"),
        ("# comment", "a"),
        ('"open: quote', "a"),
        ("'open", "a"),
        ('"', "a"),
        ("|", "a"),
        (">-", "a"),
        ("&anchor", "a"),
        ("!tag", "a"),
        ("*alias", "a"),
        ("[open", "a"),
        ("{open", "a"),
    ],
)
def test_key_at_the_margin_ends_the_entries_only_if_something_can_stand_below_it(value: str, kept: str) -> None:
    view = view_of(f"entries:\n  - id: bad: entry\n  - id: a\nkey: {value}\n  - id: b\n")

    assert ids(view) == [kept]


def test_configured_name_of_the_log_is_used_for_people() -> None:
    sources = Sources({"log.yaml": log_of(300)}, names={"log.yaml": "our logs/life.yaml"})
    view = compute(get_strategy("log"), sources, Options(log_recent=300))

    assert view.text is not None
    assert view.text.startswith("# derived from our logs/life.yaml;")
    assert view.text.endswith("are in our logs/life.yaml\n")


@pytest.mark.parametrize(
    "log",
    [
        "- a: &a [x, x, x, x]\n  b: &b [*a, *a, *a, *a]\n  c: &c [*b, *b, *b]\n  d: [*c, *c, *c]\n",
        '- a: &a "' + "y" * 500_000 + '"\n  b: [' + ", ".join(["*a"] * 5_000) + "]\n",
        "- ? " + "k" * 2_000 + "\n  : v\n  id: a\n- ? [a, b]\n  : c\n- {{a: b}: c}\n",
        "- a: " + "{x: " * 50 + "y" * 9_000 + "}" * 50 + "\n",
        '- a: "\\x07\\u2028\\0 \\U0001f600"\n- b: "x\u2028y"\n- c: x\u2028  y\n',
        "- {}\n- {id: }\n- {'': ''}\n",
        '- a: "' + "\\x01" * 9_000 + '"\n',
    ],
    ids=["aliases", "long alias", "odd keys", "deep", "breaks", "nothing", "escapes"],
)
def test_odd_but_valid_logs_give_valid_views(log: str) -> None:
    view = view_of(log)

    assert_fits(view)
    assert entries(view)


NAMES = st.text(alphabet="abcdefgh_", min_size=1, max_size=8)
WORDS = st.text(alphabet="ab 1.:-#,[]{}'\"?&*!|>%@`\\\n修é…", max_size=30)
VALUES = st.recursive(
    WORDS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=6
)
EVENTS = st.dictionaries(NAMES, VALUES, max_size=5)


def spelled(value: object) -> str:
    """Spell a value as YAML; words stay plain where that means the same."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {spelled(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(spelled, value)) + "]"
    return yaml.quote(str(value))


def block_scalar(text: str) -> str:
    """Spell a text plain where a parser reads it back so, else quoted."""
    try:
        node = yaml.parse(f"- k: {text}\n")
    except yaml.YamlError:
        node = None
    same = node is not None and plain(node) == [{"k": text}] and "\n" not in text
    return text if same else yaml.quote(text)


def written(event_: dict[str, object], number: int) -> str:
    lines = [f"  - id: E{number}\n"]
    for key, value in event_.items():
        lines.append(f"    k{key}: {block_scalar(value) if isinstance(value, str) else spelled(value)}\n")
    return "".join(lines)


@given(st.lists(EVENTS, min_size=1, max_size=8))
def test_kept_events_have_the_values_of_the_source_in_both_layouts(events: list[dict[str, object]]) -> None:
    log = "entries:\n" + "".join(written(event_, number) for number, event_ in enumerate(events))
    filler = "".join(f"  - {{id: F{number}, {', '.join(f'f{key}: 1' for key in range(12))}}}\n" for number in range(20))
    root = yaml.parse(log)
    assert isinstance(root, Mapping)
    source = root.get("entries")
    assert isinstance(source, Sequence)

    for view in (view_of(log), view_of(log + filler, log_recent=30)):
        assert [plain(entry) for entry in entries(view)][: len(events)] == plain(source)


@given(st.lists(EVENTS, min_size=2, max_size=8), st.data())
def test_one_broken_entry_costs_no_other(events: list[dict[str, object]], data: st.DataObject) -> None:
    broken = data.draw(st.integers(0, len(events) - 1))
    texts = [written(event_, number) for number, event_ in enumerate(events)]
    texts[broken] += data.draw(st.sampled_from(["    bad: a: b\n", "    - bad\n", "\t\tbad: x\n"]))

    view = view_of("entries:\n" + "".join(texts))

    assert ids(view) == [f"E{number}" for number in range(len(events)) if number != broken]
    assert len(view.findings) == 1


@settings(max_examples=300)
@given(
    st.text(alphabet=st.sampled_from("-: \n\t\"'[]{}#&*!|>%ab\r\x00\udcff\u2028时"), max_size=60),
    st.sampled_from(["", "entries:\n  - id: a\n"]),
)
def test_any_text_gives_a_view_within_its_limits_or_says_why_not(text: str, start: str) -> None:
    log = start + text

    view = view_of(log)

    assert view == view_of(log)
    if view.text is None:
        assert [finding.severity for finding in view.findings] == ["error"]
    else:
        assert_fits(view)
        assert plain(parsed(view).get("entries") or yaml.NULL) == [plain(entry) for entry in entries(view)]
