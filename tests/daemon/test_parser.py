"""The parser of the called command alone says what the parser of all says."""

from __future__ import annotations

import pytest

from hypo_compactd.cli import COMMANDS, parser

NAMES = [module.__name__.rpartition(".")[2].replace("_", "-") for module in COMMANDS]


def said(capsys: pytest.CaptureFixture[str], called: str | None, *arguments: str) -> tuple[object, str, str]:
    capsys.readouterr()
    code: object = None
    try:
        parser(called).parse_args(arguments)
    except SystemExit as end:
        code = end.code
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize("rest", [("--help",), ("--nonsense",), ("a", "b", "c"), ("--timeout",)], ids=" ".join)
@pytest.mark.parametrize("name", NAMES)
def test_help_and_errors_are_the_same(name: str, rest: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, name, name, *rest) == said(capsys, None, name, *rest)


@pytest.mark.parametrize(
    "arguments", [("--help",), ("--version",), ("wai",), ("",), ("-q", "wait"), ("nonsense", "wait")]
)
def test_what_is_no_command_meets_the_parser_of_all(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys, arguments[0], *arguments) == said(capsys, None, *arguments)


@pytest.mark.parametrize("name", NAMES)
def test_only_the_called_command_is_made(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    others = [other for other in NAMES if other != name]

    assert all(said(capsys, name, other, "--help")[0] == 64 for other in others)
