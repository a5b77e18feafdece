"""Phrases for properties: with places and without, and phrases inside each other."""

from __future__ import annotations

from hypothesis import strategies as st

from hypo_strategies.api import Finding
from hypo_strategies.text.phrase import Phrase, phrase

phrases = st.recursive(
    st.text(st.characters()).map(Phrase),
    lambda inner: st.builds(
        lambda first, second: phrase("{first}; {second}", first=first, second=second),
        inner | st.text(st.characters()),
        inner | st.integers(),
    ),
    max_leaves=4,
)

findings = st.builds(
    Finding,
    st.text(st.characters()),
    phrases,
    st.none() | st.integers(),
    st.none() | st.integers(),
    st.sampled_from(["error", "warning"]),
)
