"""What the cases of the knowledge view do not show: sizes, hostile text, every raw name."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_strategies.api import Finding, Options, Sources, View
from hypo_strategies.registry import compute, get_strategy
from hypo_strategies.text.limits import MAX_BYTES, MAX_LINES, MAX_MARKDOWN_LINE
from hypo_strategies.text.phrase import Phrase
from hypo_strategies.text.yaml import quote

ENGLISH = Options(language="en")


def view(files: dict[str, str], unreadable: dict[str, str] | None = None, options: Options = ENGLISH) -> View:
    reasons = {path: Phrase(why) for path, why in (unreadable or {}).items()}
    return compute(get_strategy("knowledge"), Sources(files, reasons), options)


def text(files: dict[str, str], options: Options = ENGLISH) -> str:
    made = view(files, options=options).text
    assert made is not None
    return made


def bullets(page: str) -> list[str]:
    return [line for line in page.split("\n") if line.startswith("- ")]


def record(**categories: str) -> str:
    return "details:\n" + "".join(f"  {name}: {items}\n" for name, items in categories.items())


@pytest.mark.parametrize(
    "key",
    [
        *("raw_value", "value", "secret", "token", "api_key", "password"),
        *("rawValue", "RAW-VALUE", "api key", "apiKey", "access_token", "client_secret", "db_password", "credentials"),
        *("redacted_value", "key", "raw", "private_key"),
    ],
)
@pytest.mark.parametrize("form", ["{k}: plainword", "{k}: [plainword]", "{k}: {{inner: plainword}}"])
def test_raw_value_in_a_secret_ref_never_passes(key: str, form: str) -> None:
    field = form.format(k=quote(key))
    page = text({"knowledge/records/a.yaml": record(secret_refs=f"[{{provider: openai, {field}}}]")})

    assert "plainword" not in page
    assert "- openai" in page


@pytest.mark.parametrize("value", ["sk-...abcd", "sk-…abcd", "****", "[REDACTED]", "<redacted>", "abcd", "xxxx-xxxx"])
def test_redacted_value_passes_unharmed(value: str) -> None:
    page = text({"knowledge/records/a.yaml": record(secret_refs=f"[{{env: A_KEY, redacted_value: {quote(value)}}}]")})

    assert f"- A_KEY: {value} [a]" in page


def test_long_item_keeps_the_beginning_of_every_field_and_its_source() -> None:
    fields = [f"field{number}: {'abcdefghij' * 60}" for number in range(8)]
    item = f"{{title: {'T' * 900}, rationale: {'R' * 900}, {', '.join(fields)}}}"
    page = text({"knowledge/records/the-source.yaml": record(decisions=f"[{item}]")})

    (line,) = bullets(page)
    assert len(line) <= MAX_MARKDOWN_LINE
    assert line.startswith(f"- {'T' * 40}")
    assert "R" * 40 in line
    assert line.count("abcdefghij" * 4) >= len(fields)
    assert line.endswith("[the-source]")
    assert "… 1 lines are cut short, see knowledge/records/" in page.split("\n")


def test_fields_beyond_the_limit_are_counted() -> None:
    item = "{title: t, " + ", ".join(f"f{number}: v" for number in range(30)) + "}"

    assert "… +11 [a]" in text({"knowledge/records/a.yaml": record(decisions=f"[{item}]")})


def test_large_ledger_shows_what_fits_of_every_section_and_counts_the_rest() -> None:
    files = {
        f"knowledge/records/r{number:03}.yaml": f"created_at: 2026-01-01T00:{number % 60:02}:{number // 60:02}Z\n"
        + record(decisions=f"[decision {number}]", pitfalls=f"[pitfall {number}]")
        for number in range(300)
    } | {"knowledge/records/rare.yaml": record(dependencies="[the only one]")}
    page = text(files, Options(language="en", max_records_per_category=1000))

    shown = bullets(page)
    left_out = [int(count) for count in re.findall(r"… (\d+) more, see knowledge/records/", page)]
    assert page.count("\n") <= MAX_LINES
    assert len(shown) > 200
    assert len(shown) + sum(left_out) == 601
    assert "- the only one [rare]" in page
    assert len(left_out) == 2


def test_items_are_cut_short_before_any_is_left_out() -> None:
    files = {
        f"knowledge/records/r{number:03}.yaml": record(decisions=f"[{{title: t{number}, rationale: {'字' * 900}}}]")
        for number in range(40)
    }
    page = text(files)

    assert len(bullets(page)) == 40
    assert len(page.encode()) <= MAX_BYTES
    assert "more, see" not in page
    assert "… 40 lines are cut short, see knowledge/records/" in page.split("\n")


@pytest.mark.parametrize(("mode", "severity"), [("warn", "warning"), ("ignore", "warning"), ("block", "error")])
def test_unreadable_file_is_never_passed_over_in_silence(mode: str, severity: str) -> None:
    options = Options(invalid_record=mode)  # type: ignore[arg-type]  # the parameters above are the three modes
    files = {"knowledge/records/a.yaml": record(decisions="[kept]")}
    made = view(files, {"knowledge/records/b.yaml": "permission denied"}, options)

    assert (made.text is None) == (severity == "error")
    assert [finding.severity for finding in made.findings] == [severity]


def test_undecodable_bytes_cost_their_piece_alone() -> None:
    made = view({"knowledge/records/a.yaml": "summary: \udce4\udcb8\n" + record(decisions="[kept]")})

    assert made.text is not None
    assert "- kept [a]" in made.text
    assert made.findings == (
        Finding("knowledge/records/a.yaml", Phrase("bytes that are not UTF-8"), 1, 10, severity="warning"),
    )


def test_two_records_in_one_damaged_file_are_not_mixed() -> None:
    made = view(
        {"knowledge/records/a.yaml": "id: a\ndetails: {decisions: [x]}\n---\nid: b\ndetails: {decisions: [y]}\n"}
    )

    assert made.text is None
    assert [finding.severity for finding in made.findings] == ["error"]


def test_configured_place_is_named() -> None:
    sources = Sources({"knowledge/records/a.yaml": record(decisions="[x]")}, names={"knowledge": "docs/kb"})
    made = compute(get_strategy("knowledge"), sources, ENGLISH)

    assert made.text is not None
    assert "derived from docs/kb/records/;" in made.text.split("\n")[0]


BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n" for before, name in zip("abcde", "bcdef", strict=True)
)


@pytest.mark.parametrize(
    "source",
    [
        "",
        "\x00",
        "details: " + "[" * 5_000,
        "details: " + "{a: " * 5_000,
        record(decisions="[" + "x, " * 50_000 + "]"),
        record(decisions='["' + "x" * 1_000_000 + '"]'),
        record(decisions='["\\u2028\\0\\e[2J"]'),
        BOMB + "details:\n  decisions: [*f, *f]\n  part: {pitfalls: *f}\n",
        "details:\n" + "".join(f"{' ' * depth}k:\n" for depth in range(1, 800)) + "x: {\n",
        "created_at: 9999-12-31T23:59:59-14:00\n" + record(decisions="[x]"),
        "id: '" + "1" * 10_000 + "'\n" + record(decisions="[x]"),
        "details:\n" + "  decisions: [x\n" * 20_000,
    ],
    ids=lambda source: f"{source[:24]!r}-{len(source)}",
)
def test_hostile_text_gives_a_view_within_the_limits_or_a_finding(source: str) -> None:
    for path in ("knowledge/records/a.yaml", "knowledge/index/decisions.yaml"):
        made = view({path: source})
        if made.text is None:
            assert made.findings
            continue
        assert len(made.text.splitlines()) == made.text.count("\n") <= MAX_LINES
        assert max(map(len, made.text.split("\n"))) <= MAX_MARKDOWN_LINE
        assert len(made.text.encode("utf-8")) <= MAX_BYTES


LINES = st.sampled_from(
    [
        *(
            "id: r",
            "created_at: 2026-05-01",
            "source: {cycle: C1}",
            "details:",
            "details: text",
            "categories: [decisions]",
        ),
        *(
            "  decisions:",
            "    - title: t",
            "      rationale: r",
            "    - text",
            "  pitfalls: [{issue: i}]",
            "secret_refs:",
        ),
        *(
            "  - env: A_KEY",
            "    value: plainword",
            "entries:",
            "  - items: [x]",
            "x: y: z",
            "- ",
            "\udce4",
            "{",
            "&a *a",
        ),
    ]
)


@given(st.lists(LINES, max_size=14).map("\n".join) | st.text(max_size=120))
def test_any_record_costs_itself_at_most(source: str) -> None:
    files = {"knowledge/records/any.yaml": source, "knowledge/records/sound.yaml": record(pitfalls="[kept]")}
    page = text(files)

    assert page == text(dict(reversed(files.items())))
    assert "- kept [sound]" in page
    assert "value: plainword" not in page
    assert len(page.splitlines()) == page.count("\n")
