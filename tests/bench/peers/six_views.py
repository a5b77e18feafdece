"""What somebody might write instead: six views of a `.pipeline/` by loading every file; `safe` or `c` is the loader."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import yaml


def load(path: Path, loader: type) -> Any:
    return yaml.load(path.read_text("utf-8"), Loader=loader)  # noqa: S506 - a safe one


def dumped(data: Any) -> str:
    return str(yaml.dump(data, allow_unicode=True, Dumper=yaml.SafeDumper))


def log_view(path: Path, loader: type) -> str:
    data = load(path, loader)
    entries = data["entries"] if isinstance(data, dict) else data
    entries = sorted(entries or [], key=lambda entry: str(entry.get("timestamp", "")), reverse=True)
    older = Counter(str(entry.get("type")) for entry in entries[20:])
    return dumped({"older": dict(older), "entries": entries[:20]})


def state_view(path: Path, loader: type) -> str:
    data = load(path, loader)
    kept = {
        key: data[key] for key in ("pipeline", "current", "last_heartbeat") if isinstance(data, dict) and key in data
    }
    return dumped(kept)


def first_lines(path: Path, count: int) -> list[str]:
    return path.read_text("utf-8").splitlines()[:count]


def main() -> None:
    pipeline, loader = Path(sys.argv[1]), yaml.SafeLoader if sys.argv[2] == "safe" else yaml.CSafeLoader
    out = Path(sys.argv[3])
    out.mkdir(exist_ok=True)
    if len(sys.argv) > 4:  # only the log, as after a save of it
        (out / "log.compact.yaml").write_text(log_view(pipeline / "log.yaml", loader), "utf-8")
        return
    (out / "log.compact.yaml").write_text(log_view(pipeline / "log.yaml", loader), "utf-8")
    (out / "state.compact.yaml").write_text(state_view(pipeline / "state.yaml", loader), "utf-8")
    (out / "PROGRESS.compact.md").write_text("\n".join(first_lines(pipeline / "PROGRESS.md", 80)), "utf-8")
    for folder, pattern in (("reports", "*.md"), ("patches", "*.md")):
        lines = [f"{path.name}: {' '.join(first_lines(path, 3))}" for path in sorted((pipeline / folder).glob(pattern))]
        (out / f"{folder}.compact.md").write_text("\n".join(lines), "utf-8")
    records = [load(path, loader) for path in sorted((pipeline / "knowledge").rglob("*.yaml"))]
    lines = [str(record.get("summary", record)) for record in records if isinstance(record, dict)]
    (out / "knowledge.compact.md").write_text("\n".join(lines), "utf-8")


if __name__ == "__main__":
    main()
