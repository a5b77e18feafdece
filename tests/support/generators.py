"""Sources as projects write them, and what of them a view must hold; and broken ones.

A grammar is a function of a `Random` that Hypothesis drives, so that what it draws shrinks. Each
fact that it writes has a number of its own (`hinge k007`): where it is found, it is that fact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

SOURCES = {
    "progress": "PROGRESS.md",
    "state": "state.yaml",
    "log": "log.yaml",
    "reports": "reports/03-hinge.report.md",
    "patches": "patches/P007-hinge.md",
    "knowledge": "knowledge/records/C1-M01-hinge.yaml",
}
"""One source of each view, which any text can be."""

WORDS = (
    "hinge",
    "binding",
    "margin",
    "signature",
    "caliper",
    "endpaper",
    "creep",
    "folding",
    "spine_width",
    "v2-draft",
)
CHINESE = ("书脊厚度取整", "孔位计算完成", "拼版导出通过", "爬移补偿接入", "封面校准")


@dataclass(frozen=True)
class Example:
    """Sources of one view, the texts that it must hold and those that it must not."""

    files: dict[str, str]
    kept: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    data: Any = None


@dataclass
class Facts:
    """Writes facts, no two alike."""

    pick: Random
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def name(self) -> str:
        return f"{self.pick.choice(WORDS)} k{next(self.numbers):03d}"

    def text(self) -> str:
        number = f"k{next(self.numbers):03d}"
        chinese = f"{self.pick.choice(CHINESE)} {number}，{self.pick.choice(CHINESE)}"
        english = f"{self.pick.choice(WORDS)} {number} follows {self.pick.choice(WORDS)}"
        return self.pick.choice((chinese, english))

    def slug(self) -> str:
        return f"{self.pick.choice(('hinge', 'binding', 'margin'))}-k{next(self.numbers):03d}"

    def commit(self) -> str:
        return f"{next(self.numbers):03d}" + self.pick.choice(("4f1c", "e5678", "a17d03f", "0" * 37))


# --- YAML


@dataclass(frozen=True)
class Raw:
    """A plain scalar as it is spelled: a number, a time without quotes, null."""

    text: str


def yaml_of(value: Any, pick: Random) -> str:
    """Return data as YAML in block style, in one of the ways in which agents and helpers write it."""
    writer = _Writer(pick, lone_dash=pick.random() < 0.2, quotes=pick.random() < 0.5, inset=pick.choice((0, 2)))
    return "\n".join(writer.lines(value, 0)) + "\n"


@dataclass
class _Writer:
    pick: Random
    lone_dash: bool
    quotes: bool
    inset: int

    def lines(self, value: Any, indent: int) -> list[str]:
        if isinstance(value, dict):
            return [line for key, inner in value.items() for line in self.pair(key, inner, indent)]
        return [line for item in value for line in self.item(item, indent)]

    def pair(self, key: str, value: Any, indent: int) -> list[str]:
        blanks = " " * indent
        if isinstance(value, dict) and value:
            return [f"{blanks}{key}:", *self.lines(value, indent + 2)]
        if isinstance(value, list) and value:
            return [f"{blanks}{key}:", *self.lines(value, indent + self.inset)]
        if isinstance(value, str) and value.count(" ") > 2 and self.pick.random() < 0.3:
            words = value.split(" ")
            half = len(words) // 2
            return [f"{blanks}{key}: >-", *(f"{blanks}  {' '.join(part)}" for part in (words[:half], words[half:]))]
        return [f"{blanks}{key}: {self.scalar(value)}".rstrip()]

    def item(self, item: Any, indent: int) -> list[str]:
        blanks = " " * indent
        if isinstance(item, (dict, list)) and item:
            lines = self.lines(item, indent + 2)
            return [f"{blanks}-", *lines] if self.lone_dash else [f"{blanks}- {lines[0].lstrip()}", *lines[1:]]
        return [f"{blanks}- {self.scalar(item)}".rstrip()]

    def scalar(self, value: Any) -> str:
        if isinstance(value, Raw):
            return value.text
        if not isinstance(value, str):
            return "{}" if isinstance(value, dict) else "[]"
        if self.quotes or ": " in value or value[:1] in "`[{*&!|>'\"%@#-" or not value.strip("0123456789.-:TZ+ "):
            return "'" + value.replace("'", "''") + "'" if self.pick.random() < 0.3 else f'"{value}"'
        return value


def plain(value: Any) -> Any:
    """Return data as a reader has it for whom every scalar is its characters; null is None."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    text = value.text if isinstance(value, Raw) else str(value)
    return None if text in {"", "~", "null"} else text


