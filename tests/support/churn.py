"""Strangers at work on a project: several processes, each doing its share of a seeded plan in real time.

    python -m support.churn SEED --process 0                   what a process tries
    python -m support.churn SEED --process 0 --project FOLDER  do it

What one finds gone or in the way, another has done: that is noted, and the next operation follows.
"""

from __future__ import annotations

import argparse
import functools
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from support.churn_plan import OPERATIONS, SECONDS, Kind, Operation, plan, share

PRIVATE = "zebra-4711"
"""What stands in a file outside of the project, to which links are made; no view may ever hold it."""

_CONFIGURATIONS = (
    "output: {language: zh-CN}\n",
    "output: {language: en}\ncompact: {log_recent: 7}\n",
    "compact:\n  progress_recent: 4\n  reports_summary_lines: 1\n",
    "",
)
_BROKEN = (
    b"",
    b"\x00\x01\x02\n",
    b"entries: `[\n\t- {\n",
    b"# \xff\xfe board\n\n12:00 \xc3\n",
    b"---\n",
    b"|||\n|--\n",
)
_TEMPORARY = ("{name}.tmp.{pid}.{value:x}", "{name}.tmp-{pid}-{value}-0", ".{name}.{value}.swp", "{name}~")


def make_project(root: Path, example: Path) -> str | None:
    """Copy the example to `root`, with a repository whose two branches differ, and a file beside it that is nobody's.

    Returns:
        Why there is no repository, None when there is one.
    """
    from example import milestone

    shutil.copytree(example, root)
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "private.md").write_text(f"# {PRIVATE}\n\nid: {PRIVATE}\nstatus: {PRIVATE}\n", "utf-8")
    if shutil.which("git") is None:
        return "git is not installed"
    git(root, "init", "--quiet", "--initial-branch=main")
    _commit(root)
    git(root, "checkout", "--quiet", "-b", "closed")
    for step in (*milestone.completion(), milestone.knowledge()):
        milestone.apply(step, root / ".pipeline")
    milestone.archive(root / ".pipeline")
    _commit(root)
    git(root, "checkout", "--quiet", "main")
    return None


def git(root: Path, *arguments: str) -> None:
    """Run git in the project, with nobody's configuration.

    Raises:
        OSError: it refused, or there is none.
    """
    environment = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", "-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "-c", "gc.auto=0", *arguments]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"git {arguments[0]}: {done.stderr.strip().splitlines()[-1:]}")


def _commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "as it stands")


def apply(operation: Operation, root: Path) -> str:
    """Do one operation; return what came of it in a few words."""
    try:
        return _DOING[operation.kind](operation, root) or "done"
    except (OSError, shutil.Error) as error:
        return f"not done: {type(error).__name__} {getattr(error, 'strerror', None) or error}"


def run(operations: Collection[Operation], root: Path, start: float, say: Callable[[str], object]) -> None:
    """Do a process's share; `start` is the moment (monotonic, in seconds) from which its times count."""
    for operation in operations:
        time.sleep(max(0.0, start + operation.at - time.monotonic()))
        began = time.monotonic() - start
        say(f"{began:7.3f} {operation}: {apply(operation, root)}")


def start(
    seed: int,
    process: int,
    root: Path,
    log: Path,
    *,
    at: float,
    count: int = OPERATIONS,
    seconds: float = SECONDS,
    kinds: Collection[Kind] = tuple(Kind),
) -> subprocess.Popen[bytes]:
    """Start one of the processes; its log says what it did."""
    command = [
        *(sys.executable, "-m", "support.churn", str(seed), "--process", str(process), "--project", os.fspath(root)),
        *("--log", os.fspath(log), "--at", repr(at), "--count", str(count), "--seconds", str(seconds)),
        *("--kinds", ",".join(kind.name for kind in Kind if kind in kinds)),
    ]
    tests = os.fspath(Path(__file__).parents[1])
    path = os.pathsep.join(filter(None, (tests, os.environ.get("PYTHONPATH"))))
    return subprocess.Popen(command, env=os.environ | {"PYTHONPATH": path})


