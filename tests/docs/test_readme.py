"""What the README says of the program is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from example import milestone
from handoff.bed import confusion
from handoff.bed.mutations import OPERATORS
from hypo_compactd.backend import POLL_MOST_S
from hypo_compactd.canary import PERIOD_S
from hypo_compactd.console import EXIT_CODES
from hypo_compactd.contest import BACK_OFF_S
from hypo_compactd.debounce import MAX_WAIT_MS, QUIET_MS
from hypo_compactd.folders import FOLDER_LIMIT
from hypo_compactd.judge import SILENCE_S, Life
from hypo_compactd.missed import IN_A_ROW
from hypo_compactd.status import Standing
from hypo_compactd.worker import SWEEP_S
from hypo_strategies.api import Options, Sources
from hypo_strategies.registry import STRATEGIES, compute, get_strategy
from hypo_strategies.text.limits import MAX_BYTES, MAX_LINES

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
DEFAULTS = Options()


def row(key: str) -> str:
    return next(line for line in README.splitlines() if line.startswith("|") and f"`{key}`" in line.split("|")[1])


def test_the_table_of_views_names_every_view_in_order() -> None:
    section = README.partition("## The views")[2].partition("What that saves")[0]

    assert re.findall(r"^\| `(\S+\.compact\.\w+)` \|", section, re.MULTILINE) == [one.target for one in STRATEGIES]


def test_the_log_of_the_example_gives_what_is_shown() -> None:
    source = (milestone.PROJECT / ".pipeline" / "log.yaml").read_text("utf-8")
    view = compute(get_strategy("log"), Sources({"log.yaml": source}), DEFAULTS).text
    shown = re.search(r"```yaml\n(.*?)```", README, re.DOTALL)

    assert view is not None
    assert shown is not None
    assert view.startswith(shown[1])
    assert f"({len(source.splitlines())} lines, {source.count('- id:')} events)" in README


@pytest.mark.parametrize(
    ("key", "default"),
    [
        ("compact.progress_recent", DEFAULTS.progress_recent),
        ("compact.state_history_full", DEFAULTS.state_history_full),
        ("compact.log_recent", DEFAULTS.log_recent),
        ("compact.reports_summary_lines", DEFAULTS.reports_summary_lines),
        ("output.language", DEFAULTS.language),
        ("knowledge.compaction.max_records_per_category", DEFAULTS.max_records_per_category),
        ("knowledge.strictness.invalid_record", DEFAULTS.invalid_record),
        ("knowledge.redaction.replacement", DEFAULTS.redaction.replacement),
    ],
)
def test_the_defaults_are_those_of_the_program(key: str, default: object) -> None:
    assert row(key).split("|")[2].strip() == f"`{default}`"


def test_the_limits_are_those_of_the_program() -> None:
    assert f"at most {MAX_LINES} lines and {MAX_BYTES // 1024} KiB" in README
    assert f"{QUIET_MS} ms after the last change, {MAX_WAIT_MS // 1000} s after the first" in README
    assert f"what they were every {SWEEP_S:.0f} s" in README
    assert f"at most {FOLDER_LIMIT} of a project are" in README
    assert f"every {PERIOD_S:.0f} s for the process" in README
    assert f"every second, every {POLL_MOST_S:.0f} s when nothing" in README
    assert f"missed changes in {('no', 'one', 'two', 'three')[IN_A_ROW]} sweeps in a row" in README
    assert f"it has said nothing for {SILENCE_S:.0f} s" in README
    assert f"at least every {max(BACK_OFF_S):.0f} s" in README


def test_every_state_of_a_project_is_explained() -> None:
    told = set(re.findall(r"`(\w+)`", README.partition("| state | means |")[2].partition("\n\n")[0]))

    assert {*Standing.all(), *Life.all()} - {"running"} <= told


def test_the_exit_codes_are_those_of_the_help() -> None:
    told = [line.split(maxsplit=1) for line in EXIT_CODES.splitlines()[1:]]
    shown = re.findall(r"^\| (\d+) \| (.+) \|$", README, re.MULTILINE)

    assert shown == [(code, meaning.replace("--check", "`--check`")) for code, meaning in told]


def test_the_table_of_the_loss_check_adds_up_and_has_no_damaged_result_that_passed() -> None:
    table = README.partition(confusion.BEGIN)[2].partition(confusion.END)[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    counts = {name: [int(cell.replace(",", "")) for cell in cells] for name, *cells in rows}

    assert {name.partition(",")[0] for name in counts} == {"damaged", "faithful"}
    assert all(total == fail + review + passed for total, fail, review, passed in counts.values())
    assert all(passed == 0 for name, (*_, passed) in counts.items() if name.startswith("damaged"))
    assert f"in {len(OPERATORS)} ways" in README
