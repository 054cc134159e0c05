"""Presence: of clients at a table, of those that other processes report, and its end."""

from __future__ import annotations

from icetable.server.table.viewers import GRACE_SECONDS, SILENCE_SECONDS, PresenceTracker

EVERYBODY = frozenset({0, 1, 2})
NOBODY = frozenset[int]()


def test_somebody_is_here_by_way_of_any_process() -> None:
    attendance = PresenceTracker()
    attendance.update(frozenset({0}), EVERYBODY, 0)
    assert attendance.here == {0}
    attendance.receive("other", (0, 1), {}, 1)
    attendance.receive("third", (2, 7), {}, 1)
    attendance.update(frozenset({0}), EVERYBODY, 1)
    assert attendance.here == {0, 1, 2}
    attendance.receive("other", (), {}, 2)
    attendance.update(NOBODY, EVERYBODY, 2)
    assert attendance.here == {2}


def test_a_process_that_is_silent_is_forgotten() -> None:
    attendance = PresenceTracker()
    attendance.receive("other", (1,), {}, 5)
    attendance.update(NOBODY, frozenset({1}), 5)
    assert attendance.next_change(5) == 5 + SILENCE_SECONDS
    attendance.update(NOBODY, frozenset({1}), 4.9 + SILENCE_SECONDS)
    assert attendance.here == {1}
    attendance.receive("other", (1,), {}, 5 + SILENCE_SECONDS)
    attendance.update(NOBODY, frozenset({1}), 5 + SILENCE_SECONDS)
    assert attendance.here == {1}
    attendance.update(NOBODY, frozenset({1}), 5 + 2 * SILENCE_SECONDS)
    assert attendance.here == NOBODY


def test_the_grace_begins_when_the_last_one_who_saw_them_is_silent() -> None:
    attendance = PresenceTracker()
    attendance.update(NOBODY, frozenset({0, 1}), 0)
    attendance.receive("other", (1,), {}, 10)
    attendance.update(NOBODY, frozenset({0, 1}), 10)
    attendance.update(NOBODY, frozenset({0, 1}), 10 + SILENCE_SECONDS)
    assert attendance.away(GRACE_SECONDS - 1) == NOBODY
    assert attendance.away(GRACE_SECONDS) == {0}
    assert attendance.next_change(GRACE_SECONDS) == 10 + SILENCE_SECONDS + GRACE_SECONDS
    assert attendance.away(10 + SILENCE_SECONDS + GRACE_SECONDS) == {0, 1}
    assert attendance.next_change(10 + SILENCE_SECONDS + GRACE_SECONDS) is None
    attendance.update(frozenset({1}), frozenset({1}), 1000)
    assert attendance.away(9999) == NOBODY
