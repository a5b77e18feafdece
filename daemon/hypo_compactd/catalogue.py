"""The catalogue: all that the program says to people, in Chinese and English. Data alone; `messages.py` reads it.

A test keeps it whole: what the program can say has a Chinese text with the same places, and nothing here is unused.
"""

from __future__ import annotations

# The terms, one Chinese word for each; a new entry takes them from here.
#
#   source          源文件        view            视图          daemon          守护进程
#   project         项目          folder          文件夹        the list        列表 (of projects)
#   fresh           最新          stale, behind   已过期        withdrawn       已撤回
#   refresh         更新          look            检查          sweep           定期检查
#   watch           监视          poll            轮询          event           事件
#   keep (project)  维护          settle          稳定          mend            修复
#   configuration   配置          default         默认值        limit           上限
#   key, value      键、值        mapping, list   映射、列表    item            项
#   entry (log)     条目          report          报告          record          记录
#   left out        已略去        symbolic link   符号链接      FIFO            命名管道
#   anchor, alias   锚点、别名    indentation     缩进          escape          转义
#
# They stay as they are: Milestone, Cycle, Patch, knowledge, prompt, token, hook; names of keys, options and programs.
# A space stands between Chinese and Latin text or a place, none beside full-width punctuation, and none before a
# place in which a Chinese phrase stands ({kind}, {allowed}, {instead}, {state}).

