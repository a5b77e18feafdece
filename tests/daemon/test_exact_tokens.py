"""Tokens as a real tokenizer counts them, where one is installed."""

from __future__ import annotations

import json
import sys

import pytest

from hypo_compactd import exact_tokens
from hypo_compactd.commands.status import TOKENIZERS
from hypo_compactd.errors import ExitCode
from hypo_compactd.overview import overviews
from hypo_compactd.paths import Project
from support.status_runs import ENGLISH, run, set_config


@pytest.fixture(name="fresh")
def _fresh(project: Project) -> Project:
    set_config(project, ENGLISH)
    assert run("compact", "-q", project.root).code == ExitCode.OK
    return project


def test_without_a_tokenizer_it_is_said_how_to_get_one(fresh: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bpe_openai", None)
    done = run("status", "--tokenizer", "o200k_base", fresh.root)

    assert (done.code, done.out) == (ExitCode.BAD_INPUT, "")
    assert "pip install 'hypo-compactd[tokens]'" in done.err


def test_sources_and_views_are_counted_with_what_is_given(fresh: Project) -> None:
    (overview,) = overviews([str(fresh.root)])
    counted = {view.name: view for view in exact_tokens.recounted(overview, len).views}
    log = fresh.pipeline / "log.yaml"

    assert counted["log"].tokens_before == len(log.read_text("utf-8"))
    assert counted["log"].tokens_after == len((fresh.pipeline / "log.compact.yaml").read_text("utf-8"))
    assert counted["reports"].tokens_before == sum(
        len(path.read_text("utf-8")) for path in (fresh.pipeline / "reports").rglob("*.md")
    )


def test_it_is_said_how_tokens_are_counted(fresh: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_tokens, "counter", lambda _: len)

    assert json.loads(run("status", "--json", fresh.root).out)["tokens"] == "estimate"
    done = run("status", "--json", "--tokenizer", "cl100k_base", fresh.root)
    assert json.loads(done.out)["tokens"] == "cl100k_base"


def test_the_names_of_the_tokenizers_are_those_that_can_be_counted_with() -> None:
    assert TOKENIZERS == exact_tokens.NAMES


@pytest.mark.parametrize("name", exact_tokens.NAMES)
def test_a_real_tokenizer_counts(name: str) -> None:
    pytest.importorskip("bpe_openai")

    assert exact_tokens.counter(name)("hello world") == 2
