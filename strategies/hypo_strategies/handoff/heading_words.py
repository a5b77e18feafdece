"""What the headings and labels of a handoff say, in English, Chinese, Japanese, Thai and a little Korean; pure data.

Each row: section, state, trust, and the phrases by language. `und` holds those that are the same in Chinese and
Japanese. Traditional and simplified characters count as the same, so one form is enough.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypo_strategies.handoff.model import Section, State, Trust


@dataclass(frozen=True, slots=True)
class Row:
    """Phrases that mean the same.

    Attributes:
        section: where what stands under them belongs; None where only the state or the source is told.
        state: how far it is settled, or how it is known.
        trust: where it comes from, as far as the phrase says so.
        phrases: by language, divided by `|`.
    """

    section: Section | None
    state: State
    phrases: dict[str, str] = field(hash=False)
    trust: Trust = Trust.WRITER


ROWS: tuple[Row, ...] = (
    Row(
        Section.GOAL,
        State.NONE,
        {
            "en": (
                "goal | goals | objective | objectives | purpose | user goal | user's goal | mission | intended outcome"
                " | desired outcome | outcome wanted | the problem | problem statement | task | task goal"
                " | primary request | primary request and intent | request and intent | goal and intended outcome"
                " | goals and objectives | project goal | aim"
            ),
            "zh": (
                "目标 | 核心目标 | 任务目标 | 你的任务 | 使用者需求 | 用户需求 | 需求 | 项目目标 | 总目标 | 任务 | 本次目标"
                " | 最终目标 | 目标与预期结果 | 目的与目标"
            ),
            "ja": (
                "目標 | ゴール | やりたいこと | このドキュメントの目的 | 本ドキュメントの目的 | 本書の目的 | 目標と意図する成果"
                " | プロジェクトの目的 | タスクの目的"
            ),
            "und": "目的",
            "th": "วัตถุประสงค์ | เป้าหมาย | งานที่ต้องการ | จุดประสงค์ | เป้าหมายหลัก",
            "ko": "목표 | 목적 | 사용자 요구 | 사용자 요청",
        },
    ),
    Row(
        Section.CONFIRMED,
        State.CONFIRMED,
        {
            "en": (
                "confirmed | confirmed decisions | confirmed decision | agreed | agreed decisions | agreed decision"
                " | accepted | accepted decisions | approved | approved decisions | decided | decision | decisions"
                " | decisions made | decision made | what we decided | what was decided | what has been decided"
                " | what we decided last night | what we agreed | what was agreed | locked decisions | locked decision"
                " | locked | final decisions | final decision | do not relitigate | don't relitigate | key decisions"
                " | key decision | key technical decisions | technical decisions | technology decisions"
                " | technical decisions made | product decisions | design decisions | design decision"
                " | architecture decisions | architectural decisions | implementation decisions | important decisions"
                " | decision record | decision log | decisions log | settled | settled decisions | already decided"
                " | confirmed product decisions | confirmed technology decisions | confirmed domain rules"
                " | agreed domain rules | decisions we made | decisions taken | goal and confirmed decisions"
            ),
            "zh": (
                "已确认 | 已决定 | 确定事项 | 已确定事项 | 已确认事项 | 已确认决策 | 已确认的决策 | 已确认的决定 | 决策 | 决策记录"
                " | 决定记录 | 关键决策 | 重要决策 | 技术决策 | 设计决策 | 结论(已确认) | 已定 | 已敲定 | 已拍板 | 最终决定"
                " | 最终决策 | 已做的决定 | 已做决策 | 达成一致 | 已同意 | 已批准 | 确认事项"
            ),
            "ja": (
                "確定 | 決定済み | 承認済み | 合意済み | 合意 | 合意済 | 決定済 | 承認済 | 確定済み | 確定済 | 確定した事項"
                " | 決定した事項 | 重要な技術的決定 | 技術的決定 | 設計上の決定 | 重要な決定 | 主要な決定 | 主な決定事項"
                " | 確定した決定事項 | 確定済みの決定 | 決まったこと | 最終決定"
            ),
            "und": "确定 | 决定 | 决定事项 | 合意事项",
            "th": (
                "ยืนยันแล้ว | ตกลงแล้ว | ข้อตกลง | ตัดสินใจแล้ว | มติ | อนุมัติแล้ว | สิ่งที่ตกลงแล้ว | สิ่งที่ตัดสินใจแล้ว"
                " | สิ่งที่ยืนยันแล้ว | การตัดสินใจ | การตัดสินใจที่ยืนยันแล้ว | ข้อสรุปที่ยืนยันแล้ว"
            ),
            "ko": "확정 | 결정 | 결정 사항 | 확정 사항 | 합의 사항",
        },
    ),
    Row(
        Section.CONFIRMED,
        State.CONFIRMED,
        {
            "en": (
                "approved by user | approved by the user | confirmed by user | confirmed by the user | agreed by the user"
                " | agreed with user | agreed with the user | decided by the user | decided by user | user decisions"
                " | user decision | user confirmed | user-confirmed | user-approved | user approved | user agreed"
                " | confirmed with the user | confirmed with user | decisions by the user | decisions of the user"
                " | user's decisions | user answers | explicit user answers"
            ),
            "zh": "用户已说 | 用户已确认 | 用户已决定 | 用户决定 | 用户确认 | 用户已批准 | 经用户确认 | 与用户确认 | 与使用者确认",
            "ja": "ユーザー確認済み | ユーザー承認済み | ユーザーの決定 | ユーザー決定事項 | ユーザーと合意済み",
            "th": "ผู้ใช้ยืนยันแล้ว | ผู้ใช้อนุมัติแล้ว | ผู้ใช้ตัดสินใจแล้ว",
        },
        Trust.USER,
    ),
    Row(
        Section.OPEN,
        State.PROPOSAL,
        {
            "en": (
                "proposal | proposal (unconfirmed) | proposals | proposed | proposed changes | proposed change | proposed solution"
                " | proposed approach | proposed design | proposed decisions | proposed decision | suggestion"
                " | suggestions | suggested | suggested next | suggested next steps | suggested next step"
                " | suggested first next steps | suggested changes | recommended | recommendation | recommendations"
                " | recommended follow-up | recommended follow-ups | recommended follow up | recommended next steps"
                " | recommended next step | recommended next work | next recommended work | next recommended steps"
                " | recommended approach | recommended order | option | options | options considered | consider"
                " | to consider | could | could do | idea | ideas | draft | draft plan | draft proposal | tentative"
                " | tentative decisions | alternatives | alternative | alternatives considered | nice to have"
                " | possible improvements | future ideas | unconfirmed | not confirmed | not yet confirmed"
                " | not agreed | not yet agreed | not approved | not yet approved | unapproved | candidates | candidate"
                " | under consideration | under discussion | shelved | parked | wish list | brainstorm"
                " | agent recommendation | agent recommendations | draft decisions | draft decision"
            ),
            "zh": (
                "提议 | 建议 | 推荐 | 方案(待定) | 备选 | 备选方案 | 可以考虑 | 可考虑 | 建议方案 | 推荐方案 | 候选方案"
                " | 下一步建议 | 建议下一步 | 后续建议 | 改进建议 | 优化建议 | 草案 | 想法 | 初步方案 | 拟定方案 | 讨论中"
            ),
            "ja": (
                "案 | 検討項目 | 検討事項 | 検討中 | 推奨 | おすすめ | 推奨事項 | 改善案 | 提案事項 | 代替案 | 対応案 | 選択肢"
                " | アイデア | 今後の検討事項 | ドラフト | たたき台 | 仮案 | 未承認 | 未合意"
            ),
            "und": "提案 | 候补 | 未确认(提案)",
            "th": (
                "ข้อเสนอ | ข้อเสนอแนะ | แนะนำ | ทางเลือก | คำแนะนำ | แนวทางที่เสนอ | ร่าง | สิ่งที่แนะนำ | ยังไม่อนุมัติ"
                " | ยังไม่ตกลง | ความคิดเห็น"
            ),
            "ko": "제안 | 권장 사항 | 추천",
        },
    ),
    Row(
        Section.FACTS,
        State.OBSERVED,
        {
            "en": (
                "observed | observation | observations | observed facts | observed behavior | observed behaviour"
                " | findings | finding | key findings | main findings | verified | validated | measured | measurement"
                " | measurements | evidence | verified facts | verification results | final verification results"
                " | test results | root cause (verified) | verified root cause | what was validated | reproduced"
                " | verified runtime contracts | observed results | implementation evidence"
            ),
            "zh": (
                "观察 | 实测 | 实测结论 | 验证结果 | 测试结果 | 已验证 | 观察结果 | 发现 | 主要发现 | 证据 | 实测结果 | 测量结果"
                " | 观察到的事实"
            ),
            "ja": (
                "主な発見 | 確認済み | 確認済 | 検証済み | 検証済 | 検証結果 | テスト結果 | 実測値 | 測定結果 | 観測結果"
                " | 観察された事実 | 発見 | 気づき | 確認できたこと | 動作確認済み | 設計上の気づき | エビデンス"
            ),
            "und": "观测 | 实测 | 观察 | 确认结果",
            "th": "ผลทดสอบ | ผลการทดสอบ | สิ่งที่พบ | สิ่งที่สังเกตพบ | หลักฐาน | ตรวจสอบแล้ว | ผลการตรวจสอบ",
            "ko": "관찰 | 검증 결과 | 테스트 결과",
        },
    ),
    Row(
        Section.FACTS,
        State.INFERRED,
        {
            "en": (
                "inferred | inference | inferences | assumption | assumptions | assumed | hypothesis | hypotheses"
                " | likely | likely cause | likely causes | probable cause | suspected | suspected cause"
                " | suspected causes | suspected root cause | unproven | unverified | not verified | not yet verified"
                " | unvalidated | not validated | untested | not tested | appears to | speculation | guess | guesses"
                " | open truth boundary | claim boundary | what is not proven | not proven | unconfirmed cause"
                " | relevant inferences | working theory | theory"
            ),
            "zh": "推断 | 猜测 | 假设 | 可能 | 可能原因 | 疑似原因 | 未经验证 | 尚未验证 | 推断结论 | 未证实 | 怀疑",
            "ja": (
                "推論 | 仮説 | 前提(仮) | 考察 | 推定 | 推定原因 | 想定原因 | 考えられる原因 | 未確認の仮説 | 未テスト"
                " | 関連する推論 | 憶測"
            ),
            "und": "推测 | 未验证 | 未検証 | 假定",
            "th": "อนุมาน | สันนิษฐาน | คาดว่า | สมมติฐาน | ข้อสันนิษฐาน | ยังไม่ได้ทดสอบ | ยังไม่ได้ตรวจสอบ | ยังไม่ตรวจสอบ",
            "ko": "추론 | 가설 | 미검증",
        },
    ),
    Row(
        Section.FACTS,
        State.DEPENDS,
        {
            "en": (
                "depends | depends on | dependency | dependencies | blocked by | blocks | prerequisite | prerequisites"
                " | requires | dependency graph | depended on by | waiting on | waiting for | joint ownership"
            ),
            "zh": "依赖 | 依赖关系 | 依赖图 | 前置条件 | 前置依赖 | 前提条件",
            "ja": "依存 | 依存先 | 前提条件 | 前提",
            "und": "依存关系",
            "th": "ขึ้นกับ | ขึ้นอยู่กับ | การพึ่งพา | สิ่งที่ต้องมีก่อน",
            "ko": "의존성 | 선행 조건",
        },
    ),
    Row(
        Section.FACTS,
        State.STATUS,
        {
            "en": (
                "status | state | next | next step | next steps | next action | next actions | next as stated"
                " | status information | immediate next steps | next session | next up | next work | next tasks"
                " | next task | what's left | what is left | what's next | what is next | remaining | remaining work"
                " | remaining tasks | remaining items | remaining steps | remaining external item"
                " | remaining external items | pending | pending tasks | pending work | pending items | todo | to do"
                " | to-do | todos | to dos | in progress | work in progress | wip | blocked | blocker | blockers"
                " | resume plan | fast resume checklist | resume checklist | how to resume | how to continue | branch"
                " | branches | current branch | commit | commits | commits made | recent commits | working tree"
                " | working tree state | working tree expectation | uncommitted changes | current state"
                " | current status | state of play | where we are | where things stand | snapshot"
                " | current state snapshot | released state | completed | completed work | complete | what was done"
                " | what was completed | what's done | what is done | done | work done | finished | progress"
                " | what changed | changes made | done so far | not done | not started | not yet done | incomplete"
                " | unfinished | current work | work completed | follow-up | follow-ups | follow up | backlog"
                " | sprint tasks | tasks | testing checklist | checklist | known issues | known bugs"
                " | compliance status | current target | milestones | plan | schedule | roadmap | release status"
                " | status or dependency information | deferred work"
            ),
            "zh": (
                "下一步 | 下一步计划 | 后续步骤 | 待做 | 待办 | 待办事项 | 待完成 | 进行中 | 阻塞 | 阻塞项 | 未完成 | 剩余工作"
                " | 剩余任务 | 状态 | 现状 | 当前状态 | 当前状态快照 | 当前进度 | 进度 | 已完成 | 已完成工作 | 已完成事项 | 稳定基线"
                " | 分支 | 提交 | 工作区状态 | 本次会话改动 | 本次改动 | 后续工作 | 后续任务 | 还没收口 | 遗留问题 | 已知问题"
                " | 计划 | 里程碑 | 已交付产物 | 当前组件状态 | 未开始 | 待处理"
            ),
            "ja": (
                "次のステップ | 次にやること | 残タスク | 残存課題 | 引き継ぎタスク | 作業中 | 現在の状態 | 現状ステータス | 実施済み"
                " | 実施済 | 完了 | 完了済み | 完了した作業 | 進行中 | 未着手 | 未実施 | 残作業 | 今後の予定 | 今後の作業"
                " | 次回やること | 次の作業 | やること | ブランチ | コミット | ステータス | 進捗 | 進捗状況 | ブロッカー | 対応済み"
                " | 既知の問題 | 作業ログ | 変更内容 | やったこと | 途中 | 保留"
            ),
            "und": "现状 | 状况 | 状态 | 进捗 | 未完了 | 未完成 | 作业中",
            "th": (
                "ขั้นตอนถัดไป | งานที่เหลือ | รอดำเนินการ | อยู่ระหว่างดำเนินการ | สิ่งที่อยู่ระหว่างดำเนินการ | ติดขัด | สถานะ"
                " | สถานะปัจจุบัน | สิ่งที่เสร็จแล้ว | งานที่เสร็จแล้ว | งานพื้นฐานที่ทำเสร็จแล้ว | เสร็จแล้ว | สรุปงาน"
                " | ปัญหา/อุปสรรค | ปัญหา | อุปสรรค | สิ่งที่ต้องทำต่อ | งานที่ต้องทำ | งานหลักที่ต้องทำ | สิ่งที่ต้องทำ"
                " | ขั้นตอนถัดไปสำหรับ agent คนถัดไป | ยังไม่เสร็จ | ความคืบหน้า"
            ),
            "ko": "현재 상태 | 남은 작업 | 긴급 이슈 | 다음 단계 | 진행 중 | 완료 | 상태",
        },
    ),
    Row(
        Section.FACTS,
        State.NONE,
        {
            "en": (
                "facts | fact | known facts | background | context | environment | environment notes | notes"
                " | technical notes | root cause | overview | summary | tl;dr | goal also stated | inferences and facts"
                " | important context | what we know | known | facts, constraints, and scope"
            ),
            "zh": "事实 | 背景 | 上下文 | 重要上下文 | 环境 | 根因 | 根本原因 | 已知 | 已知事实 | 概述 | 备注 | 结论 | 技术说明",
            "ja": "事実 | 背景 | 環境 | 原因 | 根本原因 | 概要 | プロジェクト概要 | 補足 | 備考 | わかっていること",
            "und": "事实 | 背景 | 原因",
            "th": "ข้อเท็จจริง | บริบท | ข้อมูลเพิ่มเติม | บันทึกทางเทคนิค | สาเหตุ | ภาพรวม | หมายเหตุ",
            "ko": "사실 | 배경 | 환경",
        },
    ),
    Row(
        Section.CONSTRAINTS,
        State.NONE,
        {
            "en": (
                "constraint | constraints | hard constraint | hard constraints | must | must not | rule | rules"
                " | hard rules | hard rule | domain rules | business rules | invariant | invariants"
                " | preserved invariants | do not | don't | do nots | don'ts | dos and don'ts | gotcha | gotchas"
                " | pitfalls | traps | caveats | security | user constraint | user constraints | non-negotiable"
                " | non-negotiables | prohibited | forbidden | never | requirements | limits | limitations"
                " | restrictions | guardrails | warnings | watch out | legal | compliance | technical constraints"
                " | product constraints | operational constraints | security constraints | security rules"
                " | domain constraints | legal constraints | known gotchas | not permitted | not allowed"
                " | constraints and gotchas | constraints and rules | policies | policy"
                " | hard constraint this session"
            ),
            "zh": (
                "约束 | 约束条件 | 限制 | 限制条件 | 必须 | 禁止 | 不要 | 硬规则 | 硬性约束 | 违反必返工 | 陷阱 | 陷阱备忘"
                " | 注意事项 | 关键技术约束 | 技术约束 | 关键约束 | 规则 | 红线 | 不变量 | 禁区 | 用户约束 | 执行原则 | 安全"
                " | 安全要求 | 硬约束 | 坑 | 踩坑 | 不得"
            ),
            "ja": (
                "制約 | 厳守 | 必須 | 注意 | 落とし穴 | してはいけない | してはいけないこと | やってはいけないこと | 守ること"
                " | 制約条件 | 技術的制約 | 厳守事項 | ルール | 必須事項 | 必須条件 | 遵守事項 | セキュリティ | ハマりどころ"
                " | 注意点"
            ),
            "und": "禁止事项 | 注意事项 | 制约 | 制约事项 | 必须事项",
            "th": (
                "ข้อจำกัด | ข้อห้าม | ห้าม | ต้อง | ต้องไม่ | กฎ | สำคัญ | ข้อควรระวัง | สิ่งที่ต้องระวัง | เงื่อนไข | ข้อกำหนด"
                " | ความปลอดภัย | ห้ามทำ"
            ),
            "ko": "제약 | 제약 사항 | 금지 사항 | 주의 사항 | 규칙",
        },
    ),
    Row(
        Section.SCOPE_IN,
        State.NONE,
        {
            "en": "in scope | in-scope | scope | scope in | target | targets | protect | covered | must-have | must have | must-haves | scope (in)",
            "zh": "范围 | 范围内 | 包含 | 在范围内 | 要做 | 工作范围 | 本次范围",
            "ja": "スコープ | スコープ内 | 範囲 | 対象範囲 | 対象範囲内 | やること(スコープ)",
            "und": "对象 | 对象内 | 范围内",
            "th": "ขอบเขต | อยู่ในขอบเขต | ในขอบเขต | ขอบเขตงาน",
            "ko": "범위 | 범위 내",
        },
    ),
    Row(
        Section.SCOPE_OUT,
        State.NONE,
        {
            "en": (
                "out of scope | out-of-scope | scope out | non-goal | non-goals | non goals | nongoals | not included"
                " | won't do | will not do | wont do | don't bother | do not bother | excluded | deferred | not in scope"
                " | not to be built | not needed | not required | not covered | exclusions | explicitly out of scope"
                " | do not build | don't build | scope (out) | deferred intents"
            ),
            "zh": "不在范围 | 不在范围内 | 范围外 | 不做 | 非目标 | 排除 | 不包含 | 暂不做 | 不需要做 | 超出范围",
            "ja": "スコープ外 | やらないこと | やらない | 非対象 | 対象範囲外 | 作らないもの | 実装しないもの | 非目標",
            "und": "对象外 | 范围外 | 非对象",
            "th": (
                "นอกขอบเขต | ไม่รวม | ไม่ต้องทำ | ไม่ต้องสร้าง | อยู่นอกขอบเขต | ไม่อยู่ในขอบเขต | สิ่งที่ไม่ต้องทำ"
                " | สิ่งที่ไม่ต้องสร้าง | เลื่อนออกไป"
            ),
            "ko": "범위 외 | 제외",
        },
    ),
    Row(
        Section.REFERENCES,
        State.NONE,
        {
            "en": (
                "reference | references | key file | key files | key files modified | key files modified this session"
                " | important files | relevant files | file | files | files changed | files modified | modified files"
                " | changed files | files touched | files and code | related docs | related documents"
                " | related documentation | documentation | docs | document | documents | where things live | read first"
                " | read this first | must read | required reading | evidence index | link | links | source | sources"
                " | acceptance criterion | acceptance criteria | ac | acs | pointers | related tables"
                " | exact identifiers and references"
            ),
            "zh": (
                "关键文件 | 必读文件 | 相关文档 | 来源 | 验收标准 | 验收条件 | 参考资料 | 参考文件 | 相关文件 | 文件 | 文档 | 修改的文件"
                " | 改动文件 | 链接 | 参考文档 | 必读"
            ),
            "ja": (
                "参照 | 関連ドキュメント | 主要ファイル | 受け入れ条件 | 受け入れ基準 | 受入条件 | 受入基準 | 参照先 | 関連ファイル"
                " | 参考資料 | 変更ファイル | ファイル | ファイル構成 | リンク | 出典"
            ),
            "und": "参考 | 参考文献",
            "th": (
                "อ้างอิง | เอกสารอ้างอิง | ไฟล์สำคัญ | ไฟล์ที่แก้ไข | เกณฑ์การยอมรับ | แหล่งที่มา | ไฟล์ที่เกี่ยวข้อง | เอกสารที่เกี่ยวข้อง | ลิงก์"
            ),
            "ko": "참고 | 참고 자료 | 관련 문서 | 주요 파일",
        },
    ),
    Row(
        Section.OPEN,
        State.OPEN,
        {
            "en": (
                "open | open question | open questions | open item | open items | open issue | open issues | unresolved"
                " | unresolved questions | unresolved material questions | unresolved issues | tbd | tbds | unknown"
                " | unknowns | question | questions | questions for next agent | questions for the next agent"
                " | questions for the user | questions for user | to be decided | to be confirmed | to be determined"
                " | to confirm | awaiting user | awaiting confirmation | awaiting approval | awaiting decision"
                " | awaiting the user | needs decision | needs confirmation | needs user input | research needed"
                " | undecided | not decided | not yet decided | pending decision | pending decisions"
                " | pending confirmation | pending approval | pending questions | open decisions | open decision"
                " | open sub-decision | open product gaps | decisions needed | decision needed | decisions to make"
                " | decisions pending | decision pending | unanswered | unanswered questions | unclear"
                " | unresolved questions and conflicts | not settled | open points"
            ),
            "zh": (
                "待确认 | 未决 | 未解决 | 待定 | 开放问题 | 待确认事项 | 未决问题 | 未确认 | 尚未确认 | 尚未决定 | 未确定 | 待决定"
                " | 待决策 | 未解决问题 | 问题 | 疑问 | 待用户确认 | 等待用户 | 等待确认 | 待讨论 | 待批准 | 待审批 | 未决定"
                " | 需要确认 | 需确认"
            ),
            "ja": (
                "未確定 | 未解決 | 要確認 | 課題(未決) | 質問 | 未決 | 未定 | 確認待ち | 承認待ち | 要検討 | 要確認事項 | 疑問点"
                " | 未確認事項 | 質問事項 | 要相談 | オープンな質問 | 未決定 | ユーザー確認待ち | 決定待ち | 課題 | 未解決の質問"
                " | 未解決の重要な質問 | 確認したいこと"
            ),
            "und": "未决事项 | 未确定事项 | 未解决事项 | 未定事项 | 未决定事项",
            "th": (
                "คำถามที่ยังเปิด | ยังไม่ตัดสินใจ | รอยืนยัน | รอสรุป | คำถาม | ยังไม่ยืนยัน | ยังไม่สรุป | รอการยืนยัน | รออนุมัติ"
                " | รอตัดสินใจ | รอผู้ใช้ยืนยัน | ประเด็นที่ยังเปิด | คำถามที่ยังไม่ได้ตอบ | ยังไม่ได้ตัดสินใจ | ยังไม่ได้ยืนยัน"
            ),
            "ko": "미해결 | 미정 | 질문 | 확인 필요",
        },
    ),
    Row(
        Section.CONFLICTS,
        State.CONFLICT,
        {
            "en": (
                "conflict | conflicts | contradiction | contradictions | mismatch | mismatches | discrepancy"
                " | discrepancies | doc vs code | docs vs code | docs vs. code | spec vs code | drift | inconsistency"
                " | inconsistencies | conflicting | known conflicts | conflicts found"
            ),
            "zh": "冲突 | 文档与代码不一致",
            "ja": "食い違い | 相違 | 相違点 | 不整合",
            "und": "矛盾 | 不一致 | 矛盾点",
            "th": "ขัดแย้ง | ไม่ตรงกัน | ข้อขัดแย้ง | ความขัดแย้ง",
            "ko": "충돌 | 모순 | 불일치",
        },
    ),
    Row(
        None,
        State.REJECTED,
        {
            "en": (
                "rejected | rejected proposals | rejected proposal | rejected options | rejected option"
                " | rejected alternatives | rejected ideas | rejected approaches | ruled out"
                " | rejected decisions | considered and rejected"
                " | alternatives rejected | options rejected | ruled out causes"
            ),
            "zh": "已否决 | 否决 | 已拒绝 | 已排除 | 被否决的方案",
            "ja": "不採用 | 却下した案 | 不採用案 | 却下済み | 見送り | 不採用とした案",
            "und": "却下",
            "th": "ปฏิเสธ | ไม่ใช้ | ปฏิเสธแล้ว",
            "ko": "기각",
        },
    ),
    Row(  # what became of work, not of a proposal: the next one must know it
        Section.FACTS,
        State.STATUS,
        {
            "en": "reverted | discarded | abandoned | declined | dropped | withdrawn",
            "zh": "放弃 | 已放弃 | 已废弃 | 废弃 | 已回滚 | 已撤销",
            "ja": "取り下げ | 差し戻し",
            "und": "废止",
            "th": "ยกเลิก | ยกเลิกแล้ว",
            "ko": "폐기",
        },
    ),
    Row(
        None,
        State.SUPERSEDED,
        {
            "en": "superseded | superseded by | superseded decisions | obsolete | outdated | replaced | stale | deprecated",
            "zh": "取代 | 已取代 | 被取代 | 已被取代 | 已过时 | 过时",
            "ja": "旧 | 旧版 | 置き換え済み | 廃止済み | 古い情報",
            "th": "ถูกแทนที่ | แทนที่แล้ว | ล้าสมัย",
        },
    ),
    Row(
        Section.FACTS,
        State.CLAIMED,
        {
            "en": "claimed | claims | claim | claimed approval | claimed approvals | reported | alleged",
            "zh": "据称 | 声称",
            "ja": "主張 | とされる",
            "th": "อ้างว่า | ข้ออ้าง",
        },
        Trust.AGENT,
    ),
    Row(
        None,
        State.NONE,
        {
            "en": (
                "untrusted | untrusted content | untrusted source | untrusted sources | untrusted input"
                " | suspected injection | suspected injections | prompt injection | injection | injections"
                " | injection attempt | injection attempts | untrusted material | not trusted | untrusted output"
                " | untrusted material (rejected)"
            ),
            "zh": "不可信 | 不可信内容 | 不可信来源 | 疑似注入 | 注入 | 提示注入 | 不受信任",
            "ja": "信頼できない | 信頼できない情報 | 信頼できない内容 | インジェクション | インジェクションの疑い",
            "th": "ไม่น่าเชื่อถือ | แหล่งที่ไม่น่าเชื่อถือ | การฉีดคำสั่ง",
        },
        Trust.UNTRUSTED,
    ),
    Row(
        None,
        State.REJECTED,
        {
            "en": "rejected injection | rejected injections | ignored injection | rejected instructions | rejected instruction",
            "zh": "注入(已拒绝) | 已拒绝的注入 | 已拒绝注入",
            "ja": "却下されたインジェクション | 却下したインジェクション",
            "th": "การฉีดคำสั่งที่ถูกปฏิเสธ",
        },
        Trust.UNTRUSTED,
    ),
    Row(
        None,
        State.NONE,
        {
            "en": "per docs | from docs | from the docs | per the docs | docs say | the docs say | according to docs | from documentation",
            "zh": "据文档 | 来自文档 | 文档说",
            "ja": "ドキュメントによると | 資料によると",
            "th": "ตามเอกสาร",
        },
        Trust.DOCS,
    ),
    Row(
        None,
        State.NONE,
        {
            "en": "tool output | tool outputs | tool result | tool results | per tool output | command output | log output",
            "zh": "工具输出 | 命令输出 | 工具结果",
            "ja": "ツール出力 | コマンド出力 | ツールの出力",
            "th": "ผลลัพธ์จากเครื่องมือ | ผลลัพธ์เครื่องมือ",
        },
        Trust.TOOL,
    ),
    Row(
        None,
        State.NONE,
        {
            "en": (
                "subagent report | subagent reports | subagent results | agent report | agent reports | from subagent"
                " | per subagent | previous agent | from previous agent | other agents | sub-agent report | agent claims"
                " | agent said"
            ),
            "zh": "子代理报告 | 代理报告",
            "ja": "サブエージェントの報告 | エージェントの報告 | 前任エージェント",
            "th": "รายงานจากเอเจนต์ | เอเจนต์ก่อนหน้า",
        },
        Trust.AGENT,
    ),
    Row(
        None,
        State.NONE,
        {
            "en": (
                "user said | user says | user's words | user's own words | user request | user requests | user messages"
                " | all user messages | user feedback | user preferences | user's request | from the user"
                " | user instructions"
            ),
            "zh": "用户说 | 用户原话 | 原话 | 用户反馈 | 用户偏好 | 用户消息",
            "ja": "ユーザーの発言 | ユーザー指示 | ユーザーの指示 | ユーザーの要望 | ユーザー要望 | ユーザーの言葉",
            "th": "ผู้ใช้บอก | คำพูดของผู้ใช้ | คำขอของผู้ใช้",
        },
        Trust.USER,
    ),
)
"""A phrase that stands in two rows has the meaning of the last one."""

PLAIN = (
    "goal | goals | objective | objectives | purpose | 目标 | 目的 | ゴール | วัตถุประสงค์ | เป้าหมาย | จุดประสงค์ | 목표 | 목적"
    " | task goal | project goal | goals and objectives | aim | intended outcome | desired outcome | user goal | user's goal"
    " | 核心目标 | 任务目标 | 项目目标 | 总目标 | 最终目标 | 本次目标 | プロジェクトの目的 | タスクの目的 | เป้าหมายหลัก"
    " | confirmed | confirmed decision | confirmed decisions | agreed | agreed decisions | decided | decision | decisions"
    " | decisions made | 已确认 | 已确认决策 | 已确认的决定 | 已决定 | 决策 | 确定 | 确定事项 | 决定 | 决定事项 | 決定済み | 確定済み"
    " | 合意 | 合意事項 | ยืนยันแล้ว | ตกลงแล้ว | ตัดสินใจแล้ว | การตัดสินใจ | 확정 | 결정"
    " | proposal | proposal (unconfirmed) | proposals | proposed | 提案 | 提议 | ข้อเสนอ | 제안"
    " | observed | observation | observations | observed facts | findings | finding | 观察 | 观测 | 実測 | 观察结果 | สิ่งที่สังเกตพบ | 관찰"
    " | inferred | inference | inferences | 推断 | 推測 | 推論 | อนุมาน | สันนิษฐาน | 추론"
    " | depends | depends on | dependency | dependencies | 依赖 | 依存 | 依赖关系 | ขึ้นกับ | ขึ้นอยู่กับ | 의존성"
    " | status | state | 状态 | 状况 | ステータス | สถานะ | 상태"
    " | facts | fact | known facts | 事实 | ข้อเท็จจริง | 사실"
    " | constraint | constraints | hard constraint | hard constraints | 约束 | 约束条件 | 限制 | 限制条件 | 制約 | 制約条件 | 制約事項"
    " | ข้อจำกัด | 제약 | 제약 사항"
    " | in scope | in-scope | scope | scope in | 范围 | 范围内 | 在范围内 | 对象 | 对象内 | スコープ | スコープ内 | 対象範囲 | ขอบเขต"
    " | อยู่ในขอบเขต | ในขอบเขต | 범위"
    " | out of scope | out-of-scope | scope out | not in scope | non-goal | non-goals | excluded | 不在范围 | 不在范围内 | 范围外 | 不做"
    " | 非目标 | 对象外 | 非对象 | スコープ外 | 対象範囲外 | やらないこと | นอกขอบเขต | อยู่นอกขอบเขต | ไม่อยู่ในขอบเขต | ไม่ต้องทำ"
    " | ไม่ต้องสร้าง | 범위 외"
    " | reference | references | 参考 | 参照 | อ้างอิง | เอกสารอ้างอิง | 参考資料 | 참고"
    " | open | open question | open questions | open item | open items | open issue | open issues | unresolved"
    " | unresolved questions | question | questions | questions for next agent | questions for the next agent | 未决 | 未决问题"
    " | 未解决 | 未解决问题 | 未确定 | 未确定事项 | 未決事項 | 未解決事項 | 待定 | 待确认 | 开放问题 | คำถามที่ยังเปิด | คำถาม | 미해결 | 질문"
    " | conflict | conflicts | contradiction | contradictions | 冲突 | 矛盾 | 不一致 | 食い違い | ขัดแย้ง | ไม่ตรงกัน | ข้อขัดแย้ง | 충돌 | 모순"
    " | rejected | 已否决 | 已拒绝 | 却下 | ปฏิเสธ | ปฏิเสธแล้ว | superseded | 已取代 | claimed | untrusted | 不可信 | 信頼できない | ไม่น่าเชื่อถือ"
)
"""Phrases that say no more than the section, the state and the source they stand for: only they may be replaced by those.

