"""What of their clocks people are shown, without a network or a clock."""

from __future__ import annotations

import pytest

from icetable.core.registry import load
from icetable.table import wire
from icetable.table.charter import draw_up
from icetable.table.rooms import Entry, Room, Viewer
from icetable.table.timing import LAG

from .gates import gate

NOW = 1_000_000
GAME = wire.Clock("game", 60, 5)
ACT = wire.Clock("act", 30, 0)


def founded(clock: wire.Clock, *names: str) -> tuple[Room, Viewer]:
    """A table with a clock, and who holds every seat of it; seats without a name are bots'."""
    seats = [wire.SeatRequest("person" if name else "bot", name or "Robot", None if name else "easy") for name in names]
    game = load("icefrogs", players=len(seats))
    request = wire.TableRequest("icefrogs", wire.Options({}), seats, clock=clock)
    charter, created = draw_up(request, game, ["easy"], NOW)
    room = Room(charter, game)
    return room, room.viewer(created.codes.values())


def do(room: Room, viewer: Viewer, request: wire.Request, after: int) -> None:
    """Ask for something so many milliseconds after the table was opened; it is granted."""
    entry = room.judge(viewer, request, NOW + after)
    assert isinstance(entry, Entry), entry
    room.take(entry)


def act(room: Room, viewer: Viewer, after: int) -> None:
    (seat,) = room.to_act
    do(room, viewer, wire.Act(f"{room.entries}", seat, str(room.state.legal_actions(seat)[0])), after)


def offer(room: Room, viewer: Viewer, what: str, after: int) -> None:
    do(room, viewer, wire.Offer(f"{room.entries}", what), after)  # type: ignore[arg-type]


def shown(room: Room, viewer: Viewer, after: int) -> tuple[list[int], list[int]]:
    clocks = gate(room, NOW + after).frame(viewer).clocks
    assert isinstance(clocks, wire.Clocks)
    return clocks.left, clocks.running


def test_the_clock_of_who_is_to_act_runs_from_the_first_act_on() -> None:
    room, both = founded(GAME, "Ann", "Bob")
    assert shown(room, both, 9_000) == ([60_000, 60_000], [])
    act(room, both, 10_000)
    assert shown(room, both, 10_000) == ([60_000, 60_000], [1])
    assert shown(room, both, 17_000) == ([60_000, 53_000 + LAG], [1])
    act(room, both, 17_000)
    assert shown(room, both, 20_000) == ([57_000 + LAG, 58_000 + LAG], [0])
    assert shown(room, both, 99_000) == ([0, 58_000 + LAG], [0])


def test_a_clock_for_each_act_begins_anew() -> None:
    room, both = founded(ACT, "Ann", "Bob")
    act(room, both, 0)
    act(room, both, 20_000)
    assert shown(room, both, 21_000) == ([29_000 + LAG, 30_000], [0])


def test_in_a_pause_every_clock_stands_where_it_was() -> None:
    room, both = founded(GAME, "Ann", "Bob")
    act(room, both, 0)
    offer(room, both, "pause", 7_000)
    assert shown(room, both, 7_000) == shown(room, both, 90_000) == ([60_000, 53_000 + LAG], [])
    offer(room, both, "resume", 100_000)
    assert shown(room, both, 100_000) == ([60_000, 53_000 + LAG], [1])
    assert shown(room, both, 103_000) == ([60_000, 50_000 + LAG], [1])


@pytest.mark.parametrize("clock", [GAME, ACT])
def test_the_end_by_time_shows_who_had_none_left(clock: wire.Clock) -> None:
    room, both = founded(clock, "Ann", "Bob")
    act(room, both, 0)
    assert room.overdue(NOW + clock.seconds * 1000) is None  # what is on its way may yet come
    end = room.overdue(NOW + clock.seconds * 1000 + 2 * LAG + 1)
    assert end is not None
    room.take(end)
    frame = gate(room, NOW + 10**9).frame(both)
    assert frame.clocks == wire.Clocks([clock.seconds * 1000, 0], [])
    assert (frame.view["over"], frame.view["winners"]) == (True, [0])


def test_the_end_by_agreement_shows_what_everybody_had_left() -> None:
    room, both = founded(GAME, "Ann", "Bob")
    act(room, both, 0)
    offer(room, both, "draw", 4_000)
    assert shown(room, both, 10**9) == ([60_000, 56_000 + LAG], [])


def test_no_clock_runs_for_a_bot() -> None:
    room, ann = founded(GAME, "Ann", "")
    act(room, ann, 0)
    assert shown(room, ann, 50_000) == ([60_000, 60_000], [])


def test_without_a_clock_nothing_is_shown() -> None:
    game = load("icefrogs", players=2)
    seats = [wire.SeatRequest("person", name, None) for name in ("Ann", "Bob")]
    charter, _ = draw_up(wire.TableRequest("icefrogs", wire.Options({}), seats), game, [], NOW)
    assert "clocks" not in wire.write(gate(Room(charter, game)).welcome(Viewer())).decode()
