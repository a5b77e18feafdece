from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_compactd import shell

WORDS = st.binary(max_size=12).filter(lambda word: b"\0" not in word).map(os.fsdecode) | st.text(
    st.characters(codec="utf-8", exclude_characters="\0"), max_size=12
)


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("plain/path-1.x", "plain/path-1.x"),
        ("a b", "'a b'"),
        ("", "''"),
        ("项目", "项目"),
        ("a\nb'c\\", "$'a\\012b\\'c\\\\'"),
        ("\udcff1", "$'\\3771'"),
    ],
)
def test_a_word_is_quoted_only_as_far_as_needed(word: str, line: str) -> None:
    assert shell.quoted(word).replace("'项目'", "项目") == line


@given(words=st.lists(WORDS, min_size=1, max_size=4))
def test_a_line_is_printable_whatever_its_words_hold(words: list[str]) -> None:
    assert shell.line(words).isprintable()


@pytest.mark.skipif(shutil.which("bash") is None, reason="this machine has no bash")
@given(words=st.lists(WORDS, min_size=1, max_size=4))
def test_bash_takes_a_line_for_the_same_words(words: list[str]) -> None:
    line = shell.line(["printf", r"%s\0", *words])
    done = subprocess.run(
        ["bash", "-c", line], check=True, capture_output=True, env={**os.environ, "LC_ALL": "C.UTF-8"}
    )

    assert done.stdout == b"".join(os.fsencode(word) + b"\0" for word in words)
