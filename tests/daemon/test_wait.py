"""`wait`: when it returns with 0, all that was written before the call is in the views."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hypo_compactd import freshness
from hypo_compactd.catch_up import catch_up
from hypo_compactd.errors import ExitCode
from hypo_compactd.lock import writer_lock
from hypo_compactd.paths import Project
from support.daemon_process import DEADLINE_S, PROGRAM, wait_until
from support.scene import EVENTS_ALONE, Scene
from support.views import TARGETS, sources, views


class Waited:
    """One `wait` as a process."""

    def __init__(self, *arguments: str | Path, code: str | None = None, environment: dict[str, str] | None = None):
        program = (sys.executable, "-c", code) if code else PROGRAM
        command = [*program, "wait", *map(str, arguments)]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            timeout=DEADLINE_S,
            env=os.environ | (environment or {}),
        )
        self.code, self.err = done.returncode, done.stderr
        assert done.stdout == "", "what a hook prints comes into the agent's context"
        assert "Traceback" not in self.err


def looked(scene: Scene, timeout_s: str) -> Waited:
    """Return one `wait` that got as far as looking: on a busy machine the very start may take longer than its time."""
    for _ in range(20):
        waited = Waited("--timeout", timeout_s, scene.root)
        if not any(words in waited.err for words in ("could not be seen", "未能看完文件")):
            return waited
    raise AssertionError(f"the machine is too busy: {waited.err}")


@pytest.fixture(name="scene")
def _scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def set_config(scene: Scene, text: str) -> None:
    (scene.pipeline / "config.yaml").write_text(text, "utf-8")


def is_right(scene: Scene) -> bool:
    return views(scene.root) == scene.from_scratch()


def rewrite_keeping_time(path: Path) -> None:
    status = path.stat()
    with path.open("r+b") as stream:
        data = stream.read()
        stream.seek(0)
        stream.write(data.replace(b"done", b"Done") if b"done" in data else data.swapcase())
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


# Without a daemon


def test_a_project_without_views_gets_them_and_sources_are_untouched(scene: Scene) -> None:
    before = sources(scene.root)
    waited = Waited(scene.root)

    assert (waited.code, waited.err) == (0, "")
    assert is_right(scene)
    assert sources(scene.root) == before


def test_where_all_is_fresh_nothing_is_written(scene: Scene) -> None:
    def changed_ns() -> dict[Path, int]:
        folders = (scene.root, Path(os.environ["HYPO_COMPACTD_STATE_DIR"]))
        return {path: path.lstat().st_ctime_ns for folder in folders for path in folder.rglob("*")}

    Waited(scene.root)
    before = changed_ns()
    assert Waited(scene.root).code == 0

    assert changed_ns() == before


def test_a_change_is_in_the_views(scene: Scene) -> None:
    Waited(scene.root)
    scene.note("after the first")
    waited = Waited(scene.root)

    assert (waited.code, waited.err) == (0, "")
    assert scene.shows("after the first")


@pytest.mark.parametrize("command", [("wait",), ("compact", "--if-stale", "-q")], ids=" ".join)
def test_a_change_of_the_same_size_with_its_time_put_back_is_in_the_views(
    scene: Scene, command: tuple[str, ...]
) -> None:
    scene.note("before")
    Waited(scene.root)
    log = scene.pipeline / "log.yaml"
    status = log.stat()
    text = log.read_text("utf-8")
    with log.open("r+", encoding="utf-8") as stream:
        stream.write(text.replace('"before"', '"behind"'))
    os.utime(log, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (log.stat().st_size, log.stat().st_mtime_ns) == (status.st_size, status.st_mtime_ns)

    done = subprocess.run([*PROGRAM, *command, os.fspath(scene.root)], check=False, capture_output=True)
    assert done.returncode == 0
    assert scene.shows("behind")


def test_a_view_that_somebody_changed_is_put_right(scene: Scene) -> None:
    Waited(scene.root)
    rewrite_keeping_time(scene.pipeline / TARGETS["progress"])
    (scene.pipeline / TARGETS["log"]).unlink()

    assert Waited(scene.root).code == 0
    assert is_right(scene)


def test_without_time_it_only_looks(scene: Scene) -> None:
    before = sorted(scene.root.rglob("*"))
    waited = looked(scene, "0")

    assert waited.code == ExitCode.STALE
    assert all(name in waited.err for name in TARGETS)
    assert "hypo-compactd compact" in waited.err
    assert sorted(scene.root.rglob("*")) == before
    Waited(scene.root)
    assert looked(scene, "0").code == 0
    scene.note("one more")
    waited = looked(scene, "0")
    assert waited.code == ExitCode.STALE
    assert "log" in waited.err
    assert not scene.shows("one more")


def test_without_time_a_lost_memory_is_no_reason_to_call_views_behind(scene: Scene) -> None:
    Waited(scene.root)
    record = next(Path(os.environ["HYPO_COMPACTD_STATE_DIR"]).rglob(freshness.NAME))
    record.unlink()

    assert Waited("--timeout", "0", scene.root).code == 0


def test_where_auto_is_false_nothing_is_written(scene: Scene) -> None:
    set_config(scene, "compact: {auto: false}\n")
    waited = Waited(scene.root)
    assert waited.code == ExitCode.STALE
    assert "compact.auto" in waited.err
    assert "hypo-compactd compact" in waited.err
    assert views(scene.root) == {}

    subprocess.run([*PROGRAM, "compact", "-q", os.fspath(scene.root)], check=True)
    assert Waited(scene.root).code == 0
    before = views(scene.root)
    scene.note("unseen")
    assert Waited(scene.root).code == ExitCode.STALE
    assert views(scene.root) == before


@pytest.mark.parametrize("text", ["knowledge: {enabled: false}\n", "knowledge: {compaction: {auto: false}}\n"])
def test_where_knowledge_is_left_out_only_its_view_is_behind(scene: Scene, text: str) -> None:
    set_config(scene, text)
    waited = Waited(scene.root)

    assert waited.code == ExitCode.STALE
    assert "hypo-compactd: knowledge" in waited.err
    assert set(views(scene.root)) == set(TARGETS) - {"knowledge"}


def test_a_broken_source_is_reported_and_the_others_are_in_the_views(scene: Scene) -> None:
    Waited(scene.root)
    (scene.pipeline / "state.yaml").write_bytes(b"`x`\n")
    scene.note("beside")

    for _ in range(2):
        waited = Waited(scene.root)
        assert waited.code == ExitCode.BAD_INPUT
        assert f"{scene.root}/.pipeline/state.yaml" in waited.err
        assert is_right(scene)
        assert scene.shows("beside")
        assert "state" not in views(scene.root)


def test_a_source_with_losses_is_waited_for_until_it_was_seen_twice(scene: Scene) -> None:
    scene.append("\n```\nnever closed\n", file="reports/00-hole-spacing-engine.report.md")
    (scene.pipeline / "knowledge/records/broken.yaml").write_text("a: [\n")
    waited = Waited(scene.root)

    assert (waited.code, waited.err) == (0, ""), "losses are told by compact and status"
    assert is_right(scene)


def test_a_broken_configuration_ends_it(scene: Scene) -> None:
    Waited(scene.root)
    set_config(scene, "compact: [\n")
    waited = Waited(scene.root)

    assert waited.code == ExitCode.BAD_CONFIGURATION
    assert ".pipeline/config.yaml:" in waited.err


def test_no_project_ends_it(tmp_path: Path) -> None:
    for given in (tmp_path, tmp_path / "nowhere"):
        waited = Waited(given)
        assert waited.code == ExitCode.BAD_INPUT
        assert os.fspath(given) in waited.err


@pytest.mark.parametrize("given", ["-1", "nan", "inf", "3601", "soon", ""])
def test_a_time_that_is_none_is_refused(scene: Scene, given: str) -> None:
    assert Waited(f"--timeout={given}", scene.root).code == ExitCode.USAGE


def test_quiet_leaves_the_reasons_out_but_not_what_ends_it(scene: Scene, tmp_path: Path) -> None:
    waited = Waited("-q", "--timeout", "0", scene.root)
    assert (waited.code, waited.err) == (ExitCode.STALE, "")

    assert Waited("-q", tmp_path).err != ""


# The time limit


@contextmanager
def written_without_pause(path: Path) -> Iterator[None]:
    """Keep replacing a file by something half-written, another one each time."""
    ended = threading.Event()

    def write() -> None:
        count = 0
        while not ended.wait(0.001):
            count += 1
            path.write_text(f"pipeline: [\n{'# x' * (count % 7)}\n# {count}\n", "utf-8")

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def test_a_source_that_never_settles_is_named_when_the_time_is_up(scene: Scene) -> None:
    Waited(scene.root)
    before = views(scene.root)["state"]
    scene.note("beside")
    with written_without_pause(scene.pipeline / "state.yaml"):
        # On a busy machine the writer itself may stand still for longer than a quiet period: then it has settled.
        for _ in range(10):
            waited = looked(scene, "1")
            if waited.code == ExitCode.STALE:
                break

    assert waited.code == ExitCode.STALE
    assert "state" in waited.err
    assert scene.shows("beside"), "the others are right"
    assert views(scene.root)["state"] == before


def test_a_lock_that_is_held_is_waited_for_until_the_time_is_up(scene: Scene) -> None:
    set_config(scene, "output: {language: en}\n")
    project = Project(scene.root, scene.root.resolve())
    with writer_lock(project):
        waited = looked(scene, "0.3")

    assert waited.code == ExitCode.STALE
    assert "written by another process" in waited.err
    assert str(os.getpid()) in waited.err
    assert views(scene.root) == {}


def test_where_all_is_fresh_a_held_lock_does_not_matter(scene: Scene) -> None:
    Waited(scene.root)
    with writer_lock(Project(scene.root, scene.root.resolve())):
        assert Waited("--timeout", "0.3", scene.root).code == 0


HANGS = """
import sys, threading
from hypo_compactd import catch_up, writer
from hypo_compactd.commands import wait
from hypo_compactd.cli import main
def hang(*arguments, **options):
    threading.Event().wait()
{fault} = hang
wait.LEEWAY_S = 0.3
wait.WORDS_S = {words_s}
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("fault", ["catch_up.configuration.load", "catch_up.reconcile", "writer.os.fsync"])
def test_a_look_that_hangs_is_left_when_the_time_is_up(scene: Scene, fault: str) -> None:
    set_config(scene, "output: {language: en}\n")
    waited = Waited("--timeout", "1.5", scene.root, code=HANGS.format(fault=fault, words_s=0.1))

    assert waited.code == ExitCode.STALE
    assert "1.5 s" in waited.err
    assert os.fspath(scene.root) in waited.err
    assert not list(scene.root.rglob(".hypo-compactd-*"))
    assert Waited(scene.root).code == 0, "the lock has ended with its holder"
    assert is_right(scene)


