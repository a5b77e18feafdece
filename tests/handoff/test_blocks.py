"""A handoff read as items: what belongs together, where it stands, and that nothing is lost."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypo_strategies.handoff import blocks
from hypo_strategies.handoff.blocks import parse
from hypo_strategies.handoff.model import Item

SHARED = Path(__file__).parents[3] / "shared"
HANDOFFS = sorted((SHARED / "corpus" / "handoffs").glob("*.md"))


def texts(source: str) -> list[str]:
    return [item.text for item in parse(source).items]


def by_text(source: str) -> dict[str, Item]:
    return {item.text: item for item in parse(source).items}


def below(source: str) -> list[tuple[tuple[str, ...], str]]:
    return [(item.headings, item.text) for item in parse(source).items]


# -- nothing is lost


def letters(text: str) -> str:
    return "".join(character for character in text if character.isalnum())


def lines_of(source: str) -> list[str]:
    return source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def check_nothing_is_lost(source: str) -> None:
    """Every line with text belongs to exactly one place, and every letter and digit stands somewhere."""
    reader = blocks._Reader(source)
    document = reader.read()
    source_lines = lines_of(source)
    owners = Counter(line for line, _ in reader.furniture)
    for item in document.items:
        owners.update(range(item.first, item.last + 1))
    filled = {number for number, line in enumerate(source_lines, 1) if line.strip()}
    assert {line for line in filled if owners[line] != 1} == set()
    assert [item.first for item in document.items] == sorted(item.first for item in document.items)

    for item in document.items:
        there = letters("".join(source_lines[item.first - 1 : item.last]))
        if item.shape == "row":
            kept = Counter(letters(item.label + item.text))
            assert not Counter(there) - kept
        elif item.headings[-1:] == (item.text,):
            assert there == letters(item.text)
        else:
            said = letters(item.speaker) if letters(item.speaker) and not reader.is_transcript else ""
            assert there in {
                letters(item.number + said + item.label + item.text),
                letters(item.number + item.speaker + item.label + item.text),
                letters(item.number + item.label + item.text),
            }
    carried = {text for item in document.items for text in (*item.headings, item.speaker)} | {document.title}
    for line, what in reader.furniture:
        text = source_lines[line - 1]
        if what in {"heading", "title", "speaker"}:
            assert letters(text) in {letters(kept) for kept in carried}
        elif what == "table header":
            row = next((item for item in document.items if item.first > line), Item("", 0, 0))
            assert not Counter(letters(text)) - Counter(letters(row.label + row.text))
        else:
            assert letters(text) == ""


PIECES = st.sampled_from(
    [
        "", "", "- one", "* two words", "+ plus", "• dot", "・項目", "1. first", "2. second", "3) third", "(1) option", "① 一つ目",
        "一、背景", "→ then", "– dash", "- ", "4.", "- [x] done", "- [ ] to do", "✅ works", "- ❌ fails", "plain words go on", "more words",
        "ends with a colon:", "- bullet with colon:", "Facts:", "Confirmed:", "**Decisions:**", "- Out:", "Scope:", "- In: here",
        "Proposal: use it", "- Proposal: cache", "**Observed** - it fails", "ข้อจำกัด:", "制約：", "AC-01: a rule", "AC-02: another",
        "S1=A", "D2–D7 = A", "**Branch:** `main`", "# Title", "## Part", "### 3. Sub", "## ", "====", "----", "========", "---", "***",
        "```", "```bash", "~~~", "echo `x`", "| a | b |", "|---|---|", "| 1 | `x|y` |", "| | |", "a | b", "--- | ---", "> quoted",
        "> - more", ">", "<!-- comment -->", "<!-- open", "closes -->", "<details>", "</details>", "<owner> must accept",
        "User:", "Agent:", "_**User (2026-10-06)**_", "**Assistant**", "User: yes, go with B", "Agent: I did that",
        "用户：好", "### User", "    indented code", "ไม่ต้องสร้าง: Redis", "text\u202ehidden", "key: value", "title: x",
    ]
)  # fmt: skip
LINES = st.tuples(st.sampled_from([0, 0, 0, 1, 2, 2, 3, 4, 6, 8]), PIECES).map(lambda pair: " " * pair[0] + pair[1])


@settings(max_examples=400, deadline=None)
@given(st.lists(LINES, max_size=24), st.sampled_from(["\n", "\r\n", "\r"]))
def test_every_line_belongs_to_one_place_and_no_letter_is_lost(lines: list[str], end: str) -> None:
    check_nothing_is_lost(end.join(lines))


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab1 \n\t-*#>|`~:=_[](){}<!.、：•①→АกขAC\u3000\u200b\ufeff\r"), max_size=120))
def test_no_text_breaks_it(text: str) -> None:
    check_nothing_is_lost(text)


@pytest.mark.corpus
@pytest.mark.skipif(not HANDOFFS, reason="the corpus of real handoffs is not beside the repository")
@pytest.mark.parametrize("path", HANDOFFS, ids=lambda path: path.stem)
def test_nothing_of_a_real_handoff_is_lost(path: Path) -> None:
    raw = path.read_bytes()
    try:
        source = raw.decode()
    except UnicodeDecodeError:
        source = raw.decode("cp932")
    check_nothing_is_lost(source)
    check_nothing_is_lost(source.replace("\n", "\r\n"))
    document = parse(source)
    assert document.notes == ()
    assert all(item.text.strip() for item in document.items)


# -- lines


def test_lines_are_counted_from_one_whatever_ends_them() -> None:
    source = "# T\n\n- one\n  goes on\n\n```\ncode\n```\n| a | b |\n|---|---|\n| 1 | 2 |"
    expected = [(3, 4), (6, 8), (11, 11)]
    for end in ("\n", "\r\n", "\r"):
        for start in ("", "\ufeff"):
            document = parse(start + source.replace("\n", end))
            assert [(item.first, item.last) for item in document.items] == expected
            assert document.lines == 11
            assert document.items[1].text == "```\ncode\n```"


def test_other_characters_end_no_line() -> None:
    document = parse("- one\x0btwo\u2028three\x85four\n- five")
    assert [item.first for item in document.items] == [1, 2]


def test_an_empty_text_has_no_items() -> None:
    assert parse("").items == parse("\n \n\t\n").items == ()
    assert parse("").lines == 0


# -- labels and headings


def test_a_label_ends_the_list_above_it() -> None:
    assert below("Facts:\n- one\nConstraints:\n- two\n") == [(("Facts",), "one"), (("Constraints",), "two")]


@pytest.mark.parametrize(
    "label", ["Constraints:", "**Constraints:**", "**Constraints**:", "制約：", "ข้อจำกัด:", "約束："]
)
def test_a_known_label_is_found_however_it_is_marked(label: str) -> None:
    (item,) = parse(f"some words\n\n- before\n{label}\n- after").items[2:]
    assert item.headings == (label.strip("*:："),)
    assert item.parents == ()


def test_a_label_that_promises_nothing_holds_until_the_next_one() -> None:
    source = "Out of scope:\n\nRedis.\n\nA queue.\n\n- Zones\n\nFacts:\n- x"
    assert [item.headings for item in parse(source).items] == [("Out of scope",)] * 3 + [("Facts",)]


@pytest.mark.parametrize("label", ["Confirmed", "Decisions", "決定事項", "ยืนยันแล้ว"])
def test_what_a_promising_label_covers_ends_with_the_block_below_it(label: str) -> None:
    source = f"{label}:\n- one\n\n- two\n\nWe could also cache.\n\n- three"
    assert below(source) == [((label,), "one"), ((label,), "two"), ((), "We could also cache."), ((), "three")]


def test_a_heading_holds_until_one_of_its_level() -> None:
    source = "# A\n## Confirmed\n- one\n\npara\n### Deep\nx\n## Open\ny\n# B\nz"
    assert below(source) == [
        (("A", "Confirmed"), "one"),
        (("A", "Confirmed"), "para"),
        (("A", "Confirmed", "Deep"), "x"),
        (("A", "Open"), "y"),
        (("B",), "z"),
    ]


def test_the_only_first_heading_of_the_highest_level_is_the_title() -> None:
    document = parse("<!-- made by hand -->\n\n# Handoff of Tide\n\nwords\n\n## Facts\n- x")
    assert document.title == "Handoff of Tide"
    assert [item.headings for item in document.items] == [(), (), ("Facts",)]


def test_a_known_section_is_no_title() -> None:
    document = parse("# Goal\nShip it.")
    assert (document.title, document.items[0].headings) == ("", ("Goal",))


def test_a_heading_that_speaks_for_itself_is_an_item() -> None:
    document = parse("## Sprint 5 done\n\n## Sprint 6 = polish\n### Open questions\n")
    assert [(item.text, item.headings, item.first) for item in document.items] == [
        ("Sprint 5 done", ("Sprint 5 done",), 1),
        ("Open questions", ("Sprint 6 = polish", "Open questions"), 4),
    ]


@pytest.mark.parametrize(
    "source",
    [
        "Security\n========\n- x",
        "========\nSecurity\n========\n- x",
        "********\nSecurity\n********\n\n- x",
        "Security\n--------\n- x",
        "════════\nSecurity\n════════\n- x",
        "#### **Security** ####\n- x",
    ],
)
def test_rules_around_a_line_make_it_a_heading(source: str) -> None:
    assert below("# One\n# Two\n" + source)[-1][0][-1] == "Security"


def test_a_numbered_title_above_dashes_is_a_heading() -> None:
    source = "1. first\n2. second\n\n---\n\n1. Pipeline\n-----------\n- x"
    assert below(source) == [((), "first"), ((), "second"), (("1. Pipeline",), "x")]


def test_dashes_below_a_sentence_or_a_list_are_a_rule() -> None:
    source = "It works now.\n---\n1. one\n2. two\n---\n- three\n---\n**Branch:** main\n---\nend"
    assert [item.headings for item in parse(source).items] == [()] * 6


def test_the_middle_of_a_wrapped_sentence_is_no_label() -> None:
    assert texts("we have to respect the\nconstraints:\n- x") == ["we have to respect the\nconstraints:", "x"]
    assert texts("what the docs leave\nopen: the cache\n- x") == ["what the docs leave\nopen: the cache", "x"]


def test_a_line_that_introduces_a_list_goes_on_with_no_list() -> None:
    source = "- one\n- two\nNext we have to:\n- three\n"
    assert [(item.text, item.parents) for item in parse(source).items] == [
        ("one", ()),
        ("two", ()),
        ("Next we have to:", ()),
        ("three", ("Next we have to:",)),
    ]


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_what_a_colon_introduces_carries_the_sentence(gap: str) -> None:
    sentence = "Two things must not be built:"
    source = f"{sentence}{gap}- Redis\n\n- Zones\n\nSomething else.\n"
    items = by_text(source)
    assert items["Redis"].parents == items["Zones"].parents == (sentence,)
    assert items["Something else."].parents == ()


def test_a_sentence_without_a_colon_introduces_what_touches_it_only() -> None:
    items = by_text("Not to be built\n- Redis\n\nPlain words\n\n- Zones\n")
    assert items["Redis"].parents == ("Not to be built",)
    assert items["Zones"].parents == ()


def test_bold_keys_with_lists_do_not_nest() -> None:
    source = "**Needed:**\n- a\n\n**There already:**\n- b\n**Then:**\n- c\n"
    items = by_text(source)
    assert [items[text].parents for text in "abc"] == [("**Needed:**",), ("**There already:**",), ("**Then:**",)]


@pytest.mark.parametrize(
    ("line", "label", "text"),
    [
        ("- Proposal: cache it", "Proposal", "cache it"),
        ("Proposal: cache it", "Proposal", "cache it"),
        ("- **Observed:** it fails", "Observed", "it fails"),
        ("1. **Observed** - it fails", "Observed", "it fails"),
        ("- 提案：キャッシュする", "提案", "キャッシュする"),
        ("- [x] Proposal: cache it", "Proposal", "[x] cache it"),
        ("- Proposal: [x] cache it", "Proposal", "[x] cache it"),
        ("- plain words", "", "plain words"),
    ],
)
def test_a_label_before_an_item_stands_apart(line: str, label: str, text: str) -> None:
    (item,) = parse(line).items
    assert (item.label, item.text) == (label, text)


# -- lists


@pytest.mark.parametrize(
    "bullet", ["-", "*", "+", "•", "・", "◦", "–", "→", "1.", "2)", "(1)", "（2）", "①", "一、", "3、", "a)", "ก."]
)
def test_every_marker_begins_an_item(bullet: str) -> None:
    document = parse(f"{bullet} one\n{bullet} two\n  goes on\n")
    assert [item.text for item in document.items] == ["one", "two\ngoes on"]
    number = "" if bullet in "-*+•・◦–" else bullet
    assert [item.number for item in document.items] == [number] * 2


@pytest.mark.parametrize("line", ["15. Then we", "– and then", "→ PAID", "b) or this"])
def test_a_wrapped_sentence_goes_on(line: str) -> None:
    assert texts(f"- as of version\n  {line}\n") == [f"as of version\n{line}"]
    assert texts(f"as of version\n{line}\n") == [f"as of version\n{line}"]


@pytest.mark.parametrize("step", [2, 3, 4])
@pytest.mark.parametrize("marker", ["-", "1."])
def test_nested_items_carry_what_encloses_them(step: int, marker: str) -> None:
    gap = " " * step
    source = f"{marker} a\n{gap}- b\n{gap}{gap}- c\n{gap}- d\n{marker} e\n"
    assert [(item.text, item.parents, item.depth) for item in parse(source).items] == [
        ("a", (), 0),
        ("b", ("a",), 1),
        ("c", ("a", "b"), 2),
        ("d", ("a",), 1),
        ("e", (), 0),
    ]


def test_what_encloses_an_item_keeps_its_label() -> None:
    items = by_text("- Proposal: use a cache\n  - Redis\n- ไม่ต้องสร้าง: ระบบ\n  - Zone\n")
    assert items["Redis"].parents == ("Proposal: use a cache",)
    assert items["Zone"].parents == ("ไม่ต้องสร้าง: ระบบ",)


def test_a_label_as_list_item_is_a_heading_of_those_inside_it_only() -> None:
    source = "- Out of scope:\n  - Redis\n  - Zones\n- Something else\n"
    assert below(source) == [(("Out of scope",), "Redis"), (("Out of scope",), "Zones"), ((), "Something else")]
    assert [item.parents for item in parse(source).items] == [(), (), ()]


def test_a_paragraph_inside_a_list_item_belongs_to_it() -> None:
    items = by_text("- a\n\n  more on a\n\n- b\n\nno more\n")
    assert items["more on a"].parents == ("a",)
    assert items["no more"].parents == ()


def test_identifiers_at_the_start_of_lines_begin_items() -> None:
    source = "AC-01: a\nmore of a\nAC-02: b\n\n- criteria\n  AC-03: c\n  AC-04: d\n- S1=A\nD2–D7 = A\n"
    assert [(item.text, item.parents) for item in parse(source).items] == [
        ("AC-01: a\nmore of a", ()),
        ("AC-02: b", ()),
        ("criteria", ()),
        ("AC-03: c", ("criteria",)),
        ("AC-04: d", ("criteria",)),
        ("S1=A", ()),
        ("D2–D7 = A", ()),
    ]
    assert texts("as asked in\nAC-02 and elsewhere") == ["as asked in\nAC-02 and elsewhere"]


@pytest.mark.parametrize("mark", ["[x]", "[ ]", "✅", "❌", "⚠️", "🚧"])
def test_a_mark_is_told_and_stays_in_the_text(mark: str) -> None:
    (item,) = parse(f"- {mark} it works").items
    assert (item.mark, item.text) == (mark, f"{mark} it works")


def test_lists_nest_as_in_commonmark_where_they_are_written_by_its_rules() -> None:
    from markdown_it import MarkdownIt

    source = (
        "- a\n  - b\n\n    more b\n    ```\n    - no item\n    ```\n  - c\n    1. d\n    2. e\n       - f\n- g\n\n"
        "1. h\n   - i\n   - j\n2. k\n\n```\n- no item\n```\n* l\n  * m\n    * n\n* o\n"
    )
    depth, expected = -1, []
    for token in MarkdownIt("commonmark").parse(source):
        depth += token.type.endswith("list_open") - token.type.endswith("list_close")
        if token.type == "list_item_open" and token.map:
            expected.append((token.map[0] + 1, depth))
    assert [(item.first, item.depth) for item in parse(source).items if item.shape == "bullet"] == expected


# -- fences, quotations, comments, HTML


def test_a_fence_stays_whole_to_the_byte() -> None:
    fence = "````py title=x\n```\n\ttab  \n  - no item\nFacts:\n\n````"
    assert texts(f"before\n{fence}\nafter") == ["before", fence, "after"]


def test_a_fence_in_a_list_item_belongs_to_it() -> None:
    document = parse("1. run\n\n    ```sh\n    make \\\n      all\n    ```\n2. next\n")
    fence = document.items[1]
    assert (fence.shape, fence.text) == ("fence", "```sh\nmake \\\n  all\n```")
    assert (fence.parents, fence.first, fence.last) == (("run",), 3, 6)
    assert (document.items[2].number, document.items[2].parents) == ("2.", ())


def test_a_fence_that_touches_a_list_item_belongs_to_it_however_it_is_indented() -> None:
    items = parse("1. run\n```\nmake\n```\n2. see:\n\n```\nok\n```\n3. end\n\n```\nalone\n```\n").items
    assert [item.parents for item in items if item.shape == "fence"] == [("run",), ("see:",), ()]


def test_a_list_item_can_be_a_fence_or_a_quotation() -> None:
    document = parse("- ```sh\n  make\n  ```\n- > as she said\n  > it stays\n- end\n")
    assert [(item.shape, item.text, item.first, item.last) for item in document.items] == [
        ("fence", "```sh\nmake\n```", 1, 3),
        ("quote", "as she said\nit stays", 4, 5),
        ("bullet", "end", 6, 6),
    ]


def test_an_unclosed_fence_is_the_rest_and_is_told() -> None:
    document = parse("a\n\n```\ncode\n\nFacts:\n- x\n")
    assert [(item.shape, item.first, item.last) for item in document.items] == [("prose", 1, 1), ("fence", 3, 7)]
    assert document.notes == ((3, "unclosed fence"),)


def test_an_unclosed_fence_ends_with_its_list_item() -> None:
    document = parse("- a\n  ```\n  code\n- b\n\nend\n")
    assert [item.text for item in document.items] == ["a", "```\ncode", "b", "end"]
    assert document.notes == ((2, "unclosed fence"),)


def test_code_that_is_indented_less_than_its_fence_stays_in_it() -> None:
    assert texts("- a\n  ```\ncode\n  ```\n- b\n") == ["a", "```\ncode\n```", "b"]


def test_a_quotation_is_one_item_and_its_labels_are_not_read() -> None:
    document = parse("He said:\n> Confirmed: ship it\n>\n> - now\n> ```\n> x\n> ```\nend")
    quote = document.items[1]
    assert (quote.shape, quote.label, quote.parents) == ("quote", "", ("He said:",))
    assert quote.text == "Confirmed: ship it\n\n- now\n```\nx\n```"
    assert document.items[2].text == "end"


def test_comments_and_tags_are_content() -> None:
    source = "<!-- one\n\n- no item\n```\n-->\n\n<details>\n<summary>More</summary>\n\n- inside\n\n</details>\n"
    document = parse(source)
    assert [(item.shape, item.first, item.last) for item in document.items] == [
        ("html", 1, 5),
        ("html", 7, 8),
        ("bullet", 10, 10),
        ("html", 12, 12),
    ]


def test_a_comment_that_never_ends_hides_nothing() -> None:
    assert [item.shape for item in parse("<!-- open\n\n- x\n").items] == ["prose", "bullet"]


def test_front_matter_is_one_item_a_key() -> None:
    document = parse("---\ntitle: x\ntags:\n  - a\n  - b\n---\n# T\nwords\n")
    assert [(item.text, item.first, item.last) for item in document.items] == [
        ("title: x", 2, 2),
        ("tags:\n  - a\n  - b", 3, 5),
        ("words", 8, 8),
    ]
    assert document.title == "T"


# -- tables


def test_a_row_keeps_its_header_beside_its_cells() -> None:
    source = "Votes\n\n| ID | Option | State |\n|:--|:-:|--:|\n| S1 | A | Agreed |\n| S2 | | ✅ done |\n\nend"
    rows = [item for item in parse(source).items if item.shape == "row"]
    assert [row.text for row in rows] == ["ID: S1; Option: A; State: Agreed", "ID: S2; Option:; State: ✅ done"]
    assert [row.mark for row in rows] == ["", "✅"]
    assert [(row.first, row.last) for row in rows] == [(5, 5), (6, 6)]


def test_a_pipe_in_a_code_span_ends_no_cell() -> None:
    rows = parse("| Name | Why |\n|---|---|\n| `a|b` | ``x|`|y`` |\n| a \\| b | c |\n").items
    assert [row.text for row in rows] == ["Name: `a|b`; Why: ``x|`|y``", "Name: a \\| b; Why: c"]


def test_the_first_column_of_a_row_can_be_its_label() -> None:
    (row,) = parse("| Rule | Why |\n|---|---|\n| never log it | law |\n").items
    assert (row.label, row.text) == ("Rule", "never log it; Why: law")


def test_a_row_with_too_few_or_too_many_cells_loses_none() -> None:
    rows = parse("| a | b |\n|---|---|\n| 1 |\n| 2 | 3 | 4 |\n| 5\n").items
    assert [row.text for row in rows] == ["a: 1; b:", "a: 2; b: 3; 4", "a: 5"]


def test_a_header_too_wide_to_repeat_is_a_row_itself() -> None:
    header = "|".join("column" * 20 for _ in range(50))
    source = f"|{header}|\n|{'-|' * 50}\n" + f"|{'1|' * 50}\n" * 40
    document = parse(source)
    assert len(document.items) == 41
    assert sum(len(item.text) for item in document.items) < 2 * len(source)


def test_a_table_without_rows_keeps_its_header() -> None:
    assert texts("| Risk | Owner |\n|---|---|\n\nnone") == ["Risk; Owner", "none"]


# -- transcripts


def test_a_turn_has_a_speaker_until_the_next() -> None:
    source = (
        "_**User (2026-06-12 14:00)**_\n\nbuild it\n\n---\n\n_**Agent (some-model)**_\n\ndone\n\n- a list\n\n"
        "```\ncode\n```\n\n_**User (2026-06-12 14:10)**_\n\nrevert it\n"
    )
    agent = "Agent (some-model)"
    assert [(item.speaker, item.text) for item in parse(source).items] == [
        ("User (2026-06-12 14:00)", "build it"),
        (agent, "done"),
        (agent, "a list"),
        (agent, "```\ncode\n```"),
        ("User (2026-06-12 14:10)", "revert it"),
    ]


@pytest.mark.parametrize(
    ("user", "agent"),
    [
        ("User:", "Assistant:"),
        ("用户：", "助手："),
        ("ユーザー:", "アシスタント:"),
        ("ผู้ใช้:", "ผู้ช่วย:"),
        ("**User:**", "**Claude:**"),
    ],
)
def test_turns_on_one_line_are_found(user: str, agent: str) -> None:
    document = parse(f"{user} keep the theme\n{agent} I kept it\n{user} good\n")
    assert [item.text for item in document.items] == ["keep the theme", "I kept it", "good"]
    assert [item.speaker for item in document.items] == [who.strip("*:：") for who in (user, agent, user)]


def test_nothing_after_a_one_line_turn_is_put_into_the_mouth_of_the_user() -> None:
    source = "Agent: shall I?\n\nUser: yes, go with B\n\nWe use PostgreSQL.\n\n## Decisions\n- it stays\n"
    assert [item.speaker for item in parse(source).items] == ["Agent", "User", "", ""]


def test_a_turn_ends_with_its_section() -> None:
    source = "# T\n## Talk\n**User**\n\ngo\n\n**Agent**\n\n### Plan\nx\n\n## Decisions\n- y\n"
    assert [(item.speaker, item.headings) for item in parse(source).items] == [
        ("User", ("Talk",)),
        ("Agent", ("Talk", "Plan")),
        ("", ("Decisions",)),
    ]


def test_a_turn_in_which_nothing_is_said_is_not_lost() -> None:
    assert [(item.text, item.speaker) for item in parse("User:\n\nAgent:\n\nhello\n").items] == [
        ("User", "User"),
        ("hello", "Agent"),
    ]


def test_keys_that_name_people_make_no_transcript() -> None:
    document = parse("**User:** Ann Example\n**Branch:** main\n\n**Date:** now\n**Agent:** some model\n\n- x\n")
    assert [item.speaker for item in document.items][-1] == ""


def test_a_key_that_names_an_agent_makes_no_transcript() -> None:
    document = parse("**Agent:** some-model\n**Owner:** Ann\n\n- User: keep the old theme\n- Agent: codex\n")
    assert [(item.speaker, item.text) for item in document.items] == [
        ("", "**Agent:** some-model"),
        ("", "**Owner:** Ann"),
        ("User", "keep the old theme"),
        ("", "Agent: codex"),
    ]


# -- hidden characters


def test_hidden_characters_are_told_and_stay() -> None:
    document = parse("- run \u202emoc.x\u202c\n- zero\u200bwidth\n- 👩\u200d💻 fine ✅\ufe0f\n- a\u200db\n")
    assert document.notes == (
        (1, "hidden character U+202C, U+202E"),
        (2, "hidden character U+200B"),
        (4, "hidden character U+200D"),
    )
    assert document.items[1].text == "zero\u200bwidth"


# -- the shape that a compacted handoff has

OUTPUT = """\
Goal:
Guests buy tickets and enter with a QR code.

