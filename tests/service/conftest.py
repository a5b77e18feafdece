"""What the tests against a real systemd share: one machine for all of them, a new user for each."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.machine import Machine, User, machine
from service.served import Served

_PROJECT = Path(__file__).parents[2]


@pytest.fixture(scope="session", name="machine")
def _machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    interpreter = {Path(sys.prefix), Path(sys.base_prefix)}
    trees = (_PROJECT, *(tree for tree in interpreter if tree != Path("/usr") and not tree.is_relative_to(_PROJECT)))
    with machine(tmp_path_factory.mktemp("machine"), *trees) as one:
        yield one


@pytest.fixture
def user(machine: Machine) -> Iterator[User]:
    with machine.login() as one:
        yield one


@pytest.fixture
def served(user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Served:
    """The example project in the user's home, registered; what its views should be is found out in the test's own process."""
    monkeypatch.setenv("HOME", os.fspath(tmp_path / "home"))
    monkeypatch.setenv("LANG", "C.UTF-8")
    for variable in ("LC_ALL", "LC_MESSAGES", "LANGUAGE"):
        monkeypatch.delenv(variable, raising=False)
    return Served(user, tmp_path)