@pytest.mark.parametrize(
    ("fault", "words_s", "said"),
    [
        ("catch_up.reconcile", 60.0, "1.5 秒内未能看完文件"),
        ("catch_up.configuration.load", 0.1, "could not be seen within 1.5 s"),
    ],
)
def test_that_the_time_is_up_is_said_in_the_project_s_language_unless_that_cannot_be_read(
    scene: Scene, fault: str, words_s: float, said: str
) -> None:
    waited = Waited("--timeout", "1.5", scene.root, code=HANGS.format(fault=fault, words_s=words_s))

    assert waited.code == ExitCode.STALE
    assert said in waited.err


# With a daemon


@pytest.mark.parametrize("policy", ["fresh", "milestone"])
def test_a_change_is_in_the_views_whatever_the_daemon_s_policy(scene: Scene, policy: str) -> None:
    with scene.daemon(*EVENTS_ALONE, "--policy", policy):
        for count in range(5):
            scene.note(f"note {count}")
            assert Waited(scene.root).code == 0
            assert scene.shows(f"note {count}")
        scene.settle()


def test_a_daemon_that_hangs_is_not_waited_for(scene: Scene) -> None:
    with scene.daemon(*EVENTS_ALONE) as daemon:
        daemon.signal(signal.SIGSTOP)
        try:
            scene.note("meanwhile")
            assert Waited(scene.root).code == 0
            assert scene.shows("meanwhile")
        finally:
            daemon.signal(signal.SIGCONT)
        scene.settle()


