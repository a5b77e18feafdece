"""The command `compact-context`: a handoff between agents made smaller, or checked for losses."""

from __future__ import annotations

import argparse
import codecs
import gc
import json
import os
import sys
from typing import Any

from hypo_compactd.console import add_command, complain, usage
from hypo_compactd.errors import ExitCode, InputError
from hypo_compactd.loss_subjects import subject
from hypo_compactd.messages import message, printable
from hypo_strategies.text.phrase import phrase

_STDIN = "-"

_NO_FILES = frozenset({"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "utf-7"})
"""Codecs of names, literals and mails: no file is written in them, and what they give need be no text at all."""


def add(commands: Any) -> None:
    """Add the command to the parser of all."""
    one = add_command(
        commands,
        "compact-context",
        compact_context,
        summary="make a handoff between agents smaller, or check what was made of one",
        description="Print a temporary handoff in its smallest useful shape: Goal, Confirmed, Facts, Constraints, "
        "Scope, References, Open, Conflicts. What it says is moved or kept, never put into other words or "
        "translated; what is not proved to say the same stays as it is. stdout is the handoff alone, in UTF-8; notes "
        "for people are on stderr. Canonical documents (CONTEXT.md, requirements, ADRs, specs, tasks) are refused.",
        examples="hypo-compactd compact-context handoff.md > smaller.md\n"
        "hypo-compactd compact-context --check smaller.md handoff.md\n"
        "git show HEAD:handoff.md | hypo-compactd compact-context --json",
        notes=_NOTES,
    )
    one.add_argument("file", nargs="?", metavar="FILE", help="the handoff; - or nothing is stdin")
    one.add_argument(
        "--check",
        metavar="RESULT",
        help="compare a result, whoever made it, with its source FILE: exit code 0 where it says all of it and "
        "nothing else, 3 where something is lost, changed or added, 4 where a person must look",
    )
    one.add_argument(
        "--encoding",
        type=_encoding,
        default="utf-8",
        metavar="NAME",
        help="the encoding of what is read, such as cp932, gb18030 or cp874 (default: utf-8)",
    )
    one.add_argument("--json", action="store_true", help="print the metadata too, as JSON")


_NOTES = """\
--json prints an object; new keys may come to schema 1. Lines are counted from 1.
  schema      1
  text        the compacted handoff
  outcome     compacted: in the output shape, and smaller; trimmed: in its own shape, without
              what is redundant; concise (it had the output shape) and unchanged: only white
              space was made regular; withheld: as it was without what a marked injection asks
              for, or smaller too but not passed by the loss check
  verdict     of the loss check on text: pass, fail or needs-review; a note tells of the last two
  changed     whether text differs from what was read
  concise     whether the handoff was in the output shape before
  kept, merged, removed
              an object an item: first_line, last_line, section, reason;
              into_line is the line of what a merged one says again
  languages   line and language (en, zh, ja, th, und, ...) of each item; none is translated
  notes       line and message: what is also on stderr
  characters, words
              an object each: before, after
With --check:
  schema      1
  verdict     pass, fail, needs-review
  findings    an object each: severity (error, review, warning, note), kind, what,
              source_line, result_line (null for none), source, result: the words, shortened
  kept        by what is counted: source and kept; there is no average
  exact       by kind of exact item (url, path, id, ...): source, kept, lost, invented
  invented_items
              how many items of the result come from nowhere
  characters, words
              an object each: source, result"""


def compact_context(arguments: argparse.Namespace) -> int:
    """Print a handoff in its smallest useful shape, or what a result of somebody else has lost."""
    from hypo_compactd.handoff_file import are_both_stdin, is_terminal
    from hypo_compactd.language import language_for

    given = arguments.file
    if given is None and arguments.check != _STDIN and is_terminal():
        said = phrase("no handoff: give a file, or pipe one to stdin; - reads what is typed")
        return usage("compact-context", said, language_for(arguments))
    given = _STDIN if given is None else given
    gc.disable()  # what is made here refers to nothing above it; looking for cycles costs time on a large handoff
    if arguments.check is None:
        return _compact(given, arguments)
    if are_both_stdin(given, arguments.check):
        said = phrase("source and result cannot both be stdin; give a file for one of them")
        return usage("compact-context", said, language_for(arguments))
    return _check(given, arguments)


def _compact(given: str, arguments: argparse.Namespace) -> int:
    from hypo_compactd.handoff_file import read
    from hypo_compactd.language import language_for
    from hypo_strategies.handoff.compact import CanonicalDocumentError, compact

    text = read(given, arguments.encoding)
    shown = _shown(given)
    try:
        compacted = compact(text, name="" if given == _STDIN else os.path.abspath(given))  # noqa: PTH100 - no links
    except CanonicalDocumentError as error:
        raise InputError(
            "{path}: no temporary handoff ({reason}); it must be read in full", path=shown, reason=error.reason
        ) from None
    if compacted.notes:
        language = language_for(arguments)
        for note in compacted.notes:
            complain(phrase("{path}:{line}: {reason}", path=shown, line=note.line, reason=note.said), language)
    if arguments.json:
        print(json.dumps(as_json(compacted)))
    else:
        _write(compacted.text)
    return ExitCode.OK


def _check(given: str, arguments: argparse.Namespace) -> int:
    from hypo_compactd.handoff_file import read
    from hypo_strategies.handoff.findings import Verdict
    from hypo_strategies.handoff.losscheck import check

    source = read(given, arguments.encoding)
    report = check(source, read(arguments.check, arguments.encoding))
    if arguments.json:
        print(json.dumps(report_as_json(report)))
    else:
        from hypo_compactd.language import language_for

        language = language_for(arguments)
        for line in _lines(report, language):
            print(line)
    if report.verdict is Verdict.PASS:
        return ExitCode.OK
    return ExitCode.STALE if report.verdict is Verdict.FAIL else ExitCode.NEEDS_REVIEW


def as_json(compacted: Any) -> dict[str, Any]:
    """Return a compacted handoff as data: schema 1, to which keys may be added; the help says what each one is."""

    def fate(one: Any) -> dict[str, Any]:
        return {"first_line": one.first, "last_line": one.last, "section": str(one.section), "reason": one.reason}

    return {
        "schema": 1,
        "text": compacted.text,
        "outcome": str(compacted.outcome),
        "verdict": str(compacted.verdict),
        "changed": compacted.changed,
        "concise": compacted.concise,
        "kept": [fate(one) for one in compacted.kept],
        "merged": [{**fate(one), "into_line": one.into} for one in compacted.merged],
        "removed": [fate(one) for one in compacted.removed],
        "languages": [{"line": line, "language": language} for line, language in compacted.languages],
        "notes": [{"line": note.line, "message": printable(str(note.said))} for note in compacted.notes],
        "characters": {"before": compacted.before.characters, "after": compacted.after.characters},
        "words": {"before": compacted.before.words, "after": compacted.after.words},
    }


def report_as_json(report: Any) -> dict[str, Any]:
    """Return what a check found as data: schema 1, to which keys may be added; the help says what each one is."""
    counts = report.counts
    shares = ("criteria", "bindings", "labels", "polarity", "modality", "provenance", "questions", "conflicts", "items")
    return {
        "schema": 1,
        "verdict": str(report.verdict),
        "findings": [
            {
                "severity": str(one.severity),
                "kind": str(one.kind),
                "what": one.what,
                "source_line": one.source_line,
                "result_line": one.result_line,
                "source": printable(one.source),
                "result": printable(one.result),
            }
            for one in report.findings
        ],
        "kept": {name: {"source": getattr(counts, name).source, "kept": getattr(counts, name).kept} for name in shares},
        "exact": {
            str(one.kind): {"source": one.source, "kept": one.kept, "lost": one.lost, "invented": one.invented}
            for one in counts.exact
        },
        "invented_items": counts.invented_items,
        "characters": {"source": counts.characters[0], "result": counts.characters[1]},
        "words": {"source": counts.words[0], "result": counts.words[1]},
    }


def _lines(report: Any, language: Any) -> list[str]:
    """Return what a check found, for people: the verdict, and then each finding with the words of both sides."""
    from hypo_strategies.handoff.findings import Severity

    counted = dict.fromkeys(Severity, 0)
    for one in report.findings:
        counted[one.severity] += 1
    found = [
        message(
            f"verdict_{report.verdict}",
            language,
            errors=counted[Severity.ERROR],
            reviews=counted[Severity.REVIEW],
        )
    ]
    for one in report.findings:
        kind, severity = message(f"loss_{one.kind}", language), message(f"severity_{one.severity}", language)
        found.append(message("loss_finding", language, severity=severity, kind=kind, what=subject(one.what)))
        for key, line, text in (
            ("loss_source", one.source_line, one.source),
            ("loss_result", one.result_line, one.result),
        ):
            if line is not None or text:
                place = "-" if line is None else str(line)
                found.append(message(key, language, line=place, text=printable(text)))
    return found


def _write(text: str) -> None:
    """Print a text as it is: in UTF-8, whatever the terminal has."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def _shown(given: str) -> str:
    return "stdin" if given == _STDIN else printable(given)


def _encoding(name: str) -> str:
    try:
        found = codecs.lookup(name)
        is_text = found.name not in _NO_FILES and found._is_text_encoding  # noqa: SLF001 - argparse must know before bytes.decode says so
    except (LookupError, ValueError):
        is_text = False
    if not is_text:
        raise argparse.ArgumentTypeError(f"{name!r} is no encoding that Python knows")
    return found.name
