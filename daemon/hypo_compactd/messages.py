"""What the program says to people, in Chinese and English: one catalogue.

Sentences have a key and stand here in both languages. Errors and complaints read best where they
are raised, so their English text is their key; a test keeps the Chinese ones complete.
"""

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
    "view_fresh": ("最新", "fresh"),
    "view_stale": ("过期", "stale"),
    "view_absent": ("无需", "absent"),
    "view_changing": ("变化中", "changing"),
    "view_failed": ("失败", "failed"),
    "tokens": ("{before} → {after} token", "{before} -> {after} tokens"),
    "daemon": ("守护进程 {pid}，{seconds} 秒前有响应", "daemon {pid}, last sign of life {seconds} s ago"),
    "daemon_ok": ("正常", "ok"),
    "daemon_polling": ("轮询", "polling"),
    "daemon_partial": ("部分监视", "partial"),
    "daemon_waiting": ("等待", "waiting"),
    "daemon_failed": ("失败", "failed"),
    "daemon_none": ("无", "none"),
    "daemon_hung": ("无响应", "hung"),
    "daemon_starting": ("启动中", "starting"),
    "reason_none": (
        "没有守护进程维护此项目；可用 hypo-compactd run 启动",
        "no daemon keeps this project; hypo-compactd run starts one",
    ),
    "reason_left": (
        "守护进程 {pid} 已异常终止；可用 hypo-compactd run 重新启动",
        "the daemon (process {pid}) was killed or died; hypo-compactd run starts it anew",
    ),
    "reason_hung": (
        "守护进程 {pid} 已 {seconds} 秒没有响应；请终止后重新启动",
        "the daemon (process {pid}) has given no sign of life for {seconds} s; end it and start it anew",
    ),
    "reason_starting": (
        "守护进程 {pid} 刚启动，或其状态文件无法写入或读取",
        "the daemon (process {pid}) has just started, or its status cannot be written or read",
    ),
    "reason_contested": ("另有程序在反复写入：{views}", "another program keeps writing: {views}"),
    "reason_version": (
        "守护进程的版本是 {version}，本程序的版本是 {own}；请重新启动守护进程",
        "the daemon is version {version}, this program is {own}; start the daemon anew",
    ),
    "reason_auto": ("compact.auto 为 false：守护进程不写入视图", "compact.auto is false: the daemon writes nothing"),
    "reason_knowledge": (
        "knowledge.enabled 或 knowledge.compaction.auto 为 false：守护进程不写入 knowledge 视图",
        "knowledge.enabled or knowledge.compaction.auto is false: the daemon does not write the knowledge view",
    ),
}

_ERRORS: dict[str, str] = {
    "{path}: another process keeps it locked; try again": "{path}：被另一个进程锁定；请重试",
    "{path}: {reason}": "{path}：{reason}",
    "{path}:{line}: schema {schema} is a newer version's, this one knows schema {own}; install that version": (
        "{path}:{line}：schema {schema} 属于更新的版本，本程序只认识 schema {own}；请安装该版本"
    ),
    "{path}:{line}: {problem}; mend the file, or remove it and add the projects anew": (
        "{path}:{line}：{problem}；请修复该文件，或删除它并重新添加项目"
    ),
    "{path}: {reason}; make its folder writable, or name another one in {variable}": (
        "{path}：{reason}；请使其文件夹可写，或在 {variable} 中指定另一个文件夹"
    ),
}
"""By the English text of an error or complaint: the Chinese one, with the same placeholders."""


def translated(text: str, language: Language, /, **values: object) -> str:
    """Return an error or complaint in one language, its placeholders filled; in English where no other is known."""
    chosen = _ERRORS.get(text, text) if language == "zh-CN" else text
    return chosen.format(**values) if values else chosen


def message(key: str, language: Language, /, **values: object) -> str:
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