def test_where_a_daemon_has_done_it_meanwhile_nothing_more_is_looked_at(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    catch_up(project, 10)

    def fail(*_: object, **__: object) -> None:
        pytest.fail("it looked")

    monkeypatch.setattr("hypo_compactd.catch_up.reconcile", fail)

    assert catch_up(project, 10) == (0, [])


def replaced(path: Path) -> None:
    new = path.with_name(f"{path.name}.tmp")
    new.write_text(path.read_text("utf-8") + "\n# replaced\n", "utf-8")
    new.rename(path)


def one_less(folder: Path) -> None:
    """Remove one of the files that `changes` has made."""
    for path in sorted(folder.glob("*-more.*"))[:1]:
        path.unlink()


def changes(scene: Scene, count: int) -> list[Callable[[], object]]:
    """What may be done to a project right before the call."""
    report = scene.pipeline / f"reports/{count:02}-more.report.md"
    patch = scene.pipeline / f"patches/P{count + 100}-more.md"
    record = scene.pipeline / "knowledge/records" / f"C3-more-{count}.yaml"
    return [
        lambda: scene.note(f"note {count}"),
        scene.change,
        lambda: replaced(scene.pipeline / "state.yaml"),
        lambda: rewrite_keeping_time(scene.pipeline / "PROGRESS.md"),
        lambda: report.write_text(f"# Report M{count}\n\n## Conclusion\n\nAccepted at {count}.\n", "utf-8"),
        lambda: patch.write_text(f"# P{count + 100}: more\n\n- Status: closed\n- Change: {count}\n", "utf-8"),
        lambda: record.write_text(f"id: more-{count}\ncategory: decisions\nsummary: sheet {count}\n", "utf-8"),
        lambda: one_less(scene.pipeline / "reports"),
        lambda: (scene.pipeline / TARGETS["patches"]).unlink(missing_ok=True),
        lambda: (scene.pipeline / TARGETS["log"]).write_text("mine\n", "utf-8"),
    ]


def test_whatever_was_done_right_before_the_call_is_in_the_views(scene: Scene) -> None:
    chance = random.Random(7)
    with scene.daemon(*EVENTS_ALONE):
        for count in range(30):
            time.sleep(chance.choice((0, 0, 0.1, 0.25)))
            for change in chance.sample(changes(scene, count), chance.randint(1, 3)):
                change()
            waited = Waited(scene.root)

            assert (waited.code, waited.err) == (0, ""), count
            assert is_right(scene), count
        wait_until(lambda: is_right(scene), "the views stay right")


@pytest.mark.parametrize("command", ["wait", "compact"])
def test_where_the_language_follows_the_locale_that_of_the_daemon_counts_for_the_views(
    scene: Scene, command: str
) -> None:
    """Else the two would write the views anew after each other for ever; people are spoken to in their own."""
    set_config(scene, "output: {language: auto}\n")
    with scene.daemon(environment={"LC_ALL": "zh_CN.UTF-8"}) as daemon:
        before = views(scene.root)
        assert "只读" in before["patches"].decode()
        for _ in range(2):
            english = os.environ | {"LC_ALL": "C.UTF-8"}
            done = subprocess.run(
                [*PROGRAM, command, scene.root], capture_output=True, text=True, check=False, env=english
            )
            assert done.returncode == 0
            assert done.stdout.isascii()
        assert views(scene.root) == before
        assert not [event for event in daemon.settle() if event["event"] == "refreshed"]
