"""A Milestone and a completed prompt in one line of state.compact.yaml (formats.md, 2.2 and 2.4)."""

from __future__ import annotations

from hypo_strategies.text.yaml import NULL, Mapping, Node, Scalar, mapping, string

_PROMPT = ("prompt", "prompt_name", "name", "title", "id")
_FILES = ("prompt_file", "milestone_id", "milestone", "report_file", "report", "prompt_index")
_SCORE_MAPS = ("score_summary", "evaluation", "scores", "score")
_SCORES = frozenset({"overall", "diff_score", "code_quality", "test_coverage", "complexity", "architecture_drift"})
_FINISHED = frozenset({"done", "completed", "complete", "failed", "skipped", "deferred"})


def milestone(item: Node) -> Mapping | None:
    """Return `{id, name, status}` of a Milestone, without a key that it has not; None for an empty item.

    `title` counts as name; a scalar in place of a mapping is a name.
    """
    if not isinstance(item, Mapping):
        return None if _is_blank(item) else mapping(name=item)
    name = item.get("name")
    if name is None or _is_blank(name):
        title = item.get("title")
        name = name if title is None else title
    kept = {"id": item.get("id"), "name": name, "status": item.get("status")}
    return mapping(**{key: value for key, value in kept.items() if value is not None})


def by_importance(milestones: list[Node]) -> list[int]:
    """Return the places of Milestones: those that are not finished in their order, then the last finished first."""
    places = range(len(milestones))
    finished = [isinstance(item, Mapping) and item.text("status") in _FINISHED for item in milestones]
    return [*(at for at in places if not finished[at]), *(at for at in reversed(places) if finished[at])]


def brief(item: Node) -> Mapping:
    """Return `{prompt, status, score_summary}` of a completed prompt; null for what it does not say.

    An item with neither `status` nor `result` was completed, but how it went stands nowhere.
    """
    if not isinstance(item, Mapping):
        return mapping(prompt=item, status=NULL, score_summary=NULL)
    return mapping(
        prompt=_scalar(item, *_PROMPT) or _base_name(_scalar(item, *_FILES)) or NULL,
        status=_scalar(item, "status", "result") or NULL,
        score_summary=_scores(item) or NULL,
    )


def _scores(item: Mapping) -> Mapping | None:
    """Return the numbers among the item's scores under their own names, each as the source spells it."""
    found: dict[str, tuple[Node, Node]] = {}
    for place in (*(item.get(key) for key in _SCORE_MAPS), item):
        if not isinstance(place, Mapping):
            continue
        for key, value in place.pairs:
            if isinstance(key, Scalar) and _is_number(value) and (place is not item or _is_score(key.value)):
                found.setdefault(key.value, (key, value))
    return Mapping(list(found.values())) if found else None


def _is_score(key: str) -> bool:
    return key in _SCORES or key == "score" or key.endswith("_score")


def _is_number(node: Node) -> bool:
    """Return whether a scalar is a number, also when the source quotes it."""
    return isinstance(node, Scalar) and Scalar(node.value, "plain").number is not None


def _scalar(item: Mapping, *keys: str) -> Scalar | None:
    """Return the first value among `keys` that is a scalar which says something."""
    values = (item.get(key) for key in keys)
    return next((value for value in values if isinstance(value, Scalar) and not _is_blank(value)), None)


def _is_blank(node: Node) -> bool:
    return isinstance(node, Scalar) and (node.is_null or not node.value.strip())


def _base_name(path: Scalar | None) -> Scalar | None:
    """Return the file's name without its folders; what is no path stays as it is spelled."""
    if path is None or "/" not in path.value:
        return path
    name = path.value.rstrip("/").rpartition("/")[2]
    return string(name) if name else path