def main() -> None:
    parser = argparse.ArgumentParser(description="One process's share of a seeded churn.")
    parser.add_argument("seed", type=int)
    parser.add_argument("--process", type=int, default=0)
    parser.add_argument("--project", type=Path, help="the folder that holds .pipeline/; without it the plan is printed")
    parser.add_argument("--count", type=int, default=OPERATIONS, help="operations of all processes")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--kinds", default=",".join(kind.name for kind in Kind))
    parser.add_argument("--at", type=float, help="the monotonic time from which the plan's times count")
    parser.add_argument("--log", type=Path)
    given = parser.parse_args()
    kinds = [Kind[name] for name in given.kinds.split(",")]
    operations = plan(given.seed, given.process, share(given.process, given.count), seconds=given.seconds, kinds=kinds)
    if given.project is None:
        print(*operations, sep="\n")  # noqa: T201 - what it was asked for
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # git, if one is running, ends with us
    with (given.log or Path(os.devnull)).open("a", encoding="utf-8", buffering=1) as log:
        say = functools.partial(print, file=log)
        run(operations, given.project, time.monotonic() if given.at is None else given.at, say)


# --- what each kind does


def _create(operation: Operation, root: Path) -> str | None:
    path = _place(root, operation.path)
    _make_folder(root, path.parent)
    path.write_text(_content(operation.path, operation.value), "utf-8")
    return None


def _edit(operation: Operation, root: Path) -> str | None:
    path = _place(root, operation.path)
    _stay_inside(root, path)
    _make_folder(root, path.parent)
    text = _edited(path, operation)
    if operation.value % 3 == 0:
        with path.open("a", encoding="utf-8", errors="surrogateescape") as stream:
            stream.write(_appendix(operation.path, operation.value))
        return "appended"
    with path.open("w", encoding="utf-8", errors="surrogateescape") as stream:
        stream.flush()
        time.sleep((0.0, 0.0, 0.01, 0.1, 0.3)[operation.value % 5])  # what reads now, reads an empty file
        half = len(text) // 2
        stream.write(text[:half])
        stream.flush()
        time.sleep((0.0, 0.0, 0.01, 0.25)[operation.value % 4])
        stream.write(text[half:])
    return None


def _replace(operation: Operation, root: Path) -> str | None:
    path = _place(root, operation.path)
    _make_folder(root, path.parent)
    text = _edited(path, operation)
    _publish(path, text.encode("utf-8", "surrogateescape"), operation.value)
    return None


def _break(operation: Operation, root: Path) -> str | None:
    path = _place(root, operation.path)
    _stay_inside(root, path)
    broken = _BROKEN[operation.value % len(_BROKEN)]
    if operation.value % 7 == 0:
        path.write_bytes(path.read_bytes()[: operation.value % 900])
    elif operation.value % 2:
        path.write_bytes(broken)
    else:
        _publish(path, broken, operation.value)
    return None


def _delete(operation: Operation, root: Path) -> str | None:
    _place(root, operation.path).unlink()
    return None


def _rename(operation: Operation, root: Path) -> str | None:
    target = _place(root, operation.other)
    _make_folder(root, target.parent)
    _place(root, operation.path).rename(target)
    return None


def _move(operation: Operation, root: Path) -> str | None:
    source, target = _place(root, operation.path), _place(root, operation.other)
    back = not source.exists()
    if back:
        source, target = target, source
    source.stat()
    _make_folder(root, target.parent)
    source.rename(target)
    return "back" if back else None


def _checkout(operation: Operation, root: Path) -> str | None:
    if not (root / ".git").is_dir():
        return "not done: there is no repository"
    git(root, "checkout", "--quiet", "--force", operation.other)
    return None


def _mode(operation: Operation, root: Path) -> str | None:
    path = _place(root, operation.path)
    _stay_inside(root, path)
    path.chmod(int(operation.other, 8))
    return None


def _touch(operation: Operation, root: Path) -> str | None:
    path = _place(root, operation.path)
    _stay_inside(root, path)
    moment = (None, (0.0, 0.0), (4_070_908_800.0, 4_070_908_800.0))[operation.value % 3]  # now, 1970, 2099
    os.utime(path, moment)
    return None


