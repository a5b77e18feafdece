"""The service that keeps the listed projects; pure."""

from __future__ import annotations

from hypo_compactd.doctor.facts import Machine
from hypo_compactd.doctor.hindrance import Hindrance
from hypo_compactd.messages import printable

_INSTALL = "hypo-compactd service install"

_LOOK = {"systemd": ("systemctl --user status hypo-compactd.service",)}


def service(machine: Machine) -> list[Hindrance]:
    """Check that an installed service is this version's, can start, does so at login, and keeps what is listed."""
    one = machine.service
    if one is None:
        return []
    file = printable(one.file)
    if not one.present:
        values = {"file": file, "interpreter": printable(one.interpreter)}
        return [Hindrance("doctor_interpreter", values, (_INSTALL,))]
    found = [Hindrance("doctor_old_service", {"file": file}, (_INSTALL,))] if one.outdated else []
    look = _LOOK.get(one.manager, ())
    # A service that does not run has not started the daemons that do; it cannot start while one of them keeps all.
    others = () if one.state not in {"failed", "inactive"} else machine.keepers
    ended = (f"kill {' '.join(map(str, others))}",) if others else ()
    if one.state == "failed" and others:
        values = {"file": file, "pids": ", ".join(map(str, others))}
        found.append(Hindrance("doctor_failed_service_kept", values, (*look, *ended, _INSTALL)))
    elif one.state == "failed":
        found.append(Hindrance("doctor_failed_service", {"file": file}, (*look, _INSTALL)))
    elif one.enabled is False:
        found.append(Hindrance("doctor_disabled_service", {"file": file}, (*ended, _INSTALL)))
    elif machine.kept is False:
        found.append(Hindrance("doctor_idle_service", {"file": file}, (*look, _INSTALL)))
    return found
