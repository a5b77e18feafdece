"""What the program can say: every text has both languages, none is left over, and nothing goes past the catalogue."""

from __future__ import annotations

import ast
import json
import os
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hypo_compactd
import hypo_strategies
from hypo_compactd import console, inotify
from hypo_compactd.catalogue import JSON, PHRASES, SENTENCES, SYSTEM, WORDS_OF_OTHERS, YAML
from hypo_compactd.doctor import checks
from hypo_compactd.errors import InputError
from hypo_compactd.gitignore import Ensured
from hypo_compactd.judge import Life
from hypo_compactd.messages import message, printable, translated
from hypo_compactd.project_status import Freshness
from hypo_compactd.service_manager import Done
from hypo_compactd.status import Standing
from hypo_compactd.status_table import _COLUMNS
from hypo_strategies.handoff.findings import LossKind, Severity, Verdict
from hypo_strategies.text import yaml
from hypo_strategies.text.phrase import Phrase, filled, phrase, places
from support.phrases import phrases

PACKAGES = tuple(Path(package.__path__[0]) for package in (hypo_compactd, hypo_strategies))
SOURCES = tuple(sorted(path for package in PACKAGES for path in package.rglob("*.py") if path.name != "catalogue.py"))

WORDS_ARE_OTHERS = {
    ("phrase.py", "phrase"): "the one way to make a phrase of a literal",
    ("errors.py", "__init__"): "the template is what the error was given, which is checked where it is raised",
    ("typed.py", "phrase"): "read from a file of ours",
    ("reader.py", "describe"): "the system's words",
    ("cli.py", "main"): "the system's words",
    ("yaml.py", "_unreadable"): "a YAML parser's words",
    ("registry.py", "_projects"): "the JSON parser's words",
}
"""By file and function: why it may make a phrase of a text that is not literal."""

FAMILIES: dict[str, Iterable[str]] = {
    "gitignore_": Ensured,
    "service_": Done,
    "view_": Freshness.all(),
    "daemon_": [*Standing.all(), *(one for one in Life.all() if one is not Life.RUNNING)],
    "backend_": ["polling", "sweep"],
    "column_": _COLUMNS,
    "verdict_": Verdict,
    "severity_": Severity,
    "loss_": LossKind,
    "check_": [*checks.MACHINE_CHECKS, *checks.TREE_CHECKS],
    "doctor_": [inotify.WATCHES, inotify.INSTANCES, inotify.QUEUE],
}
"""The keys that are put together: by how they begin, what follows."""

CJK = "[\u4e00-\u9fff]"
UNTRANSLATED = {"token"}
"""Terms of the specification that stay as they are."""

OF_A_PHRASE = {"kind", "allowed", "instead", "state"}
"""Places in which a Chinese phrase stands; before other places there is a space."""


@dataclass(frozen=True)
class Said:
    """A call that says something, and where it is."""

    where: str
    function: str
    name: str
    call: ast.Call

    @property
    def first(self) -> ast.expr | None:
        return self.call.args[0] if self.call.args else None

    @property
    def text(self) -> str | None:
        """The first argument where it is a literal text."""
        literal = isinstance(self.first, ast.Constant) and isinstance(self.first.value, str)
        return str(self.first.value) if literal else None  # type: ignore[union-attr]

    @property
    def values(self) -> set[str | None]:
        """The names of the values; None for what cannot be seen here (`**values`)."""
        return {keyword.arg for keyword in self.call.keywords}

    def __str__(self) -> str:
        return f"{self.where}: {ast.unparse(self.call)}"


@cache
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text("utf-8")) for path in SOURCES}


@cache
def calls() -> tuple[Said, ...]:
    """Every call of a plain name."""
    found: list[Said] = []
    for path, tree in trees().items():
        pairs: list[tuple[ast.AST, str]] = [(tree, "")]
        while pairs:
            node, function = pairs.pop()
            if isinstance(node, ast.FunctionDef):
                function = node.name
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                found.append(Said(f"{path.name}:{node.lineno}", function, node.func.id, node))
            pairs += [(child, function) for child in ast.iter_child_nodes(node)]
    return tuple(found)


@cache
def errors() -> frozenset[str]:
    """The names of all errors that are said to people."""
    nodes = (node for tree in trees().values() for node in ast.walk(tree))
    bases = {
        node.name: {base.id for base in node.bases if isinstance(base, ast.Name)}
        for node in nodes
        if isinstance(node, ast.ClassDef)
    }
    found = {"CompactdError"}
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return frozenset(found)