def _link(operation: Operation, root: Path) -> str | None:
    path = _place(root, operation.path)
    _make_folder(root, path.parent)
    folder = path.suffix not in {".md", ".yaml"}
    targets = {
        "inside": root / ".pipeline" / ("archives/C1-signature-planner/reports" if folder else "design-spec.md"),
        "outside": root.parent / "outside" / ("" if folder else "private.md"),
        "dangling": path.with_name("nowhere"),
        "itself": path,
    }
    temporary = path.with_name(f"{path.name}.tmp.{operation.value:x}")
    target = os.fspath(targets[operation.other])
    # Links into the project are relative, those out of it absolute: then a copy of the project has the same.
    temporary.symlink_to(target if operation.other == "outside" else os.path.relpath(target, path.parent))
    with _removed_if_left(temporary):
        temporary.replace(path)
    return None


def _noise(operation: Operation, root: Path) -> str | None:
    path = _place(root, operation.path)
    name = _TEMPORARY[operation.value % len(_TEMPORARY)].format(name=path.name, pid=os.getpid(), value=operation.value)
    path.with_name(name).write_text(_content(operation.path, operation.value), "utf-8")
    return None


def _configure(operation: Operation, root: Path) -> str | None:
    # Always whole and valid: with a broken one the last good values hold, which a fresh start cannot know.
    text = _CONFIGURATIONS[operation.value % len(_CONFIGURATIONS)]
    _publish(_place(root, operation.path), text.encode(), operation.value)
    return None


def _meddle(operation: Operation, root: Path) -> str | None:
    path = _place(root, operation.path)
    match operation.other:
        case "delete":
            path.unlink()
        case "edit":
            path.write_bytes(path.read_bytes() + f"{operation.value}\n".encode())
        case "empty":
            path.write_bytes(b"")
        case _:
            path.stat()
            _publish(path, f"# older {operation.value}\n".encode(), operation.value)
    return None


def _vanish(operation: Operation, root: Path) -> str | None:
    path = _place(root, operation.path)
    away = root / f"away-{os.getpid()}-{operation.value}"
    path.rename(away)
    time.sleep((0.0, 0.01, 0.3, 1.0)[operation.value % 4])
    away.rename(path)
    return None


def _wipe(operation: Operation, root: Path) -> str | None:
    if not (root / ".git").is_dir():
        return "not done: there is no repository"
    shutil.rmtree(root / ".pipeline", ignore_errors=True)
    for _ in range(20):
        try:
            return _checkout(operation, root)
        except OSError:  # another process's git holds the index
            time.sleep(0.1)
    return "not done: the index stayed locked"


_DOING: dict[Kind, Callable[[Operation, Path], str | None]] = {
    Kind.CREATE: _create,
    Kind.EDIT: _edit,
    Kind.REPLACE: _replace,
    Kind.BREAK: _break,
    Kind.DELETE: _delete,
    Kind.RENAME: _rename,
    Kind.MOVE: _move,
    Kind.CHECKOUT: _checkout,
    Kind.MODE: _mode,
    Kind.TOUCH: _touch,
    Kind.LINK: _link,
    Kind.NOISE: _noise,
    Kind.CONFIGURE: _configure,
    Kind.MEDDLE: _meddle,
    Kind.VANISH: _vanish,
    Kind.WIPE: _wipe,
}


def _place(root: Path, path: str) -> Path:
    return Path(os.path.normpath(root / ".pipeline" / path))


def _make_folder(root: Path, folder: Path) -> None:
    """Make a folder and those above it, but never `.pipeline/` itself: that it is away is no reason to begin anew."""
    pipeline = root / ".pipeline"
    inside = folder.relative_to(pipeline if folder.is_relative_to(pipeline) else root)
    place = pipeline if folder.is_relative_to(pipeline) else root
    for part in inside.parts:
        place /= part
        with suppress(FileExistsError):
            place.mkdir()


def _stay_inside(root: Path, path: Path) -> None:
    """Nobody edits, through a link, what lies outside of the project."""
    real = Path(os.path.realpath(path))
    if not real.is_relative_to(os.path.realpath(root)):
        raise PermissionError("leads out of the project")


