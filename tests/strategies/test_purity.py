"""What import contracts cannot see: built-in functions that touch the world."""

from __future__ import annotations

import ast
from pathlib import Path

import hypo_strategies

FORBIDDEN = {"open", "print", "input", "breakpoint", "exec", "eval", "compile", "__import__", "globals", "vars", "hash"}
MODULES = sorted(Path(hypo_strategies.__file__).parent.rglob("*.py"))


def forbidden_names(source: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name) and node.id in FORBIDDEN}


def test_no_strategy_uses_a_builtin_that_reads_or_writes() -> None:
    assert MODULES
    found = {module.name: names for module in MODULES if (names := forbidden_names(module.read_text("utf-8")))}

    assert found == {}


def test_a_strategy_that_opens_a_file_is_noticed() -> None:
    assert forbidden_names("def render(path):\n    return open(path).read()\n") == {"open"}


def test_both_source_roots_hold_one_package_and_no_module() -> None:
    root = Path(hypo_strategies.__file__).parent.parent

    assert not (root / "__init__.py").exists()
    assert not (root.parent / "daemon" / "__init__.py").exists()
