"""The clocks that people are shown, without a network or a clock."""

from __future__ import annotations

import pytest

from icetable.server import messages
from icetable.server.table.clock import MAX_LAG_MS
from icetable.server.table.viewers import Viewer

from .table_states import NOW, Table, bot, person

GAME = messages.Clock("game", 60, 5)
ACT = messages.Clock("act", 30, 0)


def act(table: Table, at: int) -> None:
    """Some legal act, so many milliseconds after the table was opened."""
    table.time = at
    table.any_act()


def offer(table: Table, what: str, at: int) -> None:
    """Something that both players, at one screen, want."""
    table.time = at
    assert table.ask(table.everybody, messages.Offer, what) is None


def shown(table: Table, at: int) -> tuple[list[int], list[int]]:
    table.time = at
    clocks = table.clocks(0)
    return clocks.left, clocks.running


def test_the_clock_of_who_is_to_act_runs_from_the_first_act_on() -> None:
    table = Table("icefrogs", clock=GAME)
    assert shown(table, 9_000) == ([60_000, 60_000], [])
    act(table, 10_000)
    assert shown(table, 10_000) == ([60_000, 60_000], [1])
    assert shown(table, 17_000) == ([60_000, 53_000 + MAX_LAG_MS], [1])
    act(table, 17_000)
    assert shown(table, 20_000) == ([57_000 + MAX_LAG_MS, 58_000 + MAX_LAG_MS], [0])
    assert shown(table, 99_000) == ([0, 58_000 + MAX_LAG_MS], [0])


def test_a_clock_for_each_act_begins_anew() -> None:
    table = Table("icefrogs", clock=ACT)
    act(table, 0)
    act(table, 20_000)
    assert shown(table, 21_000) == ([29_000 + MAX_LAG_MS, 30_000], [0])


def test_in_a_pause_every_clock_stands_where_it_was() -> None:
    table = Table("icefrogs", clock=GAME)
    act(table, 0)
    offer(table, "pause", 7_000)
    assert shown(table, 7_000) == shown(table, 90_000) == ([60_000, 53_000 + MAX_LAG_MS], [])
    offer(table, "resume", 100_000)
    assert shown(table, 100_000) == ([60_000, 53_000 + MAX_LAG_MS], [1])
    assert shown(table, 103_000) == ([60_000, 50_000 + MAX_LAG_MS], [1])


@pytest.mark.parametrize("clock", [GAME, ACT])
def test_the_end_by_time_shows_who_had_none_left(clock: messages.Clock) -> None:
    table = Table("icefrogs", clock=clock)
    act(table, 0)
    assert table.state.overdue(NOW + clock.seconds * 1000) is None  # what is on its way may yet come
    table.wait(clock.seconds * 1000 + 2 * MAX_LAG_MS + 1)
    table.time = 10**9
    frame = table.views.frame(table.viewer(0))
    assert frame.clocks == messages.Clocks([clock.seconds * 1000, 0], [])
    assert (frame.view["over"], frame.view["winners"]) == (True, [0])


def test_the_end_by_agreement_shows_what_everybody_had_left() -> None:
    table = Table("icefrogs", clock=GAME)
    act(table, 0)
    offer(table, "draw", 4_000)
    assert shown(table, 10**9) == ([60_000, 56_000 + MAX_LAG_MS], [])


def test_no_clock_runs_for_a_bot() -> None:
    table = Table("icefrogs", person(), bot(), clock=GAME)
    act(table, 0)
    assert shown(table, 50_000) == ([60_000, 60_000], [])


def test_without_a_clock_nothing_is_shown() -> None:
    assert "clocks" not in messages.write(Table("icefrogs").views.welcome(Viewer())).decode()
