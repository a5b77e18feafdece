"""The command `service`: the daemon as a service of the user's, with systemd or launchd."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from hypo_compactd.console import add_command, usage
from hypo_compactd.errors import ExitCode
from hypo_compactd.messages import message, printable
from hypo_strategies.text.phrase import phrase

ACTIONS = ("install", "uninstall", "show")
MANAGERS = ("systemd", "launchd")


def add(commands: Any) -> None:
    """Add the command to the parser of all."""
    one = add_command(
        commands,
        "service",
        service,
        summary="let systemd or launchd keep the daemon running",
        description="Install the daemon as a service of this user's, which keeps every registered project from login "
        "to logout; uninstall it; or show the unit or agent that install would write, and change nothing.",
        examples="hypo-compactd service install\nhypo-compactd service show --template",
    )
    one.add_argument("action", choices=ACTIONS, help="what to do")
    one.add_argument(
        "--manager", choices=MANAGERS, help="who keeps it running (default: launchd on macOS, systemd elsewhere)"
    )
    one.add_argument("--no-start", action="store_true", help="install: only for the next login, do not start it now")
    one.add_argument("--force", action="store_true", help="install: write over a file that this program has not made")
    one.add_argument("--template", action="store_true", help="show: the systemd unit for a single project")


def service(arguments: argparse.Namespace) -> int:
    """Install, uninstall or show the service."""
    from hypo_compactd.language import language_of
    from hypo_compactd.service import Manager

    manager = Manager(arguments.manager or ("launchd" if sys.platform == "darwin" else "systemd"))
    for option, action in (("no_start", "install"), ("force", "install"), ("template", "show")):
        if getattr(arguments, option) and arguments.action != action:
            said = phrase("{option} belongs to {action}", option=f"--{option.replace('_', '-')}", action=action)
            return usage("service", said, language_of())
    if arguments.template and manager is not Manager.SYSTEMD:
        return usage("service", phrase("--template is for systemd"), language_of())
    if arguments.action == "show":
        print(_text(manager, template=arguments.template), end="")
        return ExitCode.OK
    one = _of(manager)
    if arguments.action == "install":
        done = one.install(_text(manager), start=not arguments.no_start, force=arguments.force)
    else:
        done = one.uninstall()
    print(message(f"service_{done}", language_of(), path=printable(os.fspath(one.file))))
    return ExitCode.OK


def _text(manager: Any, *, template: bool = False) -> str:
    """Return the unit or agent for the Python that runs this: in a virtual environment its link, which knows of it."""
    from hypo_compactd.service import Manager, carried, launchd_agent, systemd_unit

    environment = carried(os.environ)
    if manager is Manager.SYSTEMD:
        return systemd_unit(sys.executable or "", environment, template=template)
    return launchd_agent(sys.executable or "", os.fspath(_home()), environment)


def _of(manager: Any) -> Any:
    from hypo_compactd.service import Manager
    from hypo_compactd.service_manager import Launchd, Systemd

    return Systemd(_home(), os.environ) if manager is Manager.SYSTEMD else Launchd(_home(), os.getuid())


def _home() -> Path:
    from hypo_compactd.paths import global_configuration

    return global_configuration().parents[1]  # it says what to do where there is no home