`Do not`, `Completed`, `Next steps` and `Read first` say more: what stands below them means less without them.
"""

BEFORE = {
    "en": (
        "the | our | my | key | main | known | important | relevant | current | hard | major | critical | core | other"
        " | additional | more | general | technical | product | domain | legal | operational | backend | frontend"
        " | explicit | this session's | today's | overall | specific | global | strict"
    ),
    "zh": "关键 | 重要 | 主要 | 核心 | 技术 | 当前 | 本次 | 其他 | 其它 | 相关 | 已知 | 硬性 | 具体",
    "ja": "重要な | 主な | 主要な | 現在の | 今回の | その他の | 技術的な | 関連する | 既知の",
    "th": "",
}
"""What may stand before a phrase and changes nothing of it."""

AFTER = {
    "en": (
        "so far | today | tomorrow | now | this session | in this session | last session | for next agent"
        " | for the next agent | for this session | until now | to date | high priority | this sprint"
        " | at handoff | for next session | for the next session | list | section | log | summary | found | here | below"
    ),
    "zh": "汇总 | 列表 | 清单 | 一览 | 备忘 | 说明 | 总结 | 小结",
    "ja": "一覧 | リスト | まとめ | について | のまとめ | メモ",
    "th": "ทั้งหมด | สำหรับ agent คนถัดไป | ปัจจุบัน | ที่สำคัญ | หลัก",
}
"""What may stand behind a phrase and changes nothing of it."""

_PAIRS = (
    "來来 価价 個个 値值 備备 內内 兩两 処处 則则 劃划 動动 務务 単单 參参 員员 問问 囲围 図图 圍围 圖图 團团 執执 報报 変变 実实 實实 審审 寫写 対对 將将 專专 對对 導导 層层 屬属 帰归 広广 廃废 "
    "廢废 弐二 後后 従从 從从 応应 態态 憶忆 應应 戶户 択择 拠据 採采 換换 擇择 據据 斷断 時时 會会 條条 棄弃 検检 業业 構构 標标 樣样 権权 檔档 檢检 權权 歸归 決决 沒没 済济 測测 満满 準准 為为 "
    "無无 爲为 狀状 獨独 現现 環环 產产 産产 畫画 當当 發发 監监 確确 礎础 種种 稱称 穩稳 範范 紀纪 約约 紅红 級级 終终 組组 経经 結结 絕绝 給给 統统 絶绝 続续 維维 網网 緊紧 総总 線线 縮缩 總总 "
    "績绩 織织 續续 聲声 與与 處处 號号 衝冲 補补 見见 規规 観观 觀观 計计 訊讯 討讨 記记 設设 許许 註注 証证 評评 詢询 話话 該该 認认 誤误 說说 読读 調调 請请 論论 證证 議议 護护 讀读 變变 責责 "
    "資资 賴赖 輸输 辦办 連连 進进 過过 達达 違违 選选 還还 釋释 錄录 錯错 録录 鍵键 鎖锁 鏈链 開开 間间 関关 關关 陣阵 険险 階阶 際际 險险 隱隐 雑杂 難难 頁页 項项 須须 預预 頭头 題题 類类 顧顾 "
    "風风 餘余 饋馈 驗验 驟骤 點点 齊齐"
)
SAME = str.maketrans({pair[0]: pair[1] for pair in _PAIRS.split()})
"""Characters that Chinese writes in two ways, and Japanese in one of them or a third."""
