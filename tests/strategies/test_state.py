from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from hypo_strategies import state
from hypo_strategies.api import Options, Sources, View
from hypo_strategies.registry import compute
from hypo_strategies.text.limits import MAX_BYTES, MAX_LINES, MAX_YAML_LINE

PIPELINE = "pipeline:\n  name: demo\n  status: running\ncurrent:\n  step: implement\n"
SOUND = (
    PIPELINE
    + """last_heartbeat: "2026-05-01T10:00:00+08:00"
milestones:
  - id: M1
    name: One
    prompt_file: .pipeline/prompts/00-one.md
    status: done
  -
    id: M2
    name: Two
    status: pending
prompt_state:
  result: pass
  notes: goes
history:
  completed_prompts:
    - prompt_index: 0
      prompt_name: Zero
      result: blocked
    - prompt_index: 1
      prompt_name: One
      result: pass
      evaluation:
        diff_score: 1
        warnings:
          - first
          - second
      completed_at: 2026-05-01T10:00:00+08:00
acceptance:
  mode: manual
  scope: cycle
"""
)


def view_of(text: str, **options: Any) -> View:
    return compute(state.STRATEGY, Sources({"state.yaml": text}), Options(**options))


def data_of(text: str | None) -> Any:
    assert text is not None
    return YAML(typ="safe", pure=True).load(text)


def milestones(count: int, *, finished: range = range(0)) -> str:
    rows = (
        f"  - {{id: M{n}, name: Name {n}, status: {'done' if n in finished else 'pending'}}}\n" for n in range(count)
    )
    return "milestones:\n" + "".join(rows)


def prompts(count: int) -> str:
    items = (f"    - prompt_name: P{n}\n      result: pass\n      note: {'n' * 50}\n" for n in range(count))
    return "history:\n  completed_prompts:\n" + "".join(items)


def assert_within_limits(text: str) -> None:
    lines = text.split("\n")
    assert len(lines) - 1 <= MAX_LINES
    assert len(text.encode()) <= MAX_BYTES
    assert max(map(len, lines)) <= MAX_YAML_LINE


def test_unfinished_milestones_and_the_newest_prompts_stay_when_there_are_too_many() -> None:
    view = view_of(PIPELINE + milestones(300, finished=range(10, 290)) + prompts(300))
    data = data_of(view.text)

    assert_within_limits(view.text or "")
    assert data["pipeline"] == {"name": "demo", "status": "running"}
    shown = [row["id"] for row in data["milestones"]]
    assert shown[:10] == [f"M{n}" for n in range(10)]
    assert shown[10:] == [f"M{n}" for n in range(310 - len(shown), 300)], "in their order, of the finished the last"
    done = data["history"]["completed_prompts"]
    assert [item.get("prompt") or item["prompt_name"] for item in done] == [
        f"P{n}" for n in range(300 - len(done), 300)
    ]
    assert done[-1]["note"] == "n" * 50
    assert f"\n  # {300 - len(shown)} more Milestones, see state.yaml\n" in (view.text or "")
    assert f"\n    # {300 - len(done)} more older prompts, see state.yaml\n" in (view.text or "")
    assert len(shown) > 60
    assert len(done) > 60


def test_milestones_that_need_it_get_the_lines_that_history_does_not() -> None:
    data = data_of(view_of(PIPELINE + milestones(190) + prompts(60)).text)

    assert len(data["milestones"]) > 120
    assert len(data["history"]["completed_prompts"]) == 60


@pytest.mark.parametrize("wanted", [20, 5_000])
def test_of_too_many_prompts_in_full_the_newest_are_in_full(wanted: int) -> None:
    view = view_of(PIPELINE + prompts(300), state_history_full=wanted)
    done = data_of(view.text)["history"]["completed_prompts"]
    full = [item["prompt_name"] for item in done if "note" in item]

    assert_within_limits(view.text or "")
    assert full == [f"P{n}" for n in range(300 - len(full), 300)]
    assert len(full) == 20 if wanted == 20 else 20 < len(full) < 100
    assert ("only the last" in (view.text or "")) == (wanted > len(full))


