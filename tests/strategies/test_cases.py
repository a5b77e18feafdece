"""Every file below `cases/` is a test: some sources, some options, and the view that they must give.

`pytest --update-cases` writes what the strategies give now into the expectations; read the diff.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from hypo_strategies.api import Options, Redaction, Sources, View
from hypo_strategies.registry import STRATEGIES, compute, get_strategy
from hypo_strategies.text.limits import MAX_BYTES, MAX_LINES, MAX_MARKDOWN_LINE, MAX_YAML_LINE

CASES = Path(__file__).parent / "cases"
FILES = sorted(CASES.glob("*/*.case"))
MARK = re.compile(r"^=== (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    strategy: str
    options: Options
    sources: Sources
    expected: str | None
    findings: str


def read(path: Path) -> Case:
    head, *parts = MARK.split(path.read_bytes().decode("utf-8", "surrogateescape"))
    assert head.strip(), f"{path}: begins with a line that says what it shows"
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    sections = {name: text.removeprefix("\n") for name, text in sections.items()}
    assert "expect" in sections or "expect none" in sections, f"{path}: has no expectation"
    files = {
        name: text for name, text in sections.items() if name not in {"options", "expect", "expect none", "findings"}
    }
    return Case(
        path.parent.name,
        options_of(sections.get("options", "")),
        Sources({name: text.replace("\\=== ", "=== ") for name, text in files.items()}),
        sections.get("expect"),
        sections.get("findings", ""),
    )


def options_of(text: str) -> Options:
    from ruamel.yaml import YAML

    values: dict[str, Any] = YAML(typ="safe").load(text) or {}
    if "redaction" in values:
        given = values["redaction"]
        values["redaction"] = Redaction(**given | {"secret_keys": tuple(given.get("secret_keys", ()))})
    return replace(Options(), **values)


def rendered(case: Case) -> View:
    return compute(get_strategy(case.strategy), case.sources, case.options)


@pytest.mark.parametrize("path", FILES, ids=[f"{path.parent.name}/{path.stem}" for path in FILES])
def test_case_gives_the_expected_view(path: Path, request: pytest.FixtureRequest) -> None:
    case = read(path)
    view = rendered(case)
    findings = "".join(f"{finding}\n" for finding in view.findings)
    if request.config.getoption("--update-cases"):
        update(path, view, findings)
        return

    assert case.expected == view.text
    assert case.findings == findings


@pytest.mark.parametrize("path", FILES, ids=[f"{path.parent.name}/{path.stem}" for path in FILES])
def test_case_keeps_the_promises_of_every_view(path: Path) -> None:
    case = read(path)
    view = rendered(case)
    shuffled = replace(case, sources=Sources(dict(reversed(list(case.sources.files.items())))))

    assert view == rendered(shuffled), "the order in which files are found is of no effect"
    severity = "error" if view.text is None else "warning"
    assert {finding.severity for finding in view.findings} <= {severity}
    if view.text is None:
        return
    lines = view.text.split("\n")
    assert view.text.endswith("\n")
    assert len(lines) - 1 <= MAX_LINES
    assert len(view.text.encode()) <= MAX_BYTES
    assert max(map(len, lines)) <= (
        MAX_MARKDOWN_LINE if get_strategy(case.strategy).target.endswith(".md") else MAX_YAML_LINE
    )
    assert re.match(r"(#|<!--) .*(derived|派生).*(read-only|只读)", lines[0])
    assert len(lines[0]) <= 200


def update(path: Path, view: View, findings: str) -> None:
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    text = re.split(r"^=== (?:expect|expect none|findings)$", text, maxsplit=1, flags=re.MULTILINE)[0]
    text += "=== expect none\n" if view.text is None else f"=== expect\n{view.text}"
    text += f"=== findings\n{findings}" if findings else ""
    path.write_bytes(text.encode("utf-8", "surrogateescape"))


def test_every_view_has_cases() -> None:
    assert {path.parent.name for path in FILES} == {strategy.name for strategy in STRATEGIES}
