from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypo_compactd import config
from hypo_compactd.config import GLOBAL_FILE, PROJECT_FILE, Config
from hypo_compactd.errors import ConfigurationError
from hypo_compactd.paths import Project, global_configuration
from hypo_strategies.api import Options, Redaction
from hypo_strategies.registry import STRATEGIES, get_strategy

SHANGHAI = timezone(timedelta(hours=8))
WHEN = datetime(2026, 4, 8, 12, tzinfo=UTC)


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    (tmp_path / "project/.pipeline").mkdir(parents=True)
    return tmp_path / "project"


def load(root: Path, text: str | bytes = "", shared: str | bytes | None = None, **environment: str) -> Config:
    """Load a project's configuration that holds `text`, over a global one that holds `shared`."""
    (root / PROJECT_FILE).write_bytes(text if isinstance(text, bytes) else text.encode())
    if shared is not None:
        global_configuration().parent.mkdir(parents=True, exist_ok=True)
        global_configuration().write_bytes(shared if isinstance(shared, bytes) else shared.encode())
    return config.load(root, environment)


def nested(key: str, value: str) -> str:
    """Return YAML that gives one key path a value."""
    *outer, last = key.split(".")
    lines = [f"{'  ' * depth}{name}:" for depth, name in enumerate(outer)]
    return "\n".join([*lines, f"{'  ' * len(outer)}{last}: {value}\n"])


def zone_hours(loaded: Config) -> float:
    return WHEN.astimezone(loaded.options.timezone).utcoffset() / timedelta(hours=1)  # type: ignore[operator]


INTEGERS = {
    "compact.progress_recent": ("progress_recent", 15, 1, 1000),
    "compact.state_history_full": ("state_history_full", 1, 0, 1000),
    "compact.log_recent": ("log_recent", 20, 1, 1000),
    "compact.reports_summary_lines": ("reports_summary_lines", 3, 1, 50),
    "knowledge.compaction.max_records_per_category": ("max_records_per_category", 50, 1, 1000),
}
BOOLEANS = ["compact.auto", "knowledge.enabled", "knowledge.compaction.auto", "knowledge.redaction.enabled"]

LIST, MAPPING = "[1, 2]", "{a: 1}"


def truth(key: str, loaded: Config) -> bool:
    return {
        "compact.auto": loaded.auto,
        "knowledge.enabled": loaded.knowledge_auto,
        "knowledge.compaction.auto": loaded.knowledge_auto,
        "knowledge.redaction.enabled": loaded.options.redaction.enabled,
    }[key]


def test_without_any_file_everything_has_its_default(root: Path) -> None:
    loaded = config.load(root, {})

    assert loaded == Config(
        options=replace(Options(), timezone=loaded.options.timezone),
        digests={PROJECT_FILE: None, GLOBAL_FILE: None},
    )
    assert zone_hours(loaded) == 8


def test_the_example_s_configuration_is_all_defaults_and_has_no_fault(project: Project) -> None:
    loaded = config.load(project.root, {})

    assert replace(loaded, digests={}) == replace(Config(), options=loaded.options)
    assert replace(loaded.options, timezone=SHANGHAI) == Options()


@pytest.mark.parametrize("key", INTEGERS)
def test_an_integer_is_taken_from_its_least_to_its_greatest(root: Path, key: str) -> None:
    name, default, low, high = INTEGERS[key]

    for value in (low, high, low + 1):
        loaded = load(root, nested(key, str(value)))
        assert getattr(loaded.options, name) == value
        assert loaded.findings == ()
    assert getattr(load(root, "other: 1\n").options, name) == default


@pytest.mark.parametrize("key", INTEGERS)
@pytest.mark.parametrize(
    "value",
    [
        '"3"',
        "'3'",
        "-1",
        "1001",
        "3.0",
        "3.5",
        "1e1",
        "true",
        "no",
        "0x10",
        "1_0",
        "３",
        "!!str 3",
        "three",
        LIST,
        MAPPING,
        "9" * 30,
        "9" * 5000,
        "+",
        ".inf",
        "|\n      3\n",
    ],
    ids=lambda value: value[:12],
)
def test_anything_else_for_an_integer_gives_the_default_and_a_finding(root: Path, key: str, value: str) -> None:
    name, default, low, high = INTEGERS[key]
    loaded = load(root, nested(key, value))

    assert getattr(loaded.options, name) == default
    (finding,) = loaded.findings
    assert finding.path == PROJECT_FILE
    assert finding.line
    assert finding.severity == "warning"
    assert finding.message.startswith(f"{key}: ")
    assert finding.message.endswith(f" is not an integer from {low} to {high}; {default} is used")
    assert finding.message.isprintable()
    assert len(finding.message) < 200