Confirmed:
- S1=A, S2=A
- D2–D7 = A
- AC-03: retry never makes a second ticket
- ID: R2; Selected option: A; State: Agreed; Confirmed decision: retain PAID

Facts:
- Observed: the build passes
- Inferred: the CDN is the cause
- Run the importer:
  ```sh
  make \\
    import
  ```
- [x] migration written
  goes on here
- What changed
  - `src/a.py`
    - `src/b.py`
- > as the docs say
  > on two lines

Constraints:
- ห้ามเปลี่ยนเป็น PAID ทันที

Scope:
- In: purchase, entry
- Out: refunds
- Out:
  - Redis
  - Zones

References:
- SPEC-002
- path/to/file

Open:
- Proposal (unconfirmed): cache sessions
- Should refunds need two approvers?

Conflicts:
- requirement: 5 MB; code: 10 MB
"""


def test_the_output_shape_is_read_back_as_it_is_written() -> None:
    document = parse(OUTPUT)
    check_nothing_is_lost(OUTPUT)
    assert document.notes == ()
    assert document.title == ""
    assert [(item.headings, item.text, item.parents) for item in document.items] == [
        (("Goal",), "Guests buy tickets and enter with a QR code.", ()),
        (("Confirmed",), "S1=A, S2=A", ()),
        (("Confirmed",), "D2–D7 = A", ()),
        (("Confirmed",), "AC-03: retry never makes a second ticket", ()),
        (("Confirmed",), "ID: R2; Selected option: A; State: Agreed; Confirmed decision: retain PAID", ()),
        (("Facts",), "the build passes", ()),
        (("Facts",), "the CDN is the cause", ()),
        (("Facts",), "Run the importer:", ()),
        (("Facts",), "```sh\nmake \\\n  import\n```", ("Run the importer:",)),
        (("Facts",), "[x] migration written\ngoes on here", ()),
        (("Facts",), "What changed", ()),
        (("Facts",), "`src/a.py`", ("What changed",)),
        (("Facts",), "`src/b.py`", ("What changed", "`src/a.py`")),
        (("Facts",), "as the docs say\non two lines", ()),
        (("Constraints",), "ห้ามเปลี่ยนเป็น PAID ทันที", ()),
        (("Scope",), "purchase, entry", ()),
        (("Scope",), "refunds", ()),
        (("Scope", "Out"), "Redis", ()),
        (("Scope", "Out"), "Zones", ()),
        (("References",), "SPEC-002", ()),
        (("References",), "path/to/file", ()),
        (("Open",), "cache sessions", ()),
        (("Open",), "Should refunds need two approvers?", ()),
        (("Conflicts",), "requirement: 5 MB; code: 10 MB", ()),
    ]
    assert [item.label for item in document.items if item.label] == [
        "Observed",
        "Inferred",
        "In",
        "Out",
        "Proposal (unconfirmed)",
    ]


@pytest.mark.parametrize("shape", ["- Out:\n  - Redis\n", "Out:\n- Redis\n", "**Out:**\n\n- Redis\n"])
def test_in_and_out_are_labels_in_the_scope_only(shape: str) -> None:
    assert below(f"Scope:\n{shape}Constraints:\n- x\n") == [(("Scope", "Out"), "Redis"), (("Constraints",), "x")]
    assert "Out" not in below(f"Facts:\n{shape}")[-1][0]


# -- hostile texts

MEGABYTE = 1_000_000
HOSTILE = {
    "backticks": "`" * 100_000 + "\nx",
    "one long line": "word " * MEGABYTE,
    "one long line of markers": "- " * MEGABYTE + "x",
    "one long line of quotes": "> " * MEGABYTE + "x",
    "one long rule": "=" * MEGABYTE + "x",
    "one long table row": "|a" * MEGABYTE + "\n" + "|-" * MEGABYTE + "\n" + "|b" * MEGABYTE,
    "deep lists": "".join(" " * (2 * depth) + "- x\n" for depth in range(1_000)),
    "deep labels": "".join(" " * (2 * depth) + "- Facts:\n" for depth in range(1_000)),
    "weak markers far in": "".join(" " * (depth % 900) + "7. x\n" for depth in range(2_000)),
    "lead-ins": "A:\n\n" * 50_000,
    "labels": "Facts:\n" * 50_000,
    "unclosed fences in items": "- a\n  ```x\nb\n" * 30_000,
    "fences": "```\n~~~x\n" * 50_000,
    "comments": "<!-- x\n" * 100_000,
    "wide table": "|" + "h|" * 30_000 + "\n|" + "-|" * 30_000 + "\n" + "|x|\n" * 100_000,
    "long header": "|" + ("h" * 500 + "|") * 1_000 + "\n|" + "-|" * 1_000 + "\n" + ("|" * 1_001 + "\n") * 500,
    "headings": "# a\n## b\n" * 50_000,
    "turns": "**User**\n\n**Agent**\n\n" * 20_000,
    "hidden": "a\u200b\n" * 100_000,
    "blanks": " " * MEGABYTE + "x",
}


@pytest.mark.timeout(30)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_costs_no_more_than_its_size(text: str) -> None:
    document = parse(text)
    kept = sum(len(item.text) for item in document.items)
    assert kept <= 10 * len(text)
    assert document.items