@cache
def makes_phrases() -> tuple[Said, ...]:
    """The calls that are given a template: errors and phrases."""
    own = {
        path.name
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and node.module == "hypo_strategies.text.phrase"
        and any(name.name == "phrase" for name in node.names)
    }
    return tuple(
        one for one in calls() if one.name in errors() or (one.name == "phrase" and one.where.partition(":")[0] in own)
    )


def chinese(english: str) -> str | None:
    return PHRASES.get(english, WORDS_OF_OTHERS.get(english))


# Nothing goes past the catalogue


def test_the_sources_are_found_and_what_says_something_in_them() -> None:
    assert {"worker.py", "config.py", "log.py", "yaml.py"} <= {path.name for path in SOURCES}
    assert {"CompactdError", "InputError", "ServiceError", "RootError"} <= errors()
    assert len(makes_phrases()) > 150


def test_every_error_and_phrase_is_a_literal_template_with_a_value_for_each_place() -> None:
    for one in makes_phrases():
        assert one.text is not None, f"{one}: the template is not literal"
        assert one.values == places(one.text), one


def test_every_template_has_a_chinese_one_with_the_same_places() -> None:
    for one in makes_phrases():
        translation = chinese(one.text or "")

        assert translation is not None, f"{one}: not in the catalogue"
        assert places(translation) == places(one.text or ""), one


def test_only_the_words_of_others_become_a_phrase_without_being_literal() -> None:
    for one in calls():
        if one.name == "Phrase":
            assert (one.where.partition(":")[0], one.function) in WORDS_ARE_OTHERS, one
    made = {(one.where.partition(":")[0], one.function) for one in calls() if one.name == "Phrase"}
    assert made == set(WORDS_ARE_OTHERS), "none of them is left over"


@pytest.mark.parametrize(
    ("name", "position"),
    [("complain", 0), ("usage", 1), ("tell", 0), ("Finding", 1), ("YamlError", 0), ("Bar", 1)],
)
def test_nothing_that_speaks_to_people_is_given_a_text_as_it_stands(name: str, position: int) -> None:
    found = [one for one in calls() if one.name == name and len(one.call.args) > position]

    assert found
    for one in found:
        assert not isinstance(one.call.args[position], ast.Constant | ast.JoinedStr | ast.BinOp), one


def test_nothing_is_printed_that_has_words_of_its_own() -> None:
    for one in calls():
        if one.name == "print":
            shown = [text for argument in one.call.args for text in texts(argument) if re.search("[A-Za-z]", text)]
            inside = any(isinstance(argument, ast.Call) for argument in one.call.args)
            assert not shown or inside or one.where.startswith("console.py"), one


def texts(node: ast.AST) -> list[str]:
    """Return every literal text below a node."""
    constants = (one.value for one in ast.walk(node) if isinstance(one, ast.Constant))
    return [value for value in constants if isinstance(value, str)]


def test_every_sentence_has_its_key_and_a_value_for_each_place() -> None:
    for one in calls():
        if one.name == "message" and one.text is not None:
            assert one.text in SENTENCES, one
            assert one.values == places(SENTENCES[one.text][1]), one
        elif one.name in {"message", "Hindrance", "_raise"} and isinstance(one.first, ast.JoinedStr):
            begin = one.first.values[0]
            assert isinstance(begin, ast.Constant), one
            assert begin.value in FAMILIES, one
        elif one.name in {"Hindrance", "_raise"} and one.text is not None:
            assert one.text in SENTENCES, one


def test_every_member_of_a_family_has_its_sentence() -> None:
    assert {f"{begin}{one}" for begin, family in FAMILIES.items() for one in family} <= set(SENTENCES)


# Nothing is left over


def test_every_phrase_of_the_catalogue_can_be_said() -> None:
    assert set(PHRASES) - {one.text for one in makes_phrases()} == set()


def test_every_sentence_of_the_catalogue_can_be_said() -> None:
    constants = {text for tree in trees().values() for text in texts(tree)}
    families = {f"{begin}{one}" for begin, family in FAMILIES.items() for one in family}

    assert set(SENTENCES) - constants - families == set()


def test_no_template_stands_twice() -> None:
    for one, other in ((PHRASES, SYSTEM), (PHRASES, YAML), (PHRASES, JSON), (SYSTEM, YAML), (YAML, JSON)):
        assert not set(one) & set(other)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems word some of them otherwise")