def stamp(pick: Random, minute: int) -> str:
    """Return an instant, `minute` minutes after a fixed one, as one of the ways to write it."""
    minute += 8 * 60
    zone = pick.choice(("Z", "+00:00", "+08:00", ".479Z"))
    minute += 8 * 60 if zone == "+08:00" else 0
    days, rest = divmod(minute, 24 * 60)
    return f"2026-{5 + days // 28:02d}-{1 + days % 28:02d}T{rest // 60:02d}:{rest % 60:02d}:00{zone}"


# --- PROGRESS.md


def progress(pick: Random, *, grown: bool = False) -> Example:
    """A board of one of the layouts of formats.md 1.1; `data` are its entries' facts, the newest first."""
    facts = Facts(pick)
    texts = [facts.text() for _ in range(pick.choice((17, 40)) if not grown else 40)] * (20 if grown else 1)
    texts = [f"{text} e{index:04d}" for index, text in enumerate(texts)]
    minutes = [24 * 60 * 3]
    for _ in texts[1:]:
        minutes.append(minutes[-1] - pick.choice((0, 1, 7, 90)))
    clocks = [f"{minute // 60 % 24:02d}:{minute % 60:02d}" for minute in minutes]
    title, status, newest = facts.name(), facts.text(), clocks[0]
    lists = pick.choice((_tables, _english_tables, _bullets, _bare_lines, _dated_bullets))
    milestones, kept, dropped = _milestone_table(facts, many=grown)
    head = pick.choice(
        (
            f"# {title} - 开发进度\n> 最后更新：{newest} | 状态：进行中 | 进度：2/5 Milestone\n\n## 当前状态\n{status}\n",
            f"# {title}\n- 状态：running\n- 最后更新：{newest}\n- 当前阶段：{status}\n",
            f"# {title}\n\n## Current status\n\n{status}\n",
        )
    )
    body = [milestones, lists(clocks, texts, minutes)]
    if pick.random() < 0.3:
        body.reverse()
    extra = facts.text()
    body.append(f"## Deferred 项\n\n- {extra}\n")
    files = {"PROGRESS.md": "\n".join([head, *body])} | _archives(facts, kept, 300 if grown else pick.choice((0, 1, 3)))
    return Example(files, (title, status, extra, *kept), tuple(dropped), texts)


def _tables(clocks: list[str], texts: list[str], minutes: list[int]) -> str:
    rows = [f"| {clock} | Step | {text} | 通过 |" for clock, text in zip(clocks, texts, strict=True)]
    return "\n".join(["## 时间线", "", "| 时间 | 类型 | 事件 | 结果 |", "|---|---|---|---|", *rows]) + "\n"


def _english_tables(clocks: list[str], texts: list[str], minutes: list[int]) -> str:
    rows = [f"| {clock} | Step | {text} | |" for clock, text in zip(clocks, texts, strict=True)]
    return "\n".join(["## Timeline", "| Time | Type | Event | Summary |", "| --- | --- | --- | --- |", *rows]) + "\n"


def _bullets(clocks: list[str], texts: list[str], minutes: list[int]) -> str:
    items = [f"- **{clock}** {text}" for clock, text in zip(clocks, texts, strict=True)]
    return "\n".join(["## 最近活动", "", *reversed(items)]) + "\n"


def _bare_lines(clocks: list[str], texts: list[str], minutes: list[int]) -> str:
    lines = [f"{clock} {text}" for clock, text in zip(clocks, texts, strict=True)]
    return "\n".join(["## 时间线", "", *reversed(lines)]) + "\n"


def _dated_bullets(clocks: list[str], texts: list[str], minutes: list[int]) -> str:
    """Full stamps, all different, the oldest first."""
    order = range(len(texts) - 1, -1, -1)
    items = [f"- {stamp(Random(index), 3_000 - index)}：{texts[index]}" for index in order]
    return "\n".join(["## Recent activity", "", *items]) + "\n"


def _milestone_table(facts: Facts, *, many: bool) -> tuple[str, list[str], list[str]]:
    """Return a table, the names of the unfinished Milestones, and those of the others."""
    kept: list[str] = []
    dropped: list[str] = []
    rows: list[str] = []
    for number in range(1, 120 if many else facts.pick.randint(2, 6)):
        name, done = facts.name(), facts.pick.random() < 0.5
        (dropped if done else kept).append(name)
        status = facts.pick.choice(("✅ 完成", "done", "已完成") if done else ("⏳ 待执行", "pending", "🔄 进行中"))
        rows.append(f"| M{number:02d} | {name} | {status} | {'ok' if done else '—'} |")
    table = ["## Milestone 进度", "", "| # | Milestone | 状态 | 摘要 |", "|---|---|---|---|", *rows]
    return "\n".join(table) + "\n", [] if many else kept, dropped


