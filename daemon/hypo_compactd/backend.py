"""How one project learns of changes, natively or by polling: pure, with the time passed in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from hypo_compactd.status import Standing
from hypo_strategies.text.phrase import Phrase, phrase

RETRY_S = 300.0
"""How long after native events were given up they are tried again (watching.md, case 15)."""

POLL_LEAST_S = 1.0
POLL_MOST_S = 5.0
"""How often a project is polled: the less often, the longer nothing has changed in it."""

_POLLED = phrase("looked at every second or a little less often")
_SWEPT = phrase("looked at by the sweep only")
"""What is done with files of which no native events come."""


class Poll(StrEnum):
    """Whether projects are polled: where no native events come, always, or never."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(slots=True)
class Backend:
    """One project's; times are seconds of any monotonic clock.

    Attributes:
        poll: what the user asked for.
        refused: why there are no native events for the project at all, None when there are.
        gaps: by folder: why it is not watched though others are.
        beyond: how many folders are not watched since one project may have only so many.
        wanted: how many folders should be watched.
    """

    poll: Poll = Poll.AUTO
    refused: Phrase | None = None
    gaps: Mapping[str, Phrase] = field(default_factory=dict)
    beyond: int = 0
    wanted: int = 0
    _retry: float | None = None

    def native(self, now: float) -> bool:
        """Return whether native events are to be asked for."""
        if self.poll is Poll.ALWAYS:
            return False
        return not self.refused or (self._retry is not None and now >= self._retry)

    def give_up(self, reason: Phrase, now: float, *, again: bool = True) -> None:
        """Note that native events are of no use, and whether to try them again later."""
        self.refused = reason
        self.gaps = {}
        self._retry = now + RETRY_S if again else None

    def forget(self) -> None:
        """Forget why native events were given up: the project is on another file system, or somebody asks."""
        self.refused = None

    def watched(self, wanted: int, failed: Mapping[str, Phrase], beyond: int, now: float) -> None:
        """Note what became of the folders that were asked for, those beyond the limit not among them."""
        self.wanted, self.beyond = wanted + beyond, beyond
        if failed and len(failed) >= wanted:
            self.give_up(next(iter(failed.values())), now)
        else:
            self.refused, self.gaps, self._retry = None, dict(failed), None

    @property
    def held(self) -> int:
        """How many folders are watched."""
        if self.refused or self.poll is Poll.ALWAYS:
            return 0
        return self.wanted - self.beyond - len(self.gaps)

    @property
    def polls(self) -> bool:
        """Whether the files must be looked at every second or a little less often."""
        if self.poll is Poll.AUTO:
            return bool(self.refused or self.gaps or self.beyond)
        return self.poll is Poll.ALWAYS

    def standing(self) -> tuple[str, Phrase | None]:
        """Return how the project is kept, and why it is not `ok`."""
        instead = _POLLED if self.polls else _SWEPT
        if self.poll is Poll.ALWAYS:
            return Standing.POLLING, phrase("as asked for by --poll always")
        if self.refused:
            reason = phrase("{reason}; its files are {instead}", reason=self.refused, instead=instead)
            return (Standing.POLLING if self.polls else Standing.PARTIAL), reason
        if self.gaps:
            folder, why = next(iter(self.gaps.items()))
            return Standing.PARTIAL, phrase(
                "{count} of {wanted} folders are not watched, the first is {folder}: {reason}; they are {instead}",
                count=len(self.gaps) + self.beyond,
                wanted=self.wanted,
                folder=folder,
                reason=why,
                instead=instead,
            )
        if self.beyond:
            return Standing.PARTIAL, phrase(
                "{count} of {wanted} folders are not watched, as a project may have {most}; they are {instead}",
                count=self.beyond,
                wanted=self.wanted,
                most=self.wanted - self.beyond,
                instead=instead,
            )
        return Standing.OK, None
