from __future__ import annotations

from dataclasses import replace
from datetime import timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_compactd.digest import digest_of_texts
from hypo_compactd.plan import (
    Facts,
    Known,
    Moment,
    Policy,
    Seen,
    Step,
    after_failure,
    allowed,
    decide,
    facts_of,
    held,
    inputs_digest,
    moments,
    settle,
)
from hypo_strategies.api import Options, Redaction, Strategy
from hypo_strategies.registry import STRATEGIES, get_strategy

SEEN = Seen(inputs="i", has_source=True, unstable=False, emptied=False, on_disk="o")
KNOWN = Known("i", "o")
FACTS = Facts(frozenset({"M1"}), "k", frozenset({"C1"}))

STATE = """\
pipeline: {name: demo, status: running}
current: {prompt_idx: 1}
milestones:
  - {id: M01, name: first, status: done, prompt_file: prompts/01-first.md}
  - {id: M02, name: second, status: done, prompt_file: prompts/02-second.md}
  - {id: M03, name: third, status: in_progress, prompt_file: prompts/03-third.md}
"""
REPORTS = {"reports/01-first.report.md": "1", "reports/02-second.report.md": "2"}


@pytest.mark.parametrize(
    ("seen", "known", "pending", "expected"),
    [
        pytest.param(SEEN, KNOWN, None, (Step.KEEP, None), id="as it was left"),
        pytest.param(SEEN, None, None, (Step.RENDER, None), id="nothing is remembered"),
        pytest.param(replace(SEEN, inputs="new"), KNOWN, None, (Step.RENDER, None), id="the inputs changed"),
        pytest.param(replace(SEEN, on_disk="other"), KNOWN, None, (Step.RENDER, None), id="someone else changed it"),
        pytest.param(replace(SEEN, on_disk=None), KNOWN, None, (Step.RENDER, None), id="someone else removed it"),
        pytest.param(replace(SEEN, on_disk=None), Known("i", None), None, (Step.KEEP, None), id="rightly no view"),
        pytest.param(SEEN, Known("i", None), None, (Step.RENDER, None), id="a view stands where rightly is none"),
        pytest.param(
            replace(SEEN, unstable=True, inputs="new"), KNOWN, None, (Step.WAIT, "unstable"), id="a source is written"
        ),
        pytest.param(
            replace(SEEN, unstable=True), KNOWN, "unstable", (Step.WAIT, "unstable"), id="a source is written still"
        ),
        pytest.param(
            replace(SEEN, has_source=False, inputs="", on_disk=None),
            KNOWN,
            None,
            (Step.KEEP, None),
            id="nothing at all",
        ),
        pytest.param(
            replace(SEEN, has_source=False, inputs=""), KNOWN, None, (Step.WAIT, "gone"), id="the source is gone, once"
        ),
        pytest.param(
            replace(SEEN, has_source=False, inputs=""),
            KNOWN,
            "gone",
            (Step.WITHDRAW, None),
            id="the source is gone, twice",
        ),
        pytest.param(
            replace(SEEN, has_source=False, inputs=""), None, "gone", (Step.WITHDRAW, None), id="a view of nobody"
        ),
        pytest.param(
            replace(SEEN, has_source=False, inputs=""), KNOWN, "same:i", (Step.WAIT, "gone"), id="gone after a change"
        ),
        pytest.param(
            replace(SEEN, emptied=True), KNOWN, None, (Step.KEEP, None), id="empty, and the view is of the empty source"
        ),
    ],
)
def test_what_is_done_about_a_view(
    seen: Seen, known: Known | None, pending: str | None, expected: tuple[Step, str | None]
) -> None:
    assert decide(seen, known, pending) == expected


def test_a_source_that_was_emptied_is_believed_when_two_looks_find_it_so() -> None:
    seen = replace(SEEN, emptied=True, inputs="new")
    step, fingerprint = decide(seen, KNOWN, None)
    assert step is Step.WAIT

    assert decide(seen, KNOWN, fingerprint) == (Step.RENDER, None)
    assert decide(replace(seen, inputs="newer"), KNOWN, fingerprint)[0] is Step.WAIT
    assert decide(replace(seen, marks="later"), KNOWN, fingerprint)[0] is Step.WAIT, "it was emptied again"


def test_a_view_without_faults_is_written_at_once() -> None:
    assert settle(SEEN, None, degraded=False) == (True, None)


def test_a_view_with_faults_is_written_when_two_looks_find_the_same() -> None:
    ready, fingerprint = settle(SEEN, None, degraded=True)
    assert not ready

    assert settle(SEEN, fingerprint, degraded=True) == (True, None)
    assert settle(replace(SEEN, inputs="other"), fingerprint, degraded=True)[0] is False
    assert settle(replace(SEEN, marks="later"), fingerprint, degraded=True)[0] is False, "it was written again"
    assert settle(SEEN, "gone", degraded=True)[0] is False


