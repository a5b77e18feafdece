"""Exact items that are values: versions, dates and times, numbers with their signs and units; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hypo_strategies.handoff.alike import plain, words_of
from hypo_strategies.handoff.exact_code import TAKEN, Found
from hypo_strategies.handoff.model import Kind

_NO_LETTER = "(?![A-Za-z0-9_])"
_ASCII_WORD = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_ASCII_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_")

# -- versions

_SUFFIX = (
    r"(?:(?:[-+.]?(?:alpha|beta|rc|dev|pre|post|next|canary|nightly|snapshot|SNAPSHOT|slim|alpine|lts)|(?:a|b)(?=[0-9]))"
    r"(?:[.-]?[A-Za-z0-9]+)*)"
)
_VERSION = re.compile(
    r"(?=[<>=!~^vV0-9])(?:(?:[<>=!~^]=|~>|\^|[<>~](?<![-=<>~].))\s?)?"
    rf"(?:[vV](?<![A-Za-z0-9_.].)[0-9]+(?:\.[0-9]+)*(?:\.x{_NO_LETTER})?{_SUFFIX}?"
    rf"|[0-9](?<![A-Za-z0-9_.].)[0-9]*\.(?:[0-9]+(?:\.[0-9]+)+(?:\.x{_NO_LETTER})?{_SUFFIX}?"
    rf"|(?:[0-9]+\.)*x{_NO_LETTER}|[0-9]+{_SUFFIX}))(?![A-Za-z0-9_])"
)


def versions(text: str) -> Iterator[Found]:
    """Find versions with their comparison: `v2`, `>=3.11.2`, `1.4.0-rc1`, `3.x`; a mere `1.5` is a number."""
    for found in _VERSION.finditer(text):
        yield Kind.VERSION, found.start(), found.end(), plain("".join(found[0].split()))


# -- dates and times

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)(?![A-Za-z])\.?"
)
_THAI_MONTH = (
    r"(?:ม\.ค\.|ก\.พ\.|มี\.ค\.|เม\.ย\.|พ\.ค\.|มิ\.ย\.|ก\.ค\.|ส\.ค\.|ก\.ย\.|ต\.ค\.|พ\.ย\.|ธ\.ค\."
    r"|มกราคม|กุมภาพันธ์|มีนาคม|เมษายน|พฤษภาคม|มิถุนายน|กรกฎาคม|สิงหาคม|กันยายน|ตุลาคม|พฤศจิกายน|ธันวาคม)"
)
_TIME = (
    r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:\s?[AaPp]\.?[Mm](?![A-Za-z]))?"
    r"(?:\s?(?:Z|UTC|GMT|JST|ICT|CST|CET|CEST|PST|PDT|EST|EDT|ET|PT|BST|KST|SGT|HKT)(?![A-Za-z]))?"
    r"(?:\s?[+-][0-9]{2}:?[0-9]{2}|(?<=[A-Z])[+-][0-9]{1,2})?"
)
_BLANK = r"\s{0,3}"
_DATE = re.compile(
    rf"(?=[0-9]{{4}}-[0-9]|[0-9]{{1,4}}(?:[/.:][0-9]|(?:st|nd|rd|th)?\s{{0,3}}[年月JFMASONDมกพสตธเAaPp])|[JFMASONDมกพสตธคเ])(?<![A-Za-z0-9_.])"
    rf"(?:[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:(?:T|,?\s{{1,3}}){_TIME})?"
    rf"|(?:19|20|25)[0-9]{{2}}-(?:0[1-9]|1[0-2])(?!-?[0-9])"
    rf"|(?:1[89]|2[0-9])[0-9]{{2}}(?P<sign>[/.])[0-9]{{1,2}}(?P=sign)[0-9]{{1,2}}(?!\.?[0-9])(?:\s{{1,3}}{_TIME})?"
    rf"|[0-9]{{1,2}}(?P<other>[/.])[0-9]{{1,2}}(?P=other)(?:[0-9]{{4}}|[0-9]{{2}})(?!\.?[0-9])"
    rf"|(?:[0-9]{{2,4}}{_BLANK}年{_BLANK})?[0-9]{{1,2}}{_BLANK}月{_BLANK}[0-9]{{1,2}}{_BLANK}[日号號]"
    rf"|[0-9]{{2,4}}{_BLANK}年{_BLANK}[0-9]{{1,2}}{_BLANK}月"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th)?\s{{1,3}}(?:of\s)?{_MONTH}(?:,?\s{{1,3}}[0-9]{{4}}(?![0-9]))?"
    rf"|{_MONTH}\s{{1,3}}[0-9]{{1,2}}(?:st|nd|rd|th)?(?![0-9:.])(?:,?\s{{1,3}}[0-9]{{4}}(?![0-9]))?"
    rf"|{_MONTH},?\s{{1,3}}[0-9]{{4}}(?![0-9])"
    rf"|(?:[0-9]{{1,2}}\s?)?{_THAI_MONTH}(?:\s?(?:พ\.ศ\.\s?)?[0-9]{{2,4}}(?![0-9]))?"
    rf"|(?:พ\.ศ\.|ค\.ศ\.)\s?[0-9]{{4}}(?![0-9])"
    rf"|{_TIME}"
    rf"|[0-9]{{1,2}}(?:\.[0-9]{{2}})?\s?[AaPp]\.?[Mm](?![A-Za-z]))(?![A-Za-z0-9_])"
)


def dates(text: str) -> Iterator[Found]:
    """Find dates and times as they are written: no year is added, no era or order of day and month converted."""
    for found in _DATE.finditer(text):
        date = found[0].strip()
        blank = "" if "月" in date else " "
        yield Kind.DATE, found.start(), found.start() + len(date), plain(blank.join(date.split()))


# -- numbers

_SPELLED = {
    "s": "seconds second secs sec",
    "min": "minutes minute mins min",
    "h": "hours hour hrs hr",
    "d": "days day",
    "w": "weeks week wks wk",
    "month": "months month",
    "year": "years year yrs yr",
    "ms": "milliseconds millisecond msecs msec",
    "%": "percent pct",
    "byte": "bytes byte",
    "bit": "bits bit",
}
"""Units that are one however they are spelt. `m` may be minutes or metres, and MB is not MiB: these stay as written."""
_UNIT_OF = {word: unit for unit, words in _SPELLED.items() for word in words.split()}
_WORDS = "|".join(sorted(_UNIT_OF, key=len, reverse=True))
_SYMBOLS = words_of(
    "KiB MiB GiB TiB kB KB MB GB TB PB kb Kb Mb Gb mb gb kbps Mbps Gbps ms us µs μs ns s h px em rem pt vh vw dpi ppi fps "
    "Hz kHz MHz GHz rpm rps qps tps mm cm km kg mg ml mL kW kWh mAh °C °F % ‰ THB USD EUR JPY CNY GBP KRW RMB TWD"
)
_GLUED_SYMBOLS = words_of("d w m y k K M G T B b x X × g L V W A bn st nd rd th")
"""Letters that are a unit only where no blank stands before them."""
_RATED = words_of("request requests req reqs token tokens event events message messages msg msgs row rows call calls")
_TIMES = words_of("seconds second sec s minutes minute min hour hr h day d week month year")
_ASIAN = (
    "毫秒|秒钟|秒鐘|秒間|秒|分钟|分鐘|分間|分|小时|小時|時間|时|時|天|日間|日|周間|週間|星期|周|週|[ヶケか个個カ]月|月|年間|年|歳|岁"
    "|日元|美元|ドル|円|元|块|塊|个|個|件|条|條|次|回|名|人|行|台|本|枚|位|项|項|种|種|倍|パーセント|ページ|页|頁|バイト"
    "|วินาที|นาที|ชั่วโมง|วัน|สัปดาห์|อาทิตย์|เดือน|ปี|บาท|ครั้ง|คน|รายการ|ชิ้น|ไฟล์|หน้า|เปอร์เซ็นต์|초|분|시간|일|주|개월|년|원|명|개|건|회"
)
_NUMBER = re.compile(
    rf"(?=[-+<>≤≥≦≧±≈~$฿€£¥₩₹0-9])(?P<value>(?:(?:[<>]=|[≤≥≦≧±≈]|[<>~](?<![-=<>~].))\s?)?(?:[+-](?<![A-Za-z0-9_)\]{TAKEN}].))?"
    rf"(?:[$฿€£¥₩₹]\s?)?[0-9]+(?:[.,][0-9]+)*)"
    rf"(?:(?=\s{{0,4}}-?[^\s0-9.,;:!?()-])(?:(?P<gap>\s{{0,4}}|-)(?P<latin>(?:[A-Za-z%‰°µμ×]{{1,12}})(?:/[A-Za-z]{{1,12}})?|/[A-Za-z]{{1,6}}){_NO_LETTER}"
    rf"|\s{{0,4}}(?P<asian>[千百万萬億亿兆]{{1,2}}(?:{_ASIAN})?|{_ASIAN})))?"
)
_NUMBER_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_SPELT = re.compile(
    rf"(?=[EFNOSTefnost])(?<![A-Za-z0-9_-])(?P<number>(?i:{_NUMBER_WORDS}))"
    rf"(?:\s{{1,4}}|-)(?P<word>(?i:{_WORDS})){_NO_LETTER}"
)
_VALUE_OF = {word: str(value) for value, word in enumerate(_NUMBER_WORDS.split("|"), start=1)}
_COMPARISONS = str.maketrans({"≤": "<=", "≥": ">=", "≦": "<=", "≧": ">="})


def numbers(text: str) -> Iterator[Found]:
    """Find numbers with comparison, sign, currency and unit; `two weeks` is the number that `2 weeks` is."""
    for found in _NUMBER.finditer(text):
        start, end = found.span("value")
        if start and "0" <= text[start] <= "9":
            before = text[start - 1]
            if before in _ASCII_WORD or (before in "-." and text[start - 2 : start - 1] in _ASCII_LETTERS):
                continue
        value = found["value"]
        if not value.isdigit():
            value = plain("".join(value.split())).translate(_COMPARISONS)
        latin = found["latin"]
        unit = _unit(latin, found["gap"]) if latin else found["asian"]
        if unit:
            yield Kind.NUMBER, start, found.end(), f"{value} {unit}"
        elif text[end : end + 1] not in _ASCII_WORD:
            yield Kind.NUMBER, start, end, value


def _unit(written: str, gap: str | None) -> str:
    """Return what equal units share, "" for a word that is no unit."""
    unit, slash, per = written.partition("/")
    if slash and per not in _TIMES:
        return ""
    if known := _UNIT_OF.get(unit.lower()):
        return known + slash + per
    if slash and (not unit or unit in _RATED):
        return written
    is_unit = unit in _SYMBOLS or (not gap and unit in _GLUED_SYMBOLS)
    return written if is_unit else ""


def spelt_numbers(text: str) -> Iterator[Found]:
    """Find numbers in words, one to twelve, before a unit."""
    for found in _SPELT.finditer(text):
        unit = _UNIT_OF[found["word"].lower()]
        yield Kind.NUMBER, found.start(), found.end(), f"{_VALUE_OF[found['number'].lower()]} {unit}"