def test_every_word_of_the_system_is_one_that_it_says() -> None:
    assert set(SYSTEM) <= {os.strerror(number).lower() for number in range(1, 140)}


def test_every_word_of_the_yaml_parsers_is_one_that_they_know(monkeypatch: pytest.MonkeyPatch) -> None:
    import ruamel.yaml

    files = sorted(Path(ruamel.yaml.__path__[0]).glob("*.py"))
    known = b"\n".join(file.read_bytes() for file in files).replace(b"}}", b"}")
    try:
        import _ruamel_yaml
    except ImportError:
        pytest.skip("there is no libyaml here")
    known += Path(_ruamel_yaml.__file__).read_bytes()
    said = {problem for _, problem in faults_of(BROKEN)}
    monkeypatch.setattr(yaml, "_c_parser", lambda: None)
    said |= {problem for _, problem in faults_of(BROKEN)}

    assert [word for word in YAML if word not in said and word.encode() not in known] == []


def test_every_word_of_the_json_parser_is_one_that_it_says() -> None:
    broken = ["", "{", '{"a"', '{"a":1', "[1 2]", "1 2", '"a', '"\t"', r'"\x"', r'"\uq"', "[1,]", '{"a":1,}']
    said = set()
    for text in broken:
        with pytest.raises(json.JSONDecodeError) as caught:
            json.loads(text)
        said.add(caught.value.msg.lower())

    assert said <= set(JSON)


# What the YAML parsers say


BROKEN = (
    "a: [1",
    "a: {b",
    "a: [1}",
    "a: {b: 1]",
    'a: "x',
    "a: b: c",
    "a\n- b: c",
    "a: - b",
    "a: 1\n  b: 2",
    "a: 1\n b",
    "- a\nb: c",
    "- a\n b: 1\n- c",
    "`x`",
    "a: @b",
    "a: *",
    "a: &",
    "a: !x!y z",
    'a: "\\q"',
    'a: "\\\'"',
    'a: "\\xzz"',
    'a: "\\u12"',
    'a: "\\U12"',
    "a:\n\tb: 1",
    "\tx",
    "%\n",
    "%YAML 1.2\n%YAML 1.2\n---\na",
    "%YAML 9.9\n---\na",
    "%YAML x\n---\na",
    "a: |9x",
    "a: >0\n b",
    "a: | x\n b",
    'a: "x\n---\n"',
    "? a\n: b\nc",
    "a: b\n? - c\n  d",
    "]",
    "a: }",
    "a: 'x' y",
    'a: "x" y: z',
    "<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> x",
    "{a: 1, b",
    "[a: {",
    "--- a\n--- b\n...x",
    "a: !<x",
    "a: !x%",
    "a: !x%g1",
)


def faults_of(texts: Iterable[str]) -> list[tuple[str, str]]:
    """Return the texts that are no YAML, and what is said of each."""
    found = []
    for text in texts:
        try:
            yaml.parse(text)
        except yaml.YamlError as error:
            found.append((text, error.problem.text))
    return found


