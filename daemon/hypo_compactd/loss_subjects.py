"""What a finding of the loss check is about, told in the language of who reads it."""

from __future__ import annotations

import re
from collections.abc import Callable

from hypo_compactd.messages import printable
from hypo_strategies.text.phrase import Phrase, phrase

_ABOUT: tuple[tuple[str, Callable[..., Phrase]], ...] = (
    ("section (.+) -> (.+)", lambda before, after: phrase("section {before} -> {after}", before=before, after=after)),
    ("label (.+) -> (.+)", lambda before, after: phrase("label {before} -> {after}", before=before, after=after)),
    ("source (.+) -> (.+)", lambda before, after: phrase("source {before} -> {after}", before=before, after=after)),
    ("label (.+)", lambda name: phrase("label {name}", name=name)),
    ("heading (.+)", lambda name: phrase("heading {name}", name=name)),
    ("source (.+)", lambda name: phrase("source {name}", name=name)),
    ("(.+) in a heading", lambda kind: phrase("{kind} in a heading", kind=kind)),
    ("(.+) -> (.+)", lambda before, after: phrase("{before} -> {after}", before=before, after=after)),
)
"""What a finding is about besides a single word: what it looks like, and the phrase for it."""


def _subjects() -> tuple[Phrase, ...]:
    """Return the words that a finding may be about, as `LossFinding.what` has them."""
    return (
        phrase("item"),
        phrase("title"),
        phrase("speaker"),
        phrase("parent"),
        phrase("status"),
        phrase("question"),
        phrase("source"),
        phrase("order"),
        phrase("repetition"),
        phrase("items that stood together"),
        phrase("wording"),
        phrase("negation"),
        phrase("quotation"),
        phrase("digits"),
        phrase("limit"),
        phrase("hedge"),
        phrase("number of the item"),
        phrase("acceptance criteria"),
        phrase("side of a conflict"),
        phrase("payload of an injection"),
        phrase("hidden characters"),
        phrase("secret-looking value"),
        phrase("words about the result"),
        phrase("whole result: it seems to be of another source"),
        phrase("filler"),
        phrase("rejected proposal"),
        phrase("fence"),
        phrase("code span"),
        phrase("quoted copy"),
        phrase("url"),
        phrase("path"),
        phrase("route"),
        phrase("command"),
        phrase("name"),
        phrase("id"),
        phrase("id range"),
        phrase("pick"),
        phrase("commit"),
        phrase("issue"),
        phrase("version"),
        phrase("date"),
        phrase("number"),
        phrase("user"),
        phrase("writer"),
        phrase("agent"),
        phrase("docs"),
        phrase("tool"),
        phrase("untrusted"),
        phrase("must"),
        phrase("should"),
        phrase("would"),
        phrase("may"),
        phrase("need not"),
        phrase("only"),
        phrase("except"),
        phrase("unless"),
        phrase("at least"),
        phrase("at most"),
        phrase("more than"),
        phrase("less than"),
        phrase("exactly"),
        phrase("about"),
        phrase("before"),
        phrase("after"),
        phrase("until"),
        phrase("if"),
        phrase("all"),
        phrase("none"),
    )


def subject(what: str) -> Phrase:
    """Return what a finding is about so that it can be told in any language; names of sections and labels stay."""
    known = {one.text: one for one in _subjects()}
    if what in known:
        return known[what]
    for pattern, made in _ABOUT:
        if found := re.fullmatch(pattern, what):
            return made(*(known.get(part) or printable(part) for part in found.groups()))
    one, comma, others = what.partition(", ")
    if comma:
        return phrase("{one}, {others}", one=subject(one), others=subject(others))
    return phrase("{name}", name=printable(what))
