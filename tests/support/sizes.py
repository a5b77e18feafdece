"""`make sizes`: the README's table of what the views save on the projects in a folder.

The tokens are those of `compact --json`: estimates, good for comparing a source with its view.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from support.views import TARGETS

README = Path(__file__).parents[2] / "README.md"
BEGIN, END = "<!-- sizes: make sizes -->\n", "<!-- /sizes -->\n"


def table(trees: list[Path]) -> str:
    """Return the Markdown table: a column for each tree, a row for each view."""
    found = [sizes(tree) for tree in trees]
    lines = ["| view | " + " | ".join(tree.name for tree in trees) + " |", "|---" * (len(trees) + 1) + "|"]
    for name, target in TARGETS.items():
        cells = [cell(views[name]["tokens_before"], views[name]["tokens_after"]) for views in found]
        lines.append(f"| `{target}` | " + " | ".join(cells) + " |")
    totals = [
        cell(
            sum(view["tokens_before"] for view in views.values()), sum(view["tokens_after"] for view in views.values())
        )
        for views in found
    ]
    lines.append("| all | " + " | ".join(totals) + " |")
    return "\n".join(lines) + "\n"


def cell(before: int, after: int) -> str:
    """Return what a cell says: the tokens before and after, and what is saved."""
    return f"{before:,} → {after:,} ({100 * (before - after) / before:.0f} %)" if before else "–"


def sizes(tree: Path) -> dict[str, Any]:
    """Return the views that `compact` makes of a copy of the tree, by name."""
    with tempfile.TemporaryDirectory() as scratch:
        project = Path(scratch) / "project"
        shutil.copytree(tree, project, copy_function=shutil.copyfile)
        for folder in (project, *project.rglob("*/")):
            folder.chmod(0o755)
        environment = os.environ | {"HOME": scratch, "HYPO_COMPACTD_STATE_DIR": f"{scratch}/state"}
        command = [sys.executable, "-m", "hypo_compactd", "compact", os.fspath(project), "--json"]
        result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return {view["name"]: view for view in json.loads(result.stdout)["views"]}


def main() -> int:
    """Write the table of the trees below the given folder into the README."""
    trees = sorted(path for path in Path(sys.argv[1]).iterdir() if (path / ".pipeline").is_dir())
    head, _, rest = README.read_text("utf-8").partition(BEGIN)
    tail = rest.partition(END)[2]
    README.write_text(f"{head}{BEGIN}{table(trees)}{END}{tail}", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
