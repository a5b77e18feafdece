"""Which rejected items say what was rejected, and nothing that holds; pure.

These alone may be left out (compact-context, Remove): a reason, what is done in its place or a rule stays.
"""

from __future__ import annotations

import re

from hypo_strategies.handoff import words
from hypo_strategies.handoff._payload import is_untrusted
from hypo_strategies.handoff._units import Texts, Unit
from hypo_strategies.handoff.model import Kind

_MORE = re.compile(
    r"[.!?;:,][\s*_]+\S|[。！？；：，、…].|[\n()（）\[\]【】]|\s[—–-]+\s|—|[-=]>|[→⇒]"
    r"|[\u0e00-\u0e7f]\s+[\u0e00-\u0e7f]|(?i:\b(?:in\s+favou?r|replaced|but|so|keep|use|now|because|since|while|whereas|as|due|instead)\b)"
    r"|代わり|ため|ので|から|因为|因為|改用|所以|由于|แทน|เพราะ|ให้|เนื่องจาก"
)
"""What may begin a second thought; Thai sentences have no more than a blank between them."""


def is_mere_proposal(unit: Unit, texts: Texts) -> bool:
    """Return whether a rejected item says what was rejected, and nothing that holds."""
    said = unit.said
    return not (
        is_untrusted(unit)
        or unit.context
        or unit.mark
        or unit.item.speaker
        or words.prohibits(said)
        or words.negations(said)
        or words.modals(said)
        or _MORE.search(said.rstrip(" .。!！"))
        or not all(kind is Kind.NAME or (kind is Kind.CODE and " " not in key) for kind, key in texts.keys(unit))
    )