def test_newest_prompt_that_is_too_long_for_a_view_is_shown_in_short() -> None:
    keys = "".join(f"      k{number}: v\n" for number in range(300))
    view = view_of(PIPELINE + milestones(20) + prompts(3) + f"    - prompt_name: last\n{keys}")
    data = data_of(view.text)

    assert_within_limits(view.text or "")
    assert data["history"]["completed_prompts"][-1] == {"prompt": "last", "status": None, "score_summary": None}
    assert "\n    # only the last 0 in full, see state.yaml\n" in (view.text or "")
    assert len(data["milestones"]) == 20


def test_newest_prompts_in_full_are_as_many_as_there_is_room_for_whatever_the_oldest_take() -> None:
    items = "".join(
        f"    - prompt_name: P{number}\n" + "".join(f"      k{key}: v\n" for key in range(9 * (number >= 50)))
        for number in range(100)
    )
    view = view_of("history:\n  completed_prompts:\n" + items, state_history_full=100)
    done = data_of(view.text)["history"]["completed_prompts"]

    assert_within_limits(view.text or "")
    full = [item["prompt_name"] for item in done if "k0" in item]
    assert full == [f"P{number}" for number in range(100 - len(full), 100)]
    assert 10 <= len(full) <= 12


def test_long_names_are_as_many_as_the_bytes_of_a_view() -> None:
    rows = milestones(100).replace("Name", "名" * 100)
    view = view_of(PIPELINE + rows + prompts(100).replace("P", "提" * 100))

    assert_within_limits(view.text or "")
    assert len((view.text or "").encode()) > MAX_BYTES - 4_000


def test_current_values_stay_whole_where_milestones_are_too_many() -> None:
    keys = "".join(f"  k{number}: v\n" for number in range(120))
    view = view_of(f"pipeline:\n{keys}  note: {'n' * 900}\n" + milestones(300) + prompts(3))
    data = data_of(view.text)

    assert_within_limits(view.text or "")
    assert len(data["pipeline"]) == 121
    assert data["pipeline"]["note"] == "n" * 900
    assert data["milestones"]


def test_many_losses_take_no_room_that_is_not_there() -> None:
    view = view_of(PIPELINE + milestones(300) + "  - `x\n" * 20 + prompts(300))

    assert_within_limits(view.text or "")
    assert data_of(view.text)["history"]


@pytest.mark.parametrize("full", [0, 1, 2, 3, 4])
def test_the_last_items_of_the_list_are_in_full(full: int) -> None:
    done = data_of(view_of(prompts(3), state_history_full=full).text)["history"]["completed_prompts"]

    assert ["note" in item for item in done] == [n >= 3 - full for n in range(3)]


def test_a_long_value_is_cut_and_says_how_much_is_missing() -> None:
    view = view_of(f"pipeline:\n  note: {'x' * 10_000}\n  name: demo\n")
    note = data_of(view.text)["pipeline"]["note"]

    assert_within_limits(view.text or "")
    kept, _, rest = note.partition("… (")
    assert set(kept) == {"x"}
    assert int(rest.split()[0]) == 10_000 - len(kept)
    assert len(kept) > 3_500


def test_no_blank_stands_before_a_cut_and_it_counts_as_missing() -> None:
    for text in ("w " * 5_000 + "w", "w" + "w " * 5_000 + "w"):
        note = data_of(view_of(f"pipeline:\n  note: {text}\n").text)["pipeline"]["note"]
        kept, _, rest = note.partition("… (")

        assert kept.endswith("w")
        assert int(rest.split()[0]) == len(text) - len(kept)


def test_what_quoting_adds_counts_for_the_length_of_a_value() -> None:
    view = view_of(f"pipeline:\n  note: '{chr(34) * 10_000}'\n  name: demo\n")

    assert_within_limits(view.text or "")
    assert data_of(view.text)["pipeline"]["note"].startswith('"' * 1_500)