@pytest.mark.parametrize("key", [key for key, (_, _, low, _) in INTEGERS.items() if low == 1])
def test_zero_is_no_number_of_things_to_keep(root: Path, key: str) -> None:
    assert len(load(root, nested(key, "0")).findings) == 1


@pytest.mark.parametrize("key", BOOLEANS)
@pytest.mark.parametrize(
    ("value", "expected"),
    [(word, True) for word in ("true", "True", "TRUE", "yes", "on", "Yes", "ON")]
    + [(word, False) for word in ("false", "False", "FALSE", "no", "off", "No", "OFF")],
)
def test_both_yaml_versions_words_for_true_and_false_are_taken(
    root: Path,
    key: str,
    value: str,
    expected: bool,  # noqa: FBT001 - a row of a table
) -> None:
    loaded = load(root, nested(key, value))

    assert truth(key, loaded) == expected
    assert loaded.findings == ()


@pytest.mark.parametrize("key", BOOLEANS)
@pytest.mark.parametrize("value", ['"false"', "'no'", "0", "1", "n", "falsch", "-1", LIST, MAPPING, "!!str false"])
def test_anything_else_for_a_boolean_gives_the_default_and_a_finding(root: Path, key: str, value: str) -> None:
    loaded = load(root, nested(key, value))

    assert truth(key, loaded) is True
    (finding,) = loaded.findings
    assert finding.message.startswith(f"{key}: ")
    assert finding.message.endswith(" is not true or false; true is used")


@pytest.mark.parametrize("key", [*INTEGERS, *BOOLEANS, "output.language", "output.timezone", "knowledge.root"])
@pytest.mark.parametrize("value", ["", "~", "null", "NULL"])
def test_null_is_not_given(root: Path, key: str, value: str) -> None:
    loaded = load(root, nested(key, value))

    assert replace(loaded, digests={}) == replace(load(root), digests={})


def test_the_project_s_value_wins_over_the_global_one_and_that_over_the_default(root: Path) -> None:
    shared = "compact: {log_recent: 5, progress_recent: 6}\noutput: {language: en}\n"
    options = load(root, "compact: {log_recent: 7}\n", shared).options

    assert (options.log_recent, options.progress_recent, options.state_history_full) == (7, 6, 1)
    assert options.language == "en"


def test_a_wrong_value_of_the_project_gives_the_default_and_not_the_global_value(root: Path) -> None:
    loaded = load(root, "compact: {log_recent: none}\n", "compact: {log_recent: 5}\n")

    assert loaded.options.log_recent == 20
    assert len(loaded.findings) == 1


def test_a_null_of_the_project_lets_the_global_value_stand(root: Path) -> None:
    assert load(root, "compact: {log_recent: null}\n", "compact: {log_recent: 5}\n").options.log_recent == 5
    assert load(root, "compact:\n", "compact: {log_recent: 5}\n").options.log_recent == 5


def test_a_wrong_global_value_is_reported_with_the_global_file(root: Path) -> None:
    (finding,) = load(root, "", "compact:\n  log_recent: none\n").findings

    assert str(finding) == (f"{GLOBAL_FILE}:2: compact.log_recent: 'none' is not an integer from 1 to 1000; 20 is used")


@pytest.mark.parametrize(
    ("value", "shown"), [("false", "'false'"), ("7", "'7'"), ("[1]", "a list"), ('"x"', "the text 'x'")]
)
def test_a_section_that_is_no_mapping_is_reported_once_and_gives_the_defaults(
    root: Path, value: str, shown: str
) -> None:
    loaded = load(root, f"a: 1\ncompact: {value}\n")

    assert replace(loaded.options, timezone=SHANGHAI) == Options()
    assert loaded.auto
    assert [str(finding) for finding in loaded.findings] == [
        f"{PROJECT_FILE}:2: compact: {shown} is not a mapping; its defaults are used"
    ]


