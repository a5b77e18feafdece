"""What the tests of the daemon's modules share: a project of their own, and a world of their own."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from example import milestone
from hypo_compactd.paths import Project

NOBODY = 65534


@pytest.fixture(autouse=True)
def _own_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the home or the locale of whoever runs it."""
    monkeypatch.setenv("HOME", os.fspath(tmp_path / "home"))
    monkeypatch.setenv("HYPO_COMPACTD_STATE_DIR", os.fspath(tmp_path / "state"))
    monkeypatch.delenv("HYPO_COMPACTD_CONFIG_DIR", raising=False)
    for variable in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "NOTIFY_SOCKET", "WATCHDOG_USEC"):
        monkeypatch.delenv(variable, raising=False)
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE", "JOURNAL_STREAM", "INVOCATION_ID"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def english_user(tmp_path: Path) -> None:
    """The user's global configuration asks for English; without it, and without a project's own, people get Chinese."""
    configuration = tmp_path / "home" / ".hypo-workflow" / "config.yaml"
    configuration.parent.mkdir(parents=True, exist_ok=True)
    configuration.write_text("output: {language: en}\n", "utf-8")


@pytest.fixture(name="project")
def _project(tmp_path: Path) -> Project:
    """A copy of the example project."""
    root = tmp_path / "project"
    shutil.copytree(milestone.PROJECT, root)
    return Project(root, root.resolve())


@pytest.fixture(name="unprivileged")
def _unprivileged(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, Callable[[], AbstractContextManager[None]]]]:
    """A folder that belongs to an ordinary user, and a context in which we are that user: root may read everything."""
    # What is imported late must not be looked for in folders that the ordinary user cannot read.
    import zoneinfo  # noqa: F401

    import filelock  # noqa: F401
    import platformdirs  # noqa: F401

    import hypo_strategies.registry  # noqa: F401

    folder = Path(tempfile.mkdtemp(prefix="hypo-compactd-test-"))
    monkeypatch.setenv("HOME", os.fspath(folder / "home"))
    monkeypatch.setenv("HYPO_COMPACTD_STATE_DIR", os.fspath(folder / "state"))
    is_root = os.geteuid() == 0
    if is_root:
        os.chown(folder, NOBODY, NOBODY)

    @contextmanager
    def drop() -> Iterator[None]:
        if not is_root:
            yield
            return
        os.seteuid(NOBODY)
        try:
            yield
        finally:
            os.seteuid(0)

    yield folder, drop
    for path in folder.rglob("*"):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o700)
    shutil.rmtree(folder)
