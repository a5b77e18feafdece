"""What a strategy keeps of files saves reading them, and never changes a view."""

from __future__ import annotations

from random import Random

import pytest

from hypo_strategies import _report_outline, reports
from hypo_strategies._report_outline import Part
from hypo_strategies.api import Memory, Options, Redaction, Sources
from hypo_strategies.registry import STRATEGIES, compute, get_strategy
from support.generators import GRAMMARS, broken

REPORT = "# M0{n}：标题\n\n- 结论：通过\n- 评分：diff_score: {n}\n"


@pytest.mark.parametrize("name", [strategy.name for strategy in STRATEGIES])
@pytest.mark.parametrize("seed", range(8))
def test_a_view_is_the_same_with_what_other_sources_left(name: str, seed: int) -> None:
    chance = Random(seed)
    strategy = get_strategy(name)
    memory = Memory()
    files = dict(GRAMMARS[name](Random(seed)).files)
    for _ in range(6):
        options = Options(language=chance.choice(("en", "zh-CN")), redaction=Redaction(replacement=chance.choice("xy")))
        assert compute(strategy, Sources(files), options, memory) == compute(strategy, Sources(files), options)
        path = chance.choice(sorted(files))
        files = files | {path: broken(chance, files[path])}


def test_only_the_report_that_changed_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    outline = _report_outline.outline

    def noted(text: str) -> tuple[Part, ...]:
        read.append(text)
        return outline(text)

    monkeypatch.setattr(reports, "outline", noted)
    files = {f"reports/0{n}-a.report.md": REPORT.format(n=n) for n in range(1, 6)}
    memory = Memory()
    compute(reports.STRATEGY, Sources(files), Options(), memory)
    del read[:]
    files["reports/03-a.report.md"] += "- 更多\n"
    compute(reports.STRATEGY, Sources(files), Options(), memory)

    assert read == [files["reports/03-a.report.md"]]


def test_what_is_kept_of_a_file_goes_with_it() -> None:
    files = {f"reports/0{n}-a.report.md": REPORT.format(n=n) for n in range(1, 6)}
    memory = Memory()
    compute(reports.STRATEGY, Sources(files), Options(), memory)
    del files["reports/03-a.report.md"]
    compute(reports.STRATEGY, Sources(files), Options(), memory)

    assert not [key for known in memory._known.values() for key in known if "reports/03-a.report.md" in str(key)]