@pytest.mark.parametrize("degraded", [False, True])
def test_a_source_that_stays_empty_settles_at_the_second_look_whatever_its_view(degraded: bool) -> None:  # noqa: FBT001 - a row of a table
    seen = replace(SEEN, emptied=True, inputs="new")
    _, fingerprint = decide(seen, KNOWN, None)
    step, _ = decide(seen, KNOWN, fingerprint)

    assert step is Step.RENDER
    assert settle(seen, fingerprint, degraded=degraded) == (True, None)


SEENS = st.builds(
    Seen,
    inputs=st.sampled_from("ij"),
    has_source=st.booleans(),
    unstable=st.sampled_from([False]),
    emptied=st.booleans(),
    on_disk=st.sampled_from(["o", "p", None]),
)


@given(SEENS, st.none() | st.builds(Known, st.sampled_from("ij"), st.sampled_from(["o", None])), st.booleans())
def test_whatever_is_seen_a_second_look_that_finds_the_same_asks_for_no_third(
    seen: Seen,
    known: Known | None,
    degraded: bool,  # noqa: FBT001 - hypothesis gives it
) -> None:
    def look(pending: str | None) -> str | None:
        step, again = decide(seen, known, pending)
        return settle(seen, pending, degraded=degraded)[1] if step is Step.RENDER else again

    first = look(None)

    assert first is None or look(first) is None


def test_the_first_look_of_all_has_no_moments() -> None:
    assert moments(None, FACTS) == ()


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (FACTS, ()),
        (replace(FACTS, final=frozenset({"M1", "M2"})), (Moment.MILESTONE_FINAL,)),
        (replace(FACTS, final=frozenset()), ()),
        (replace(FACTS, knowledge="other"), (Moment.KNOWLEDGE_CHANGED,)),
        (replace(FACTS, archives=frozenset({"C1", "C2"})), (Moment.CYCLE_CLOSED,)),
        (replace(FACTS, archives=frozenset()), ()),
        (
            Facts(frozenset({"M2"}), "other", frozenset({"C2"})),
            (Moment.CYCLE_CLOSED, Moment.MILESTONE_FINAL, Moment.KNOWLEDGE_CHANGED),
        ),
    ],
)
def test_moments_are_what_came_between_two_looks(after: Facts, expected: tuple[Moment, ...]) -> None:
    assert moments(FACTS, after) == expected


def test_a_milestone_is_final_once_its_report_is_there() -> None:
    assert len(facts_of(REPORTS, STATE, None).final) == 2
    assert len(facts_of({"reports/01-first.report.md": "1"}, STATE, None).final) == 1
    assert facts_of({}, STATE, None).final == frozenset()


@pytest.mark.parametrize(
    ("broken", "state"),
    [
        ("missing", None),
        ("empty", ""),
        ("only a comment", "# soon\n"),
        ("cut in a quoted scalar", STATE + '  - {id: M04, name: "fo'),
        ("one bad line among the milestones", STATE.replace("name: second, status", "name: [second, status")),
        ("not a mapping", "`x`\n"),
    ],
)
def test_a_state_that_cannot_be_read_now_announces_no_milestone_twice(broken: str, state: str | None) -> None:
    before = facts_of(REPORTS, STATE, None)
    between = facts_of(REPORTS, state, before)
    after = facts_of(REPORTS, STATE, between)

    assert moments(before, between) == ()
    assert moments(between, after) == (), broken


def test_a_milestone_that_became_final_in_a_state_with_one_bad_line_is_announced() -> None:
    before = facts_of(REPORTS, STATE.replace("second, status: done", "second, status: running"), None)
    bad = STATE + "broken: `x`\n"

    assert moments(before, facts_of(REPORTS, bad, before)) == (Moment.MILESTONE_FINAL,)


def test_a_milestone_that_is_opened_again_is_announced_again_when_it_is_final() -> None:
    before = facts_of(REPORTS, STATE, None)
    opened = facts_of(REPORTS, STATE.replace("second, status: done", "second, status: in_progress"), before)

    assert moments(before, opened) == ()
    assert moments(opened, facts_of(REPORTS, STATE, opened)) == (Moment.MILESTONE_FINAL,)


@pytest.mark.parametrize(
    ("digests", "changes"),
    [
        ({"knowledge/records/a.yaml": "2"}, True),
        ({"knowledge/records/a.yaml": "1", "knowledge/index/decisions.yaml": "1"}, True),
        ({"knowledge/records/b.yaml": "1"}, True),
        ({}, True),
        ({"knowledge/records/a.yaml": "1", "log.yaml": "7"}, False),
    ],
)
def test_knowledge_changes_with_any_record_or_index(digests: dict[str, str], changes: bool) -> None:  # noqa: FBT001 - a row of a table
    before = facts_of({"knowledge/records/a.yaml": "1"}, None, None)

    assert (moments(before, facts_of(digests, None, before)) == (Moment.KNOWLEDGE_CHANGED,)) == changes


