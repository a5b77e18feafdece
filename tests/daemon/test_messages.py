from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_compactd.messages import _MESSAGES, message, printable


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("key", _MESSAGES)
def test_both_languages_of_a_message_say_the_same_values(key: str) -> None:
    chinese, english = _MESSAGES[key]

    assert placeholders(chinese) == placeholders(english) or key == "generated_one"
    assert english.isascii()


def test_the_sentence_is_the_specification_s() -> None:
    assert (
        message("generated", "zh-CN", written=6, percent=92) == "已生成 6 个 .compact 文件，预计节省 ~92% context token"
    )
    assert message("generated", "en", written=6, percent=92) == (
        "Generated 6 .compact files, estimated to save ~92% of context tokens"
    )


def test_an_unknown_message_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(KeyError):
        message("no such", "en")


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("reports/a b.md", "reports/a b.md"),
        ("报告/一.md", "报告/一.md"),
        ("a\nb", "a\\x0ab"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\u202eb", "a\\x202eb"),
        ("bad-\udcff.md", "bad-\\xdcff.md"),
    ],
)
def test_what_could_move_a_cursor_or_end_a_log_is_shown_as_its_code(given_text: str, shown: str) -> None:
    assert printable(given_text) == shown


@given(st.text())
def test_whatever_the_text_it_can_be_printed_on_one_line(text: str) -> None:
    shown = printable(text)

    assert shown.isprintable()
    assert shown.encode("utf-8").decode("utf-8") == shown
