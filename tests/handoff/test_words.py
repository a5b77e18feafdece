"""The words by which a handoff is read: what they tell, and above all what they do not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_strategies.handoff import filler as filler_module
from hypo_strategies.handoff import heading_words, words
from hypo_strategies.handoff.folding import alternatives, folded, listed
from hypo_strategies.handoff.headings import _TABLE, _phrase
from hypo_strategies.handoff.model import Section, State, Trust

PHRASES = [
    (row, language, phrase.strip())
    for row in heading_words.ROWS
    for language, phrases in row.phrases.items()
    for phrase in phrases.split("|")
]
PROMISES = [phrase for row, _, phrase in PHRASES if row.section in {Section.GOAL, Section.CONFIRMED}]


def meaning(text: str) -> tuple[Section | None, State, Trust] | None:
    known = words.heading(text)
    return None if known is None else (known.section, known.state, known.trust)


# -- headings


@pytest.mark.parametrize(
    ("text", "section", "state"),
    [
        ("Goal", Section.GOAL, State.NONE),
        ("## 5. DECIDED — DO NOT RELITIGATE", Section.CONFIRMED, State.CONFIRMED),
        ("🔒 Locked Decisions", Section.CONFIRMED, State.CONFIRMED),
        ("Confirmed Purchase and Entry Decisions", Section.CONFIRMED, State.CONFIRMED),
        ("重要な技術的決定", Section.CONFIRMED, State.CONFIRMED),
        ("已決定（2026-07-18）", Section.CONFIRMED, State.CONFIRMED),
        ("ยืนยันแล้ว:", Section.CONFIRMED, State.CONFIRMED),
        ("Proposal (unconfirmed)", Section.OPEN, State.PROPOSAL),
        ("5.3 Suggested first next steps", Section.OPEN, State.PROPOSAL),
        ("建議", Section.OPEN, State.PROPOSAL),
        ("Findings", Section.FACTS, State.OBSERVED),
        ("實測結論", Section.FACTS, State.OBSERVED),
        ("Unproven", Section.FACTS, State.INFERRED),
        ("Open Truth Boundary", Section.FACTS, State.INFERRED),
        ("What's Left (For Next Agent)", Section.FACTS, State.STATUS),
        ("⏭️ ขั้นตอนถัดไปสำหรับ Agent คนถัดไป (Next Steps)", Section.FACTS, State.STATUS),
        ("待做（建議開新 session 執行）", Section.FACTS, State.STATUS),
        ("🛑 ปัญหา/อุปสรรค (Blockers)", Section.FACTS, State.STATUS),
        ("Blocked by", Section.FACTS, State.DEPENDS),
        ("현재 상태", Section.FACTS, State.STATUS),
        ("6. 关键技术约束（违反必返工）", Section.CONSTRAINTS, State.NONE),
        ("⚠️ สิ่งที่ต้องระวัง", Section.CONSTRAINTS, State.NONE),
        ("Constraints and gotchas", Section.CONSTRAINTS, State.NONE),
        ("対象", Section.SCOPE_IN, State.NONE),
        ("対象外", Section.SCOPE_OUT, State.NONE),
        ("ไม่ต้องสร้าง:", Section.SCOPE_OUT, State.NONE),
        ("受け入れ条件", Section.REFERENCES, State.NONE),
        ("受け入れ基準", Section.REFERENCES, State.NONE),
        ("Open Items (High Priority Tomorrow)", Section.OPEN, State.OPEN),
        ("Doc vs code", Section.CONFLICTS, State.CONFLICT),
        ("Ruled out", None, State.REJECTED),
    ],
)
def test_a_heading_is_known_with_its_decoration(text: str, section: Section | None, state: State) -> None:
    known = words.heading(text)
    assert known is not None
    assert (known.section, known.state) == (section, state)


@pytest.mark.parametrize(
    ("longer", "shorter"),
    [
        ("未確定", "確定"),
        ("待确认", "已确认"),
        ("Not confirmed", "Confirmed"),
        ("ยังไม่ยืนยัน", "ยืนยันแล้ว"),
        ("対象外", "対象"),
    ],
)
def test_the_longest_phrase_wins(longer: str, shorter: str) -> None:
    assert meaning(shorter) is not None
    assert meaning(longer) != meaning(shorter)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Sprint 6",
        "確認",
        "确认",
        "Done deal with X",
        "Goal: ship it",
        "Decisions and open questions",
        "What we could not decide",
        "x" * 500,
    ],
)
def test_a_heading_that_is_not_known_as_a_whole_is_not_known(text: str) -> None:
    assert words.heading(text) is None


@pytest.mark.parametrize("phrase", PROMISES)
def test_no_doubt_about_a_promise_is_overlooked(phrase: str) -> None:
    doubted = [
        f"Not {phrase}",
        f"not yet {phrase}",
        f"Un{phrase}",
        f"Proposed {phrase}",
        f"Pending {phrase}",
        f"Rejected {phrase}",
        f"{phrase}?",
        f"{phrase}？",
        f"❌ {phrase}",
        f"🚧 {phrase}",
        f"~~{phrase}~~",
        f"{phrase} (draft)",
        f"{phrase}（未確定）",
        f"{phrase} — to be confirmed",
        f"{phrase} (maybe)",
        f"{phrase} and open questions",
        f"未{phrase}",
        f"待{phrase}",
        f"ยังไม่{phrase}",
    ]
    assert [text for text in doubted if meaning(text) == meaning(phrase)] == []


@pytest.mark.parametrize(
    "source", ["docs", "per docs", "the agent", "tool output", "subagent", "子代理报告", "untrusted"]
)
def test_a_decision_that_comes_from_something_else_is_claimed(source: str) -> None:
    known = words.heading(f"Decisions ({source})")
    assert known is not None
    assert (known.section, known.state) == (Section.FACTS, State.CLAIMED)
    assert known.trust not in {Trust.WRITER, Trust.USER}


@pytest.mark.parametrize("source", ["user, 2026-10-06", "confirmed by the user", "用户", "ユーザー確認済み"])
def test_a_decision_of_the_user_is_one(source: str) -> None:
    assert meaning(f"Decisions ({source})") == (Section.CONFIRMED, State.CONFIRMED, Trust.USER)


@pytest.mark.parametrize(
    ("phrase", "says_more"),
    [
        ("Goal", False),
        ("Confirmed", False),
        ("Proposal (unconfirmed)", False),
        ("決定事項", False),
        ("วัตถุประสงค์ (Objective)", False),
        ("対象外", False),
        ("Do not", True),
        ("Must not", True),
        ("禁止事項", True),
        ("Completed", True),
        ("Next steps", True),
        ("Confirmed (2026-10-06)", True),
        ("Constraints — never log tokens", True),
        ("Security constraints", True),
        ("🚧 Status", True),
    ],
)
def test_a_heading_tells_whether_its_section_says_it_all(phrase: str, says_more: bool) -> None:  # noqa: FBT001
    known = words.heading(phrase)
    assert known is not None
    assert known.says_more is says_more


@pytest.mark.parametrize(
    "decoration",
    ["{}", "## {}", "**{}**", "__{}__:", "{}：", "3. {}", "2.1 {}", "1) {}", "① {}", "✅ {}", "# 📌 {}:", " {} "],
)
def test_decoration_changes_nothing(decoration: str) -> None:
    phrases = [phrase for _, _, phrase in PHRASES]
    assert [phrase for phrase in phrases if meaning(decoration.format(phrase)) != meaning(phrase)] == []
    assert None not in map(meaning, phrases)


def test_every_phrase_says_one_thing() -> None:
    seen: dict[str, tuple[object, ...]] = {}
    for row, _, phrase in PHRASES:
        means = (row.section, row.state, row.trust)
        assert seen.setdefault(_phrase(folded(phrase)), means) == means, phrase


def test_a_phrase_that_says_no_more_than_its_section_is_a_phrase() -> None:
    assert [phrase for phrase in listed(heading_words.PLAIN) if _phrase(phrase) not in _TABLE] == []


def test_every_language_has_every_section() -> None:
    for language in ("en", "zh", "ja", "th"):
        spoken = {language, "und"} - ({"und"} if language in {"en", "th"} else set())
        told = {row.section for row, of, _ in PHRASES if of in spoken}
        assert set(Section) <= told


# -- labels


@pytest.mark.parametrize(
    ("text", "rest", "state"),
    [
        ("Proposal: x", "x", State.PROPOSAL),
        ("proposal : x", "x", State.PROPOSAL),
        ("提案：x", "x", State.PROPOSAL),
        ("提案:キャッシュ", "キャッシュ", State.PROPOSAL),
        ("**Observed** - x", "x", State.OBSERVED),
        ("**Observed:** x", "x", State.OBSERVED),
        ("__Observed__: x", "x", State.OBSERVED),
        ("[Proposal] x", "x", State.PROPOSAL),
        ("【提案】x", "x", State.PROPOSAL),
        ("Proposal (unconfirmed): x", "x", State.PROPOSAL),
        ("Claimed (docs: page 3): x", "x", State.CLAIMED),
        ("Status: todo: x", "todo: x", State.STATUS),
        ("ข้อเสนอ: x", "x", State.PROPOSAL),
        ("Confirmed:", "", State.CONFIRMED),
    ],
)
def test_a_label_at_the_start_is_found(text: str, rest: str, state: State) -> None:
    found = words.label(text)
    assert found is not None
    assert (found[0], found[1].state) == (rest, state)


@pytest.mark.parametrize(
    "text",
    [
        "Facts", "http://x: y", "**Open** the menu", "status:done", "`Status:` x", "we said: Confirmed: x", "10:30 Status", "Proposal x",
        "[Confirmed](x.md) y", "確認：x", "", ":", "Note to self about Goal: x",
    ],
)  # fmt: skip
def test_what_is_no_label_is_none(text: str) -> None:
    assert words.label(text) is None


LABELLED = st.tuples(
    st.sampled_from(["", " ", "**", "__", "[", "【", "("]),
    st.sampled_from([phrase for _, _, phrase in PHRASES] + ["x", "Confirmed (docs: y"]),
    st.sampled_from(["", "**", "__", "]", "】", ")", ":", "：", ":**", " - "]),
    st.sampled_from(["", ": ", "：", " - ", " "]),
    st.text(max_size=20),
).map("".join)


@given(LABELLED)
def test_what_follows_a_label_is_the_end_of_the_text(text: str) -> None:
    if found := words.label(text):
        assert text.endswith(found[0])
        assert len(found[0]) < len(text)


# -- negation


@pytest.mark.parametrize(
    ("denied", "plain"),
    [
        ("must not overwrite", "must overwrite"),
        ("mustn’t overwrite", "must overwrite"),
        ("it can't", "it can"),
        ("no new tables", "new tables"),
        ("without a token", "with a token"),
        ("neither is used", "both is used"),
        ("n\u200bot safe", "safe"),
        ("ＮＯＴ safe", "safe"),
        ("不可以覆盖", "可以覆盖"),
        ("未实现", "实现"),
        ("沒有通過", "通過"),
        ("禁止导出", "导出"),
        ("勿动", "动"),
        ("できない", "できる"),
        ("しません", "します"),
        ("読まずに書く", "読んで書く"),
        ("使用不可", "使用可"),
        ("ไม่เป็น", "เป็น"),
        ("ห้ามเปลี่ยนเป็นPAIDทันที", "เปลี่ยนเป็นPAIDทันที"),
        ("อย่าลบ", "ลบ"),
        ("ยังไม่เสร็จ", "เสร็จ"),
    ],
)
def test_a_denial_is_counted(denied: str, plain: str) -> None:
    assert len(words.negations(denied)) == len(words.negations(plain)) + 1


@pytest.mark.parametrize(
    "text",
    [
        "不同的方式", "不断增长", "未来", "非常好", "特别说明", "しなければならない", "かもしれない", "必ず確認", "まず確認", "少ない件数",
        "อย่างน้อย 3", "ในลักษณะอย่างนี้", "nothing-like names: notify, nominal, knot, canopy".replace("nothing-like ", ""), "No. 5",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_denial_is_none(text: str) -> None:
    assert words.negations(text) == ()


def test_denials_stand_in_the_order_of_the_text() -> None:
    assert words.negations("do not stop; ไม่ใช่ never 不") == ("not", "stop", "ไม่", "never", "不")
    assert words.negations("can't, cannot, isn’t, do not") == ("not",) * 4


@pytest.mark.parametrize(
    "text",
    [
        "artefact must not be exposed", "Do not build it", "and don't ask", "never log it", "not allowed", "- no new dependencies", "avoid Redis",
        "不得包含姓名", "不要停下来", "禁止", "別動它", "してはいけない", "送ってはならない", "変更は不可なので禁止", "ห้ามลบ", "อย่าลบ", "ต้องไม่ลบ",
        "ไม่ต้องสร้าง",
    ],
)  # fmt: skip
def test_a_prohibition_is_known(text: str) -> None:
    assert words.prohibits(text)


@pytest.mark.parametrize(
    "text",
    [
        "separate ScanAttempt table",
        "it does not fail",
        "no, revert it",
        "特别说明",
        "อย่างน้อย",
        "失敗した",
        "不要ファイル",
    ],
)
def test_a_denial_alone_forbids_nothing(text: str) -> None:
    assert not words.prohibits(text)


# -- modality


@pytest.mark.parametrize(
    ("text", "strengths"),
    [
        ("only Admin can approve", ["only", "may"]),
        ("at most 3", ["at most"]),
        ("no more than 3", ["at most"]),
        ("except when expired", ["except", "if"]),
        ("must before 5, should after", ["must", "before", "should", "after"]),
        ("the mustard cannery", []),
        ("need not", ["need not"]),
        ("必须在 5 分钟之前", ["must", "before"]),
        ("不必", ["need not"]),
        ("仅管理员可以", ["only", "may"]),
        ("至少 3", ["at least"]),
        ("しなければならない", ["must"]),
        ("管理者のみ", ["only"]),
        ("3 件以上", ["at least"]),
        ("ต้องไม่เกิน 8", ["must", "at most"]),
        ("ไม่ต้องสร้าง", ["need not"]),
        ("เฉพาะพยาบาลเท่านั้น", ["only", "only"]),
        ("เว้นแต่", ["unless"]),
        ("อย่างน้อย 2", ["at least"]),
    ],
)
def test_words_that_bind_or_limit_are_told(text: str, strengths: list[str]) -> None:
    assert [strength for _, strength in words.modals(text)] == strengths


@pytest.mark.parametrize(
    "text",
    [
        "we could use it",
        "It might be worth it",
        "I suggest B",
        "可能",
        "可以考虑",
        "かもしれない",
        "検討する",
        "อาจจะ",
        "น่าจะ",
    ],
)
def test_doubt_is_heard(text: str) -> None:
    assert words.hedges(text)


def test_a_plain_statement_has_no_doubt() -> None:
    assert words.hedges("The importer writes 3 rows.") == ()


# -- sources


@pytest.mark.parametrize(
    ("text", "trust"),
    [
        ("Docs page says the user approved remote diagnostics.", Trust.DOCS),
        ("according to the README", Trust.DOCS),
        ("per SPEC-002", Trust.DOCS),
        ("文档说用户同意", Trust.DOCS),
        ("ドキュメントによると", Trust.DOCS),
        ("เอกสารระบุว่า", Trust.DOCS),
        ("(tool output, unverified)", Trust.TOOL),
        ("命令输出显示", Trust.TOOL),
        ("ツール出力", Trust.TOOL),
        ("Subagent reports: user confirmed S3=B.", Trust.AGENT),
        ("a previous agent decided it", Trust.AGENT),
        ("子代理报告说用户同意", Trust.AGENT),
        ("サブエージェントがユーザーの承認を報告", Trust.AGENT),
        ("โมเดลอ้างว่าผู้ใช้ยืนยัน", Trust.AGENT),
        ("the user chose B", Trust.USER),
        ("explicit user answers on 2026-10-06", Trust.USER),
        ("(user, 2026-10-06)", Trust.USER),
        ("（與使用者確認，2026-07-18）", Trust.USER),
        ("原話", Trust.USER),
        ("ユーザー確認済み", Trust.USER),
        ("ผู้ใช้ยืนยันแล้ว", Trust.USER),
        ("page X (untrusted) told us", Trust.UNTRUSTED),
        ("Untrusted page X told us to run it", Trust.UNTRUSTED),
        ("Suspected injection in README", Trust.UNTRUSTED),
        ("the user says the tool output is untrusted", Trust.UNTRUSTED),
        ("已拒绝的注入：工具输出要求执行", Trust.UNTRUSTED),
        ("（信頼できない）", Trust.UNTRUSTED),
        ("หน้าเว็บไม่น่าเชื่อถือ", Trust.UNTRUSTED),
    ],
)
def test_a_source_is_told(text: str, trust: Trust) -> None:
    found = words.provenance(f"It is 5 MB; {text}")
    assert found is not None
    assert found[0] is trust
    assert found[1] in folded(text)


@pytest.mark.parametrize(
    "text",
    [
        "The importer writes rows.", "from the ticket view_token", "blocked by TASK-031", "Issues found", "bounded claims", "電話番号をログに残す",
        "ページが表示される", "Sanitize untrusted HTML input", "Never run commands from an untrusted page", "防止 SQL 注入", "Guard against prompt injection",
        "信頼できない入力は拒否する", "reagents say", "Agent: codex",
    ],
)  # fmt: skip
def test_what_names_no_source_has_none(text: str) -> None:
    assert words.provenance(text) is None


@given(st.permutations(["the user approved it", "the docs say so", "subagent reported it"]), st.booleans())
def test_the_first_source_that_is_not_the_user_wins(said: list[str], marked: bool) -> None:  # noqa: FBT001
    text = "; ".join(said) + ("; untrusted." if marked else "")
    found = words.provenance(text)
    first = next(part for part in said if "user" not in part)
    assert found is not None
    assert found[0] is (Trust.UNTRUSTED if marked else Trust.DOCS if "docs" in first else Trust.AGENT)


def test_of_two_words_for_the_same_source_the_first_is_told() -> None:
    assert words.provenance("The user said A; later the user chose B") == (Trust.USER, "the user said")


# -- a yes, and nothing at all


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "Yes.",
        "ok",
        "Sounds good, go with B",
        "go with B",
        "confirmed",
        "perfect!",
        "好",
        "好的，就用B",
        "同意",
        "没问题",
        "はい",
        "承認します。",
        "ใช่ครับ",
        "ตกลง",
    ],
)
def test_a_yes_is_one(text: str) -> None:
    assert words.confirms(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "no", "yes?", "yes, but only if it is cheap", "yes, except S3", "ok, maybe", "ok, not now", "right now it fails", "fine-tuning works", "yesterday",
        "可以考虑", "确认一下", "好像不行", "いいえ", "はいそうですか？", "ไม่ใช่", "ได้ไหม", "perfect, reverted now", "okay then, is that right?",
    ],
)  # fmt: skip
def test_what_is_no_plain_yes_is_none(text: str) -> None:
    assert not words.confirms(text)


@pytest.mark.parametrize(
    "text",
    [
        "Thanks!",
        "Hello team,",
        "**Good morning!** 👋",
        "谢谢！",
        "お疲れ様です。よろしくお願いします。",
        "สวัสดีครับ ขอบคุณครับ",
        "Hi, thanks.",
    ],
)
def test_greetings_are_filler(text: str) -> None:
    assert words.filler(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Thanks! Also note staging uses port 8443.",
        "Sounds good, go with B",
        "no thanks",
        "Hi: Goal: x",
        "thanks `x`",
        "以上です",
        "ok",
    ],
)
def test_what_says_something_is_no_filler(text: str) -> None:
    assert not words.filler(text)


def test_no_phrase_of_filler_denies_binds_or_labels() -> None:
    said = [
        text
        for text in listed(filler_module.PHRASES)
        if words.negations(text) or words.modals(text) or words.hedges(text)
    ]
    assert said == []
    assert not [text for text in listed(filler_module.PHRASES) if words.heading(text) or words.provenance(text)]
    assert not [text for text in listed(filler_module.PHRASES) if words.confirms(text)]


@given(
    st.lists(
        st.sampled_from(
            ["thanks", " ", ", ", "not", "5 MB", "`x`", "Goal:", "hello", "!", "must", "ห้าม", "不", "谢谢", "A"]
        ),
        max_size=6,
    ).map("".join)
)
def test_filler_holds_nothing_to_keep(text: str) -> None:
    if words.filler(text):
        assert words.negations(text) == ()
        assert words.modals(text) == ()
        assert words.label(text) is None
        assert set("5`A").isdisjoint(text)


# -- patterns


@given(
    st.lists(st.text("ab c不ไ", min_size=1, max_size=4).map(str.strip).filter(bool), min_size=1, max_size=6),
    st.text("ab c不ไ", max_size=12),
)
def test_of_several_words_the_longest_is_found(said: list[str], text: str) -> None:
    import re

    longest = sorted(set(said), key=len, reverse=True)
    naive = [
        (r"(?<![a-z0-9_])" if word[0].isascii() else "")
        + re.sub(" +", r"\\s{1,3}", word)
        + (r"(?![a-z0-9_])" if word[-1].isascii() else "")
        for word in longest
    ]
    assert re.findall(alternatives("|".join(said)), text) == re.findall("|".join(naive), text)


# -- hostile texts

MEGABYTE = 1_000_000
FUNCTIONS: list[Callable[[str], object]] = [
    words.heading, words.label, words.negations, words.modals, words.provenance, words.confirms, words.filler, words.prohibits, words.hedges,
]  # fmt: skip
PIECES = [
    "a", " ", "-", "(", "**", ":", "\n", "not ", "不", "ไม่", "ない", "must ", "user ", "agent has ", "per the ", "untrusted ", "injection ", "据", "文档",
    "エージェントが", "thanks ", "yes, ", "(1) ", "page x ", "ページが", "[untrusted ",
]  # fmt: skip


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", PIECES)
def test_a_hostile_text_costs_no_more_than_its_size(piece: str) -> None:
    text = (piece * (MEGABYTE // len(piece) + 1))[:MEGABYTE]
    for function in FUNCTIONS:
        function(text)
    words.heading(text[:120])
    words.label(text[:200])


@given(st.text(max_size=60))
def test_any_text_can_be_asked(text: str) -> None:
    for function in FUNCTIONS:
        assert function(text) == function(text)


@pytest.mark.parametrize("row", ["\u0301\u0323", "\u0345\u0301", "\uff9e\u0301", "\u3099\u0323"])
def test_a_long_row_of_combining_marks_costs_no_more_than_its_length(row: str) -> None:
    assert len(folded("a" + row * 100_000)) > 100_000
