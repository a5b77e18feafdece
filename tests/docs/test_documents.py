"""The help texts, the man page and the completion scripts are what the argument parser gives."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import shtab

from hypo_compactd.cli import COMMANDS
from hypo_compactd.commands.completion import SHELLS
from hypo_compactd.console import EXIT_CODES
from support.documents import HELP, MAN, commands, help_texts, man_page

UPDATE = "run `make docs` and read the diff"


def completion(shell: str) -> str:
    command = [sys.executable, "-m", "hypo_compactd", "completion", shell]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")


def test_the_help_texts_are_those_on_file() -> None:
    # How wide the list of commands is differs between Python's versions; what it says does not.
    def words(text: str) -> list[list[str]]:
        return [line.split() for line in text.splitlines()]

    assert words(help_texts()) == words(HELP.read_text("utf-8")), UPDATE


def test_the_man_page_is_the_one_on_file() -> None:
    assert man_page() == MAN.read_text("utf-8"), UPDATE


@pytest.mark.parametrize("name", list(commands()))
def test_the_man_page_has_the_examples_and_the_notes_of_every_command(name: str) -> None:
    shown_name = re.escape(name.replace("-", "\\-"))
    block = re.search(rf"(?ms)^\.SS \\fBhypo\\-compactd {shown_name}\\fR$.*?^\.S[SH]", man_page())
    told = (commands()[name].epilog or "").removesuffix(EXIT_CODES)

    assert block is not None
    shown = {line.strip() for line in block[0].replace("\\-", "-").splitlines()}
    assert len(told.splitlines()) >= 2
    assert [line for line in told.splitlines() if line.strip() not in shown] == []


@pytest.mark.skipif(shutil.which("groff") is None, reason="this machine has no groff")
def test_the_man_page_has_no_mistake_that_would_be_warned_of() -> None:
    command = ["groff", "-man", "-ww", "-Tutf8", "-z", os.fspath(MAN)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", list(commands()))
def test_every_command_shows_how_it_is_typed(name: str) -> None:
    assert f"  hypo-compactd {name}" in (commands()[name].epilog or "")


def test_every_command_has_a_module_of_its_name() -> None:
    assert list(COMMANDS) == list(commands())


def test_the_shells_are_among_those_that_can_be_served() -> None:
    assert set(SHELLS) <= set(shtab.SUPPORTED_SHELLS)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_completion_script_knows_every_command(shell: str) -> None:
    script = completion(shell)

    assert [name for name in commands() if name not in script] == []


def test_bash_completes_commands_options_and_folders(tmp_path: Path) -> None:
    if shutil.which("bash") is None:
        pytest.skip("this machine has no bash")
    script = tmp_path / "completion"
    script.write_text(completion("bash"), "utf-8")
    (tmp_path / "tide").mkdir()
    (tmp_path / "time.txt").touch()

    def complete(*words: str) -> set[str]:
        lines = f"""
            source {script}
            function_name=$(complete -p hypo-compactd | sed 's/.*-F \\([^ ]*\\).*/\\1/')
            COMP_WORDS=(hypo-compactd {" ".join(words)}); COMP_CWORD={len(words)}
            "$function_name"
            printf '%s\\n' "${{COMPREPLY[@]}}"
        """
        done = subprocess.run(["bash", "-c", lines], cwd=tmp_path, capture_output=True, text=True, check=True)
        return set(done.stdout.split())

    assert complete("sta") == {"status"}
    assert complete("compact", "--if") == {"--if-stale"}
    assert {"auto", "always", "never"} <= complete("run", "--poll", "a") | complete("run", "--poll", "n")
    assert "tide" in complete("compact", "ti")
    assert "time.txt" not in complete("compact", "ti")
