from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_strategies.text.times import instant, leading_time

CHINA = timezone(timedelta(hours=8))


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-05-05T08:01:00Z", datetime(2026, 5, 5, 8, 1, tzinfo=UTC)),
        ("2026-05-05T08:01:00.479Z", datetime(2026, 5, 5, 8, 1, 0, 479000, tzinfo=UTC)),
        ("2026-05-05T08:01:00,123456789Z", datetime(2026, 5, 5, 8, 1, 0, 123456, tzinfo=UTC)),
        ("2026-05-05T08:01:00+08:00", datetime(2026, 5, 5, 0, 1, tzinfo=UTC)),
        ("2026-05-05T08:01:00+0800", datetime(2026, 5, 5, 0, 1, tzinfo=UTC)),
        ("2026-05-05T08:01:00-03:30", datetime(2026, 5, 5, 11, 31, tzinfo=UTC)),
        ("2026-05-05T08:01:00+08", datetime(2026, 5, 5, 0, 1, tzinfo=UTC)),
        ("2026-05-05t08:01:00z", datetime(2026, 5, 5, 8, 1, tzinfo=UTC)),
        ("2026-05-05 08:01 UTC", datetime(2026, 5, 5, 8, 1, tzinfo=UTC)),
        ("2001-12-14 21:59:43.10 -5", datetime(2001, 12, 15, 2, 59, 43, 100000, tzinfo=UTC)),
        ("20260505T080100+0800", datetime(2026, 5, 5, 0, 1, tzinfo=UTC)),
        ("20260505T0801", datetime(2026, 5, 5, 0, 1, tzinfo=UTC)),
        ("2026-05-05 08:01", datetime(2026, 5, 5, 0, 1, tzinfo=UTC)),
        ("2026-5-5 8:01", datetime(2026, 5, 5, 0, 1, tzinfo=UTC)),
        ("  2026-05-05  ", datetime(2026, 5, 4, 16, 0, tzinfo=UTC)),
    ],
)
def test_timestamp_is_the_instant_it_names(text: str, moment: datetime) -> None:
    assert instant(text, CHINA) == moment


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "08:01",
        "20260505",
        "2026-05-05T",
        "2026-05-05T08:01:00Z!",
        "at 2026-05-05T08:01:00Z",
        "2026-13-05",
        "2026-02-30T08:00:00Z",
        "2026-05-05T25:00:00Z",
        "2026-05-05T08:01:00+24:00",
        "0001-01-01T00:00:00+08:00",
        "9999-12-31T23:59:59-08:00",
        "２０２６-05-05",
    ],
)
def test_what_is_no_timestamp_has_no_instant(text: str) -> None:
    assert instant(text, UTC) is None


@given(st.datetimes(), st.sampled_from([UTC, CHINA, timezone(-timedelta(hours=3, minutes=30))]))
def test_isoformat_comes_back_as_the_same_instant(moment: datetime, zone: tzinfo) -> None:
    zoned = moment.replace(year=max(2, min(moment.year, 9998)), month=1, tzinfo=zone)

    assert instant(zoned.isoformat(), UTC) == zoned
    assert instant(zoned.replace(tzinfo=None).isoformat(" "), zone) == zoned


@pytest.mark.parametrize(
    ("entry", "time"),
    [
        ("23:08 done", "23:08"),
        ("23:08: done", "23:08"),
        ("23:08：done", "23:08"),
        ("9:05:30 done", "9:05:30"),
        ("08:00-09:00 done", "08:00"),
        ("12日 08:06", "12日 08:06"),
        ("05-02 00:47 done", "05-02 00:47"),
        ("12月3日 9:00 done", "12月3日 9:00"),
        ("2026年5月8日 08:00 done", "2026年5月8日 08:00"),
        ("2026/05/08 done", "2026/05/08"),
        ("2026-05-08 Task done", "2026-05-08"),
        ("2026-05-08 10:00 Zebra", "2026-05-08 10:00"),
        ("2026-05-08T00:32:39+08:00：done", "2026-05-08T00:32:39+08:00"),
        ("2026-05-08T00:32:39+08:00: done", "2026-05-08T00:32:39+08:00"),
        ("2026-05-08T00:32:39.479Z done", "2026-05-08T00:32:39.479Z"),
        ("2026-05-08T00:32:39Z完成", "2026-05-08T00:32:39Z"),
    ],
)
def test_entry_begins_with_its_time_as_it_is_spelled(entry: str, time: str) -> None:
    assert leading_time(entry) == time


@pytest.mark.parametrize("entry", ["", "done at 23:08", "10:301", "1:2:3", "17/17 passed", "v1.2.3", "2026 plans"])
def test_entry_without_a_time_has_none(entry: str) -> None:
    assert leading_time(entry) is None


@given(st.text(alphabet="0123456789:-/. TtZz+年月日，：", max_size=40))
def test_leading_time_is_the_beginning_of_the_entry(entry: str) -> None:
    time = leading_time(entry)

    assert time is None or entry.strip().startswith(time)
