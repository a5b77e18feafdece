"""The command `service`: the daemon as a service of the user's, with systemd or launchd."""

from __future__ import annotations

import argparse
import os
import sys
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
        notes="After an upgrade that moved the program, or when a variable was set that says where its files are, "
        "install once more.",
    )
    one.add_argument("action", choices=ACTIONS, help="what to do")
    one.add_argument(
        "--manager", choices=MANAGERS, help="who keeps it running (default: launchd on macOS, systemd elsewhere)"
    )
    one.add_argument("--no-start", action="store_true", help="install: only for the next login, do not start it now")
    one.add_argument("--force", action="store_true", help="install: write over a file that this program has not made")
    which = one.add_mutually_exclusive_group()
    which.add_argument("--template", action="store_true", help="show: the systemd unit for a single project")
    which.add_argument(
        "--strict",
        action="store_true",
        help="show: a drop-in for systemd by which the daemon can write in a few folders only",
    )


def service(arguments: argparse.Namespace) -> int:
    """Install, uninstall or show the service."""
    from hypo_compactd import canary_file
    from hypo_compactd.language import language_of
    from hypo_compactd.service import Manager

    manager = Manager(arguments.manager or ("launchd" if sys.platform == "darwin" else "systemd"))
    for option, action in (("no_start", "install"), ("force", "install"), ("template", "show"), ("strict", "show")):
        if getattr(arguments, option) and arguments.action != action:
            said = phrase("{option} belongs to {action}", option=f"--{option.replace('_', '-')}", action=action)
            return usage("service", said, language_of())
    if (arguments.template or arguments.strict) and manager is not Manager.SYSTEMD:
        option = "--strict" if arguments.strict else "--template"
        return usage("service", phrase("{option} is for systemd", option=option), language_of())
    if arguments.action == "show":
        print(_strict() if arguments.strict else _text(manager, template=arguments.template), end="")
        return ExitCode.OK
    one = _of(manager)
    if arguments.action == "install":
        done = one.install(_text(manager), start=not arguments.no_start, force=arguments.force)
    else:
        done = one.uninstall()
        canary_file.sweep()
    print(message(f"service_{done}", language_of(), path=printable(os.fspath(one.file))))
    return ExitCode.OK


def _text(manager: Any, *, template: bool = False) -> str:
    """Return the unit or agent for the Python that runs this: in a virtual environment its link, which knows of it."""
    from hypo_compactd import paths, registry
    from hypo_compactd.service import Manager, carried, launchd_agent, systemd_unit

    # What the daemon could not be told would have it look elsewhere than the commands do; both say so.
    paths.state_dir()
    registry.file()
    environment = carried(os.environ)
    if manager is Manager.SYSTEMD:
        return systemd_unit(sys.executable or "", environment, template=template)
    return launchd_agent(sys.executable or "", os.fspath(paths.home()), environment)


def _strict() -> str:
    from hypo_compactd.paths import state_dir
    from hypo_compactd.service import strict_drop_in

    return strict_drop_in(os.fspath(state_dir()))


def _of(manager: Any) -> Any:
    from hypo_compactd.paths import home
    from hypo_compactd.service import Manager
    from hypo_compactd.service_manager import Launchd, Systemd

    return Systemd(home(), os.environ) if manager is Manager.SYSTEMD else Launchd(home(), os.getuid())