def _archives(facts: Facts, kept: list[str], many: int) -> dict[str, str]:
    files: dict[str, str] = {}
    for number in range(1, many + 1):
        name, sentence = facts.name(), f"{facts.text()} and nothing was left open."
        if many < 10:
            kept += [f"C{number} · {name}", sentence]
        folder = f"archives/C{number}-{facts.slug()}"
        files[f"{folder}/"] = ""
        forms = (
            f"# C{number} {name}\n\n- Cycle: C{number}\n- Status: completed\n\n## Summary\n\n{sentence}\n",
            f"# C{number} 归档摘要：{name}\n\n| 字段 | 值 |\n|---|---|\n| 状态 | completed |\n\n{sentence}\n",
            f"# Cycle C{number} Summary: {name}\n\n- Status: completed\n\n## Summary\n{sentence}\n\n## Milestones\n- M1\n",
        )
        if facts.pick.random() < 0.7:
            files[f"{folder}/summary.md"] = facts.pick.choice(forms)
        else:
            cycle = {"number": Raw(str(number)), "name": name, "status": "completed", "summary": sentence}
            wrapped: dict[str, Any] = {"cycle": cycle} if facts.pick.random() < 0.7 else cycle
            files[f"{folder}/cycle.yaml"] = yaml_of(wrapped, facts.pick)
    return files


# --- state.yaml


def state(pick: Random, *, grown: bool = False) -> Example:
    """A state of the shapes of formats.md 2; `data` is the state itself, `kept` and `dropped` are empty."""
    facts = Facts(pick)
    size = pick.choice((1, 3, 8)) * (60 if grown else 1)
    prompts = [_prompt(facts, index) for index in range(size)]
    value: dict[str, Any] = {
        "pipeline": {"name": facts.name(), "status": "running", "prompts_total": Raw("5"), "finished": Raw("null")},
        "current": {
            "phase": "executing",
            "prompt_index": Raw("2"),
            "prompt_file": f".pipeline/prompts/{facts.slug()}.md",
        },
        "last_heartbeat": pick.choice((Raw("2026-05-04T10:00:00+08:00"), "2026-05-04T10:00:00+08:00", Raw("null"))),
        "milestones": [_milestone(facts, number) for number in range(size)],
        "prompt_state": {"result": Raw("null"), "notes": "zz-prompt-state"},
        "planning": {"phases": [{"id": "zz-planning"}]},
        "history": {"completed_prompts": prompts, "last_command": "zz-command"},
        "acceptance": {"scope": "cycle", "state": Raw("null"), "cycle_id": "C3"},
        "continuation": {"reason": facts.text(), "files": [facts.slug(), {"path": facts.slug()}]},
        "chat": {"active": Raw("false"), "session_id": facts.slug()},
    }
    for key in ("acceptance", "continuation", "chat", "prompt_state", "planning", "last_heartbeat"):
        if pick.random() < 0.3:
            del value[key]
    if pick.random() < 0.3:
        value = dict(sorted(value.items()))
    files = {"state.yaml": yaml_of(value, pick)}
    return Example(files, (), ("zz-prompt-state", "zz-planning", "zz-command", "zz-worker"), plain(value))


def _milestone(facts: Facts, number: int) -> dict[str, Any]:
    item: dict[str, Any] = {"id": f"M{number:02d}", facts.pick.choice(("name", "title")): facts.name()}
    if facts.pick.random() < 0.5:
        item["prompt_file"] = ".pipeline/prompts/x.md"
    item["status"] = facts.pick.choice(("done", "completed", "pending", "in_progress", "deferred"))
    if facts.pick.random() < 0.3:
        item["test_worker"] = {"id": "zz-worker", "files": ["a", "b"]}
    return item


