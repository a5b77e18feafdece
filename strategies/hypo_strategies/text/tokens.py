"""An estimate of the tokens that a text costs in a model's context."""

from __future__ import annotations

from typing import NamedTuple

from hypo_strategies.text.difference import common_prefix, common_suffix

_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_DIGITS = b"0123456789"
_SPACES = b" \t\r\n\v\f"
_NOT_ASCII = bytes(range(128, 256))


class Counts(NamedTuple):
    """How many bytes of each class a text has."""

    letters: int
    digits: int
    spaces: int
    others: int
    beyond: int
    """Bytes of characters beyond ASCII: three for a Chinese one."""

    @property
    def estimate(self) -> int:
        """About how many tokens that is: each class has the mean weight that it has in four public tokenizers.

        The weights are 0.13 for a letter, 0.65 for a digit, 0.35 for white space, 1.0 for another ASCII character and
        0.30 for a byte beyond ASCII. On the 150 Markdown and YAML files of 300 bytes and more of four real projects
        the estimate differs from OpenAI's o200k_base by 8.2 % on average and 19.9 % at most, from cl100k_base by 6.6 %
        and 20.1 %. It serves to compare a source with its view; no two models count alike.
        """
        return round(
            0.13 * self.letters + 0.65 * self.digits + 0.35 * self.spaces + 1.0 * self.others + 0.30 * self.beyond
        )

    def plus(self, other: Counts, times: int = 1) -> Counts:
        """Return the counts with those of another text added, or taken away where `times` is -1."""
        return Counts(*(mine + times * its for mine, its in zip(self, other, strict=True)))


def counts(data: bytes) -> Counts:
    """Return how many bytes of each class a text has (UTF-8)."""
    letters = len(data) - len(data.translate(None, _LETTERS))
    digits = len(data) - len(data.translate(None, _DIGITS))
    spaces = len(data) - len(data.translate(None, _SPACES))
    beyond = len(data) - len(data.translate(None, _NOT_ASCII))
    return Counts(letters, digits, spaces, len(data) - letters - digits - spaces - beyond, beyond)


def counts_after(before: Counts, old: bytes, new: bytes) -> Counts:
    """Return the counts of a text of which only a part has changed, for what counting that part costs.

    Args:
        before: the counts of the old text.
        old: the text that it was.
        new: the text that it is.
    """
    begin = common_prefix(old, new)
    end = common_suffix(old, new, least=begin)
    gone, come = old[begin : len(old) - end], new[begin : len(new) - end]
    return before.plus(counts(gone), -1).plus(counts(come))


def estimate(data: bytes) -> int:
    """Return about how many tokens `data` (UTF-8 text) is; how good that is says `Counts.estimate`."""
    return counts(data).estimate
