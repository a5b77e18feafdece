"""What the program says to people, in Chinese and English: one catalogue."""

from __future__ import annotations

from hypo_strategies.api import Language

_MESSAGES: dict[str, tuple[str, str]] = {
    "generated": (
        "已生成 {written} 个 .compact 文件，预计节省 ~{percent}% context token",
        "Generated {written} .compact files, estimated to save ~{percent}% of context tokens",
    ),
    "generated_one": (
        "已生成 1 个 .compact 文件，预计节省 ~{percent}% context token",
        "Generated 1 .compact file, estimated to save ~{percent}% of context tokens",
    ),
    "unchanged": ("（另有 {count} 个未变）", " ({count} unchanged)"),
    "withdrawn": ("；已撤回：{files}", "; withdrawn: {files}"),
    "would_change": ("需要更新：{files}", "Would change: {files}"),
    "fresh": ("所有 .compact 文件都是最新的", "All .compact files are fresh"),
    "nothing": ("没有可压缩的源文件", "There are no sources to compact"),
}


def message(key: str, language: Language, **values: object) -> str:
    """Return a sentence in one language, its placeholders filled.

    Raises:
        KeyError: there is no such message, which is a mistake of the caller.
    """
    chinese, english = _MESSAGES[key]
    return (chinese if language == "zh-CN" else english).format(**values)


def printable(text: str) -> str:
    """Return `text` so that any terminal and any log takes it: no control characters, no lone surrogates.

    File names come from anywhere; one of them must neither move a cursor nor end a log.
    """
    shown = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
    return shown.encode("utf-8", "backslashreplace").decode()
