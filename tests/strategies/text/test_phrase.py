from __future__ import annotations

import copy
import pickle
import re

from hypothesis import given
from hypothesis import strategies as st

from hypo_strategies.text.phrase import Phrase, filled, phrase, places

PLACE = re.compile(r"\{([a-z_]+)\}")
templates = st.lists(st.sampled_from(["{", "}", "a", "{a}", "{b_c}", "{A}", "{}", " ", "不"]), max_size=8).map("".join)


@given(templates)
def test_places_are_names_in_braces(template: str) -> None:
    assert places(template) == frozenset(PLACE.findall(template))


@given(templates, st.dictionaries(st.sampled_from(["a", "b_c", "d"]), st.text(alphabet="x{}a", max_size=4)))
def test_a_template_is_filled_once_and_what_has_no_value_stays(template: str, values: dict[str, str]) -> None:
    expected = PLACE.sub(lambda place: values.get(place[1], place[0]), template)

    assert filled(template, tuple(values.items())) == expected


def test_a_phrase_is_a_tuple_of_its_template_and_values() -> None:
    said = phrase("{path}: {reason}", path="a", reason=phrase("no such file"))

    assert tuple(said) == ("{path}: {reason}", (("path", "a"), ("reason", ("no such file", ()))))
    assert (str(said), said.text, len({said, Phrase(said.text, said.values)})) == (
        "a: no such file",
        "{path}: {reason}",
        1,
    )
    assert copy.deepcopy(said) == pickle.loads(pickle.dumps(said)) == said  # noqa: S301 - our own
    assert isinstance(copy.copy(said), Phrase)
