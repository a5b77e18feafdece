"""The fixed words, in both languages."""

from __future__ import annotations

import re
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_strategies.text.labels import _LABELS, label, markdown_header, yaml_header

LANGUAGES = ("zh-CN", "en")
HEADER = re.compile(r"(派生|derived).*(只读|read-only)")
"""What a reader of views looks for in the first line."""


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("key", sorted(_LABELS))
def test_both_languages_are_there_with_the_same_placeholders(key: str) -> None:
    chinese, english = _LABELS[key]

    assert chinese.strip() == chinese != ""
    assert english.strip() == english != ""
    assert english.isascii() or set(re.sub(r"[ -~]", "", english)) <= {"…"}
    assert placeholders(chinese) == placeholders(english)
    assert "" not in placeholders(chinese), "each placeholder has a name"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", sorted(_LABELS))
def test_values_stand_in_the_label_as_they_are(key: str, language: str) -> None:
    names = placeholders(_LABELS[key][0])
    text = label(key, "zh-CN" if language == "zh-CN" else "en", **{name: f"<{name} {{x}}>" for name in names})

    assert all(f"<{name} {{x}}>" in text for name in names)


def test_language_decides() -> None:
    assert label("reports", "zh-CN") == "历史报告"
    assert label("reports", "en") == "Reports"


def test_unknown_label_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        label("no such label", "en")


def test_header_names_its_source_and_says_what_the_view_is() -> None:
    assert markdown_header("PROGRESS.md", "zh-CN") == "<!-- 派生自 PROGRESS.md；只读，以源文件为准 -->"
    assert markdown_header("reports/", "en") == (
        "<!-- derived from reports/; read-only, the source is the authority -->"
    )
    assert yaml_header("log.yaml") == "# derived from log.yaml; read-only, the source is the authority"


@given(st.text())
def test_no_name_of_a_source_breaks_the_header(name: str) -> None:
    for header in (markdown_header(name, "zh-CN"), markdown_header(name, "en"), yaml_header(name)):
        assert header.isprintable()
        assert len(header) <= 200
        assert HEADER.search(header)
        assert header.count("-->") == header.startswith("<!--")


def test_undecodable_name_can_be_written() -> None:
    assert yaml_header("a\x00b\udc80").encode() == b"# derived from a?b?; read-only, the source is the authority"