@pytest.mark.parametrize("name", ["summary.md", "cycle.yaml"])
def test_an_archive_counts_once_it_has_a_summary_or_a_cycle(name: str) -> None:
    facts = facts_of(
        {f"archives/C1-a/{name}": "1", "archives/C1-a/reports/x.md": "2", "archives/C2/x.md": "3"}, None, None
    )

    assert facts.archives == {"C1-a"}


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_under_the_milestone_policy_only_a_moment_refreshes_and_knowledge_only_its_own_view(strategy: Strategy) -> None:
    for found in ((), (Moment.KNOWLEDGE_CHANGED,), (Moment.MILESTONE_FINAL,), (Moment.CYCLE_CLOSED,), tuple(Moment)):
        expected = bool(set(found) - {Moment.KNOWLEDGE_CHANGED}) or (bool(found) and strategy.name == "knowledge")

        assert allowed(Policy.MILESTONE, found, strategy) == expected, found
        assert allowed(Policy.FRESH, found, strategy)


STATE_VIEW = get_strategy("state")


def digest(**changes: object) -> str:
    given: dict[str, object] = {
        "strategy": STATE_VIEW,
        "options": Options(),
        "digests": {"state.yaml": "1"},
        "unreadable": {},
        "names": {},
        "release": "1",
    }
    return inputs_digest(**(given | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changes",
    [
        {"options": Options(state_history_full=2)},
        {"options": Options(redaction=Redaction(secret_keys=("pin",)))},
        {"options": Options(redaction=Redaction(replacement="x"))},
        {"digests": {"state.yaml": "2"}},
        {"digests": {"state.yaml": "1", "b": "1"}},
        {"unreadable": {"state.yaml": "permission denied"}},
        {"names": {"state.yaml": "docs/state.yaml"}},
        {"release": "2"},
        {"strategy": replace(STATE_VIEW, version=99)},
        {"strategy": get_strategy("log")},
    ],
    ids=" ".join,
)
def test_whatever_the_text_depends_on_changes_the_digest(changes: dict[str, object]) -> None:
    assert digest(**changes) != digest()


@pytest.mark.parametrize(
    "changes",
    [
        {"options": Options(log_recent=3, language="en", timezone=timezone(timedelta(0)))},
        {"digests": {"state.yaml": "1"}},
    ],
    ids=" ".join,
)
def test_options_that_the_view_does_not_name_do_not_make_it_dirty(changes: dict[str, object]) -> None:
    assert digest(**changes) == digest()


@given(st.dictionaries(st.text(), st.text(), max_size=5))
def test_the_order_in_which_sources_are_found_is_of_no_effect(digests: dict[str, str]) -> None:
    backwards = dict(reversed(digests.items()))

    assert digest(digests=digests, unreadable=digests) == digest(digests=backwards, unreadable=backwards)


@given(st.lists(st.text(), max_size=4), st.lists(st.text(), max_size=4))
def test_where_one_text_ends_and_the_next_begins_counts(one: list[str], other: list[str]) -> None:
    assert (digest_of_texts(*one) == digest_of_texts(*other)) == (one == other)


def test_undecodable_names_have_a_digest() -> None:
    assert digest_of_texts("\udcff") != digest_of_texts("\udcfe")


def test_policies_and_moments_are_spelled_as_people_and_the_log_write_them() -> None:
    assert [str(moment) for moment in Moment] == ["milestone_final", "knowledge_changed", "cycle_closed"]
    assert [str(policy) for policy in Policy] == ["fresh", "milestone"]


@pytest.mark.parametrize(
    ("pending", "again"), [(None, "failed"), ("unstable", "failed"), ("same:i", "same:i"), ("gone", "gone")]
)
def test_what_two_looks_confirmed_stays_confirmed_when_it_could_not_be_done(pending: str | None, again: str) -> None:
    assert after_failure(pending) == again


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ({"auto": True, "allowed": True, "settling": False, "pending": None}, False),
        ({"auto": True, "allowed": False, "settling": False, "pending": None}, True),
        ({"auto": True, "allowed": False, "settling": True, "pending": None}, False),
        ({"auto": True, "allowed": False, "settling": False, "pending": "unstable"}, True),
        ({"auto": True, "allowed": False, "settling": False, "pending": "same:1"}, False),
        ({"auto": True, "allowed": False, "settling": False, "pending": "failed"}, False),
        ({"auto": False, "allowed": True, "settling": True, "pending": "same:1"}, True),
    ],
)
def test_a_dirty_view_is_held_until_it_may_be_refreshed(case: dict[str, Any], expected: bool) -> None:  # noqa: FBT001 - a table's column
    assert held(**case) is expected
