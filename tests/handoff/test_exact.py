"""Exact items: where they are, what equal ones share, and that no text is too much for it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_strategies.handoff.exact import exacts, expand
from hypo_strategies.handoff.model import Kind

PIECES = (
    *"`\"'“”「」*_-–—/\\.:;,=()[]{}<>#$@~%?!|&+^aA0é中ไใ้́１Ａ－　 \t\n\r\uffff\ufe0f\x00",
    *("```", "~~~\n", "``", "AC-01", "S1=A", "D2–D7 = A", "src/a.py", "/api/:id", "https://e.example/x", "2026-10-06"),
    *("v1.2.3", "5 MB", "two weeks", "view_token", "A_B=1", "--force", "git push", "$ ", "#12", "1a2b3c4", "status: "),
    *("PAID", "NOT", "C:\\a", "10:30", "ADR 0002", "→ ", "\n\n", "> ", "not ", "ไม่", "不", "ない"),
)
ANY_TEXT = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=40).map("".join))


def found(text: str) -> list[tuple[Kind, str]]:
    return [(exact.kind, exact.text) for exact in exacts(text)]


def keys(text: str) -> list[str]:
    return [exact.key for exact in exacts(text)]


# -- what always holds


@given(ANY_TEXT)
def test_items_are_in_order_and_stand_where_they_say(text: str) -> None:
    end = 0
    for exact in exacts(text):
        assert end <= exact.start < exact.end
        assert text[exact.start : exact.end] == exact.text
        end = exact.end
    assert end <= len(text)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_the_key_of_a_range_has_the_members_of_its_text(text: str) -> None:
    for exact in exacts(text):
        if exact.kind is Kind.RANGE:
            assert expand(exact.text) == expand(exact.key) != ()


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    [
        *(
            "a",
            "a.",
            "a-",
            "a/",
            "a_",
            "a@",
            "a@a.",
            "a::",
            "A" * 50 + "-",
            "AC-01–",
            "AC-1/2/",
            "S1=",
            "A=",
            "A1/",
            "a[",
            "[a](",
        ),
        *(
            "`",
            "``a` ",
            "``` ",
            "```\n",
            "~~~\n",
            "“",
            '"a',
            " 'a",
            "‘a",
            "$ ",
            "git ",
            "git a -b\n",
            "a  ",
            " ",
            "\n",
            "> ",
        ),
        *(
            "1",
            "1.",
            "1,1",
            "1-",
            "1..2 ",
            "2026-",
            "10:",
            "1 月 ",
            ">=1 ",
            "0123456 ",
            "abcdef1",
            "5 MB ",
            "two weeks ",
        ),
        *(
            "http://",
            "://",
            "a:",
            "//",
            "/:a",
            "/中",
            "a中/",
            "C:\\a",
            "\\",
            "{a",
            "*a ",
            "**/",
            "#",
            "#1 ",
            "status: ",
            "→A ",
        ),
    ],
)
def test_a_text_that_repeats_itself_takes_no_quadratic_time(piece: str) -> None:
    exacts(piece * (200_000 // len(piece)))
    exacts(piece * (200_000 // len(piece)) + "`x`!")


# -- kinds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("run\n```sh\nls `x`\n```\nand `a`", [(Kind.FENCE, "```sh\nls `x`\n```"), (Kind.CODE, "`a`")]),
        ("~~~\n```\nnever closed", [(Kind.FENCE, "~~~\n```\nnever closed")]),
        ("``a ` b`` and `c\nd`", [(Kind.CODE, "``a ` b``"), (Kind.CODE, "`c\nd`")]),
        ("one ` alone\n\nand `x`", [(Kind.CODE, "`x`")]),
        ("press “บันทึก” or 「保存」", [(Kind.QUOTE, "“บันทึก”"), (Kind.QUOTE, "「保存」")]),
        ("the users' data, the admins' data, 'not started'", [(Kind.QUOTE, "'not started'")]),
        ("say “Press `Save` Now”", [(Kind.QUOTE, "Press "), (Kind.CODE, "`Save`"), (Kind.QUOTE, " Now")]),
        ("(see https://e.example/a(b)?c=1#d), 见https://e.example/a了", [(Kind.URL, "https://e.example/a(b)?c=1#d"), (Kind.URL, "https://e.example/a")]),
        ("in git@e.example:o/r.git", [(Kind.URL, "git@e.example:o/r.git")]),
        ("见src/设计/a.py:12。 and docs/说明.md里", [(Kind.PATH, "src/设计/a.py:12"), (Kind.PATH, "docs/说明.md")]),
        ("`**src/a.py**`: **src/b.py**, [x](../docs/c.md)", [(Kind.CODE, "`**src/a.py**`"), (Kind.PATH, "src/b.py"), (Kind.PATH, "../docs/c.md")]),
        ("app/(shop)/[id]/page.tsx *.py tests/ ~/projects/tide", [(Kind.PATH, "app/(shop)/[id]/page.tsx"), (Kind.PATH, "*.py"), (Kind.PATH, "tests/"), (Kind.PATH, "~/projects/tide")]),
        (r"C:\dir\a.txt and dir\b.md", [(Kind.PATH, r"C:\dir\a.txt"), (Kind.PATH, r"dir\b.md")]),
        ("and/or, pros/cons, he/she, e.g./i.e., <br/>", []),
        ("GET /api/users/:id, /login; not /etc/hosts", [(Kind.ROUTE, "GET /api/users/:id"), (Kind.ROUTE, "/login"), (Kind.PATH, "/etc/hosts")]),
        ("$ rm -r x\n- git push --force\n/hw:start", [(Kind.COMMAND, "rm -r x"), (Kind.COMMAND, "git push --force"), (Kind.COMMAND, "/hw:start")]),
        ("make sure it runs\ngo to the page\ngit push is forbidden\npython 3.11", [(Kind.NUMBER, "3.11")]),
        ("条件AC-01を満たす และAC-02ต้องผ่าน AC-03a", [(Kind.ID, "AC-01"), (Kind.ID, "AC-02"), (Kind.ID, "AC-03a")]),
        ("TASK-008/TASK-009, D-02, ADR 0002", [(Kind.ID, "TASK-008"), (Kind.ID, "TASK-009"), (Kind.ID, "D-02"), (Kind.ID, "ADR 0002")]),
        ("UTF-8, SHA-256, gpt-5.6-luna", [(Kind.NAME, "UTF-8"), (Kind.NAME, "SHA-256"), (Kind.NAME, "gpt-5.6-luna")]),
        ("D2–D7 = A, AC-01..04, T-1..T-3", [(Kind.RANGE, "D2–D7 = A"), (Kind.RANGE, "AC-01..04"), (Kind.RANGE, "T-1..T-3")]),
        ("AC-01 — AC-02 follows", [(Kind.ID, "AC-01"), (Kind.ID, "AC-02")]),
        ("S1=A, S2 = Yes; D8 = TICKET", [(Kind.PICK, "S1=A"), (Kind.PICK, "S2 = Yes"), (Kind.PICK, "D8 = TICKET")]),
        ("S2: A (Recommended) / B", [(Kind.ID, "S2")]),
        ("S2 = A or B; S3: A customer pays", [(Kind.ID, "S2"), (Kind.ID, "S3")]),
        ("fix #12 in o/r#3 at 1a2b3c4, not facade", [(Kind.ISSUE, "#12"), (Kind.ISSUE, "o/r#3"), (Kind.SHA, "1a2b3c4")]),
        ("v2, >=3.11.2, 1.4.0-rc1", [(Kind.VERSION, "v2"), (Kind.VERSION, ">=3.11.2"), (Kind.VERSION, "1.4.0-rc1")]),
        ("Apr 11, 2026; 2026年10月6日; 11 เม.ย. 2569; 10:30 UTC", [(Kind.DATE, "Apr 11, 2026"), (Kind.DATE, "2026年10月6日"), (Kind.DATE, "11 เม.ย. 2569"), (Kind.DATE, "10:30 UTC")]),
        ("≤ 5 MB, -3, 5,000 THB, 30วินาที, 98%", [(Kind.NUMBER, "≤ 5 MB"), (Kind.NUMBER, "-3"), (Kind.NUMBER, "5,000 THB"), (Kind.NUMBER, "30วินาที"), (Kind.NUMBER, "98%")]),
        ("ห้ามเปลี่ยนเป็นPAIDทันที", [(Kind.NAME, "PAID")]),
        ("PENDING → PAID, status: in_review", [(Kind.NAME, "PENDING"), (Kind.NAME, "PAID"), (Kind.NAME, "in_review")]),
        ("A_B=1 view_token viewToken Class.run() t(a, b) p::q -W --no-x ${HOME}", [(Kind.NAME, name) for name in ("A_B=1", "view_token", "viewToken", "Class.run()", "t(a, b)", "p::q", "-W", "--no-x", "${HOME}")]),
    ],
)  # fmt: skip
def test_each_kind_is_found_and_its_look_alikes_are_not(text: str, expected: list[tuple[Kind, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text", ["you MUST NOT do it", "DO NOT, NEVER", "DON'T", "ONLY admins UNLESS asked", "status: not ready", "_not_"]
)
def test_a_word_that_denies_or_limits_is_never_hidden_in_a_name(text: str) -> None:
    assert found(text) == []


# -- keys


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("30 seconds", "30s"),
        ("30-second", "30  sec"),
        ("two weeks", "2 weeks"),
        ("15 minutes", "15min"),
        ("≤ 5", "<=5"),
        ("１２ MB", "12MB"),
        ("๓๐ วินาที", "30วินาที"),
        ("ＡＣ－０１", "AC‑01"),
        ("AC–01", "AC-01"),
        ("D2–D7 = A", "D2..D7=A"),
        ("AC-01–04", "AC-01..AC-04"),
        ("S1：A。", "S1 = A"),
        ("`a\n  b`", "`a b`"),
        ("` a `", "`a`"),
        ("5-MB", "5 MB"),
        ("  ```\n  a\n  ```", "```\na\n```"),
    ],
)
def test_equal_items_share_a_key(one: str, other: str) -> None:
    assert keys(one) == keys(other) != []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("30 seconds", "30 minutes"),
        ("5 MB", "5 MiB"),
        ("5 MB", "5 Mb"),
        ("5 m", "5 minutes"),
        ("1,197", "1.197"),
        ("≤ 3", "3"),
        ("-3", "3"),
        ("$5", "¥5"),
        ("AC-1", "AC-01"),
        ("ADR 0002", "ADR-0002"),
        ("D2", "D-02"),
        ("D2–D7 = A", "D2–D8 = A"),
        ("2026-04-11", "Apr 11"),
        ("Apr 11, 2026", "Apr 11"),
        ("2569", "2026"),
        ("GET /a", "POST /a"),
        ("src/a.py", "src/A.py"),
        ("src/a-b.py", "src/a‑b.py"),
        ("`a  b`", "`a b`"),
        ("` a`", "`a`"),
        ("“保存”", "“保 存”"),
        ("-W", "-w"),
        ("view_token", "View_token"),
        ("3.10", "3.1"),
        ("```sh\na\n```", "```\na\n```"),
        ("```\n a\n```", "```\na\n```"),
    ],
)
def test_items_that_differ_share_no_key(one: str, other: str) -> None:
    assert keys(one) != keys(other)


# -- ranges


@pytest.mark.parametrize(
    ("text", "members"),
    [
        ("AC-01–AC-03", ("AC-01", "AC-02", "AC-03")),
        ("AC-09..11", ("AC-09", "AC-10", "AC-11")),
        ("T-056~T-058", ("T-056", "T-057", "T-058")),
        ("Ｄ２－Ｄ４", ("D2", "D3", "D4")),
        ("D2–D4 = A", ("D2=A", "D3=A", "D4=A")),
        ("AC-03/04", ("AC-03", "AC-04")),
        ("AC-03/4", ()),
        ("D7–D2", ()),
        ("D2–S4", ()),
        ("A1–A99999", ()),
        ("AC-01", ()),
        ("", ()),
    ],
)
def test_a_range_covers_its_members(text: str, members: tuple[str, ...]) -> None:
    assert expand(text) == members