def test_an_inner_section_that_is_no_mapping_is_called_by_its_path(root: Path) -> None:
    (finding,) = load(root, "knowledge:\n  enabled: true\n  compaction: off\n").findings

    assert finding.line == 3
    assert finding.message.startswith("knowledge.compaction: 'off' is not a mapping")


def test_foreign_keys_and_keys_that_are_only_named_alike_are_ignored(root: Path) -> None:
    loaded = load(
        root,
        "current: {phase: x}\nmilestones: [1]\nexecution: {mode: serial}\ncompact: {end_of_run: 7, refresh_policy: x}\n"
        "opencode: {compaction: false}\nagents: {compact: 3}\nclaude_code: {hooks: {compact: 1}}\n"
        "knowledge: {loading: x, strictness: {missing_index: 9}}\nlog_recent: 4\n1: 2\n? [a]\n: b\n",
    )

    assert replace(loaded.options, timezone=SHANGHAI) == Options()
    assert loaded.findings == ()


def test_every_fault_is_reported_at_once_with_its_line(root: Path) -> None:
    loaded = load(
        root,
        "compact:\n  auto: maybe\n  log_recent: 0\n  progress_recent: many\noutput:\n  language: tlh\n  timezone: Mars\n"
        "pipeline:\n  reports_dir: /etc\nknowledge:\n  root: ..\n  compaction: {compact_file: x.md}\n",
        "compact: {state_history_full: -1}\n",
    )

    assert {(finding.path, finding.line, finding.message.split(":")[0]) for finding in loaded.findings} == {
        (PROJECT_FILE, 2, "compact.auto"),
        (PROJECT_FILE, 3, "compact.log_recent"),
        (PROJECT_FILE, 4, "compact.progress_recent"),
        (PROJECT_FILE, 6, "output.language"),
        (PROJECT_FILE, 7, "output.timezone"),
        (PROJECT_FILE, 9, "pipeline.reports_dir"),
        (PROJECT_FILE, 11, "knowledge.root"),
        (PROJECT_FILE, 12, "knowledge.compaction.compact_file"),
        (GLOBAL_FILE, 1, "compact.state_history_full"),
    }


@pytest.mark.parametrize(
    ("value", "language"),
    [(word, "zh-CN") for word in ("zh", "zh-CN", "zh_CN", "cn", "CN", "zh-Hans", '"zh-CN"', "' zh '")]
    + [(word, "en") for word in ("en", "EN", "en-US", "en_GB", "english")],
)
def test_a_language_is_known_by_every_name_that_projects_use(root: Path, value: str, language: str) -> None:
    loaded = load(root, nested("output.language", value))

    assert loaded.options.language == language
    assert loaded.findings == ()


@pytest.mark.parametrize("value", ["bilingual", "de", '""', "3", LIST, "true", "e", "ench"])
def test_another_language_gives_the_default_and_a_finding(root: Path, value: str) -> None:
    loaded = load(root, nested("output.language", value), LANG="en_US.UTF-8")

    assert loaded.options.language == "zh-CN"
    assert loaded.findings[0].message.endswith(" is not zh-CN, zh, en or auto; zh-CN is used")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": ""}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh-CN"),
        ({"LANG": "zh_TW.Big5"}, "zh-CN"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh-CN"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, "zh-CN"),
        ({"LANG": "en_US", "LC_MESSAGES": "en_US", "LC_ALL": "ZH_cn"}, "zh-CN"),
    ],
)
def test_auto_follows_the_locale(root: Path, environment: dict[str, str], language: str) -> None:
    assert load(root, nested("output.language", "auto"), **environment).options.language == language


def test_without_auto_the_locale_is_of_no_effect(root: Path) -> None:
    assert load(root, "", LANG="en_US.UTF-8").options.language == "zh-CN"