def test_mapping_too_long_for_one_line_is_broken_between_its_keys() -> None:
    pairs = [f"key{number}: {'v' * 50}" for number in range(80)]
    view = view_of(f"acceptance:\n  checks: {{{', '.join(pairs)}}}\n")

    assert (view.text or "").split("\n")[1:] == [
        "acceptance:",
        "  checks: {",
        *(f"    {pair}," for pair in pairs[:-1]),
        f"    {pairs[-1]}}}",
        "",
    ]


@pytest.mark.parametrize("opening", ["k:", "-"])
def test_bad_line_seven_levels_deep_costs_itself(opening: str) -> None:
    levels = "".join(f"{'  ' * depth}{opening}\n" for depth in range(1, 8))
    view = view_of(f"pipeline:\n{levels}{'  ' * 8}bad: `x\n{'  ' * 8}good: x\n")

    assert str(data_of(view.text)["pipeline"]).count("'good': 'x'") == 1
    assert len(view.findings) == 1


def test_long_values_give_way_to_the_milestones() -> None:
    view = view_of(
        "pipeline:\n" + "".join(f"  k{n}: {'中' * 5_000}\n" for n in range(9)) + milestones(50) + prompts(50)
    )
    data = data_of(view.text)

    assert_within_limits(view.text or "")
    assert list(data["pipeline"]) == [f"k{n}" for n in range(9)]
    assert len(data["milestones"]) == 50


def test_a_mapping_of_a_thousand_keys_leaves_room_for_the_others() -> None:
    chat = "chat:\n" + "".join(f"  k{n}: {n}\n" for n in range(1_000))
    view = view_of(chat.replace("chat", "pipeline") + chat + "current:\n  step: one\n" + milestones(20) + prompts(9))
    data = data_of(view.text)

    assert_within_limits(view.text or "")
    assert data["current"] == {"step": "one"}
    assert data["milestones"]
    assert data["history"]
    assert 100 < len(data["pipeline"]) < 110, "half of what there is room for"
    assert f"\n  # {1_000 - len(data['pipeline'])} more of pipeline, see state.yaml\n" in (view.text or "")
    assert f"\n  # {1_000 - len(data['chat'])} more of chat, see state.yaml\n" in (view.text or "")


def test_a_collection_that_never_fits_is_cut_as_text() -> None:
    view = view_of("chat:\n" + "".join(f"  - message {n} {'m' * 100}\n" for n in range(2_000)) + milestones(3))

    assert_within_limits(view.text or "")
    assert data_of(view.text)["chat"].startswith("[message 0 m")
    assert len(data_of(view.text)["milestones"]) == 3


def test_the_configured_name_of_the_source_is_named() -> None:
    sources = Sources({"state.yaml": PIPELINE + milestones(300)}, names={"state.yaml": "our run/state.yml"})
    text = compute(state.STRATEGY, sources, Options()).text or ""

    assert text.startswith("# derived from our run/state.yml; read-only")
    assert "more Milestones, see our run/state.yml\n" in text


def test_of_many_losses_the_first_are_named_and_the_rest_counted() -> None:
    view = view_of(PIPELINE + "milestones:\n" + "  - `x\n" * 200)

    assert view.text is not None
    assert len(data_of(view.text)["unreadable"]) == 10
    assert "# 190 more places like these\n" in view.text
    assert len(view.findings) == 51
    assert str(view.findings[-1]) == "state.yaml: 150 more places"
    assert {finding.severity for finding in view.findings} == {"warning"}


@pytest.mark.parametrize(("losses", "findings"), [(10, 10), (50, 50), (51, 51)])
def test_nothing_is_counted_where_all_losses_are_named(losses: int, findings: int) -> None:
    view = view_of(PIPELINE + "milestones:\n" + "  - `x\n" * losses)

    assert len(view.findings) == findings
    assert ("more places" in str(view.findings[-1])) == (losses > 50)
    assert ("more places" in (view.text or "")) == (losses > 10)