SENTENCES: dict[str, tuple[str, str]] = {
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
    "colon": ("：", ": "),
    "comma": ("，", ", "),
    "bar_compact": ("更新视图", "compact"),
    "bar_first_look": ("首次检查", "first look"),
    "summary": ("{count} 个项目", "{count} projects"),
    "summary_one": ("{count} 个项目", "{count} project"),
    "summary_kept": ("{count} 个{state}", "{count} {state}"),
    "summary_failed": ("{count} 个视图失败", "{count} views failed"),
    "summary_failed_one": ("{count} 个视图失败", "{count} view failed"),
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
    "doctor_fine": ("正常：{check}", "fine: {check}"),
    "doctor_fine_in": ("正常：{check}（{where}）", "fine: {check} ({where})"),
    "check_inotify watches": ("inotify 监视数", "inotify watches"),
    "check_inotify instances": ("inotify 实例数", "inotify instances"),
    "check_inotify queue": ("inotify 事件队列", "inotify queue"),
    "check_open files": ("可打开的文件数", "open files"),
    "check_watchdog": ("watchdog 库", "watchdog"),
    "check_gawk": ("gawk 程序", "gawk"),
    "check_state folder": ("状态文件夹", "state folder"),
    "check_list folder": ("列表文件夹", "list folder"),
    "check_projects": ("项目列表", "projects"),
    "check_global configuration": ("全局配置", "global configuration"),
    "check_service": ("服务", "service"),
    "check_.pipeline": (".pipeline 文件夹", ".pipeline"),
    "check_configuration": ("配置", "configuration"),
    "check_permissions": ("权限", "permissions"),
    "check_view files": ("视图文件", "view files"),
    "check_file system": ("文件系统", "file system"),
    "check_git repository": ("git 仓库", "git repository"),
    "check_.gitignore": (".gitignore 文件", ".gitignore"),
    "check_tracked views": ("被 git 跟踪的视图", "tracked views"),
    "check_daemon": ("守护进程", "daemon"),
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
        "没有 gawk（awk：{awk}）：Hypo-Workflow 的 SessionStart hook 为 gawk 编写，可能不会加载视图",
        "no gawk (awk is {awk}): Hypo-Workflow's SessionStart hook is written for it, and may load no view",
    ),
    "doctor_state": (
        "{path}：{reason}：无法记住视图的来源，也无法锁定项目",
        "{path}: {reason}: what views were made from cannot be remembered, and no project be locked",
    ),
    "doctor_list_folder": (
        "{path}：{reason}：无法在列表中添加或移除项目",
        "{path}: {reason}: no project can be added to the list or removed",
    ),
    "doctor_gone": (
        "{path}：文件夹不存在，但在列表中：守护进程会一直等待它",
        "{path}: no such folder, though it is on the list: the daemon waits for it",
    ),
    "doctor_interpreter": (
        "{file}：它启动的 Python {interpreter} 不存在：服务无法启动",
        "{file}: the Python that it starts is gone ({interpreter}): the service cannot start",
    ),
    "doctor_old_service": (
        "{file}：与 hypo-compactd service show 显示的不同：由旧版本写入，或被改动过",
        "{file}: it is not what hypo-compactd service show gives: an older version has written it, or it was changed",
    ),
    "doctor_failed_service": ("{file}：服务已失败", "{file}: the service has failed"),
    "doctor_failed_service_kept": (
        "{file}：服务已失败；维护项目的守护进程 {pids} 不是由它启动的，下次登录后不会再运行",
        "{file}: the service has failed; it has not started the daemon that keeps projects (process {pids}), which does not come back with the next login",
    ),
    "doctor_disabled_service": (
        "{file}：服务未启用：下次登录时不会启动",
        "{file}: the service is not enabled: it does not start with the next login",
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
    "doctor_blocked": (
        "{path}：是{kind}，而此处应为视图：视图不会写入",
        "{path}: is {kind} where a view belongs: the view is not written",
    ),
    "doctor_no_folder": (
        "{path}：是{kind}，而此处应为文件夹：其中的视图不会写入",
        "{path}: is {kind} where a folder belongs: the views in it are not written",
    ),
    "doctor_more_closed": ("{path}：另有 {count} 处无法访问", "{path}: {count} more places are closed to this user"),
    "doctor_silent": (
        "{path}：文件系统 {type} 不会通知其他机器所做的更改：守护进程将轮询它，视图会晚几秒更新",
        "{path}: its file system ({type}) does not tell of changes made elsewhere: the daemon polls it, and its views are some seconds late; a folder on a local disk is better",
    ),
    "doctor_unignored": (
        "{path}：git 没有忽略 {views}：视图会被提交",
        "{path}: git does not ignore {views}: views would be committed",
    ),
    "doctor_taken_back": (
        "{path}：git 没有忽略 {views}，因为规则 {rule} 取消了忽略：视图会被提交",
        "{path}: git does not ignore {views}, since {rule} takes them back: views would be committed",
    ),
    "doctor_foreign": (
        "{path}：此仓库属于另一个用户，因此 git 不读取它；若信任它，可执行以下命令",
        "{path}: the repository belongs to another user, so git does not look into it; if you trust it, say so",
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
    "verdict_pass": ("通过：原文的内容都在，且没有增加内容", "pass: all of the source is there, and nothing else"),
    "verdict_fail": (
        "不通过：{errors} 处丢失、改动或增加，另有 {reviews} 处需要人工查看",
        "fail: lost, changed or added in {errors} places; {reviews} more need a person",
    ),
    "verdict_needs-review": (
        "需要人工查看：{errors} 处错误，{reviews} 处无法证明没有丢失",
        "needs review: {errors} errors, but in {reviews} places it cannot be proved that nothing is lost",
    ),
    "severity_error": ("错误", "error"),
    "severity_review": ("待查看", "review"),
    "severity_warning": ("警告", "warning"),
    "severity_note": ("说明", "note"),
    "loss_finding": ("{severity}：{kind}（{what}）", "{severity}: {kind} ({what})"),
    "loss_source": ("  原文 {line}：{text}", "  source {line}: {text}"),
    "loss_result": ("  结果 {line}：{text}", "  result {line}: {text}"),
    "loss_payload-forwarded": ("转发了注入内容", "payload forwarded"),
    "loss_promoted": ("被提升为更确定", "promoted"),
    "loss_contradicted": ("意思相反", "contradicted"),
    "loss_mutated": ("值被改动", "mutated"),
    "loss_misattributed": ("归属错误", "misattributed"),
    "loss_scope-flipped": ("范围内外颠倒", "scope flipped"),
    "loss_merged-ac": ("验收标准被合并", "acceptance criteria merged"),
    "loss_conflict-resolved": ("擅自解决了冲突", "conflict resolved"),
    "loss_weakened": ("被削弱", "weakened"),
    "loss_quoted-copy-altered": ("引用的原文被改动", "quoted copy altered"),
    "loss_question-dropped": ("丢失了问题", "question dropped"),
    "loss_dropped": ("丢失", "dropped"),
    "loss_invented": ("凭空增加", "invented"),
    "loss_demoted": ("被降级为不太确定", "demoted"),
    "loss_label-lost": ("丢失了标签", "label lost"),
    "loss_provenance-lost": ("丢失了来源", "provenance lost"),
    "loss_format": ("格式", "format"),
    "loss_unverifiable": ("无法证明", "cannot be proved"),
}
"""By key: the sentence in Chinese and in English."""

PHRASES: dict[str, str] = {
    "no tokenizer is installed; pip install 'hypo-compactd[tokens]' brings one, and without --tokenizer "
    "the tokens are estimated": (
        "没有安装分词器；用 pip install 'hypo-compactd[tokens]' 安装，不带 --tokenizer 时 token 数为估计值"
    ),
    # what keeps a command from doing its work
    "{path}: {reason}": "{path}：{reason}",
    "{reason}; or give --all for every registered project": "{reason}；或用 --all 查看所有已注册的项目",
    "{path}: no .pipeline/ here or in a folder above; name the project, or start it with Hypo-Workflow first": (
        "{path}：此处及上级文件夹中都没有 .pipeline/；请指定项目，或先用 Hypo-Workflow 创建它"
    ),
    "{path}: no such folder; give the folder that holds .pipeline/": "{path}：文件夹不存在；请指定包含 .pipeline/ 的文件夹",
    "{path}: no .pipeline/ in it; give the folder that holds .pipeline/": (
        "{path}：其中没有 .pipeline/；请指定包含 .pipeline/ 的文件夹"
    ),
    "{path}: no .pipeline/ in it yet; it is waited for": "{path}：其中还没有 .pipeline/；将等待它出现",
    "the working directory is gone; name the project": "当前工作目录已不存在；请指定项目",
    "this user has no home folder; name one in HOME": "当前用户没有主文件夹；请用 HOME 指定一个",
    "{variable}: {given} is not an absolute path; give one that begins with /": (
        "{variable}：{given} 不是绝对路径；请给出以 / 开头的路径"
    ),
    "{path}: {reason}; make it writable, or name another place in {variable}": (
        "{path}：{reason}；请使其可写，或用 {variable} 指定另一个位置"
    ),
    "{path}: {reason}; make its folder writable, or name another one in {variable}": (
        "{path}：{reason}；请使其文件夹可写，或用 {variable} 指定另一个文件夹"
    ),
    "{path}: {reason}; name another file with --log-file": "{path}：{reason}；请用 --log-file 指定另一个文件",
    "{path}: {reason}; put the line {line} there yourself": "{path}：{reason}；请自行加入一行 {line}",
    "{path}: is a symbolic link that leads out of the project; it is not followed": "{path}：是指向项目之外的符号链接；不会跟随它",
    "{path}: no such folder; start the project with Hypo-Workflow first": "{path}：文件夹不存在；请先用 Hypo-Workflow 创建项目",
    "{path}: {reason}; make the folder readable for this user": "{path}：{reason}；请使当前用户能够读取该文件夹",
    "{path}: is empty; nothing is done, in case it is only unmounted": "{path}：文件夹为空；它可能只是未挂载，因此不做任何处理",
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
    "{project}: its files could not be seen within {seconds} s; allow more with --timeout, or check its file system": (
        "{project}：{seconds} 秒内未能看完文件；请用 --timeout 给更多时间，或检查其文件系统是否有响应"
    ),
    "{reason}; nothing is done until there is room (ulimit -n, memory)": "{reason}；在资源（ulimit -n、内存）恢复之前不做任何处理",
    # how a command was called
    "--watch needs a terminal; --json is for programs": "--watch 需要终端；程序请用 --json",
    "--max-wait-ms must not be less than --quiet-ms": "--max-wait-ms 不得小于 --quiet-ms",
    "{option} belongs to {action}": "{option} 只能用于 {action}",
    "{option} is for systemd": "{option} 只能用于 systemd",
    "list takes no PROJECT; it lists all": "list 不接受 PROJECT；它会列出所有项目",
    # the lists of projects
    "no project is registered; hypo-compactd init PROJECT registers one": "没有已注册的项目；可用 hypo-compactd init PROJECT 注册",
    "no project is listed; `hypo-compactd init` adds one": "列表中没有项目；可用 `hypo-compactd init` 添加",
    "{path}: Hypo-Workflow lists it, in {file}; it is not on our list": (
        "{path}：它由 Hypo-Workflow 列在 {file} 中，不在本程序的列表中"
    ),
    "{path}: it is not on the list; see `hypo-compactd projects list`": (
        "{path}：不在列表中；请查看 `hypo-compactd projects list`"
    ),
    "{path}:{line}: schema {schema} is a newer version's, this one knows schema {own}; install that version": (
        "{path}:{line}：schema {schema} 属于更新的版本，本程序只认识 schema {own}；请安装该版本"
    ),
    "{path}:{line}: {problem}; mend the file, or remove it and add the projects anew": (
        "{path}:{line}：{problem}；请修复该文件，或删除它并重新添加项目"
    ),
    "not JSON: {problem}": "不是有效的 JSON：{problem}",
    "not JSON that can be read": "不是可以读取的 JSON",
    "it must hold {wanted}": "内容必须是 {wanted}",
    "{given} is not an absolute path": "{given} 不是绝对路径",
    "the file must hold a mapping with the list `projects:`": "文件内容必须是含有列表 `projects:` 的映射",
    "projects[{index}] has no path; it is left out": "projects[{index}] 没有 path；已略去该项",
    "projects[{index}] path: {given} is not an absolute path; it is left out": (
        "projects[{index}] 的 path {given} 不是绝对路径；已略去该项"
    ),
    # the configuration
    "{path}:1: the file must hold a mapping (`compact:` and so on)": "{path}:1：文件内容必须是映射（`compact:` 等）",
    "{path}:{line}:{column}: {problem}; mend the file and try again": "{path}:{line}:{column}：{problem}；请修复该文件后重试",
    "{key}: {given} is not {allowed}; {instead}": "{key}：应为{allowed}（当前值：{given}）；{instead}",
    "the text {text}": "文本 {text}",
    "a mapping": "映射",
    "a list": "列表",
    "an integer from {low} to {high}": "介于 {low} 和 {high} 之间的整数",
    "true or false": "布尔值 true 或 false",
    "a text of one line, at most {count} characters": "单行文本，最多 {count} 个字符",
    "one of {choices}": "以下之一：{choices}",
    "a list of key names": "键名列表",
    "zh-CN, zh, en or auto": "以下之一：zh-CN、zh、en、auto",
    "an IANA time zone such as Asia/Shanghai": "时区的 IANA 名称，如 Asia/Shanghai",
    "a path inside the project": "项目内的路径",
    "a path inside the project ending in .yaml or .yml": "项目内以 .yaml 或 .yml 结尾的路径",
    "a path below .pipeline/ ending in .compact.md, and no other view's": (
        "位于 .pipeline/ 下、以 .compact.md 结尾且不属于其他视图的路径"
    ),
    "{value} is used": "将使用 {value}",
    "the default is used": "将使用默认值",
    "its defaults are used": "将使用其默认值",
    # a source or another file
    "{place}: {problem}": "{place}：{problem}",
    "is {kind}, not a file": "是{kind}，不是文件",
    "is a symbolic link, not a file": "是符号链接，不是文件",
    "a folder": "文件夹",
    "a symbolic link": "符号链接",
    "a FIFO": "命名管道",
    "a socket": "套接字",
    "a file": "文件",
    "a device": "设备",
    "not a folder": "不是文件夹",
    "is a symbolic link that leads out of the project": "是指向项目之外的符号链接",
    "is a symbolic link that leads to itself, or that has just been put there": "是指向自身或刚被放在此处的符号链接",
    "is a symbolic link, which git does not follow": "是符号链接，而 git 不会跟随它",
    "holds NUL bytes, so it is no text that git reads": "含有 NUL 字节，不是 git 能读取的文本",
    "is larger than the limit of {limit} MiB": "超过 {limit} MiB 的上限",
    "is beyond the {limit} MiB that are read of a project": "超出了每个项目最多读取的 {limit} MiB",
    "holds more than {limit} files; what is beyond them is not looked at": "包含超过 {limit} 个文件；超出的部分不会检查",
    "changed while it was read": "在读取过程中发生了变化",
    "is being written without pause; try again when it has settled": "正在不断写入；请等其稳定后重试",
    # YAML
    "bytes that are not UTF-8": "含有不是 UTF-8 的字节",
    "a control character": "含有控制字符",
    "a second YAML document": "出现第二个 YAML 文档",
    "nested too deep": "嵌套过深",
    "unexpected structure": "结构不符合预期",
    "aliases that expand without bound": "别名展开后没有上限",
    "an alias to nothing": "别名没有对应的锚点",
    "a merge key without a mapping": "合并键的值不是映射",
    # the log
    "left out: {problem}": "已略去：{problem}",
    "{count} more like these": "另有 {count} 处类似问题",
    "what is not valid YAML: {problem}": "不是有效的 YAML：{problem}",
    "an entry that is not valid YAML: {problem}": "条目不是有效的 YAML：{problem}",
    "neither a list of entries nor a mapping with `entries`": "既不是条目列表，也不是含有 `entries` 的映射",
    "`entries` is not a list": "`entries` 不是列表",
    "`entries` stands a second time; both lists are read": "`entries` 出现了第二次；两个列表都会读取",
    "an entry that is not a mapping": "条目不是映射",
    "an entry of more than {limit} values": "条目的值超过 {limit} 个",
    "an entry outside of the list": "条目位于列表之外",
    "a line that belongs to no entry": "该行不属于任何条目",
    "content above the first entry": "第一个条目之前有内容",
    "a key of more than {limit} characters": "键超过 {limit} 个字符",
    "a key that stands a second time in its mapping": "键在其映射中出现了第二次",
    # the state
    "no state can be read: {problem}": "无法读取任何状态：{problem}",
    "it holds nothing": "内容为空",
    "it is not a mapping at its top level": "顶层不是映射",
    "not valid YAML: {problem}": "不是有效的 YAML：{problem}",
    "a line that belongs to no key": "该行不属于任何键",
    "a line that belongs to no list item": "该行不属于任何列表项",
    "a merge conflict": "存在合并冲突",
    "a key that stands twice; it is shown once": "键重复出现；只显示一次",
    "a second history; its prompts follow those of the first": "出现第二个 history；其中的 prompt 接在第一个之后",
    "a value of another kind than it should be; it is not shown": "值的类型不正确；不显示该值",
    "too many faults in one file": "文件中的错误过多",
    "not a key with a value": "不是带有值的键",
    "{count} more places": "另有 {count} 处",
    # the other views
    "bytes that are not UTF-8; lines left out: {count}": "含有不是 UTF-8 的字节；已略去 {count} 行",
    "left out what is not UTF-8: line {numbers}": "已略去不是 UTF-8 的内容：第 {numbers} 行",
    "lines that are not UTF-8: {count}": "有 {count} 行不是 UTF-8",
    "too long for a report, the rest is not read": "对报告来说过长，其余部分未读取",
    "`current` cannot be read": "`current` 无法读取",
    "{reason}, so the current Milestone's report is not told from the others": "{reason}，因此无法分辨哪一份是当前 Milestone 的报告",
    "not a knowledge record": "不是 knowledge 记录",
    # a view
    "the view cannot be written: {reason}": "无法写入视图：{reason}",
    "the view cannot be written: {reason}; {hint}": "无法写入视图：{reason}；{hint}",
    "make room on the disk": "请腾出磁盘空间",
    "if a confined service writes it, start that anew, since the folder was made anew": (
        "若由受限的服务写入，请重新启动该服务，因为此文件夹是重新创建的"
    ),
    "{reason}; the view is not written": "{reason}；未写入视图",
    "is {kind}, not a file; it is left as it is, so remove it to get the view": "是{kind}，不是文件；未作更改，删除它即可生成视图",
    "the view cannot be withdrawn: {reason}": "无法撤回视图：{reason}",
    "the view could not be computed: {error}": "无法计算视图：{error}",
    "{error} at {place}; please report it": "{error}，位于 {place}；请报告此问题",
    "{error}; please report it": "{error}；请报告此问题",
    "the program is ending": "程序正在结束",
    "{views}: a source is being written without pause, so the view is as it was; try again when it has settled": (
        "{views}：源文件正在不断写入，视图保持原样；请等其稳定后重试"
    ),
    "{views}: behind; compact.auto is false, so nothing was written; hypo-compactd compact refreshes": (
        "{views}：已过期；compact.auto 为 false，未写入任何内容；可用 hypo-compactd compact 更新"
    ),
    "{views}: behind; knowledge.enabled or knowledge.compaction.auto is false; hypo-compactd compact refreshes": (
        "{views}：已过期；knowledge.enabled 或 knowledge.compaction.auto 为 false；可用 hypo-compactd compact 更新"
    ),
    "{views}: behind; hypo-compactd compact refreshes": "{views}：已过期；可用 hypo-compactd compact 更新",
    "git does not ignore {views}; {command}": "git 没有忽略 {views}；可执行 {command}",
    "git does not ignore {views}: {rule} takes them back; {command}": (
        "git 没有忽略 {views}：规则 {rule} 取消了忽略；可执行 {command}"
    ),
    "git tracks {views}, so each refresh shows as a change; {command}": "git 正在跟踪 {views}，每次更新都会显示为改动；可执行 {command}",
    # how the daemon keeps a project
    "as asked for by --poll always": "由 --poll always 指定",
    "{reason}; its files are {instead}": "{reason}；其文件{instead}",
    "{count} of {wanted} folders are not watched, the first is {folder}: {reason}; they are {instead}": (
        "{wanted} 个文件夹中有 {count} 个未被监视，其中第一个是 {folder}：{reason}；它们{instead}"
    ),
    "{count} of {wanted} folders are not watched, as a project may have {most}; they are {instead}": (
        "{wanted} 个文件夹中有 {count} 个未被监视，因为每个项目最多监视 {most} 个；它们{instead}"
    ),
    "looked at every second or a little less often": "改为轮询，每秒一次或略慢",
    "looked at by the sweep only": "只做定期检查",
    "as many folders are watched as this process may watch": "监视的文件夹数已达到本进程的上限",
    "as many folders are watched as this process may watch; for more, raise fs.inotify.max_user_instances and ulimit -n": (
        "监视的文件夹数已达到本进程的上限；如需更多，请调高 fs.inotify.max_user_instances 和 ulimit -n"
    ),
    "the system lets this process start no more threads: raise ulimit -u, or TasksMax of the service": (
        "系统不允许本进程启动更多线程：请调高 ulimit -u 或服务的 TasksMax"
    ),
    "the user's limit of inotify watches is reached: raise fs.inotify.max_user_watches": (
        "已达到当前用户的 inotify 监视数上限：请调高 fs.inotify.max_user_watches"
    ),
    "a limit of inotify instances or open files is reached: raise fs.inotify.max_user_instances or ulimit -n": (
        "已达到 inotify 实例数或打开文件数的上限：请调高 fs.inotify.max_user_instances 或 ulimit -n"
    ),
    ".pipeline/ is on a file system of type {type}, which brings no events of what others write": (
        ".pipeline/ 位于 {type} 类型的文件系统上，它不会通知其他机器所做的更改"
    ),
    "more events come than can be listened to": "事件过多，无法逐一处理",
    "no event came of a file that was made in .pipeline/": "在 .pipeline/ 中创建了文件，却没有收到事件",
    "again and again a change is found of which no event came": "多次发现没有收到事件的变化",
    "the configuration cannot be read, and nothing is known of what it asks for": "无法读取配置，因此不知道它的要求",
    "a look has been running for {seconds} s": "一次检查已运行 {seconds} 秒",
    # the service
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
    "systemd's user manager cannot be reached ({reason}); log in as this user, not by su or sudo, or let it run without a login: loginctl enable-linger": (
        "无法连接 systemd 的用户管理器（{reason}）；请以该用户直接登录，不要用 su 或 sudo，或让它无需登录即可运行：loginctl enable-linger"
    ),
    "launchd has not ended {label} in time; try again": "launchd 未能及时结束 {label}；请重试",
    "{path}: is {kind} that hypo-compactd has not made; move it away, or install over it with --force": (
        "{path}：这是{kind}，不是由 hypo-compactd 生成的；请移走它，或用 --force 覆盖安装"
    ),
    "{path}: is {kind} that hypo-compactd has not made; it is left as it is, so remove it yourself": (
        "{path}：这是{kind}，不是由 hypo-compactd 生成的；将保持原样，请自行删除"
    ),
    "{path}: is a folder; move it away, and install again": "{path}：这是文件夹；请移走它，然后重新安装",
    "{path} cannot be written: {reason}; make room on its disk, or its folder writable, and try again": (
        "{path} 无法写入：{reason}；请腾出磁盘空间或使其文件夹可写，然后重试"
    ),
    "{path} cannot be removed: {reason}; make its folder writable, and try again": (
        "{path} 无法删除：{reason}；请使其文件夹可写，然后重试"
    ),
    "{command} has not ended within {seconds} s; the service manager may still be at it: "
    "look with `hypo-compactd status --all`, and try again": (
        "{command} 在 {seconds} 秒内没有结束；服务管理器可能仍在执行：请用 `hypo-compactd status --all` 查看，然后重试"
    ),
    "{command} failed (exit code {code}): {reason}": "{command} 失败（退出码 {code}）：{reason}",
    "it did not say why": "未说明原因",
    "none": "无",
    # compact-context
    "{path}:{line}: {reason}": "{path}:{line}：{reason}",
    "no handoff: give a file, or pipe one to stdin; - reads what is typed": "没有交接内容：请指定文件，或通过管道输入；- 读取键入的内容",
    "source and result cannot both be stdin; give a file for one of them": "原文和结果不能都来自 stdin；请为其中一个指定文件",
    "{path}: no temporary handoff ({reason}); it must be read in full": "{path}：不是临时交接（{reason}），必须完整阅读",
    "its name is that of a canonical document": "名称是正式文档的名称",
    "its front matter says that it is a canonical document": "其 front matter 表明它是正式文档",
    "its title is that of a canonical document": "标题是正式文档的标题",
    "its headings are those of an ADR": "小标题是 ADR 的小标题",
    "title and headings are those of a canonical document ({type})": "标题和小标题是正式文档（{type}）的",
    "suspected injection, not marked as one; it is kept as it is": "疑似注入，但没有标记；已原样保留",
    "a marked injection asks for the same; it is kept here, where nothing marks it as untrusted": (
        "与已标记的注入要求相同；此处没有不可信标记，已保留"
    ),
    "it stands inside a marked injection; it is kept as untrusted": "位于已标记的注入之内；作为不可信内容保留",
    "a fence is not closed; the handoff is left as it is": "代码块没有结束；交接保持原样",
    "the loss check does not pass this result: {errors} errors, {reviews} places to be looked at; "
    "a person must compare it with the handoff": (
        "丢失检查没有通过此结果：{errors} 处错误，{reviews} 处待查看；必须由人将它与原文比较"
    ),
    "what a marked injection asks for stands in a heading; it is withheld there": "已标记的注入所要求的内容出现在标题中；已在该处略去",
    "what a marked injection asks for stands before or around an item; the line is left out": (
        "已标记的注入所要求的内容出现在某一项之前或外层；已略去该行"
    ),
    # what a finding of its check is about
    "item": "项",
    "title": "标题",
    "speaker": "说话人",
    "parent": "上级项",
    "status": "状态",
    "question": "问题",
    "source": "来源",
    "order": "顺序",
    "repetition": "重复",
    "items that stood together": "原本相连的项",
    "wording": "措辞",
    "negation": "否定",
    "quotation": "引文",
    "digits": "数字",
    "limit": "限定",
    "hedge": "不确定的语气",
    "number of the item": "项的编号",
    "acceptance criteria": "验收标准",
    "side of a conflict": "冲突的一方",
    "payload of an injection": "注入所要求的内容",
    "hidden characters": "隐藏字符",
    "secret-looking value": "疑似密钥的值",
    "words about the result": "关于结果的话",
    "whole result: it seems to be of another source": "整个结果：似乎属于另一份原文",
    "filler": "客套话",
    "rejected proposal": "已否决的提案",
    "fence": "代码块",
    "code span": "行内代码",
    "quoted copy": "引用的原文",
    "url": "网址",
    "path": "路径",
    "route": "路由",
    "command": "命令",
    "name": "名称",
    "id": "标识",
    "id range": "标识范围",
    "pick": "所选的选项",
    "commit": "提交",
    "issue": "议题",
    "version": "版本",
    "date": "日期",
    "number": "数值",
    "user": "用户",
    "writer": "作者",
    "agent": "代理",
    "docs": "文档",
    "tool": "工具",
    "untrusted": "不可信",
    "must": "必须",
    "should": "应该",
    "would": "打算",
    "may": "可以",
    "need not": "不必",
    "only": "仅",
    "except": "除外",
    "unless": "除非",
    "at least": "至少",
    "at most": "至多",
    "more than": "超过",
    "less than": "少于",
    "exactly": "恰好",
    "about": "大约",
    "before": "之前",
    "after": "之后",
    "until": "直到",
    "if": "如果",
    "all": "全部",
    "section {before} -> {after}": "部分 {before} -> {after}",
    "label {before} -> {after}": "标签 {before} -> {after}",
    "source {before} -> {after}": "来源 {before} -> {after}",
    "{before} -> {after}": "{before} -> {after}",
    "label {name}": "标签 {name}",
    "heading {name}": "标题 {name}",
    "source {name}": "来源 {name}",
    "{kind} in a heading": "标题中的{kind}",
    "{one}, {others}": "{one}、{others}",
    "{name}": "{name}",
    # what is read
    "hidden characters {characters}; they are kept": "含有隐藏字符 {characters}；已保留",
    "a value that looks like a secret; it is kept as it is": "疑似密钥的值；已原样保留",
    "stdin is closed; give a file": "stdin 已关闭；请指定文件",
    "{path}: a text in {name}; give --encoding {name}": "{path}：是 {name} 编码的文本；请使用 --encoding {name}",
    "{path}: byte {place} is zero: a binary file, no text": "{path}：第 {place} 个字节为零：是二进制文件，不是文本",
    "{path}: byte {place} (line {line}) is not {encoding}; say which encoding it has with --encoding NAME": (
        "{path}：第 {place} 个字节（第 {line} 行）不是 {encoding}；请用 --encoding NAME 指定编码"
    ),
    "{path}: no name of a file": "{path}：不是文件名",
    "{path}: a folder; give a file": "{path}：是文件夹；请指定文件",
    "{path}: a FIFO or a device; to read it, redirect it to stdin and give -": (
        "{path}：是命名管道或设备；要读取它，请重定向到 stdin 并使用 -"
    ),
    "{path}: larger than {limit} MiB": "{path}：大于 {limit} MiB",
}
"""By the English template: the Chinese one, with the same places."""

SYSTEM: dict[str, str] = {
    "operation not permitted": "不允许的操作",
    "no such file or directory": "没有该文件或文件夹",
    "input/output error": "输入/输出错误",
    "no such device or address": "没有该设备或地址",
    "exec format error": "可执行文件格式错误",
    "resource temporarily unavailable": "资源暂时不可用",
    "cannot allocate memory": "无法分配内存",
    "permission denied": "权限不足",
    "device or resource busy": "设备或资源正忙",
    "file exists": "文件已存在",
    "invalid cross-device link": "不能跨设备链接",
    "no such device": "没有该设备",
    "not a directory": "不是文件夹",
    "is a directory": "是文件夹",
    "invalid argument": "参数无效",
    "too many open files in system": "系统中打开的文件过多",
    "too many open files": "打开的文件过多",
    "text file busy": "程序文件正忙",
    "file too large": "文件过大",
    "no space left on device": "设备上没有剩余空间",
    "read-only file system": "只读文件系统",
    "file name too long": "文件名过长",
    "no locks available": "没有可用的锁",
    "directory not empty": "文件夹不为空",
    "too many levels of symbolic links": "符号链接的层数过多",
    "operation not supported": "不支持的操作",
    "transport endpoint is not connected": "传输端点未连接",
    "connection timed out": "连接超时",
    "host is down": "主机已停机",
    "stale file handle": "文件句柄已失效",
    "disk quota exceeded": "超出磁盘配额",
}
"""What the operating system says, in lower case; that of Linux, which macOS words alike for the most part."""

YAML: dict[str, str] = {
    "found unexpected end of stream": "文件意外结束",
    "mapping values are not allowed in this context": "此处不允许出现映射的值",
    "mapping values are not allowed here": "此处不允许出现映射的值",
    "mapping keys are not allowed in this context": "此处不允许出现映射的键",
    "block sequence entries are not allowed in this context": "此处不允许出现列表项",
    "sequence entries are not allowed here": "此处不允许出现列表项",
    "could not find expected ':'": "缺少应有的“:”",
    "did not find expected key": "缺少应有的键",
    "did not find expected '-' indicator": "缺少应有的“-”",
    "did not find expected ',' or ']'": "缺少应有的“,”或“]”",
    "did not find expected ',' or '}'": "缺少应有的“,”或“}”",
    "expected ',' or ']'": "缺少应有的“,”或“]”",
    "expected ',' or '}'": "缺少应有的“,”或“}”",
    "expected <block end>": "缩进与所在的块不符",
    "did not find expected node content": "缺少应有的内容",
    "expected the node content": "缺少应有的内容",
    "did not find expected <document start>": "此处之前的文档已经结束",
    "expected '<document start>'": "此处之前的文档已经结束",
    "found character that cannot start any token": "此字符不能作为开头",
    "found a tab character that violates indentation": "缩进中含有制表符",
    "found a tab character where an indentation space is expected": "缩进中含有制表符",
    "found unknown escape character": "未知的转义字符",
    "found invalid Unicode character escape code": "无效的 Unicode 转义",
    "did not find expected hexdecimal number": "转义中缺少十六进制数",
    "found unexpected document indicator": "文档标记出现在引号之内",
    "found unexpected document separator": "文档标记出现在引号之内",
    "found unexpected ':'": "此处不应出现“:”",
    "found undefined tag handle": "未定义的标签前缀",
    "found duplicate anchor; first occurrence": "锚点重复；此处是第一次出现",
    "found undefined alias": "别名没有对应的锚点",
    "found an indentation indicator equal to 0": "缩进指示符不能为 0",
    "did not find expected comment or line break": "此处应为注释或换行",
    "expected a comment or a line break": "此处应为注释或换行",
    "did not find expected whitespace or line break": "此处应为空白或换行",
    "did not find expected alphabetic or numeric character": "此处应为字母或数字",
    "expected alphabetic or numeric character": "此处应为字母或数字",
    "found unexpected non-alphabetical character": "此处应为字母",
    "did not find URI escaped octet": "标签中缺少 URI 转义",
    "did not find expected tag URI": "标签中缺少 URI",
    "found unknown directive name": "未知的指令",
    "found duplicate %YAML directive": "%YAML 指令重复",
    "found incompatible YAML document": "不兼容的 YAML 版本",
    "did not find expected version number": "缺少应有的版本号",
    "could not find expected directive name": "缺少应有的指令名称",
    "found duplicate YAML directive": "%YAML 指令重复",
    "found incompatible YAML document (version 1.* is required)": "不兼容的 YAML 版本",
    "expected a digit": "此处应为数字",
    "expected a digit or '.'": "此处应为数字或“.”",
    "duplicate tag handle": "标签前缀重复",
    "did not find the expected '>'": "缺少应有的“>”",
    "expected '>'": "缺少应有的“>”",
    "expected escape sequence of 2 hexdecimal numbers": "转义中缺少十六进制数",
    "expected escape sequence of 4 hexdecimal numbers": "转义中缺少十六进制数",
    "expected escape sequence of 8 hexdecimal numbers": "转义中缺少十六进制数",
    "expected URI escape sequence of 2 hexdecimal numbers": "标签中缺少 URI 转义",
    "expected chomping or indentation indicators": "此处应为块标量的指示符",
    "expected indentation indicator in the range 1-9": "缩进指示符必须在 1 到 9 之间",
    "control characters are not allowed": "不允许控制字符",
    "special characters are not allowed": "不允许特殊字符",
}
"""What the two YAML parsers say, libyaml's and ruamel.yaml's own; what they quote of a source is left out."""

JSON: dict[str, str] = {
    "expecting value": "缺少应有的值",
    "expecting property name enclosed in double quotes": "缺少应有的双引号属性名",
    "expecting ',' delimiter": "缺少应有的“,”",
    "expecting ':' delimiter": "缺少应有的“:”",
    "extra data": "末尾有多余的内容",
    "unterminated string starting at": "字符串没有结束",
    "invalid control character at": "字符串中含有控制字符",
    "invalid \\escape": "无效的转义",
    "invalid \\uxxxx escape": "无效的 \\uXXXX 转义",
    "illegal trailing comma before end of object": "末尾的“,”多余",
    "illegal trailing comma before end of array": "末尾的“,”多余",
}
"""What Python's JSON parser says, in lower case."""

WORDS_OF_OTHERS = SYSTEM | YAML | JSON