@pytest.mark.parametrize(
    ("value", "hours"), [("UTC", 0), ("Asia/Shanghai", 8), ("America/New_York", -4), ('"Asia/Kathmandu"', 5.75)]
)
def test_a_time_zone_is_taken_by_its_iana_name(root: Path, value: str, hours: float) -> None:
    loaded = load(root, nested("output.timezone", value))

    assert zone_hours(loaded) == hours
    assert loaded.findings == ()


@pytest.mark.parametrize(
    "value",
    [
        "UTC+8",
        "Asia/Beijing",
        '""',
        "../../etc/passwd",
        "/etc/passwd",
        "/usr/share/zoneinfo/UTC",
        "Asia",
        "8",
        LIST,
        '"a\\0b"',
        "x" * 5000,
        "zone.tab",
        "Asia/../UTC",
        ".",
    ],
    ids=lambda value: value[:20],
)
def test_another_time_zone_gives_the_default_and_a_finding(root: Path, value: str) -> None:
    loaded = load(root, nested("output.timezone", value))

    assert zone_hours(loaded) == 8
    assert loaded.findings[0].message.endswith(" is not an IANA time zone such as Asia/Shanghai; Asia/Shanghai is used")


@pytest.mark.parametrize("value", ["ignore", "warn", "block", '"block"'])
def test_what_to_do_about_invalid_records_is_taken(root: Path, value: str) -> None:
    assert load(root, nested("knowledge.strictness.invalid_record", value)).options.invalid_record == value.strip('"')


@pytest.mark.parametrize("value", ["error", "3", LIST, "Block", '""'])
def test_anything_else_to_do_about_invalid_records_is_reported(root: Path, value: str) -> None:
    loaded = load(root, nested("knowledge.strictness.invalid_record", value))

    assert loaded.options.invalid_record == "warn"
    assert "is not one of ignore, warn, block; warn is used" in loaded.findings[0].message


def test_redaction_is_taken_as_it_is_given(root: Path) -> None:
    text = "knowledge: {redaction: {enabled: no, replacement: '***', secret_keys: [pin, ' puk ', 7]}}\n"

    assert load(root, text).options.redaction == Redaction(
        enabled=False, replacement="***", secret_keys=("pin", "puk", "7")
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("replacement", '""'),
        ("replacement", "' '"),
        ("replacement", '"a\\nb"'),
        ("replacement", '"\\e[2J"'),
        ("replacement", "x" * 61),
        ("replacement", LIST),
        ("secret_keys", "pin"),
        ("secret_keys", MAPPING),
        ("secret_keys", "[pin, [puk]]"),
        ("secret_keys", "['']"),
        ("secret_keys", f"[{'x' * 61}]"),
        ("secret_keys", f"[{'x,' * 201}]"),
    ],
)
def test_other_redaction_is_reported_and_the_default_holds(root: Path, key: str, value: str) -> None:
    loaded = load(root, nested(f"knowledge.redaction.{key}", value))

    assert loaded.options.redaction == Redaction()
    assert loaded.findings[0].message.startswith(f"knowledge.redaction.{key}: ")
    assert loaded.findings[0].message.isprintable()


MOVES = {
    "pipeline.reports_dir": ("reports", "docs/r", ".pipeline/reports"),
    "pipeline.state_file": ("state.yaml", "docs/s.yml", ".pipeline/state.yaml"),
    "pipeline.log_file": ("log.yaml", "docs/l.yaml", ".pipeline/log.yaml"),
    "knowledge.root": ("knowledge", "docs/kb", ".pipeline/knowledge"),
}


@pytest.mark.parametrize("key", MOVES)
def test_a_source_can_be_moved_inside_the_project(root: Path, key: str) -> None:
    name, place, default = MOVES[key]

    for value in (place, f'"./{place}"', f"{place}/" if "." not in place else place):
        loaded = load(root, nested(key, value))
        assert loaded.layout.moved == ((name, place),)
        assert loaded.findings == ()
    assert load(root, nested(key, default)).layout.moved == ()


