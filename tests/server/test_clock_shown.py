"""The clocks that people are shown, without a network or a clock."""

from __future__ import annotations

import pytest

from icetable.games import load
from icetable.server import messages
from icetable.server.table.clock import MAX_LAG_MS
from icetable.server.table.judge import Judge
from icetable.server.table.log import Entry
from icetable.server.table.setup import create_setup
from icetable.server.table.state import TableState
from icetable.server.table.viewers import Viewer

from .table_states import views

NOW = 1_000_000
GAME = messages.Clock("game", 60, 5)
ACT = messages.Clock("act", 30, 0)


def founded(clock: messages.Clock, *names: str) -> tuple[TableState, Viewer]:
    """A table with a clock, and who holds every seat of it; seats without a name are bots'."""
    seats = [
        messages.SeatRequest("person" if name else "bot", name or "Robot", None if name else "easy") for name in names
    ]
    game = load("icefrogs", players=len(seats))
    request = messages.TableRequest("icefrogs", messages.Options({}), seats, clock=clock)
    setup, created = create_setup(request, game, ["easy"], NOW)
    table_state = TableState(setup, game)
    return table_state, table_state.viewer(created.codes.values())


def do(table_state: TableState, viewer: Viewer, request: messages.Request, after: int) -> None:
    """Ask for something so many milliseconds after the table was opened; it is granted."""
    entry = Judge(table_state).judge(viewer, request, NOW + after)
    assert isinstance(entry, Entry), entry
    table_state.append(entry)


def act(table_state: TableState, viewer: Viewer, after: int) -> None:
    (seat,) = table_state.to_act
    do(
        table_state,
        viewer,
        messages.Act(f"{table_state.entries}", seat, str(table_state.position.legal_actions(seat)[0])),
        after,
    )


def offer(table_state: TableState, viewer: Viewer, what: str, after: int) -> None:
    do(table_state, viewer, messages.Offer(f"{table_state.entries}", what), after)  # type: ignore[arg-type]


def shown(table_state: TableState, viewer: Viewer, after: int) -> tuple[list[int], list[int]]:
    clocks = views(table_state, NOW + after).frame(viewer).clocks
    assert isinstance(clocks, messages.Clocks)
    return clocks.left, clocks.running


def test_the_clock_of_who_is_to_act_runs_from_the_first_act_on() -> None:
    table_state, both = founded(GAME, "Ann", "Bob")
    assert shown(table_state, both, 9_000) == ([60_000, 60_000], [])
    act(table_state, both, 10_000)
    assert shown(table_state, both, 10_000) == ([60_000, 60_000], [1])
    assert shown(table_state, both, 17_000) == ([60_000, 53_000 + MAX_LAG_MS], [1])
    act(table_state, both, 17_000)
    assert shown(table_state, both, 20_000) == ([57_000 + MAX_LAG_MS, 58_000 + MAX_LAG_MS], [0])
    assert shown(table_state, both, 99_000) == ([0, 58_000 + MAX_LAG_MS], [0])


def test_a_clock_for_each_act_begins_anew() -> None:
    table_state, both = founded(ACT, "Ann", "Bob")
    act(table_state, both, 0)
    act(table_state, both, 20_000)
    assert shown(table_state, both, 21_000) == ([29_000 + MAX_LAG_MS, 30_000], [0])


def test_in_a_pause_every_clock_stands_where_it_was() -> None:
    table_state, both = founded(GAME, "Ann", "Bob")
    act(table_state, both, 0)
    offer(table_state, both, "pause", 7_000)
    assert shown(table_state, both, 7_000) == shown(table_state, both, 90_000) == ([60_000, 53_000 + MAX_LAG_MS], [])
    offer(table_state, both, "resume", 100_000)
    assert shown(table_state, both, 100_000) == ([60_000, 53_000 + MAX_LAG_MS], [1])
    assert shown(table_state, both, 103_000) == ([60_000, 50_000 + MAX_LAG_MS], [1])


@pytest.mark.parametrize("clock", [GAME, ACT])
def test_the_end_by_time_shows_who_had_none_left(clock: messages.Clock) -> None:
    table_state, both = founded(clock, "Ann", "Bob")
    act(table_state, both, 0)
    assert table_state.overdue(NOW + clock.seconds * 1000) is None  # what is on its way may yet come
    end = table_state.overdue(NOW + clock.seconds * 1000 + 2 * MAX_LAG_MS + 1)
    assert end is not None
    table_state.append(end)
    frame = views(table_state, NOW + 10**9).frame(both)
    assert frame.clocks == messages.Clocks([clock.seconds * 1000, 0], [])
    assert (frame.view["over"], frame.view["winners"]) == (True, [0])


def test_the_end_by_agreement_shows_what_everybody_had_left() -> None:
    table_state, both = founded(GAME, "Ann", "Bob")
    act(table_state, both, 0)
    offer(table_state, both, "draw", 4_000)
    assert shown(table_state, both, 10**9) == ([60_000, 56_000 + MAX_LAG_MS], [])


def test_no_clock_runs_for_a_bot() -> None:
    table_state, ann = founded(GAME, "Ann", "")
    act(table_state, ann, 0)
    assert shown(table_state, ann, 50_000) == ([60_000, 60_000], [])


def test_without_a_clock_nothing_is_shown() -> None:
    game = load("icefrogs", players=2)
    seats = [messages.SeatRequest("person", name, None) for name in ("Ann", "Bob")]
    setup, _ = create_setup(messages.TableRequest("icefrogs", messages.Options({}), seats), game, [], NOW)
    assert "clocks" not in messages.write(views(TableState(setup, game)).welcome(Viewer())).decode()