def _prompt(facts: Facts, index: int) -> dict[str, Any]:
    pick = facts.pick
    file = f".pipeline/prompts/{facts.slug()}.md"
    scores = {"diff_score": Raw("2"), "code_quality": Raw("4"), "overall": Raw("null"), "warnings": []}
    forms: tuple[dict[str, Any], ...] = (
        {"prompt_index": Raw(str(index)), "prompt_file": file, "prompt_name": facts.name(), "report": "r.md"},
        {"prompt_file": file, "prompt_name": facts.name(), "result": "pass", "evaluation": scores},
        {"prompt_file": file, "result": "pass_with_followups", "diff_score": Raw("1"), "steps_snapshot": ["a"]},
        {"id": facts.slug(), "prompt_file": file, "result": "pass", "finished_at": Raw("2026-05-04T17:30:03Z")},
        {"prompt": f"M{index} - {facts.name()}", "status": "pass"},
    )
    return pick.choice(forms)


def brief_prompt(item: dict[str, Any]) -> dict[str, Any]:
    """Return what the view keeps of an older completed prompt (formats.md 2.2), from plain data."""
    given = next((item[key] for key in ("prompt", "prompt_name", "name", "title", "id") if item.get(key)), None)
    scores = {**item.get("evaluation", {}), **{key: item[key] for key in ("diff_score",) if key in item}}
    numbers = {key: value for key, value in scores.items() if isinstance(value, str)}
    return {
        "prompt": given or item["prompt_file"].rpartition("/")[2],
        "status": item.get("status") or item.get("result"),
        "score_summary": numbers or None,
    }


# --- log.yaml


