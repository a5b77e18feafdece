"""What import contracts cannot see: built-in functions that touch the world."""

from __future__ import annotations

import ast
import re
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


POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{\{?[0-9,]+\}?\})\+(?!\))|\(\?>")
"""A group that gives nothing back: before Python 3.11.5 it can match wrongly, and a secret would pass."""


def test_no_pattern_has_a_possessive_group() -> None:
    found = {
        f"{module.name}:{number}"
        for module in MODULES
        for number, line in enumerate(module.read_text("utf-8").splitlines(), 1)
        if POSSESSIVE_GROUP.search(line)
    }

    assert found == set()
    assert POSSESSIVE_GROUP.search('r"(?:a|b)*+c"')
