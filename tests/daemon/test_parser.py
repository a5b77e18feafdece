"""The parser of the called command alone says what the parser of all says."""

from __future__ import annotations

import pytest

from hypo_compactd.cli import COMMANDS, parser


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
@pytest.mark.parametrize("name", COMMANDS)
def test_help_and_errors_are_the_same(name: str, rest: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, name, name, *rest) == said(capsys, None, name, *rest)


@pytest.mark.parametrize(
    "arguments", [("--help",), ("--version",), ("wai",), ("",), ("-q", "wait"), ("nonsense", "wait")]
)
def test_what_is_no_command_meets_the_parser_of_all(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys, arguments[0], *arguments) == said(capsys, None, *arguments)


@pytest.mark.parametrize("name", COMMANDS)
def test_only_the_called_command_is_made(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    others = [other for other in COMMANDS if other != name]

    assert all(said(capsys, name, other, "--help")[0] == 64 for other in others)


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["status", "A", "--json", "B"], {"projects": ["A", "B"], "json": True}),
        (["status", "--json", "A", "--interval", "3", "B"], {"projects": ["A", "B"], "json": True, "interval": 3.0}),
        (["status", "A", "--interval=3", "B", "--watch"], {"projects": ["A", "B"], "watch": True, "interval": 3.0}),
        (["run", "A", "-v", "B", "--", "-c", "--all"], {"projects": ["A", "B", "-c", "--all"], "all": False}),
        (["projects", "add", "--json", "D", "E"], {"action": "add", "projects": ["D", "E"], "json": True}),
        (["projects", "--json", "remove", "D"], {"action": "remove", "projects": ["D"], "json": True}),
        (["projects", "--json"], {"action": "list", "projects": [], "json": True}),
        (["projects", "add", "--", "-d", "--json"], {"projects": ["-d", "--json"], "json": False}),
        (["compact", "--check", "A", "--json"], {"project": "A", "check": True, "json": True}),
        (["service", "--force", "install"], {"action": "install", "force": True}),
        (["completion", "--", "bash"], {"shell": "bash"}),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, list) else "",
)
def test_options_may_stand_anywhere(arguments: list[str], wanted: dict[str, object]) -> None:
    found = vars(parser(arguments[0]).parse_args(arguments))

    assert {name: found[name] for name in wanted} == wanted


@pytest.mark.parametrize(
    "arguments",
    [
        *([name, ""] for name in COMMANDS),
        ["status", "A", "--json", ""],
        ["run", "", "A"],
        ["run", "--all", ""],
        ["projects", "add", ""],
        ["projects", "remove", "--", ""],
    ],
    ids=str,
)
def test_an_empty_argument_is_not_the_working_directory(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = said(capsys, arguments[0], *arguments)

    assert (code, out) == (64, "")
    assert err.endswith(f"hypo-compactd {arguments[0]}: an argument is empty; the working directory is called .\n")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["compact", "A", "--json", "B"], "unrecognized arguments: B"),
        (["status", "A", "--nonsense", "B"], "unrecognized arguments: --nonsense"),
        (["status", "A", "--json", "B", "--watch"], "not allowed with argument"),
        (["status", "A", "--interval"], "expected one argument"),
        (["projects", "ad", "--json", "D"], "invalid choice: 'ad'"),
        (["service", "--force"], "the following arguments are required: action"),
    ],
    ids=str,
)
def test_what_is_wrong_is_said_with_the_places_in_the_usage(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = said(capsys, arguments[0], *arguments)

    assert code == 64
    assert complaint in err
    if "unrecognized" not in complaint:  # that is said by the parser of all
        assert "PROJECT" in err or "{install" in err
