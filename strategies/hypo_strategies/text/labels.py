"""The fixed words of Markdown views, in Chinese and in English: one catalogue.

Content is never translated; only these labels are ours (views.md, rules 3 and 10).
"""

from __future__ import annotations

from hypo_strategies.api import Language

_LABELS: dict[str, tuple[str, str]] = {
    # every view
    "derived": (
        "派生自 {sources}；只读，以源文件为准",
        "derived from {sources}; read-only, the source is the authority",
    ),
    "more_lines": ("… 另有 {count} 行，见 {source}", "… {count} more lines, see {source}"),
    "unreadable_files": ("无法读取：{files}", "unreadable: {files}"),
    "unreadable_lines": ("{source} 有 {count} 行无法读取", "{count} lines of {source} are unreadable"),
    # PROGRESS.compact.md
    "milestones": ("Milestone 进度", "Milestones"),
    "milestones_done": ("已完成 {done}/{total} 个 Milestone", "{done} of {total} Milestones done"),
    "recent": ("最近进展", "Recent progress"),
    "recent_count": ("显示 {shown}/{total} 条", "{shown} of {total} entries"),
    "archived": ("已归档 Cycle", "Archived Cycles"),
    "cycle_milestones": ("Milestone {done}/{total}", "Milestone {done}/{total}"),
    "more_cycles": ("… 另有 {count} 个更早的 Cycle，见 {source}", "… {count} older Cycles, see {source}"),
    "left_out": ("… 未收录：{names}，见 {source}", "… left out: {names}, see {source}"),
    "lines_cut": ("… 有 {count} 行被截短，全文见 {source}", "… {count} lines are cut short, see {source}"),
    # reports.compact.md
    "reports": ("历史报告", "Reports"),
    "conclusion": ("结论", "Conclusion"),
    "summary": ("摘要", "Summary"),
    "scores": ("评分", "Scores"),
    "change": ("变更", "Change"),
    "more_pieces": ("… 另有 {count} 条", "… {count} more"),
    "more_reports": ("… 另有 {count} 份报告，见 {source}", "… {count} more reports, see {source}"),
    # patches.compact.md
    "patches": ("已关闭的 Patch", "Closed Patches"),
    "patch": ("Patch", "Patch"),
    "title": ("标题", "Title"),
    "commit": ("Commit", "Commit"),
    "more_patches": ("… 另有 {count} 个 Patch，见 {source}", "… {count} more Patches, see {source}"),
    "more_hashes": ("（… 另有 {count} 个 hash，见 {source}）", "(… {count} more hashes, see {source})"),
    # knowledge.compact.md
    "knowledge": ("知识", "Knowledge"),
    "decisions": ("决策", "Decisions"),
    "pitfalls": ("陷阱", "Pitfalls"),
    "dependencies": ("依赖", "Dependencies"),
    "config-notes": ("配置说明", "Config Notes"),
    "secret-refs": ("密钥引用", "Secret Refs"),
    "more_items": ("… 另有 {count} 条，见 {source}", "… {count} more, see {source}"),
}


def label(key: str, language: Language, **values: object) -> str:
    """Return a fixed label in one language, its placeholders filled.

    Raises:
        KeyError: there is no such label, which is a mistake in the calling strategy.
    """
    chinese, english = _LABELS[key]
    return (chinese if language == "zh-CN" else english).format(**values)


def markdown_header(sources: str, language: Language) -> str:
    """Return the first line of a Markdown view (views.md, rule 7)."""
    return f"<!-- {label('derived', language, sources=_inert(sources))} -->"


def yaml_header(sources: str) -> str:
    """Return the first line of a YAML view, which is always English."""
    return f"# {label('derived', 'en', sources=_inert(sources))}"


def _inert(text: str) -> str:
    """Return a configured name so that it can neither end the comment nor the line, nor make the file unreadable."""
    line = " ".join(text.replace("--", "—").split())
    return "".join(character if character.isprintable() else "?" for character in line[:120])
