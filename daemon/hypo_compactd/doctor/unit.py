"""What an installed unit or agent says, read back from its text; pure."""

from __future__ import annotations

import plistlib
import re
from typing import Any
from xml.parsers.expat import ExpatError

from hypo_compactd import typed
from hypo_compactd.service import CARRIED, LOCALE, ServiceError, launchd_agent, systemd_unit

_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')


def interpreter(text: str) -> str:
    """Return the Python that a unit or an agent of ours starts, "" where it does not say."""
    if _is_agent(text):
        try:
            words = typed.items(_agent(text).get("ProgramArguments"))
        except (TypeError, ValueError):
            return ""
    else:
        line = next((line for line in text.split("\n") if line.startswith("ExecStart=")), "")
        words = _words(line.removeprefix("ExecStart="))
    # What is named before Python's own options; it stands behind a shell where systemd cannot start it by itself.
    before = [word for word in words[: words.index("-m")] if word != "-P"] if "-m" in words else words[:1]
    return str(before[-1]).removeprefix(":") if before else ""


def environment(text: str) -> dict[str, str]:
    """Return the variables of an installing shell that a unit or an agent of ours gives the daemon."""
    if _is_agent(text):
        given = _agent(text).get("EnvironmentVariables")
        pairs = [(str(name), str(value)) for name, value in given.items()] if isinstance(given, dict) else []
    else:
        lines = [line.removeprefix("Environment=") for line in text.split("\n") if line.startswith("Environment=")]
        pairs = [(word.partition("=")[0], word.partition("=")[2]) for line in lines for word in _words(line)]
    return {name: value for name, value in pairs if name in (*CARRIED, *LOCALE)}


def outdated(text: str, home: str) -> bool:
    """Return whether a unit or an agent is other than what this version writes for the same Python and variables.

    Args:
        text: what stands in its file.
        home: the user's home folder.
    """
    python, variables = interpreter(text), environment(text)
    try:
        if _is_agent(text):
            return text != launchd_agent(python, home, variables)
        return text != systemd_unit(python, variables)
    except ServiceError:
        return True


def _is_agent(text: str) -> bool:
    return text.lstrip().startswith("<?xml")


def _agent(text: str) -> dict[str, Any]:
    try:
        agent = plistlib.loads(text.encode("utf-8", "surrogateescape"))
    except (ExpatError, plistlib.InvalidFileException, ValueError, TypeError, AttributeError):
        return {}
    return agent if isinstance(agent, dict) else {}


def _words(line: str) -> list[str]:
    """Return the words of a line in a unit (systemd.syntax(7), Quoting)."""
    return [
        re.sub(r"\\(.)", r"\1", quoted).replace("%%", "%") if quoted else plain for quoted, plain in _WORD.findall(line)
    ]
