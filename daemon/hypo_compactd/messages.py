"""What the program says to people, in Chinese and English: one catalogue.

Sentences have a key and stand here in both languages. Errors and complaints read best where they
are raised, so their English text is their key; a test keeps the Chinese ones complete.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
    "tokens": ("{before} → {after}", "{before} -> {after}"),
    "daemon": ("守护进程 {pid}，{ago}有响应", "daemon {pid}, last sign of life {ago}"),
    "daemon_ok": ("正常", "ok"),
    "daemon_polling": ("轮询", "polling"),
    "daemon_partial": ("部分监视", "partial"),
    "daemon_waiting": ("等待", "waiting"),
    "daemon_failed": ("失败", "failed"),
    "daemon_none": ("无守护进程", "no daemon"),
    "daemon_hung": ("无响应", "hung"),
    "daemon_starting": ("启动中", "starting"),
    "watched": ("{backend} 监视 {held} 个文件夹", "{backend} on {held} folders"),
    "watched_partly": ("{backend} 监视 {wanted} 个文件夹中的 {held} 个", "{backend} on {held} of {wanted} folders"),
    "backend_polling": ("轮询文件", "files are polled"),
    "backend_sweep": ("仅定期检查文件", "files are looked at by the sweep only"),
    "idle": ("空闲 {lasting}", "idle for {lasting}"),
    "pending": ("有变化待检查", "changes to look at"),
    "canary": ("事件 {milliseconds} 毫秒到达", "an event takes {milliseconds} ms"),
    "count_missed": ("漏掉的变化：{count}", "missed changes: {count}"),
    "count_repaired": ("修复的视图：{count}", "repaired views: {count}"),
    "count_overflows": ("系统丢弃事件的次数：{count}", "overflows: {count}"),
    "count_rebuilds": ("重建监视的次数：{count}", "rebuilds: {count}"),
    "between": ("；", "; "),
    "seconds": ("{count} 秒", "{count} s"),
    "minutes": ("{count} 分钟", "{count} min"),
    "hours": ("{count} 小时", "{count} h"),
    "days": ("{count} 天", "{count} d"),
    "ago": ("{lasting}前", "{lasting} ago"),
    "column_view": ("视图", "view"),
    "column_state": ("状态", "state"),
    "column_stale": ("已过期", "stale for"),
    "column_written": ("写入于", "written"),
    "column_tokens": ("token", "tokens"),
    "column_file": ("文件", "file"),
    "more_lines": ("还有 {count} 行", "{count} more lines"),
    "leave": ("每 {seconds} 秒；Ctrl-C 退出", "every {seconds} s; Ctrl-C ends"),
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
    "wait_changing": (
        "{views}：源文件正在不断写入，视图保持原样；请稍后重试",
        "{views}: a source is being written without pause, so the view is as it was; try again when it has settled",
    ),
    "wait_auto": (
        "{views}：已过期；compact.auto 为 false，未写入任何内容；可用 hypo-compactd compact 更新",
        "{views}: behind; compact.auto is false, so nothing was written; hypo-compactd compact refreshes",
    ),
    "wait_knowledge": (
        "{views}：已过期；knowledge.enabled 或 knowledge.compaction.auto 为 false；可用 hypo-compactd compact 更新",
        "{views}: behind; knowledge.enabled or knowledge.compaction.auto is false; hypo-compactd compact refreshes",
    ),
    "wait_stale": (
        "{views}：已过期；可用 hypo-compactd compact 更新",
        "{views}: behind; hypo-compactd compact refreshes",
    ),
    "wait_hangs": (
        "{project}：{seconds} 秒内未能看完文件；请用 --timeout 给更多时间，或检查其文件系统是否有响应",
        "{project}: its files could not be seen within {seconds} s; allow more with --timeout, or check its file system",
    ),
    "service_started": (
        "{path} 已安装；守护进程正在运行，并在每次登录时启动",
        "{path} is installed; the daemon runs, and starts at each login",
    ),
    "service_written": (
        "{path} 已安装；守护进程在下次登录时启动",
        "{path} is installed; the daemon starts with the next login",
    ),
    "service_current": ("{path} 已是最新；未作任何更改", "{path} is current; nothing was changed"),
    "service_removed": ("{path} 已卸载；守护进程已停止", "{path} is removed; the daemon is stopped"),
    "service_absent": ("{path} 不存在；未作任何更改", "{path}: there is none; nothing was changed"),
    "project_added": ("{path}：已加入列表", "{path}: added to the list"),
    "project_listed": ("{path}：已在列表中", "{path}: on the list already"),
    "project_removed": ("{path}：已从列表中移除", "{path}: removed from the list"),
    "project_empty": ("没有 .pipeline/", "no .pipeline/"),
    "project_gone": ("文件夹不存在", "no such folder"),
    "gitignore_added": (".gitignore：已加入 *.compact.*", ".gitignore: *.compact.* added"),
    "gitignore_there": (".gitignore：已有 *.compact.*", ".gitignore: *.compact.* is there already"),
    "gitignore_no_repository": (
        ".gitignore：不在 git 仓库中，无需创建",
        ".gitignore: not in a git repository, so none is made",
    ),
    "doctor_fine": ("正常：{check}{where}", "fine: {check}{where}"),
    "doctor_plain": ("{text}", "{text}"),
    "doctor_full": (
        "{sysctl} 为 {limit}，已全部用尽：新的监视会失败，守护进程只能轮询",
        "{sysctl} is {limit}, and all of it is taken: no more folders can be watched, so the daemon has to poll",
    ),
    "doctor_watches": (
        "{sysctl} 为 {limit}，{projects} 个项目需要 {need}：其余文件夹只能轮询",
        "{sysctl} is {limit}, the listed projects ({projects}) need {need}: the folders beyond it are polled",
    ),
    "doctor_instances": (
        "{sysctl} 为 {limit}，{projects} 个项目需要 {need}：其余文件夹只能轮询",
        "{sysctl} is {limit}, the listed projects ({projects}) need {need}: the folders beyond it are polled",
    ),
    "doctor_queue": (
        "{sysctl} 为 {limit}，应至少为 {need}：切换分支会使事件溢出",
        "{sysctl} is {limit}, it should be {need} at least: a checkout of a branch makes events overflow",
    ),
    "doctor_overflows": (
        "{sysctl} 为 {limit}，守护进程启动以来已丢失事件 {overflows} 次：视图会晚一些更新",
        "{sysctl} is {limit}, events were dropped {overflows} times since the daemon began: views are refreshed later",
    ),
    "doctor_descriptors": (
        "ulimit -n 为 {limit}，{projects} 个项目需要 {need}：将无法读取源文件；请在启动守护进程之前设置",
        "ulimit -n is {limit}, the listed projects ({projects}) need {need}: sources could not be read; set it before the daemon starts",
    ),
    "doctor_no_watchdog": ("未安装 watchdog：守护进程无法启动", "watchdog is not installed: the daemon cannot start"),
    "doctor_watchdog": (
        "watchdog 的版本是 {version}，经过测试的是 6 和 7：可能收不到事件",
        "watchdog is version {version}, 6 and 7 are tested: events may not come",
    ),
    "doctor_gawk": (
        "没有 gawk（awk 是 {awk}）：Hypo-Workflow 的 SessionStart hook 为 gawk 编写，可能不会加载视图",
        "no gawk (awk is {awk}): Hypo-Workflow's SessionStart hook is written for it, and may load no view",
    ),
    "doctor_state": (
        "{path}：{reason}：无法记住视图的来源，也无法锁定项目",
        "{path}: {reason}: what views were made from cannot be remembered, and no project be locked",
    ),
    "doctor_gone": (
        "{path}：文件夹不存在，但在列表中：守护进程会一直等待它",
        "{path}: no such folder, though it is on the list: the daemon waits for it",
    ),
    "doctor_interpreter": (
        "{file}：它启动的 Python {interpreter} 不存在：服务无法启动",
        "{file}: the Python that it starts is gone ({interpreter}): the service cannot start",
    ),
    "doctor_idle_service": (
        "{file}：服务已安装，但没有守护进程维护列表中的任何项目",
        "{file}: the service is installed, but no daemon keeps any of the listed projects",
    ),
    "doctor_unreadable": (
        "{path}：当前用户无法读取：由它生成的视图不会更新",
        "{path}: this user cannot read it: the views that are made from it are not refreshed",
    ),
    "doctor_unwritable": (
        "{path}：当前用户无法写入：其中的视图不会更新",
        "{path}: this user cannot write there: the views in it are not refreshed",
    ),
    "doctor_read_only": (
        "{path}：位于只读文件系统：其中的视图不会更新",
        "{path}: is on a read-only file system: the views in it are not refreshed",
    ),
    "doctor_more_closed": ("{path}：另有 {count} 处无法访问", "{path}: {count} more places are closed to this user"),
    "doctor_silent": (
        "{path}：文件系统 {kind} 不会通知其他机器所做的更改：守护进程将轮询它，视图会晚几秒更新",
        "{path}: its file system ({kind}) does not tell of changes made elsewhere: the daemon polls it, and its views are some seconds late; a folder on a local disk is better",
    ),
    "doctor_unignored": (
        "{path}：git 没有忽略 {views}：视图会被提交",
        "{path}: git does not ignore {views}: views would be committed",
    ),
    "doctor_tracked": (
        "{path}：git 正在跟踪 {views}：每次更新都会显示为改动",
        "{path}: git tracks {views}: each refresh shows as a change",
    ),
    "doctor_hung": (
        "{path}：守护进程 {pid} 占用此项目，但已 {seconds} 秒没有响应：视图不会更新",
        "{path}: the daemon (process {pid}) holds it and has given no sign of life for {seconds} s: its views are not refreshed",
    ),
    "doctor_left": (
        "{path}：守护进程 {pid} 已异常终止：没有守护进程维护此项目",
        "{path}: the daemon (process {pid}) was killed or died: nobody keeps the project",
    ),
    "doctor_version": (
        "{path}：守护进程 {pid} 的版本是 {version}，本程序的版本是 {own}：两者的视图可能不同",
        "{path}: the daemon (process {pid}) is version {version}, this program is {own}: their views may differ",
    ),
}

_ERRORS: dict[str, str] = {
    "{path}: {reason}; put the line {line} there yourself": "{path}：{reason}；请自行加入一行 {line}",
    "{project}: another hypo-compactd daemon keeps this project (process {pid})": (
        "{project}：此项目已由另一个 hypo-compactd 守护进程维护（进程 {pid}）"
    ),
    "another hypo-compactd daemon keeps every registered project (process {pid})": (
        "所有已注册的项目已由另一个 hypo-compactd 守护进程维护（进程 {pid}）"
    ),
    "{project}: the views are being written by another process (process {pid}); try again": (
        "{project}：视图正由另一个进程写入（进程 {pid}）；请重试"
    ),
    "{path}: another process keeps it locked; try again": "{path}：被另一个进程锁定；请重试",
    "{path}: {reason}": "{path}：{reason}",
    "{path}: it is being written without pause; try again when it has settled": (
        "{path}：文件正在不断写入；请等其稳定后重试"
    ),
    "{reason}; or give --all for every registered project": "{reason}；或用 --all 查看所有已注册的项目",
    "--watch needs a terminal; --json is for programs": "--watch 需要终端；程序请用 --json",
    "no project is registered; hypo-compactd init PROJECT registers one": (
        "没有已注册的项目；可用 hypo-compactd init PROJECT 注册"
    ),
    "{path}:{line}: schema {schema} is a newer version's, this one knows schema {own}; install that version": (
        "{path}:{line}：schema {schema} 属于更新的版本，本程序只认识 schema {own}；请安装该版本"
    ),
    "{path}:{line}: {problem}; mend the file, or remove it and add the projects anew": (
        "{path}:{line}：{problem}；请修复该文件，或删除它并重新添加项目"
    ),
    "{path}: {reason}; make its folder writable, or name another one in {variable}": (
        "{path}：{reason}；请使其文件夹可写，或在 {variable} 中指定另一个文件夹"
    ),
    "Python does not know the path of its own program, so no service can start it; install {program} anew": (
        "Python 不知道自身程序的路径，服务无法启动它；请重新安装 {program}"
    ),
    "{name}: {text} holds a character that no service manager can be told; use a path without it": (
        "{name}：{text} 含有服务管理器无法接受的字符；请使用不含该字符的路径"
    ),
    "{program}: no such program; choose another --manager, or start `hypo-compactd run --all` in another way": (
        "{program}：没有此程序；请选择另一个 --manager，或以其他方式启动 `hypo-compactd run --all`"
    ),
    "{program} cannot be started: {reason}": "{program} 无法启动：{reason}",
    "systemd's user manager cannot be reached ({reason}); log in as this user, not by su or sudo, "
    "or let it run without a login: loginctl enable-linger": (
        "无法连接 systemd 的用户管理器（{reason}）；请以该用户直接登录，不要用 su 或 sudo，"
        "或让它无需登录即可运行：loginctl enable-linger"
    ),
    "launchd has not ended {label} in time; try again": "launchd 未能及时结束 {label}；请重试",
    "{path}: is {kind} that hypo-compactd has not made; move it away, or install over it with --force": (
        "{path}：这是 {kind}，不是由 hypo-compactd 生成的；请移走它，或用 --force 覆盖安装"
    ),
    "{command} failed (exit code {code}): {reason}": "{command} 失败（退出码 {code}）：{reason}",
    "{path}: {reason}; name another file with --log-file": "{path}：{reason}；请用 --log-file 指定另一个文件",
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
