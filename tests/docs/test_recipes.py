"""The README's recipes for hooks and for machines without a service manager do what they say."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from example import milestone
from hypo_compactd import registry
from hypo_compactd.errors import ExitCode
from support.daemon_process import wait_until
from support.views import TARGETS, from_scratch, views

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


@pytest.fixture(name="root")
def _root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose views are not there yet, in a home of its own, with the program on the path."""
    home = tmp_path / "home"
    root = home / "projects" / "tide"
    shutil.copytree(milestone.PROJECT, root)
    monkeypatch.setenv("HOME", os.fspath(home))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", os.fspath(root))
    for variable in ("HYPO_COMPACTD_STATE_DIR", "HYPO_COMPACTD_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    return root


def recipe(kind: str, holding: str) -> str:
    """Return the one block of code of a kind that holds a text."""
    (found,) = (code for code in re.findall(rf"```{kind}\n(.*?)```", README, re.DOTALL) if holding in code)
    return str(found)


def test_the_hook_of_claude_code_loads_views_that_are_current(root: Path) -> None:
    (event,) = json.loads(recipe("json", "SessionStart"))["hooks"]["SessionStart"]
    (hook,) = event["hooks"]
    script = root / "hooks/session-start.sh"
    script.parent.mkdir()
    script.write_text('ls "$CLAUDE_PROJECT_DIR"/.pipeline/*.compact.*\n')
    done = subprocess.run(["sh", "-c", hook["command"]], capture_output=True, text=True, check=True)

    assert hook["type"] == "command"
    assert {Path(line).name for line in done.stdout.splitlines()} == {
        name for name in TARGETS.values() if "/" not in name
    }


@pytest.mark.skipif(shutil.which("node") is None, reason="this machine has no node")
def test_the_plugin_of_opencode_brings_the_views_up_to_date(root: Path, tmp_path: Path) -> None:
    plugin = tmp_path / "plugin.mjs"
    plugin.write_text(recipe("js", "HypoCompactd"), "utf-8")
    lines = """
        import { spawnSync } from "node:child_process"
        import { rmSync } from "node:fs"
        import { HypoCompactd } from "./plugin.mjs"
        // What a tagged template of the shell does with its values: each is one argument.
        const $ = (texts, ...values) => {
          const words = texts.raw.flatMap((text, index) => [...text.trim().split(/\\s+/), values[index]]).filter(Boolean)
          const done = spawnSync(words[0], words.slice(1), { stdio: "inherit" })
          const promise = Promise.resolve({ exitCode: done.status })
          return Object.assign(promise, { quiet: () => Object.assign(promise, { nothrow: () => promise }) })
        }
        const hooks = await HypoCompactd({ $, directory: process.argv[2] })
        rmSync(process.argv[2] + "/.pipeline/state.compact.yaml")
        await hooks.event({ event: { type: "session.created" } })
    """
    script = tmp_path / "host.mjs"
    script.write_text(lines, "utf-8")
    subprocess.run(["node", os.fspath(script), os.fspath(root)], check=True)

    assert views(root) == from_scratch(root, tmp_path)


@pytest.mark.skipif(shutil.which("setsid") is None, reason="this machine has no setsid")
def test_a_profile_starts_one_daemon_however_often_it_is_read(root: Path, tmp_path: Path) -> None:
    registry.add(root)
    line = recipe("sh", "setsid")
    log = root.parents[1] / ".local/state/hypo-compactd/daemon.log"
    note = log.with_name("all.json")
    subprocess.run(["sh", "-c", line], check=True)
    wait_until(lambda: views(root) == from_scratch(root, tmp_path), "the views are right")
    pid = json.loads(note.read_bytes())["pid"]
    try:
        again = subprocess.run(["sh", "-c", line.replace("setsid -f", "setsid -w")], check=False)

        assert again.returncode == ExitCode.BUSY
        assert "refreshed" in log.read_text("utf-8")
    finally:
        os.kill(pid, signal.SIGTERM)
    wait_until(lambda: "stopped" in log.read_text("utf-8"), "it has ended")
