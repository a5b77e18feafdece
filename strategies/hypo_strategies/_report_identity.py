"""What a report is called, to which Milestone it belongs, and whether a file is a report at all."""

from __future__ import annotations

import re

from hypo_strategies._report_outline import Part, fields
from hypo_strategies._report_text import plain
from hypo_strategies.lifecycle import MilestoneId, leading_id

_NOT_REPORTS = frozenset({"readme.md", "index.md", "template.md"})
_PREFIX = re.compile(r"^[^:：]{0,40}[:：]\s*")
_ANYWHERE = re.compile(r"(?<![A-Za-z0-9.-])M\d{1,4}(?:\.\d{1,4})?(?![\w])")
_WORDED = re.compile(r"(?<![A-Za-z])(?:Milestone|里程碑)\s*#?(\d{1,4}(?:\.\d{1,4})?)(?!\d)", re.IGNORECASE)


def may_be_report(path: str) -> bool:
    """Return whether a file's name lets it be a report: no derived view, no hidden file, no README."""
    name = path.rpartition("/")[2].lower()
    return name not in _NOT_REPORTS and not name.startswith(".") and not name.endswith(".compact.md")


def title_of(parts: tuple[Part, ...]) -> str:
    """Return the report's first heading, "" when it has none."""
    return next((part.title for part in parts if part.kind == "head" and part.title), "")


def milestone_of(title: str, parts: tuple[Part, ...], path: str) -> MilestoneId | None:
    """Return the Milestone that a report says it is of; its file's number is another count (formats.md, 4.1).

    The title says it best (`执行报告：M11 / F005 — …`, `C15-M2 …`), then the file's name (`m08-plan.md`),
    a `Milestone` label in the head, and at last a Milestone anywhere in the title.
    """
    bare = plain(title)
    labels = [found.value for part in parts[:3] for found in fields(part) if found.key in ("milestone", "里程碑")]
    candidates = [
        bare,
        _PREFIX.sub("", bare),
        path.rpartition("/")[2],
        *labels,
        *(f"M{number}" for number in _WORDED.findall(bare)),
        *_ANYWHERE.findall(bare),
    ]
    return next((found for text in candidates if (found := leading_id(text))), None)
