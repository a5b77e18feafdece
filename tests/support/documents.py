"""What is made from the argument parser: the help texts and the man page. `make docs` writes both.

A test keeps the files equal to what this gives, so that a changed option is seen in review as its
users will see it.
"""

from __future__ import annotations

import argparse
import os
import re
import textwrap
from pathlib import Path

from argparse_manpage.manpage import Manpage

from hypo_compactd import PROGRAM, __version__
from hypo_compactd.cli import parser
from hypo_compactd.console import EXIT_CODES

TOP = Path(__file__).resolve().parents[2]
HELP = TOP / "tests/docs/help.txt"
MAN = TOP / "daemon/hypo-compactd.1"

SECTIONS = {
    "EXIT STATUS": EXIT_CODES.partition("\n")[2],
    "SIGNALS": """\
SIGTERM, SIGINT  end the daemon; a view that is being written is finished or abandoned whole
SIGHUP           read the configuration and the list of projects anew, and look at every project
""",
    "ENVIRONMENT": """\
HYPO_COMPACTD_STATE_DIR   where manifests, locks and status files are, instead of the system's place; an absolute path
HYPO_COMPACTD_CONFIG_DIR  where projects.json is, instead of the system's place; an absolute path
NO_COLOR                  print without colours
LC_ALL, LC_MESSAGES, LANG the language where output.language is auto
""",
    "FILES": """\
.pipeline/config.yaml                 a project's configuration
~/.hypo-workflow/config.yaml          the configuration for all projects
~/.hypo-workflow/projects.yaml        Hypo-Workflow's own list of projects; only read
~/.config/hypo-compactd/projects.json the registered projects
~/.local/state/hypo-compactd/         manifests, locks, status; no content of any file
""",
}
"""The sections of the man page that the parser does not hold; the paths are those on Linux."""


def commands() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of each command by its name, in the order of the help."""
    (action,) = (one for one in parser()._actions if isinstance(one, argparse._SubParsersAction))
    return dict(action.choices)


def help_texts() -> str:
    """Return the help of the program and of each command, 100 columns wide."""
    os.environ["COLUMNS"] = "100"
    os.environ["NO_COLOR"] = "1"
    texts = {"": parser(), **commands()}
    return "\n".join(
        f"$ {' '.join(filter(None, (PROGRAM, name)))} --help\n{one.format_help()}" for name, one in texts.items()
    )


def man_page() -> str:
    """Return the man page, in roff."""
    top = parser()
    top.epilog = None
    os.environ["COLUMNS"] = "80"
    page = Manpage(
        top,
        {
            "project_name": PROGRAM,
            "version": __version__,
            "description": "keeps the compact views of Hypo-Workflow projects current",
            "manual_title": "User Commands",
            "date": " ",
        },
        format="single-commands-section",
    )
    for heading, text in SECTIONS.items():
        page.add_section(heading, ">", f".nf\n{_escaped(text)}.fi\n")
    epilogs = {name: _epilog(one.epilog or "") for name, one in commands().items()}
    text = re.sub(
        r"(?ms)^\.SS \\fBhypo\\-compactd (\S+)\\fR$.*?(?=^\.S[SH])",
        lambda one: one[0] + epilogs[one[1].replace("\\-", "-")],
        str(page),
    )
    text = re.sub(r"(?m)^usage: .*(?:\n +.*)*", r".nf\n\g<0>\n.fi", text)
    return re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"


def _epilog(epilog: str) -> str:
    """Return a command's examples and notes, in roff; the exit codes have a section of their own."""
    examples, _, notes = epilog.removesuffix(EXIT_CODES).partition("\n\n")
    title, _, lines = examples.partition("\n")
    return f"{title}\n.RS 7\n.nf\n{_escaped(textwrap.dedent(lines))}\n.fi\n.RE\n\n{_escaped(notes)}\n"


def _escaped(text: str) -> str:
    return "".join(
        ("\\&" if line[:1] in (".", "'") else "") + line.replace("\\", "\\e").replace("-", "\\-")
        for line in text.splitlines(keepends=True)
    )


if __name__ == "__main__":
    HELP.write_text(help_texts(), "utf-8")
    MAN.write_text(man_page(), "utf-8")
