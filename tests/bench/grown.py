"""A log of the real shape, of any size: entries of some eight keys, in Chinese and English, newest first and not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

_TYPES = ("milestone_start", "milestone_complete", "plan_review", "evaluation", "recovery", "cycle_accept")
_STATUSES = ("completed", "completed", "completed", "active", "failed", "deferred")
_SUMMARIES = (
    (
        "Completed the parser slice with its recovery paths, the retry policy and the follow-up continuation; 42 tests "
        "pass, two are skipped on this platform."
    ),
    "完成解析器切片、恢复流程与重试策略；42 个测试通过，两个跳过；剩余问题已记录在报告中。",
    (
        "Auto-continued after the previous Milestone passed; the tide tables are loaded lazily and the harbour list is "
        "checked against its index."
    ),
    "评审意见已处理：写入改为原子操作，提交 7e12345 已合并，文档与示例同步更新。",
)
_ZONE = timezone(timedelta(hours=8))
_START = datetime(2026, 1, 1, tzinfo=UTC)


def entry(number: int) -> str:
    """Return the lines of one entry; the larger the number, the newer the entry."""
    moment = (_START + timedelta(minutes=37 * number)).astimezone(_ZONE)
    cycle, milestone = number // 40 + 1, number % 9 + 1
    return (
        f"  -\n    id: M{milestone:02d}-E{number:06d}-C{cycle}-{moment:%Y%m%dT%H%M%S}+0800\n"
        f"    type: {_TYPES[number % len(_TYPES)]}\n    ref: C{cycle}/M{milestone:02d}\n"
        f"    status: {_STATUSES[number % len(_STATUSES)]}\n"
        f'    timestamp: "{moment.isoformat()}"\n'
        f"    summary: {_SUMMARIES[number % len(_SUMMARIES)]}\n"
        f"    report: .pipeline/reports/m{milestone:02d}-part-{number}.report.md\n"
        f"    trigger: {'auto' if number % 3 else 'manual'}\n    related_milestone: M{milestone:02d}\n"
    )


def log(*, entries: int = 0, size: int = 0) -> bytes:
    """Return a log of so many entries, or of about so many bytes."""
    parts = ["entries:\n"]
    length = number = 0
    while number < entries or length < size:
        parts.append(entry(number))
        length += len(parts[-1].encode())
        number += 1
    return "".join(parts).encode()


def with_entry(data: bytes, place: str, number: int) -> bytes:
    """Return a log with one entry more: at the `end`, the `top` or in the `middle`."""
    new = entry(number).encode()
    if place == "end":
        return data + new
    at = data.index(b"\n  -\n", len(data) // 2 if place == "middle" else 0) + 1
    return data[:at] + new + data[at:]