def log(pick: Random, *, grown: bool = False) -> Example:
    """A log of the shapes of formats.md 3.1; `data` are its entries, the newest first (no two at one instant)."""
    facts = Facts(pick)
    size = pick.choice((1, 5, 20, 21, 45)) * (12 if grown else 1)
    entries = [_entry(facts, minute, grown=grown) for minute in range(size)]
    order = pick.choice(("rising", "falling", "both", "mixed"))
    written = list(entries)
    if order == "falling":
        written.reverse()
    elif order == "both":
        written = written[: size // 2][::-1] + written[size // 2 :]
    elif order == "mixed":
        pick.shuffle(written)
    text = yaml_of(written if pick.random() < 0.3 else {"entries": written}, pick)
    return Example({"log.yaml": text}, data=[plain(entry) for entry in reversed(entries)])


def _entry(facts: Facts, minute: int, *, grown: bool) -> dict[str, Any]:
    pick = facts.pick
    time = stamp(pick, minute * 7)
    entry: dict[str, Any] = {"id": f"E-{facts.slug()}", "type": pick.choice(("step", "patch_fix", "cycle_reject"))}
    entry["status"] = pick.choice(("completed", "active", "failed", "needs_changes"))
    entry[pick.choice(("timestamp", "timestamp", "time"))] = pick.choice((time, Raw(time)))
    entry["summary"] = facts.text() * (40 if grown else 1)
    if pick.random() < 0.4:
        entry["commit"] = Raw(pick.choice(("12e4567", "0123456", "4b1bcf8", "1234567")))
    if pick.random() < 0.4:
        entry["worker"] = {"id": facts.slug(), "files": [facts.slug(), facts.slug()], "note": Raw("null")}
    if pick.random() < 0.3:
        entry["validations"] = [{"command": facts.text(), "ok": Raw("true")}, []]
    return dict(sorted(entry.items())) if pick.random() < 0.2 else entry


# --- reports/


def reports(pick: Random, *, grown: bool = False) -> Example:
    """Reports of the forms of formats.md 4.2 in both languages."""
    facts = Facts(pick)
    kept: list[str] = []
    files: dict[str, str] = {}
    for number in range(1, 200 if grown else pick.randint(2, 4)):
        name, title = f"{number:02d}-{facts.slug()}.report.md", f"M{number:02d} Report - {facts.name()}"
        concluded, change, score = facts.text(), facts.text(), pick.choice(("0", "3", "4.5"))
        conclusion = pick.choice(
            (
                f"## 结果\n\n- 结果：pass {concluded}\n- 决策：继续 M02",
                f"## 结果\n\n{concluded}。",
                f"## Result\n\n- Result: pass, {concluded}\n- Decision: pass",
                f"## Summary\n\n{concluded}.",
                f"## 结论\n\n{concluded}",
            )
        )
        scores = pick.choice(
            (
                f"## 评估\n\n- 总体 diff_score：{score}/5\n- code_quality：pass",
                f"## Evaluation\n\n- `diff_score`: {score}",
                f"## Score\n\n| Metric | Score |\n|---|---|\n| diff_score | {score} |",
                f"**Overall diff_score: {score}/5**",
            )
        )
        changes = pick.choice(("## 改动", "## Changes", "## 变更", "## 交付内容")) + f"\n\n- {change}\n- other piece"
        files[f"reports/{name}"] = "\n\n".join(
            [f"# {title}", conclusion, scores, changes, "## 验证\n\n- 17/17 passed\n"]
        )
        if not grown:
            kept += [name, title, concluded, f"diff_score={score}", change]
    dropped: tuple[str, ...] = ()
    if pick.random() < 0.5 and not grown:
        current = f"99-{facts.slug()}"
        files[f"reports/{current}.report.md"] = f"# M99 Report\n\n## Result\n\n- Result: {current}-result\n"
        files["state.yaml"] = f"current:\n  prompt_file: .pipeline/prompts/{current}.md\n"
        dropped = (current,)
    return Example(files, tuple(kept), dropped)


# --- patches/


def patches(pick: Random, *, grown: bool = False) -> Example:
    """Patches with headers of the forms of formats.md 5; `data` are the rows of the closed ones."""
    facts = Facts(pick)
    files: dict[str, str] = {}
    dropped: list[str] = []
    rows: list[tuple[str, str, str, str]] = []
    for number in range(1, 400 if grown else pick.randint(2, 6)):
        identifier, title = f"P{number:03d}", facts.name()
        change, commit = f"src/{facts.slug()}.py — {facts.text()}", facts.commit()
        closed = pick.random() < 0.7
        status = pick.choice(("closed", "已关闭", "done")) if closed else pick.choice(("open", "pending_acceptance"))
        (rows.append((identifier, title, change, commit)) if closed else dropped.append(title))
        header = pick.choice(
            (
                f"- 严重级: normal\n- 状态: {status}\n- 改动: {change}\n- commit: `{commit}`",
                f"- Severity: normal\n- **Status**: {status}\n- Change: {change}\n- Commit: {commit}",
                f"- 状态：{status}\n- 改动：{change}\n- commit：{commit}",
                f"- status: {status}\n- summary: {change}\n- related: [P004]\n- commit: {commit}",
            )
        )
        blank = pick.choice(("", "\n"))
        body = "\n## 描述\n\n状态: open\n\n```\n- status: open\n- 状态: closed\n```\n"
        files[f"patches/{identifier}-{facts.slug()}.md"] = f"# {identifier}: {title}\n{blank}{header}\n{body}"
    return Example(files, (), tuple(dropped), None if grown else rows)


# --- knowledge/


def knowledge(pick: Random, *, grown: bool = False) -> Example:
    """Knowledge records of the forms of formats.md 6.1."""
    facts = Facts(pick)
    kept: list[str] = []
    dropped: list[str] = []
    files: dict[str, str] = {}
    for number in range(80 if grown else pick.randint(1, 3)):
        items = [[facts.text() for _ in range(8)] for _ in range(2)]
        reference = facts.text()
        details: dict[str, Any] = {
            "decisions": [{"title": texts[0], "rationale": texts[1]} for texts in items],
            "pitfalls": [{"issue": texts[2], "prevention": texts[3]} for texts in items],
            "dependencies": [{"name": texts[4], "reason": texts[5]} for texts in items],
            "references": [{"title": reference, "path": "docs/x.md"}],
            pick.choice(("config-notes", "config_notes")): [
                {"key": items[0][6], "value": Raw("false"), "reason": items[0][7]}
            ],
        }
        shown = [text for texts in items for text in texts[:6]] + items[0][6:]
        if pick.random() < 0.3:
            details["decision"] = details.pop("decisions")[0]["title"]
            shown = [text for text in shown if text not in {items[0][1], items[1][0], items[1][1]}]
        kept += [] if grown else shown
        dropped.append(reference)
        record = {
            "id": f"C4-M{number:02d}-{facts.slug()}",
            "schema_version": "1",
            "type": "milestone",
            "source": {"cycle": "C4", "milestone": f"M{number:02d}"},
            "created_at": stamp(pick, number),
            "summary": facts.text(),
            "details": details,
            "tags": ["hinge"],
            "categories": list(details),
        }
        files[f"knowledge/records/C4-M{number:02d}-{facts.slug()}.yaml"] = yaml_of(record, pick)
    return Example(files, tuple(kept), tuple(dropped))


GRAMMARS: dict[str, Callable[..., Example]] = {
    "progress": progress,
    "state": state,
    "log": log,
    "reports": reports,
    "patches": patches,
    "knowledge": knowledge,
}
"""How the sources of each view are written; with `grown=True` there are more of them than a view can hold."""


# --- broken sources

MARKER = "zqmarker"
"""Stands in broken places, never in a path or in a name: no finding may hold it."""

_STRANGE = (
    f"*{MARKER}",
    f"&{MARKER} x",
    f"!{MARKER} x",
    f"!!{MARKER} x",
    f"%{MARKER} 1",
    f"@{MARKER}",
    f"`{MARKER}`: x",
    f"{MARKER}: {MARKER}: {MARKER}",
    f'"{MARKER}',
    f"'{MARKER}",
    f'"\\{MARKER}"',
    f"{{{MARKER}",
    f"[{MARKER}",
    f"? {MARKER}",
    f"- {MARKER}",
    f"<<: {MARKER}",
    f"<<: *{MARKER}",
    f"# {MARKER}",
    f"| {MARKER} |",
    f"> {MARKER}",
    f"12:30 {MARKER}",
    f"\t{MARKER}: x",
    f"{MARKER}:\t- x",
    f"{MARKER}\x00\x1b[2J\x85\u2028\u2029",
    f"{MARKER}\udc80\udcff",
    f"\ufeff{MARKER}",
    f"- |2\n {MARKER}",
    f"<!-- {MARKER}",
    f"```{MARKER}",
    "---",
    "...",
    "<<<<<<< ours",
    "=======",
    ">>>>>>> theirs",
    "entries:",
    "history: x",
    "milestones: {}",
    "current:",
    "",
)


def broken(pick: Random, text: str) -> str:
    """Return a source as a crash, an editor, a merge or another agent may leave it."""
    for _ in range(pick.randint(1, 3)):
        text = pick.choice(_DAMAGE)(pick, text)
    return text


def _truncated(pick: Random, text: str) -> str:
    return text[: pick.randint(0, len(text))]


def _without_a_line(pick: Random, text: str) -> str:
    lines = text.split("\n")
    del lines[pick.randrange(len(lines))]
    return "\n".join(lines)


def _line_twice(pick: Random, text: str) -> str:
    lines = text.split("\n")
    lines.insert(pick.randrange(len(lines)), pick.choice(lines))
    return "\n".join(lines)


def _lines_moved(pick: Random, text: str) -> str:
    lines = text.split("\n")
    start = pick.randrange(len(lines))
    part = lines[start : start + 6]
    pick.shuffle(part)
    return "\n".join([*lines[:start], *part, *lines[start + 6 :]])


def _all_twice(pick: Random, text: str) -> str:
    return text + text


def _strange_line(pick: Random, text: str) -> str:
    lines = text.split("\n")
    indent = " " * pick.choice((0, 0, 1, 2, 4, 6))
    lines.insert(pick.randint(0, len(lines)), indent + pick.choice(_STRANGE))
    return "\n".join(lines)


def _strange_piece(pick: Random, text: str) -> str:
    at = pick.randint(0, len(text))
    return text[:at] + pick.choice((*_STRANGE, "\udcff", "\x07", "\t", '"', "'", ": ", " #", "|", "…")) + text[at:]


def _other_indent(pick: Random, text: str) -> str:
    lines = text.split("\n")
    at = pick.randrange(len(lines))
    lines[at] = pick.choice((" ", "   ", "\t", "")) + (lines[at] if pick.random() < 0.5 else lines[at].lstrip())
    return "\n".join(lines)


def _tabs(pick: Random, text: str) -> str:
    return text.replace("  ", "\t")


def _windows_lines(pick: Random, text: str) -> str:
    return text.replace("\n", pick.choice(("\r\n", "\r")))


def _long_line(pick: Random, text: str) -> str:
    return _at_a_line_end(pick, text, f" {MARKER}" + pick.choice(("x", "x ", "中文", "| ", "`", "* ", "\\")) * 6_000)


def _deep(pick: Random, text: str) -> str:
    return _at_a_line_end(pick, text, " " + pick.choice(("[", "{a: ", "> ", "- ", "((", "*_", "[a](")) * 500)


def _at_a_line_end(pick: Random, text: str, more: str) -> str:
    lines = text.split("\n")
    at = pick.randrange(len(lines))
    lines[at] += more
    return "\n".join(lines)


_DAMAGE: tuple[Callable[[Random, str], str], ...] = (
    _truncated,
    _without_a_line,
    _line_twice,
    _lines_moved,
    _all_twice,
    _strange_line,
    _strange_line,
    _strange_piece,
    _other_indent,
    _tabs,
    _windows_lines,
    _long_line,
    _deep,
)
