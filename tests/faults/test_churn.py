"""Random changes from three processes at once, then quiet: every view is what a fresh `compact` makes of what is left.

Ten seeds, 500 operations and 60 s each; five seeds run at the same time, as five projects of one
daemon, so that none may suffer from another. `--first-seed 11 --seeds 40` runs others, and one
alone again: the operations are the same each time, only who comes first is up to the machine.
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from example import milestone
from support import churn
from support.churn_plan import OPERATIONS, PROCESSES, SECONDS, Kind, plan, share
from support.daemon_process import DEADLINE_S, DaemonProcess
from support.journal import Journal
from support.views import TARGETS, from_scratch, views

AT_ONCE = 5
"""Seeds that run at the same time, each on a project of its own."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", _seeds(metafunc.config))


@dataclass
class Seed:
    """One seed's project, and what came of it."""

    number: int
    folder: Path
    truth: dict[str, bytes] = field(default_factory=dict)
    before: dict[str, object] = field(default_factory=dict)
    right: bool = False
    complaints: list[str] = field(default_factory=list)

    @property
    def root(self) -> Path:
        return self.folder / "project"

    def log(self, process: int) -> Path:
        return self.folder / f"operations-{process}.log"


class Rounds:
    """Runs the seeds some at a time, when the first of them is asked for."""

    def __init__(self, folder: Path, seeds: list[int], seconds: float) -> None:
        self._folder = folder
        self._seeds = seeds
        self._seconds = seconds
        self._done: dict[int, Seed] = {}

    def result(self, number: int) -> Seed:
        if number not in self._done:
            first = self._seeds.index(number) // AT_ONCE * AT_ONCE
            seeds = [Seed(one, self._folder / "seeds" / f"seed-{one}") for one in self._seeds[first : first + AT_ONCE]]
            self._done |= {one.number: one for one in seeds}
            try:
                _run(seeds, self._folder / f"journal-{first}", self._seconds)
            except (AssertionError, OSError, subprocess.SubprocessError) as error:  # then each of them has failed
                for seed in seeds:
                    seed.complaints.append(f"the round ended early: {error}")
        return self._done[number]