@pytest.mark.parametrize("parser", ["libyaml", "ruamel"])
def test_what_a_parser_says_of_usual_mistakes_is_said_in_chinese(parser: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if parser == "ruamel":
        monkeypatch.setattr(yaml, "_c_parser", lambda: None)
    elif yaml._c_parser() is None:
        pytest.skip("there is no libyaml here")
    faults = faults_of(BROKEN)

    assert len(faults) > 30
    assert [(text, problem) for text, problem in faults if chinese(problem) is None] == []


@pytest.mark.parametrize("parser", ["libyaml", "ruamel"])
@pytest.mark.parametrize("text", ["a: !Ztag!y z", 'a: "\\Z"', "a: 'x' Zed", "- Z\n  b: 1\n- c"])
def test_what_a_parser_quotes_of_a_source_is_left_out(parser: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if parser == "ruamel":
        monkeypatch.setattr(yaml, "_c_parser", lambda: None)
    with pytest.raises(yaml.YamlError) as caught:
        yaml.parse(text)

    assert "Z" not in str(caught.value.problem)


# The Chinese


ENTRIES = [
    *((f"sentence {key}", english, chinese) for key, (chinese, english) in SENTENCES.items()),
    *((f"phrase {english}", english, chinese) for english, chinese in (PHRASES | WORDS_OF_OTHERS).items()),
]
each_entry = pytest.mark.parametrize(
    ("english", "chinese"), [entry[1:] for entry in ENTRIES], ids=[e[0] for e in ENTRIES]
)


@each_entry
def test_both_languages_say_the_same_values(english: str, chinese: str) -> None:
    assert places(chinese) == places(english)
    assert english.isascii()


@each_entry
def test_the_chinese_is_chinese(english: str, chinese: str) -> None:
    words = re.sub(r"\{[a-z_]+\}", "", english)

    assert re.search(CJK, chinese) or not re.search("[A-Za-z]", words) or chinese in UNTRANSLATED


@each_entry
def test_punctuation_beside_chinese_is_full_width(english: str, chinese: str) -> None:
    bare = re.sub(r"`[^`]*`|“[^”]*”", "", chinese)

    assert not re.search(rf"{CJK}[,;:.!?()]|[,;:!?()]{CJK}", bare), english
    assert not re.search(r"[,;:!?] ", bare), english


@each_entry
def test_a_space_stands_between_chinese_and_latin(english: str, chinese: str) -> None:
    assert not re.search(rf"{CJK}[A-Za-z0-9]|[A-Za-z0-9]{CJK}", chinese), english
    assert not re.search(r"[：；，（）。、] | [：；，（）。、]", chinese), english
    for before, name, after in re.findall(r"(.?.?)\{([a-z_]+)\}(.?.?)", chinese):
        if name in OF_A_PHRASE:
            assert not re.search(f"{CJK} $", before), english
        elif name != "lasting":
            assert not re.search(f"{CJK}$", before), english
            assert not re.match(CJK, after), english


def test_the_sentence_is_the_specification_s() -> None:
    assert (
        message("generated", "zh-CN", written=6, percent=92) == "已生成 6 个 .compact 文件，预计节省 ~92% context token"
    )
    assert message("generated", "en", written=6, percent=92) == (
        "Generated 6 .compact files, estimated to save ~92% of context tokens"
    )


# How a phrase is said


NESTED = phrase(
    "the view cannot be written: {reason}; {hint}",
    reason=Phrase("no space left on device"),
    hint=phrase("make room on the disk"),
)


def test_a_phrase_is_said_in_one_language_with_those_in_it() -> None:
    assert translated(NESTED, "en") == str(NESTED)
    assert str(NESTED) == "the view cannot be written: no space left on device; make room on the disk"
    assert translated(NESTED, "zh-CN") == "无法写入视图：设备上没有剩余空间；请腾出磁盘空间"


def test_words_of_others_that_the_catalogue_does_not_know_are_said_as_they_are() -> None:
    said = phrase("{path}: {reason}", path="a {b}", reason=Phrase("the moon is {full}"))

    assert translated(said, "zh-CN") == "a {b}：the moon is {full}"


def test_an_error_in_another_is_said_in_the_same_language() -> None:
    inner = InputError("{path}: no such folder; give the folder that holds .pipeline/", path="x")
    outer = InputError("{path}: {reason}", path="y", reason=inner)

    assert str(outer) == "y: x: no such folder; give the folder that holds .pipeline/"
    assert translated(outer.phrase, "zh-CN") == "y：x：文件夹不存在；请指定包含 .pipeline/ 的文件夹"


@given(phrases)
def test_whatever_the_phrase_it_can_be_said(said: Phrase) -> None:
    assert isinstance(translated(said, "zh-CN"), str)
    assert translated(said, "en") == str(said)


@given(st.text(), st.text())
def test_a_value_is_never_taken_for_a_template(value: str, other: str) -> None:
    assert filled("{a}|{b}", (("a", value), ("b", other))) == f"{value}|{other}"


def test_an_unknown_message_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(KeyError):
        message("no such", "en")


def test_where_the_catalogue_cannot_be_loaded_the_complaint_is_english(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "hypo_compactd.catalogue", None)
    console.complain(NESTED, "zh-CN")

    assert capsys.readouterr().err == f"hypo-compactd: {NESTED}\n"


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("reports/a b.md", "reports/a b.md"),
        ("报告/一.md", "报告/一.md"),
        ("a\nb", "a\\x0ab"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\u202eb", "a\\x202eb"),
        ("bad-\udcff.md", "bad-\\xdcff.md"),
    ],
)
def test_what_could_move_a_cursor_or_end_a_log_is_shown_as_its_code(given_text: str, shown: str) -> None:
    assert printable(given_text) == shown


@given(st.text())
def test_whatever_the_text_it_can_be_printed_on_one_line(text: str) -> None:
    shown = printable(text)

    assert shown.isprintable()
    assert shown.encode("utf-8").decode("utf-8") == shown