@pytest.mark.parametrize("key", [key for key in MOVES if key != "pipeline.log_file"])
@pytest.mark.parametrize(
    "value",
    [
        "/etc/x.yaml",
        "../x.yaml",
        "a/../../x.yaml",
        "a/..",
        "~/x.yaml",
        '"a\\0.yaml"',
        '""',
        ".",
        "./",
        LIST,
        "//x.yaml",
        '"a\\nb.yaml"',
    ],
)
def test_a_source_cannot_be_moved_out_of_the_project(root: Path, key: str, value: str) -> None:
    loaded = load(root, nested(key, value))

    assert loaded.layout.moved == ()
    (finding,) = loaded.findings
    assert "is not a path inside the project" in finding.message
    assert finding.message.endswith(f"; {MOVES[key][2]} is used")


@pytest.mark.parametrize("value", ["docs/state.json", "docs/state", "docs/"])
def test_a_state_is_a_yaml_file(root: Path, value: str) -> None:
    loaded = load(root, nested("pipeline.state_file", value))

    assert loaded.layout.moved == ()
    assert "ending in .yaml or .yml" in loaded.findings[0].message


@pytest.mark.parametrize("value", [".pipeline/log.md", "docs/log.md", "/etc/log.yaml", LIST])
def test_a_log_in_another_form_is_another_thing_and_moves_nothing(root: Path, value: str) -> None:
    loaded = load(root, nested("pipeline.log_file", value))

    assert loaded.layout.moved == ()
    assert loaded.findings == ()


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ("kb.compact.md", ".pipeline/knowledge/kb.compact.md"),
        ("knowledge.compact.md", ".pipeline/knowledge/knowledge.compact.md"),
        (".pipeline/kb.compact.md", ".pipeline/kb.compact.md"),
        ("./.pipeline/x/../kb.compact.md", None),
        (".pipeline/deep/kb.compact.md", ".pipeline/deep/kb.compact.md"),
    ],
)
def test_the_knowledge_view_can_be_placed_below_the_pipeline(root: Path, value: str, place: str | None) -> None:
    loaded = load(root, nested("knowledge.compaction.compact_file", value))

    assert loaded.knowledge_view == place
    assert loaded.target(get_strategy("knowledge")) == place or place is None


def test_a_bare_name_of_the_knowledge_view_stands_beside_the_knowledge(root: Path) -> None:
    loaded = load(root, "knowledge: {root: docs/kb, compaction: {compact_file: knowledge.compact.md}}\n")

    assert loaded.target(get_strategy("knowledge")) == "docs/kb/knowledge.compact.md"
    assert loaded.findings == ()


@pytest.mark.parametrize(
    "value",
    [
        "/etc/kb.compact.md",
        "../kb.compact.md",
        ".pipeline/../kb.compact.md",
        "~/kb.compact.md",
        '".pipeline/\\0.compact.md"',
        "docs/kb.compact.md",
        ".pipeline/state.yaml",
        ".pipeline/PROGRESS.md",
        "README.md",
        '""',
        LIST,
        ".pipeline/",
        ".pipeline/kb.compact.md/",
        ".pipelines/kb.compact.md",
        ".compact.md/x",
    ],
)
def test_the_knowledge_view_cannot_be_written_over_anything_else(root: Path, value: str) -> None:
    loaded = load(root, nested("knowledge.compaction.compact_file", value))

    assert loaded.knowledge_view is None or loaded.knowledge_view == value.strip("/")
    if loaded.knowledge_view is None:
        assert "is not a path below .pipeline/ ending in .compact.md, and no other view's" in loaded.findings[0].message


@pytest.mark.parametrize("other", ["PROGRESS", "progress", "reports", "patches"])
def test_the_knowledge_view_cannot_be_put_in_another_view_s_place(root: Path, other: str) -> None:
    loaded = load(root, nested("knowledge.compaction.compact_file", f".pipeline/{other}.compact.md"))
    places = [loaded.target(strategy).casefold() for strategy in STRATEGIES]

    assert len(set(places)) == len(places)
    assert len(loaded.findings) == 1


def test_disabled_knowledge_is_not_written_by_itself(root: Path) -> None:
    assert load(root, "knowledge: {enabled: false}\n").knowledge_auto is False
    assert load(root, "knowledge: {compaction: {auto: false}}\n").knowledge_auto is False
    assert load(root, "knowledge: {compaction: {auto: false}}\n").auto is True