@pytest.fixture(name="rounds", scope="module")
def _rounds(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Iterator[Rounds]:
    folder = Path(os.path.realpath(tmp_path_factory.mktemp("churn")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", os.fspath(folder / "home"))
        patch.setenv("HYPO_COMPACTD_STATE_DIR", os.fspath(folder / "state"))
        patch.delenv("XDG_RUNTIME_DIR", raising=False)
        yield Rounds(folder, _seeds(pytestconfig), pytestconfig.getoption("--churn-s"))


@pytest.mark.timeout(900)
def test_after_any_churn_every_view_is_right(seed: int, rounds: Rounds) -> None:
    result = rounds.result(seed)

    if result.complaints:
        pytest.fail("\n".join(result.complaints), pytrace=False)


def test_a_plan_is_the_same_each_time_and_another_for_each_seed_and_process() -> None:
    first = [str(operation) for operation in plan(1, 0, 50)]

    assert first == [str(operation) for operation in plan(1, 0, 50)]
    assert first != [str(operation) for operation in plan(2, 0, 50)]
    assert first != [str(operation) for operation in plan(1, 1, 50)]


def test_three_processes_share_the_operations_and_every_kind_is_among_them_until_the_last_second() -> None:
    shares = [plan(1, process, share(process)) for process in range(PROCESSES)]
    times = [[operation.at for operation in operations] for operations in shares]

    assert sum(map(len, shares)) == OPERATIONS
    assert {operation.kind for operations in shares for operation in operations} == set(Kind)
    assert all(moments == sorted(moments) and moments[-1] == pytest.approx(SECONDS) for moments in times)


def _seeds(config: pytest.Config) -> list[int]:
    first = config.getoption("--first-seed")
    return list(range(first, first + config.getoption("--seeds")))


def _run(seeds: list[Seed], journal_file: Path, seconds: float) -> None:
    """Run some seeds at the same time, and note what is wrong with each afterwards."""
    journal = Journal(journal_file, seeds[0].folder.parent)
    for seed in seeds:
        seed.folder.mkdir(parents=True)
        lacking = churn.make_project(seed.root, milestone.PROJECT)
        if lacking:
            print(f"seed {seed.number}: no git checkout, since {lacking}")  # noqa: T201 - shown when it fails
    with DaemonProcess(*(seed.root for seed in seeds), environment=journal.environment) as daemon:
        daemon.wait_for("ready")
        for seed in seeds:
            if set(views(seed.root)) != set(TARGETS):
                seed.complaints.append("the views did not stand at the start")
        _churn(seeds, seconds)
        _judge(seeds)
        daemon.settle()
        ended = daemon.stop()
    altered = journal.altered()
    for seed in seeds:
        _judge_the_end(seed)
        if not journal.published():
            seed.complaints.append("the journal is empty: nothing is known of what the daemon altered")
        if altered:
            seed.complaints.append(f"the daemon altered what is not its own: {altered[:10]}")
        strange = [event["line"] for event in daemon.events if event["event"] == "not JSON"]
        if strange:
            seed.complaints += ["the daemon said what is no event:", *strange[:60]]
        if ended:
            seed.complaints.append(f"the daemon ended with {ended}")
        if seed.complaints:
            seed.complaints += _story(seed, daemon)


def _churn(seeds: list[Seed], seconds: float) -> None:
    at = time.monotonic() + 1.0
    running: list[subprocess.Popen[bytes]] = []
    try:
        for seed in seeds:
            for process in range(PROCESSES):
                log = seed.log(process)
                running.append(churn.start(seed.number, process, seed.root, log, at=at, seconds=seconds))
        for one in running:
            assert one.wait(seconds + 2 * DEADLINE_S) == 0, "a process of the churn failed"
    finally:
        for one in running:
            one.kill()
            one.wait()


def _judge(seeds: list[Seed]) -> None:
    """Wait until every view is right, as long as there is hope."""
    quiet, now = time.monotonic(), time.time()
    for seed in seeds:
        seed.before = _states(seed.root)
        seed.truth = from_scratch(seed.root, seed.folder)
    while time.monotonic() < quiet + DEADLINE_S and not all(seed.right for seed in seeds):
        for seed in seeds:
            seed.right = seed.right or views(seed.root) == seed.truth
        time.sleep(0.05)
    for seed in seeds:
        targets = (seed.root / ".pipeline" / target for target in TARGETS.values())
        last = max((target.stat().st_ctime for target in targets if target.exists()), default=now)
        print(f"seed {seed.number}: the last view came {last - now:.2f} s after the last operation")  # noqa: T201


def _judge_the_end(seed: Seed) -> None:
    found = views(seed.root)
    if found != seed.truth:
        seed.complaints += [
            line for name in TARGETS for line in _difference(name, seed.truth.get(name), found.get(name))
        ]
    elif not seed.right:
        seed.complaints.append(f"the views were not right within {DEADLINE_S:.0f} s")
    if any(churn.PRIVATE.encode() in view for view in found.values()):
        seed.complaints.append("a view holds what lies outside of the project")
    now = _states(seed.root)
    if now != seed.before:
        changed = {path for path in now.keys() | seed.before.keys() if now.get(path) != seed.before.get(path)}
        seed.complaints.append(f"sources changed while only the daemon was running: {sorted(changed)}")
    left = sorted(map(os.fspath, seed.folder.rglob(".hypo-compactd-*")))
    if left:
        seed.complaints.append(f"temporary files are left: {left}")


def _states(root: Path) -> dict[str, object]:
    """Return for each file that is no view what tells that nobody has touched it, not even its permissions."""
    found: dict[str, object] = {}
    for folder, inner, names in os.walk(root):
        if ".git" in inner:
            inner.remove(".git")
        links = [name for name in inner if Path(folder, name).is_symlink()]
        for name in (*names, *links):
            if ".compact." in name or name.startswith(".hypo-compactd-"):
                continue  # the daemon's own: it may still be writing
            path = Path(folder, name)
            status = path.lstat()
            found[os.fspath(path)] = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return found


def _difference(name: str, wanted: bytes | None, found: bytes | None) -> list[str]:
    if wanted == found:
        return []
    if wanted is None or found is None:
        return [f"{name}: {'there must be no view' if wanted is None else 'the view is missing'}"]
    fresh, kept = (text.decode("utf-8", "replace").splitlines() for text in (wanted, found))
    lines = difflib.unified_diff(fresh, kept, f"{name}, fresh", f"{name}, the daemon's", n=1, lineterm="")
    return list(lines)[:30]


def _story(seed: Seed, daemon: DaemonProcess) -> list[str]:
    """Return what led to it."""
    done = [
        f"{line[:8]} {process}: {line[8:]}"
        for process in range(PROCESSES)
        for line in seed.log(process).read_text("utf-8").splitlines()
    ]
    said = [event for event in daemon.events if event.get("project") in {None, os.fspath(seed.root)}]
    return [
        f"--- seed {seed.number}, in {seed.folder}; again: pytest {__file__} --first-seed {seed.number} --seeds 1",
        "--- the last operations (seconds, process: operation)",
        *sorted(done)[-25:],
        "--- what the daemon said last",
        *(re.sub(r", '(project|level)': '[^']*'", "", str(event)) for event in said[-15:]),
    ]
