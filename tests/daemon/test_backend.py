from __future__ import annotations

from hypo_compactd.backend import RETRY_S, Backend, Poll
from hypo_compactd.status import Standing
from hypo_strategies.text.phrase import Phrase

FULL = Phrase("the user's limit of inotify watches is reached: raise fs.inotify.max_user_watches")


def test_a_project_whose_every_folder_is_watched_is_ok_and_not_polled() -> None:
    backend = Backend()
    backend.watched(5, {}, 0, 100)

    assert backend.standing() == (Standing.OK, None)
    assert (backend.held, backend.wanted, backend.polls) == (5, 5, False)


def test_folders_that_cannot_be_watched_are_polled_and_named() -> None:
    backend = Backend()
    backend.watched(5, {"/p/reports": FULL, "/p/archives": FULL}, 0, 100)
    standing, reason = backend.standing()

    assert standing is Standing.PARTIAL
    assert "2 of 5 folders" in str(reason)
    assert "/p/reports" in str(reason)
    assert "fs.inotify.max_user_watches" in str(reason)
    assert (backend.held, backend.polls) == (3, True)
    assert backend.native(100)


def test_folders_beyond_the_limit_of_one_project_are_polled() -> None:
    backend = Backend()
    backend.watched(32, {}, 8, 100)
    standing, reason = backend.standing()

    assert standing is Standing.PARTIAL
    assert "8 of 40 folders" in str(reason)
    assert (backend.held, backend.wanted, backend.polls) == (32, 40, True)


def test_a_project_of_which_nothing_can_be_watched_polls_and_tries_again_later() -> None:
    backend = Backend()
    backend.watched(2, {"/p": FULL, "/p/.pipeline": FULL}, 0, 100)
    standing, reason = backend.standing()

    assert standing is Standing.POLLING
    assert str(reason).startswith(str(FULL))
    assert (backend.held, backend.polls) == (0, True)
    assert not backend.native(100 + RETRY_S - 1)
    assert backend.native(100 + RETRY_S)

    backend.watched(2, {}, 0, 100 + RETRY_S)
    assert backend.standing() == (Standing.OK, None)


def test_a_silent_file_system_is_polled_until_the_project_is_on_another_one() -> None:
    backend = Backend()
    backend.give_up(Phrase("silent"), 100, again=False)

    assert backend.standing()[0] is Standing.POLLING
    assert not backend.native(1e9)
    backend.forget()
    assert backend.native(100)


def test_who_asks_for_polling_always_gets_no_native_events() -> None:
    backend = Backend(Poll.ALWAYS)

    assert not backend.native(100)
    assert (backend.held, backend.polls) == (0, True)
    assert backend.standing()[0] is Standing.POLLING


def test_who_asks_never_to_poll_gets_the_sweep_where_folders_cannot_be_watched() -> None:
    backend = Backend(Poll.NEVER)
    backend.watched(3, {"/p/reports": FULL}, 0, 100)
    standing, reason = backend.standing()

    assert backend.native(100)
    assert (backend.held, backend.polls) == (2, False)
    assert standing is Standing.PARTIAL
    assert "by the sweep only" in str(reason)


def test_never_to_poll_does_not_say_polling_where_nothing_is_watched() -> None:
    backend = Backend(Poll.NEVER)
    backend.watched(1, {"/p": FULL}, 0, 100)

    assert backend.standing()[0] is Standing.PARTIAL
    assert not backend.polls