DAMAGE = {
    "a colon too many": lambda line: line.split(":")[0] + ": a: b",
    "a backtick": lambda line: line.split(":")[0] + ": `x",
    "a quote that is not closed": lambda line: line.split(":")[0] + ': "x',
    "a byte that is not UTF-8": lambda line: line + "\udce9",
    "a conflict marker below": lambda line: line + "\n<<<<<<< HEAD",
    "a tab for its indentation": lambda line: "\t" + line.lstrip() if line.startswith(" ") else line + "`",
    "a colon too few": lambda line: line.replace(":", "", 1),
    "a word below": lambda line: line + "\nword",
}


def facts(data: Any, path: tuple[str, ...] = ()) -> set[tuple[tuple[str, ...], str]]:
    """Return the values with the keys above them; the lists' places do not count."""
    if isinstance(data, dict):
        return {fact for key, value in data.items() for fact in facts(value, (*path, key))}
    if isinstance(data, list):
        return {fact for item in data for fact in facts(item, path)}
    return {(path, str(data))}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_line_invents_nothing_and_keeps_the_other_sections(damage: str) -> None:
    lines = SOUND.split("\n")[:-1]
    whole = data_of(view_of(SOUND).text)
    section = ""
    for number, line in enumerate(lines):
        section = line.split(":")[0] if not line.startswith(" ") else section
        if ":" not in line and damage.startswith("a colon"):
            continue
        damaged = "\n".join([*lines[:number], DAMAGE[damage](line), *lines[number + 1 :]])
        view = view_of(damaged)
        data = data_of(view.text)
        if "unreadable" not in data:
            continue  # it happens to be YAML all the same
        assert view.findings
        del data["unreadable"]
        spelled = {value for _, value in facts(data_of(SOUND))}
        new = {(path, value) for path, value in facts(data) - facts(whole) if value != "None"}
        assert all(path[0] == "history" and value in spelled for path, value in new), (number, line, new)
        for key in data.keys() | whole.keys():
            if key != section:
                assert data.get(key) == whole[key], (number, line)


STATES = st.recursive(
    st.sampled_from(["null", "x", "4", '"q"', "'s'", "[", "{}", "`", "a: b", "\udce9", "|", "&a", "*a", ""]),
    lambda inner: st.lists(inner, max_size=3).map(lambda parts: "\n" + "\n".join(f"  - {part}" for part in parts)),
    max_leaves=8,
)
KEYS = st.sampled_from(
    [
        "pipeline",
        "current",
        "milestones",
        "history",
        "chat",
        "  completed_prompts",
        "  - id",
        "    name",
        "<<",
        "\t",
        "-",
    ]
)
TEXTS = st.lists(st.tuples(KEYS, STATES).map(lambda pair: f"{pair[0]}: {pair[1]}"), max_size=8).map("\n".join)


@given(TEXTS | st.text())
def test_any_text_gives_a_view_of_yaml_within_the_limits_or_a_finding(text: str) -> None:
    view = view_of(text)

    assert view == view_of(text)
    if view.text is None:
        assert [finding.severity for finding in view.findings] == ["error"]
        return
    assert_within_limits(view.text)
    assert isinstance(data_of(view.text), dict)


@pytest.mark.parametrize(
    "text",
    [
        "pipeline: " + "[" * 100_000,
        "pipeline:\n" + "".join(" " * n + "k:\n" for n in range(1, 900)) + "`",
        PIPELINE + "milestones:\n" + "  - `x\n    name: a: b\n" * 20_000,
        PIPELINE + "<<<<<<< a\n" * 50_000,
        PIPELINE + '  z: "\n' * 50_000,
        PIPELINE + "  k: " + ": " * 200_000,
        "a: &a [x,x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1 or ''},*a{n - 1 or ''}]\n" for n in range(1, 40)) + PIPELINE,
    ],
    ids=["brackets", "staircase", "bad items", "conflicts", "quotes", "colons", "aliases"],
)
def test_hostile_text_ends_with_a_view_or_a_finding(text: str) -> None:
    view = view_of(text)

    assert view.text or view.findings
    assert_within_limits(view.text or "")
