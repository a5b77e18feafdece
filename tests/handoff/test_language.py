"""The language of a block, told by its scripts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_strategies.handoff.language import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Keep the old table", "en"),
        ("不要直接删除旧的数据表，先问用户再决定", "zh"),
        ("條件尚未確認，請先詢問使用者再繼續處理", "zh"),
        ("条件を満たす", "ja"),
        ("承認済みの仕様を変更しない", "ja"),
        ("ห้ามเปลี่ยนเป็นPAIDทันทีหลังUpload Slip", "th"),
        ("현재 상태를 확인한다", "ko"),
        ("承認済", "und"),
        ("未确认", "und"),
        ("`npm run build` src/app/page.tsx https://e.example/a AC-01", "und"),
        ("12:30 — 5,000", "und"),
        ("", "und"),
        ("The button says “สแกนคนถัดไป” and must stay as it is", "en"),
        ("在旧表删除之前先用 PostgreSQL 和 Redis 验证新的数据迁移", "zh"),
    ],
)
def test_scripts_tell_the_language(text: str, language: str) -> None:
    assert language_of(text) == language


@given(st.text())
def test_every_text_has_an_answer(text: str) -> None:
    assert language_of(text) in {"en", "zh", "ja", "th", "ko", "und"}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ["`", "a", "a.", "1", "中a", "a/中", "://", "` ", "-", "`\n"])
def test_a_text_that_repeats_itself_takes_no_quadratic_time(piece: str) -> None:
    language_of(piece * (300_000 // len(piece)))
