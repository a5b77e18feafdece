"""The confusion table of the loss check: what it says about damaged and about faithful results.

No damaged result may pass. What it says about faithful ones beside pass is a false alarm, and is counted.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from handoff.bed.faithful import compacted, variants
from handoff.bed.mutations import mutants
from handoff.bed.retention import Retention, retention
from handoff.bed.sources import Handoff, real, written
from hypo_strategies.handoff.losscheck import Report, Verdict, check


@dataclass(slots=True)
class Row:
    """What was said about the results of one operator.

    Attributes:
        verdicts: how often each.
        named: how many mutants have a finding that names the damage.
        wrong: where a mutant passed, or a faithful result did not.
    """

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    named: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Row) -> None:
        self.verdicts.update(other.verdicts)
        self.named += other.named
        self.wrong += other.wrong

    @property
    def total(self) -> int:
        return self.verdicts.total()


Table = dict[str, Row]


def damaged(handoff: Handoff, most: int = 10_000) -> Table:
    """Check every mutant of a handoff: of its faithful result, and of what the compactor makes of it."""
    table: Table = {}
    results = dict.fromkeys((handoff.result, compacted(handoff.source)))
    for mutant in chain.from_iterable(mutants(handoff, result, most) for result in results):
        row = table.setdefault(mutant.operator, Row())
        report = check(handoff.source, mutant.text)
        row.verdicts[report.verdict] += 1
        row.named += any(finding.kind in mutant.kinds for finding in report.findings)
        if report.verdict is Verdict.PASS:
            row.wrong.append(f"{handoff.name}:{mutant.line} {mutant.operator}")
    return table


def faithful(handoff: Handoff) -> Table:
    """Check every faithful result of a handoff."""
    table: Table = {}
    for name, text in variants(handoff):
        row = table.setdefault(name, Row())
        report = check(handoff.source, text)
        row.verdicts[report.verdict] += 1
        if report.verdict is not Verdict.PASS:
            row.wrong.append(f"{handoff.name}: {name}: {worst(report)}")
    return table


def worst(report: Report) -> str:
    """Return the first finding as a line, without the words of the handoff."""
    finding = report.findings[0]
    return f"{finding.severity} {finding.kind} {finding.what} {finding.source_line}->{finding.result_line}"


def gathered(measure: Callable[..., Table], handoffs: Sequence[Handoff], *arguments: int, processes: int = 1) -> Table:
    """Return the sums over handoffs."""
    table: Table = {}
    with ProcessPoolExecutor(processes) as pool:
        parts = pool.map(measure, handoffs, *([argument] * len(handoffs) for argument in arguments))
        for part in parts:
            for name, row in part.items():
                table.setdefault(name, Row()).add(row)
    return table


def show(title: str, table: Table, *, is_damaged: bool) -> None:
    """Print a table."""
    last = "named" if is_damaged else ""
    _say(f"\n{title}\n{'':26}{'all':>7}{'fail':>7}{'review':>8}{'PASS':>7}  {last}")
    total = Row()
    for name, row in table.items():
        total.add(row)
        _line(name, row, is_damaged=is_damaged)
    _line("together", total, is_damaged=is_damaged)


def _line(name: str, row: Row, *, is_damaged: bool) -> None:
    counts = [row.verdicts[verdict] for verdict in (Verdict.FAIL, Verdict.REVIEW, Verdict.PASS)]
    named = f"  {100 * row.named // max(row.total, 1)} %" if is_damaged else ""
    _say(f"{name:26}{row.total:7}{counts[0]:7}{counts[1]:8}{counts[2]:7}{named}")


BEGIN, END = "<!-- confusion: make confusion README=1 -->\n", "<!-- /confusion -->\n"
README = Path(__file__).parents[3] / "README.md"


def as_markdown(tables: Sequence[tuple[str, Table, Table]]) -> str:
    """Return the sums as a table for the README: of each set of handoffs its damaged and its faithful results."""
    lines = ["| results | number | fail | needs review | pass |", "|---|---|---|---|---|"]
    for title, bad, good in tables:
        for kind, table in (("damaged", bad), ("faithful", good)):
            total = sum((row.verdicts for row in table.values()), Counter[Verdict]())
            counts = [total[verdict] for verdict in (Verdict.FAIL, Verdict.REVIEW, Verdict.PASS)]
            lines.append(f"| {kind}, {title} | {total.total():,} | " + " | ".join(f"{one:,}" for one in counts) + " |")
    return "\n".join(lines) + "\n"


def _write_readme(text: str) -> None:
    head, _, rest = README.read_text("utf-8").partition(BEGIN)
    README.write_text(f"{head}{BEGIN}{text}{END}{rest.partition(END)[2]}", "utf-8")


def _show_retention(title: str, found: Retention) -> None:
    _say(f"\n{title}\n{'':26}{'there':>7}{'kept':>7}{'invented':>10}")
    for kind in sorted(found.there | found.invented):
        _say(f"{kind:26}{found.there[kind]:7}{found.kept[kind]:7}{found.invented[kind]:10}")
    before, after = found.characters
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in found.outcomes.most_common())
    total = found.outcomes.total()
    _say(f"{total} results: {outcomes}; {found.refused} refused; {found.passed} pass the loss check")
    _say(f"{before:,} -> {after:,} characters ({after / before:.3f})")


def _say(text: str) -> None:
    print(text)  # noqa: T201 - what the script is for


def main() -> int:
    """Print the tables; return 1 when a damaged result passed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--most", type=int, default=200, help="mutants of each operator and handoff")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--readme", action="store_true", help="write the sums into the README")
    parser.add_argument("--wrong", action="store_true", help="name what passed or raised a false alarm")
    options = parser.parse_args()
    passed = 0
    tables = []
    for title, handoffs in (("written by hand", written()), ("of real projects", real())):
        if not handoffs:
            _say(f"\n{title}: they are not beside the repository")
            continue
        bad = gathered(damaged, handoffs, options.most, processes=options.processes)
        good = gathered(faithful, handoffs, processes=options.processes)
        tables.append((f"{len(handoffs)} handoffs {title}", bad, good))
        show(f"damaged results, {title} ({len(handoffs)} handoffs)", bad, is_damaged=True)
        show(f"faithful results, {title}", good, is_damaged=False)
        _show_retention(f"what our own results keep, {title}", retention(handoffs))
        passed += sum(row.verdicts[Verdict.PASS] for row in bad.values())
        if options.wrong:
            _say("\n".join(line for row in (*bad.values(), *good.values()) for line in row.wrong))
    if options.readme:
        _write_readme(as_markdown(tables))
    _say(f"\ndamaged results that passed: {passed}")
    return 1 if passed else 0


if __name__ == "__main__":
    sys.exit(main())