def _publish(path: Path, data: bytes, value: int) -> None:
    pattern = _TEMPORARY[value % 2]
    temporary = path.with_name(pattern.format(name=path.name, pid=os.getpid(), value=value))
    with _removed_if_left(temporary):
        temporary.write_bytes(data)
        temporary.replace(path)


@contextmanager
def _removed_if_left(temporary: Path) -> Iterator[None]:
    try:
        yield
    finally:
        with suppress(OSError):
            temporary.unlink()


# --- content


def _content(path: str, value: int) -> str:
    """Return the text of a new source, as sessions write them."""
    name = Path(path).name
    if name == "PROGRESS.md":
        return f"# Board {value}\n\n## 时间线\n\n| 时间 | 类型 | 事件 | 结果 |\n|---|---|---|---|\n{_row(value)}"
    if name == "state.yaml":
        return (
            f"pipeline:\n  name: Churn {value}\n  status: running\n  prompts_total: 5\n"
            f"current:\n  phase: executing\n  prompt_index: {value % 5}\n"
        )
    if name == "log.yaml":
        return f"entries:\n{_entry(value)}"
    if name == "summary.md":
        return f"# C{value % 90} Summary {value}\n\n- Status: completed\n\n## Summary\n\nClosed with {value}.\n"
    if name == "cycle.yaml":
        return f"cycle:\n  number: {value % 90}\n  name: Churn {value}\n  status: completed\n"
    if path.startswith("patches/"):
        status = ("open", "closed")[value % 2]
        return f"# P{value % 900:03d}: margin {value}\n\n- 状态: {status}\n- 严重级: normal\n\n## 描述\n\nCreep of {value}.\n"
    if path.startswith("knowledge/"):
        return (
            f"id: C3-CHURN-{value}\ncycle: C3\ntype: chat\nsummary: Margin {value} is kept\n"
            f"categories:\n  decisions:\n    - Rounding {value} happens once\n"
        )
    return (
        f"# Report {value}\n\n## 结论\n\n- 状态: {('done', 'blocked')[value % 2]}\n- Signature {value} folds.\n\n"
        f"## 评估\n\n| 检查 | 结果 |\n|---|---|\n| diff_score | {value % 5} |\n"
    )


def _edited(path: Path, operation: Operation) -> str:
    """Return a source's text after an edit, a new text where there is none or none that can be read."""
    try:
        return _changed(operation.path, path.read_text("utf-8", "surrogateescape"), operation.value)
    except OSError:
        return _content(operation.path, operation.value)


def _changed(path: str, text: str, value: int) -> str:
    """Return a source's text after an edit; a text that is not what the edit looks for gets an appendix."""
    lines = text.splitlines(keepends=True)
    for index, line in enumerate(lines):
        if path == "PROGRESS.md" and line.startswith("|---") and index and "时间" in lines[index - 1]:
            return "".join([*lines[: index + 1], _row(value), *lines[index + 1 :]])
        if path == "state.yaml" and line.startswith("last_heartbeat:"):
            return "".join([*lines[:index], f'last_heartbeat: "{_stamp(value)}"\n', *lines[index + 1 :]])
        if path == "log.yaml" and line.startswith("entries:"):
            return "".join([*lines[: index + 1], _entry(value), *lines[index + 1 :]])
        if path.startswith("reports/") and line.startswith("#"):
            return "".join([*lines[:index], f"{line.rstrip()} {value % 100}\n", *lines[index + 1 :]])
    return text + _appendix(path, value)


def _appendix(path: str, value: int) -> str:
    if path == "log.yaml":
        return _entry(value)
    if path.endswith(".yaml"):
        return f"note_{value}: margin {value}\n"
    return f"\n## 下一步 {value % 10}\n\n- fold signature {value}\n"


def _row(value: int) -> str:
    return f"| {value % 24:02d}:{value % 60:02d} | Step | M03 fold {value} | {value} |\n"


def _entry(value: int) -> str:
    return f'  - id: K{value}\n    type: step\n    status: done\n    timestamp: "{_stamp(value)}"\n    summary: "fold {value}"\n'


def _stamp(value: int) -> str:
    return f"2026-04-{value % 28 + 1:02d}T{value % 24:02d}:{value % 60:02d}:00+08:00"


if __name__ == "__main__":
    main()
