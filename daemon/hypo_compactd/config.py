"""The configuration of a project: the project's file over the global file over the defaults.

Nothing is trusted: a project may be cloned from anywhere. A value of the wrong type or out of range
falls back to its default and is reported with file, key path, value and what is allowed (views.md,
rule 11); all problems are reported at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta, timezone, tzinfo
from pathlib import Path, PurePosixPath
from typing import Literal, TypeVar, cast

from hypo_compactd.config_files import GLOBAL_FILE as GLOBAL_FILE  # noqa: PLC0414 - part of what is offered here
from hypo_compactd.config_files import PROJECT_FILE as PROJECT_FILE  # noqa: PLC0414 - as above
from hypo_compactd.config_files import digests, locale_language, read_files
from hypo_compactd.errors import CompactdError, ConfigurationError
from hypo_compactd.holder import keeper_language
from hypo_compactd.messages import printable
from hypo_compactd.paths import Project
from hypo_compactd.reader import Layout, SourceFile
from hypo_strategies.api import Finding, Language, Options, Redaction, Strategy
from hypo_strategies.registry import STRATEGIES
from hypo_strategies.text import yaml
from hypo_strategies.text.phrase import Phrase, phrase

_OTHER_VIEWS = frozenset(
    f".pipeline/{strategy.target}".casefold() for strategy in STRATEGIES if strategy.name != "knowledge"
)

_TRUE = frozenset({"true", "yes", "on"})
_FALSE = frozenset({"false", "no", "off"})

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Config:
    """What the configuration says, checked.

    Attributes:
        options: what the views depend on.
        layout: where the sources are.
        knowledge_view: where the knowledge view stands, relative to the project; None for beside its sources.
        auto: whether the daemon writes at all (`compact.auto`).
        knowledge_auto: whether it writes the knowledge view (`knowledge.enabled`, `knowledge.compaction.auto`).
        findings: every value that was not usable.
        digests: of the files' bytes by name, None for a missing one; empty where it is not from files.
        locale: the language that stands for `auto`, None where the files name one themselves.
        spoken: the language for messages; for `auto` that of our own locale, whichever the views are in.
    """

    options: Options = field(default_factory=Options)
    layout: Layout = field(default_factory=Layout)
    knowledge_view: str | None = None
    auto: bool = True
    knowledge_auto: bool = True
    findings: tuple[Finding, ...] = ()
    digests: Mapping[str, str | None] = field(default_factory=dict)
    locale: Language | None = None
    spoken: Language = Options().language

    def target(self, strategy: Strategy) -> str:
        """Return where a view stands, relative to the project."""
        if strategy.name == "knowledge" and self.knowledge_view is not None:
            return self.knowledge_view
        return self.layout.place(strategy.target)


def load(root: Path, environment: Mapping[str, str] = os.environ) -> Config:
    """Return the configuration of the project at `root`.

    Args:
        root: the real path of the project.
        environment: where the locale is looked up for `output.language: auto`; that of the project's daemon, if
            there is one, counts before it.

    Raises:
        ConfigurationError: a file exists and cannot be read or is not YAML. What it says about
            secrets is then unknown, so no view may be made by guesswork.
    """
    files = read_files(root)
    layers = [_Layer(name, _tree(name, file)) for name, file in files.items() if file is not None]
    config = replace(resolve(layers, environment), digests=digests(files))
    language = config.locale and keeper_language(Project(root, root))
    return replace(config, options=replace(config.options, language=language), locale=language) if language else config


def present(root: Path) -> Mapping[str, str | None] | None:
    """Return what the digests of the files are now, None where one cannot be read: whether `load` would give another.

    By their bytes and not by their times: two changes within one tick of a coarse clock bear the same.
    """
    try:
        return digests(read_files(root))
    except CompactdError:
        return None


def up_to_date(root: Path, config: Config) -> Config:
    """Return the configuration as it is now, the given one where it is not from files or cannot be read any more."""
    if config.digests and present(root) != config.digests:
        with suppress(ConfigurationError):
            return load(root)
    return config


@dataclass(frozen=True, slots=True)
class _Layer:
    file: str
    root: yaml.Mapping


def resolve(layers: list[_Layer], environment: Mapping[str, str]) -> Config:
    """Return the configuration that the layers give, the first one winning; pure."""
    look = _Look(layers)
    redaction = Redaction(
        enabled=look.boolean("knowledge.redaction.enabled", default=True),
        replacement=look.text("knowledge.redaction.replacement", "[REDACTED]"),
        secret_keys=look.names("knowledge.redaction.secret_keys"),
    )
    options = Options(
        progress_recent=look.integer("compact.progress_recent", 15, 1, 1000),
        state_history_full=look.integer("compact.state_history_full", 1, 0, 1000),
        log_recent=look.integer("compact.log_recent", 20, 1, 1000),
        reports_summary_lines=look.integer("compact.reports_summary_lines", 3, 1, 50),
        language=look.language("output.language", environment),
        timezone=look.timezone("output.timezone"),
        max_records_per_category=look.integer("knowledge.compaction.max_records_per_category", 50, 1, 1000),
        invalid_record=cast(
            "Literal['ignore', 'warn', 'block']",
            look.choice("knowledge.strictness.invalid_record", "warn", ("ignore", "warn", "block")),
        ),
        redaction=redaction,
    )
    moved = (
        ("reports", look.place("pipeline.reports_dir", ".pipeline/reports")),
        ("state.yaml", look.place("pipeline.state_file", ".pipeline/state.yaml", yaml_file=True)),
        # A legacy step trace (`log.md`) is no source of the log view, so it moves nothing.
        ("log.yaml", look.place("pipeline.log_file", ".pipeline/log.yaml", yaml_file=True, quiet=True)),
        ("knowledge", look.place("knowledge.root", ".pipeline/knowledge")),
    )
    enabled = look.boolean("knowledge.enabled", default=True)
    knowledge_auto = look.boolean("knowledge.compaction.auto", default=True)
    return Config(
        options=options,
        layout=Layout(tuple((path, place) for path, place in moved if place != f".pipeline/{path}")),
        knowledge_view=look.view("knowledge.compaction.compact_file", beside=moved[-1][1]),
        auto=look.boolean("compact.auto", default=True),
        knowledge_auto=enabled and knowledge_auto,
        findings=tuple(look.findings),
        locale=look.locale,
        spoken=options.language,
    )


class _Look:
    """Looks keys up in the layers and collects what is wrong with their values."""

    def __init__(self, layers: list[_Layer]) -> None:
        self.layers = layers
        self.findings: list[Finding] = []
        self.locale: Language | None = None

    def find(self, key: str) -> tuple[yaml.Node, str] | None:
        """Return the value of a key path and the file it stands in; null counts as not given."""
        for layer in self.layers:
            node: yaml.Node | None = layer.root
            parts = key.split(".")
            for index, part in enumerate(parts):
                if isinstance(node, yaml.Mapping):
                    node = node.get(part)
                elif node is not None and not _null(node):
                    self._wrong(
                        layer.file, ".".join(parts[:index]), node, phrase("a mapping"), phrase("its defaults are used")
                    )
                    node = None
            if node is not None and not _null(node):
                return node, layer.file
        return None

    def integer(self, key: str, default: int, low: int, high: int) -> int:
        def take(node: yaml.Node) -> int:
            digits = node.number if isinstance(node, yaml.Scalar) else None
            if digits is None or not digits.isascii() or not low <= int(digits) <= high:
                raise ValueError
            return int(digits)

        return self._take(key, default, phrase("an integer from {low} to {high}", low=low, high=high), take)

    def boolean(self, key: str, *, default: bool) -> bool:
        def take(node: yaml.Node) -> bool:
            word = node.value.lower() if isinstance(node, yaml.Scalar) and node.style == "plain" else ""
            if word in _TRUE:
                return True
            if word in _FALSE:
                return False
            raise ValueError

        return self._take(key, default, phrase("true or false"), take)

    def text(self, key: str, default: str) -> str:
        def take(node: yaml.Node) -> str:
            if (
                not isinstance(node, yaml.Scalar)
                or not node.value.strip()
                or not node.value.isprintable()
                or len(node.value) > 60
            ):
                raise ValueError
            return node.value

        return self._take(key, default, phrase("a text of one line, at most {count} characters", count=60), take)

    def choice(self, key: str, default: str, choices: tuple[str, ...]) -> str:
        def take(node: yaml.Node) -> str:
            if not isinstance(node, yaml.Scalar) or node.value not in choices:
                raise ValueError
            return node.value

        return self._take(key, default, phrase("one of {choices}", choices=", ".join(choices)), take)

    def names(self, key: str) -> tuple[str, ...]:
        def take(node: yaml.Node) -> tuple[str, ...]:
            if not isinstance(node, yaml.Sequence) or len(node.items) > 200:
                raise ValueError
            if not all(isinstance(item, yaml.Scalar) and 0 < len(item.value.strip()) <= 60 for item in node.items):
                raise ValueError
            return tuple(cast("yaml.Scalar", item).value.strip() for item in node.items)

        return self._take(key, (), phrase("a list of key names"), take)

    def language(self, key: str, environment: Mapping[str, str]) -> Language:
        def take(node: yaml.Node) -> Language:
            word = node.value.strip().lower().replace("_", "-") if isinstance(node, yaml.Scalar) else ""
            if word == "auto":
                self.locale = locale_language(environment)
                return self.locale
            if word in {"zh", "cn", "zh-cn", "zh-hans", "zh-hans-cn", "chinese"}:
                return "zh-CN"
            if word in {"en", "english"} or word.startswith("en-"):
                return "en"
            raise ValueError

        return self._take(key, "zh-CN", phrase("zh-CN, zh, en or auto"), take)

    def timezone(self, key: str) -> tzinfo:
        default = _zone("Asia/Shanghai") or timezone(timedelta(hours=8))

        def take(node: yaml.Node) -> tzinfo:
            zone = _zone(node.value.strip()) if isinstance(node, yaml.Scalar) else None
            if zone is None:
                raise ValueError
            return zone

        return self._take(key, default, phrase("an IANA time zone such as Asia/Shanghai"), take)

    def place(self, key: str, default: str, *, yaml_file: bool = False, quiet: bool = False) -> str:
        def take(node: yaml.Node) -> str:
            place = _inside(node.value) if isinstance(node, yaml.Scalar) else None
            if place is None or (yaml_file and not place.endswith((".yaml", ".yml"))):
                raise ValueError
            return place

        inside = phrase("a path inside the project")
        wanted = phrase("a path inside the project ending in .yaml or .yml") if yaml_file else inside
        return self._take(key, default, wanted, take, quiet=quiet)

    def view(self, key: str, *, beside: str) -> str | None:
        def take(node: yaml.Node) -> str:
            given = node.value.strip() if isinstance(node, yaml.Scalar) else ""
            if "/" not in given:
                place, folder = _inside(f"{beside}/{given}"), beside
            else:
                place, folder = _inside(given), ".pipeline"
            # A project must not make us write over a file that is not a view, nor over another view, nor anywhere.
            if place is None or not place.startswith(f"{folder}/") or not place.endswith(".compact.md"):
                raise ValueError
            if place.casefold() in _OTHER_VIEWS:
                raise ValueError
            return place

        wanted = phrase("a path below .pipeline/ ending in .compact.md, and no other view's")
        return self._take(key, None, wanted, take)

    def _take(self, key: str, default: T, allowed: Phrase, take: Callable[[yaml.Node], T], *, quiet: bool = False) -> T:
        found = self.find(key)
        if found is None:
            return default
        node, file = found
        try:
            return take(node)
        except ValueError:
            if not quiet:
                self._wrong(file, key, node, allowed, _instead(default))
            return default

    def _wrong(self, file: str, key: str, node: yaml.Node, allowed: Phrase, instead: Phrase) -> None:
        if isinstance(node, yaml.Scalar):
            text = repr(printable(node.value[:40]))
            given = text if node.style == "plain" else phrase("the text {text}", text=text)
        else:
            given = phrase("a mapping") if isinstance(node, yaml.Mapping) else phrase("a list")
        problem = phrase(
            "{key}: {given} is not {allowed}; {instead}", key=key, given=given, allowed=allowed, instead=instead
        )
        finding = Finding(file, problem, node.line or None, None, "warning")
        if finding not in self.findings:
            self.findings.append(finding)


def _tree(name: str, source: SourceFile) -> yaml.Mapping:
    try:
        root = yaml.parse(source.text)
    except yaml.YamlError as error:
        raise ConfigurationError(
            "{path}:{line}:{column}: {problem}; mend the file and try again",
            path=name,
            line=error.line,
            column=error.column,
            problem=error.problem,
        ) from None
    if root is None or _null(root):
        return yaml.Mapping()
    if not isinstance(root, yaml.Mapping):
        raise ConfigurationError("{path}:1: the file must hold a mapping (`compact:` and so on)", path=name)
    return root


def _instead(default: object) -> Phrase:
    """Return that a default is used, which is named as it would stand in the file."""
    if not isinstance(default, str | int | tzinfo):
        return phrase("the default is used")
    value = str(default)
    return phrase("{value} is used", value=value.lower() if isinstance(default, bool) else value)


def _null(node: yaml.Node) -> bool:
    return isinstance(node, yaml.Scalar) and node.is_null


def _inside(given: str) -> str | None:
    """Return a path below the project in its plain form, None when it leads out or is nothing."""
    given = given.strip()
    path = PurePosixPath(given)
    if (
        not given
        or not given.isprintable()
        or path.is_absolute()
        or ".." in path.parts
        or not path.parts
        or given.startswith("~")
    ):
        return None
    return str(path)


def _zone(name: str) -> tzinfo | None:
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - 8 ms, only where a configuration is loaded

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None
