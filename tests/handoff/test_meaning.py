"""Keys of meaning: equal for other spellings of one statement, never equal for two statements."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoff.test_exact import ANY_TEXT
from hypo_strategies.handoff.blocks import parse
from hypo_strategies.handoff.meaning import EXACT, NUMBER, key, meaning
from hypo_strategies.handoff.model import Kind, Section, State, Trust

SHARED = Path(__file__).parents[3] / "shared"
HANDOFFS = sorted((SHARED / "corpus" / "handoffs").glob("*.md"))

WORDS = (
    *(
        "the",
        "importer",
        "must",
        "not",
        "overwrite",
        "rows",
        "only",
        "Admin",
        "can",
        "approve",
        "except",
        "expired",
        "no-op",
    ),
    *(
        "AC-01",
        "D2–D4",
        "S1=A",
        "TASK-008",
        "view_token",
        "PAID",
        "30 seconds",
        "5 MB",
        "≤ 3",
        "2026-04-11",
        "Apr 11, 2026",
        "v1.2",
    ),
    *(
        "ห้ามเปลี่ยน",
        "ไม่ต้องสร้าง",
        "禁止删除",
        "必须",
        "上書きしない",
        "できる",
        "，",
        ",",
        ":",
        "?",
        "(",
        ")",
        "→",
        "✅",
        "฿5,000",
        "98%",
    ),
)
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14)
BLANKS = st.sampled_from([" ", "  ", "\t", "\u00a0", "\u3000", "\r\n"])
WIDE = {chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)} | {" ": "\u3000"}


# -- one statement


@given(SENTENCES, st.data())
def test_other_white_space_means_the_same(words: list[str], data: st.DataObject) -> None:
    text = words[0] + "".join(data.draw(BLANKS) + word for word in words[1:])
    assert meaning(f" {text}\n") == meaning(" ".join(words))


@given(SENTENCES)
def test_full_width_forms_mean_the_same(words: list[str]) -> None:
    text = " ".join(words)
    assert meaning("".join(WIDE.get(sign, sign) for sign in text)) == meaning(text)


@given(SENTENCES, st.data())
def test_bold_words_mean_the_same(words: list[str], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(words) - 1))
    bold = [*words[:index], f"**{words[index]}**", *words[index + 1 :]]
    assert meaning(" ".join(bold)) == meaning(" ".join(words))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Retry after 30 seconds.", "retry after 30s"),
        ("wait two weeks", "Wait 2 weeks"),
        ("a 15-minute limit", "a 15min limit"),
        ("You MUST NOT delete it", "you must not delete it"),
        ("don’t", "don't"),
        ("non‑admin", "non-admin"),
        ("使用 Redis，不用 Kafka。", "使用Redis,不用Kafka"),
        ("必须保留;", "必须保留。"),
        ("ก\u0e4d\u0e32", "กำ"),
        ("ｶﾞｲﾄﾞ", "ガイド"),
        ("_never now_ and __only__ this", "never now and only this"),
        ("✅ done", "✅\ufe0f done"),
    ],
)
def test_other_spellings_mean_the_same(one: str, other: str) -> None:
    assert meaning(one) == meaning(other)


# -- two statements


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # another digit, unit or year
        ("wait 30 seconds", "wait 30 minutes"),
        ("wait 30 seconds", "wait 31 seconds"),
        ("limit 5 MB", "limit 5 MiB"),
        ("at most 3 retries", "3 retries"),
        ("due 2026-04-11", "due Apr 11"),
        ("due Apr 11, 2026", "due Apr 11"),
        ("5,000 บาท", "5,000 ครั้ง"),
        ("等 30 秒", "等 30 分钟"),
        ("10² rows", "102 rows"),
        ("½ of it", "1⁄2 of it"),
        ("-5", "5"),
        ("2*3*4", "234"),
        ("two approvers", "three approvers"),
        # negation, duty, limits
        ("importer must not overwrite rows", "importer must overwrite rows"),
        ("importer must overwrite rows", "importer should overwrite rows"),
        ("only Admin can approve", "Admin can approve"),
        ("accept all except expired", "accept all expired"),
        ("delete unless locked", "delete locked"),
        ("上書きできる", "上書きできない"),
        ("可以删除", "不可以删除"),
        ("เป็นแอดมิน", "ไม่เป็นแอดมิน"),
        ("ไม่ต้องสร้าง", "ต้องไม่สร้าง"),
        ("is non-public", "is public"),
        ("~~keep~~ it", "keep it"),
        ("No, admins can delete", "No admins can delete"),
        # order, case, signs
        ("AC-01 before AC-02", "AC-02 before AC-01"),
        ("use A, not B", "use B, not A"),
        ("5 AC-01", "AC-01 5"),
        ("IT approves", "it approves"),
        ("option A", "option a"),
        ("refunds need two approvers?", "refunds need two approvers"),
        ("a < b", "a > b"),
        ("a != b", "a = b"),
        ("$5", "5"),
        ("5%", "5"),
        ("✅ login", "❌ login"),
        ("[x] login", "[ ] login"),
        ("X", "X, passes"),
        ("wait...", "wait"),
        # exact characters
        ("say “Save Now”", "say “Save now”"),
        ("run `a -W error`", "run `a -W default`"),
        ("`a`", "a"),
        ("范围 用户 数据", "范围 用户数据"),
        ("hid\u200bden", "hidden"),
        ("_id_ column", "id column"),
        ("\uffff AC-01", "AC-01 \uffff"),
        ("price*", "price"),
    ],
)
def test_two_statements_are_never_one(one: str, other: str) -> None:
    assert meaning(one) != meaning(other)
    assert meaning(f"Note {one} today") != meaning(f"Note {other} today")


@given(SENTENCES, st.data())
def test_a_word_less_is_another_statement(words: list[str], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(words) - 1))
    assert meaning(" ".join([*words, "x"])) != meaning(" ".join([*words[:index], *words[index + 1 :], "x"]))


@given(SENTENCES, st.data())
def test_words_in_another_order_are_another_statement(words: list[str], data: st.DataObject) -> None:
    other = data.draw(st.permutations(words))
    assert (meaning(" ".join([*words, "x"])) == meaning(" ".join([*other, "x"]))) == (words == other)


def test_all_four_parts_make_a_key() -> None:
    rest = (Section.FACTS, State.NONE, Trust.WRITER)
    assert key("Use A.", *rest) == key("use A", *rest)
    assert key("use A", *rest) != key("use A", Section.CONFIRMED, State.NONE, Trust.WRITER)
    assert key("use A", *rest) != key("use A", Section.FACTS, State.PROPOSAL, Trust.WRITER)
    assert key("use A", *rest) != key("use A", Section.FACTS, State.NONE, Trust.AGENT)


# -- what it tells


def test_it_tells_what_is_in_a_statement() -> None:
    found = meaning("Only Admin must not wait 30 seconds for AC-01?")
    assert found.exacts == ((Kind.ID, "AC-01"),)
    assert found.numbers == ("30 s",)
    assert found.words == ("only", "Admin", "must", "not", "wait", NUMBER, "for", EXACT, "?")
    assert found.questions == 1
    assert len(found.polarity) == 1
    assert {strength for _, strength in found.modality} >= {"must", "only"}


@pytest.mark.parametrize(
    ("text", "questions"), [("A? B?", 2), ("ต้องลบไหม", 1), ("要删除吗", 1), ("削除しますか。", 1), ("Delete it.", 0)]
)
def test_it_counts_questions(text: str, questions: int) -> None:
    assert meaning(text).questions == questions


# -- any text


@given(ANY_TEXT)
def test_every_text_has_a_meaning(text: str) -> None:
    assert meaning(text) == meaning(text)


@given(ANY_TEXT, st.sampled_from("aZ7ก中éß"), st.data())
def test_a_letter_more_is_another_statement(text: str, letter: str, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(text)))
    assert meaning(text[:index] + letter + text[index:]) != meaning(text)


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece", ["*a ", "**a** ", "_a ", "*", "\u0300\u0316", "ุ่", "a\u0301", "AB ", "1 ", "中1", "not ", "\uffff"]
)
def test_a_text_that_repeats_itself_takes_no_quadratic_time(piece: str) -> None:
    meaning(piece * (100_000 // len(piece)))


@pytest.mark.corpus
@pytest.mark.skipif(not HANDOFFS, reason="the corpus of real handoffs is not beside the repository")
@pytest.mark.parametrize("path", HANDOFFS, ids=[path.stem for path in HANDOFFS])
def test_no_word_of_a_real_handoff_can_go_unnoticed(path: Path) -> None:
    for item in parse(path.read_text(encoding="utf-8", errors="replace")).items:
        words = item.text.split()
        whole = meaning(" ".join(words))
        for index in range(0, len(words), 3):
            if any(map(str.isalnum, words[index])):
                assert (
                    meaning(" ".join([*words[:index], *words[index + 1 :]])) != whole or words[index] in words[:index]
                )
