"""What this process takes of the machine."""

from __future__ import annotations

import resource
import sys
from pathlib import Path


def rss_mb() -> float:
    """Return the memory that this process holds, in megabytes; where only the most it ever held is known, that."""
    try:
        for line in Path("/proc/self/status").read_text("ascii", "replace").splitlines():
            if line.startswith("VmRSS:"):
                return round(int(line.split()[1]) / 1024, 1)
    except (OSError, ValueError, IndexError):
        pass
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most / (1024 * 1024 if sys.platform == "darwin" else 1024), 1)