BROKEN = [
    pytest.param(b"a: 1\nb: [1\n", ":3:1: ", id="an open bracket"),
    pytest.param(b"a: b\n\tc: d\n", ":2:1: ", id="a tab"),
    pytest.param(b"a: b: c\n", ":1:5: ", id="two colons"),
    pytest.param(b"a: 1\nb: \xff\n", ":2:4: ", id="not UTF-8"),
    pytest.param(b"a: 1\n---\nb: 2\n", ":2:1: ", id="two documents"),
    pytest.param(b"- a\n", ":1: the file must hold a mapping", id="a list"),
    pytest.param(b"compact\n", ":1: the file must hold a mapping", id="a word"),
    pytest.param(b"[" * 100_000, ":1:", id="too deep"),
    pytest.param(
        ("a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{f'*a{n - 1}, ' * 9}]\n" for n in range(1, 9))).encode(),
        ":",
        id="a bomb",
    ),
]


@pytest.mark.parametrize(("data", "place"), BROKEN)
@pytest.mark.parametrize("file", [PROJECT_FILE, GLOBAL_FILE])
def test_a_file_that_is_no_yaml_is_an_error_with_its_place(root: Path, data: bytes, place: str, file: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load(root, *((data,) if file == PROJECT_FILE else ("", data)))

    assert str(caught.value).startswith(f"{file}{place}")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("data", [b"", b"\n", b"# soon\n", b"---\n", b"null\n", b"{}\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_all_defaults(root: Path, data: bytes) -> None:
    loaded = load(root, data)

    assert replace(loaded.options, timezone=SHANGHAI) == Options()
    assert loaded.findings == ()


def test_windows_line_ends_and_a_byte_order_mark_are_no_trouble(root: Path) -> None:
    assert load(root, b"\xef\xbb\xbfcompact:\r\n  log_recent: 5\r\n").options.log_recent == 5


def make_loop(path: Path) -> None:
    path.symlink_to(path.name)


def make_huge(path: Path) -> None:
    path.touch()
    os.truncate(path, 1 << 30)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (os.mkfifo, "is a FIFO, not a file"),
        (Path.mkdir, "is a folder, not a file"),
        (make_loop, "is a symbolic link that leads to itself"),
        (make_huge, "is larger than the limit"),
        (lambda path: path.symlink_to("/dev/zero"), "a device|leads out of the project"),
    ],
)
@pytest.mark.parametrize("file", [PROJECT_FILE, GLOBAL_FILE])
@pytest.mark.timeout(20)
def test_what_is_no_file_is_an_error_with_its_name(root: Path, make: Any, reason: str, file: str) -> None:
    path = root / PROJECT_FILE if file == PROJECT_FILE else global_configuration()
    path.parent.mkdir(parents=True, exist_ok=True)
    make(path)

    with pytest.raises(ConfigurationError, match=reason) as caught:
        config.load(root, {})
    assert str(caught.value).startswith(f"{file}: ")


def test_a_file_that_may_not_be_read_is_an_error_with_its_name(unprivileged: Any) -> None:
    folder, as_user = unprivileged
    (folder / ".pipeline").mkdir()
    (folder / PROJECT_FILE).touch(mode=0o000)

    with as_user(), pytest.raises(ConfigurationError, match=f"^{PROJECT_FILE}: permission denied"):
        config.load(folder, {})


def test_a_project_s_file_that_is_a_link_out_of_the_project_is_not_followed(root: Path, tmp_path: Path) -> None:
    (tmp_path / "theirs.yaml").write_text("compact: {log_recent: 5}\n")
    (root / PROJECT_FILE).symlink_to(tmp_path / "theirs.yaml")

    with pytest.raises(ConfigurationError, match="leads out of the project"):
        config.load(root, {})


@pytest.mark.parametrize("linked", ["file", "folder"])
def test_the_global_file_may_be_a_link_since_it_is_the_user_s_own(root: Path, tmp_path: Path, linked: str) -> None:
    kept = tmp_path / "dotfiles/hypo"
    kept.mkdir(parents=True)
    (kept / "config.yaml").write_text("compact: {log_recent: 5}\n")
    path = global_configuration()
    path.parent.parent.mkdir(parents=True)
    if linked == "folder":
        path.parent.symlink_to(kept)
    else:
        path.parent.mkdir()
        path.symlink_to(kept / "config.yaml")

    assert config.load(root, {}).options.log_recent == 5


@pytest.mark.parametrize("broken", ["folder is a file", "no home"])
def test_a_home_without_a_global_folder_is_no_trouble(
    root: Path, tmp_path: Path, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if broken == "no home":
        monkeypatch.setenv("HOME", os.fspath(tmp_path / "nowhere"))
    else:
        (tmp_path / "home").mkdir()
        (tmp_path / "home/.hypo-workflow").touch()

    assert config.load(root, {}).digests[GLOBAL_FILE] is None


def files(root: Path) -> Iterator[tuple[str, Path]]:
    yield PROJECT_FILE, root / PROJECT_FILE
    yield GLOBAL_FILE, global_configuration()


def test_the_digests_tell_whether_loading_again_would_give_something_else(root: Path) -> None:
    loaded = load(root, "a: 1\n", "b: 1\n")
    assert config.present(root) == loaded.digests

    for name, path in files(root):
        before = config.present(root)
        path.write_text("compact: {auto: false}\n")
        assert before is not None
        assert (config.present(root) or {})[name] not in (before[name], None)
        path.unlink()
        assert (config.present(root) or {})[name] is None


def test_a_configuration_is_brought_up_to_date_and_kept_where_it_cannot_be(root: Path) -> None:
    loaded = load(root, "compact: {auto: true}\n")
    assert config.up_to_date(root, loaded) is loaded

    path = root / PROJECT_FILE
    path.write_text("compact: [\n")
    assert config.up_to_date(root, loaded) is loaded
    path.write_text("compact: {auto: false}\n")
    assert not config.up_to_date(root, loaded).auto
    assert config.up_to_date(root, Config()) == Config(), "one that is not from files stays"


@settings(max_examples=200)
@given(st.binary(max_size=200))
def test_whatever_the_bytes_there_is_a_configuration_or_an_error(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    root = tmp_path_factory.mktemp("project")
    (root / ".pipeline").mkdir()
    try:
        loaded = load(root, data)
    except ConfigurationError as error:
        assert str(error).startswith(PROJECT_FILE)  # noqa: PT017 - either is right
    else:
        assert isinstance(loaded, Config)


values = st.sampled_from(
    ["7", "-1", "true", '"x"', "[1]", "{a: b}", "~", "../x", "x.compact.md", "zh", "UTC", "2.5", "''"]
)
keys = st.sampled_from(
    [
        *INTEGERS,
        *BOOLEANS,
        *MOVES,
        "output.language",
        "output.timezone",
        "knowledge.compaction.compact_file",
        "knowledge.redaction.replacement",
        "knowledge.redaction.secret_keys",
        "knowledge.strictness.invalid_record",
    ]
)


@settings(max_examples=200)
@given(keys, values)
def test_whatever_a_value_is_it_is_taken_or_reported_and_stays_within_bounds(
    tmp_path_factory: pytest.TempPathFactory, key: str, value: str
) -> None:
    root = tmp_path_factory.mktemp("project")
    (root / ".pipeline").mkdir()
    loaded = load(root, nested(key, value))

    for name, _, low, high in INTEGERS.values():
        assert low <= getattr(loaded.options, name) <= high
    assert loaded.options.language in {"zh-CN", "en"}
    for _, place in loaded.layout.moved:
        assert (root / place).resolve().is_relative_to(root.resolve())
    assert len(loaded.findings) <= 1
    assert all(finding.message.startswith(f"{key}: ") for finding in loaded.findings)


def test_a_number_in_quotes_is_named_a_text(project: Project) -> None:
    (project.pipeline / "config.yaml").write_text('compact: {log_recent: "20"}\n', "utf-8")
    (finding,) = config.load(project.root, {}).findings

    assert finding.message == "compact.log_recent: the text '20' is not an integer from 1 to 1000; 20 is used"


def test_a_change_of_the_same_size_with_its_time_put_back_is_another_file(root: Path) -> None:
    loaded = load(root, "compact: {auto: true }\n")
    path = root / PROJECT_FILE
    status = path.stat()
    path.write_text("compact: {auto: false}\n", "utf-8")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    assert config.present(root) != loaded.digests
    assert config.present(root) == config.load(root).digests
