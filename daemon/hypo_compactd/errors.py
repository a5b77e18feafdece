"""The errors that end a command, each with its exit code.

`str(error)` is the sentence for the user in English; `error.phrase` is what the catalogue of messages
makes the Chinese one from.
"""

from __future__ import annotations

from hypo_strategies.text.phrase import Phrase, phrase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hypo_strategies.text.phrase import Value


class ExitCode:
    """What the program's exit status says (the numbers above 63 are those of sysexits.h)."""

    OK = 0
    UNEXPECTED = 1
    STALE = 3
    NEEDS_REVIEW = 4
    USAGE = 64
    BAD_INPUT = 65
    BUSY = 69
    BAD_CONFIGURATION = 78


def exit_codes() -> tuple[int, ...]:
    """Return every exit code; an enumeration would tell, but hooks wait for the import of `enum`."""
    return tuple(code for name, code in vars(ExitCode).items() if name.isupper())


class CompactdError(Exception):
    """The base of all errors that are reported without a traceback.

    Args:
        text: what is wrong, where, and what to do, with `{places}`; literally what stands in the
            catalogue (`messages.translated`).
        values: what stands in the places, printable; of another error its own sentence.

    Attributes:
        phrase: both.
    """

    exit_code: int = ExitCode.UNEXPECTED

    def __init__(self, text: str, /, **values: Value | CompactdError) -> None:
        super().__init__(text)
        said = {name: value.phrase if isinstance(value, CompactdError) else value for name, value in values.items()}
        self.phrase: Phrase = Phrase(text, tuple(said.items()))

    def __str__(self) -> str:
        """Return the sentence in English."""
        return str(self.phrase)


class InputError(CompactdError):
    """What was given cannot be worked on: no project there, a folder that cannot be read."""

    exit_code = ExitCode.BAD_INPUT


class RootError(InputError):
    """`.pipeline/` is gone, empty or cannot be read: nothing is done until it is back."""


class BusyError(CompactdError):
    """Another process holds the project."""

    exit_code = ExitCode.BUSY


class ConfigurationError(CompactdError):
    """A configuration file cannot be read at all, so nothing is known of what it asks for."""

    exit_code = ExitCode.BAD_CONFIGURATION


class RefusedError(CompactdError):
    """A path is not what it must be (a symbolic link out of the project, a FIFO, too large)."""

    exit_code = ExitCode.BAD_INPUT


class TooLargeError(RefusedError):
    """A file is larger than what may be read of it."""


class ShortageError(CompactdError):
    """No more files can be opened, or there is no memory: nothing is known of the sources then."""


class UnstableError(CompactdError):
    """A file changed while it was read; another look is needed."""


def origin(error: Exception) -> Phrase:
    """Return an unexpected error's kind and where it was raised: its own text could hold content of a source."""
    import traceback  # noqa: PLC0415 - 5 ms that only a bug needs
    from pathlib import PurePath  # noqa: PLC0415 - as above

    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return phrase("{error}; please report it", error=type(error).__name__)
    place = f"{PurePath(frames[-1].filename).name}:{frames[-1].lineno}"
    return phrase("{error} at {place}; please report it", error=type(error).__name__, place=place)
