"""The lines of a long game come in pages: the last ones at once, the others when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec import UNSET

from icetable.table import wire
from icetable.table.changes import End
from icetable.table.charter import draw_up
from icetable.table.gate import Hidden
from icetable.table.rooms import Room, Viewer
from icetable.table.wire import PAGE

from .gates import gate
from .serving import Client, Running, found
from .serving import person as person_there
from .test_positions import long_room
from .test_rooms import NOW, ask, founded, person

if TYPE_CHECKING:
    from pathlib import Path

ACTS = 2 * PAGE + 3
WATCHER = Viewer()


@pytest.fixture(scope="module")
def played() -> Room:
    """A game of more than two pages. Nothing changes it."""
    return long_room(ACTS)[0]


def numbers(lines: list[wire.Line] | None) -> list[int]:
    assert lines is not None
    return [line.seq for line in lines]


def test_a_welcome_has_the_last_page(played: Room) -> None:
    welcome = gate(played).welcome(WATCHER)
    assert numbers(welcome.lines) == list(range(ACTS - PAGE + 1, ACTS + 1))
    assert welcome.lines is not None
    assert welcome.lines[-1] == welcome.frame.line


@pytest.mark.parametrize(("acts", "first"), [(1, 1), (PAGE - 1, 1), (PAGE, 1), (PAGE + 1, 2)])
def test_a_game_of_a_page_comes_whole(acts: int, first: int) -> None:
    room, _ = long_room(acts)
    assert numbers(gate(room).welcome(WATCHER).lines) == list(range(first, acts + 1))


@pytest.mark.parametrize(
    ("before", "first", "last"),
    [
        (1, 1, 0),
        (2, 1, 1),
        (4, 1, 3),
        (PAGE + 1, 1, PAGE),
        (PAGE + 2, 2, PAGE + 1),
        (ACTS - PAGE + 1, 4, ACTS - PAGE),
        (ACTS, ACTS - PAGE, ACTS - 1),
        (ACTS + 1, ACTS - PAGE + 1, ACTS),
        (10**9, ACTS - PAGE + 1, ACTS),
    ],
)
def test_a_page_ends_before_the_number_that_is_named(played: Room, before: int, first: int, last: int) -> None:
    assert numbers(gate(played).history(WATCHER, before)) == list(range(first, last + 1))


def test_the_pages_together_are_the_game(played: Room) -> None:
    gates = gate(played)
    lines = gates.welcome(WATCHER).lines
    assert lines is not None
    while lines[0].seq > 1:
        lines = [*gates.history(WATCHER, lines[0].seq), *lines]
    states = list(played.replay(played.log()))[1:]
    assert [(line.seat, line.text) for line in lines] == [(state.seat, state.act) for state in states]
    kinds = [[(effect.kind, tuple(effect.spaces), effect.value) for effect in line.effects] for line in lines]
    assert kinds == [[(effect.kind, effect.spaces, effect.value) for effect in state.effects] for state in states]
    assert {line.at for line in lines} == {UNSET}


def test_when_the_game_is_over_the_pages_tell_the_times() -> None:
    room, _ = long_room(ACTS)
    room.take(room._changed(0, End("draw", (0, 1)), NOW + 10**6, None))
    lines = gate(room).lines(WATCHER)
    assert lines is not None
    times = [line.at for line in [*gate(room).history(WATCHER, lines[0].seq), *lines]]
    assert times == [10 * number for number in range(3, ACTS)]


def test_acts_that_were_taken_back_are_in_no_page() -> None:
    room, codes = long_room(ACTS)
    assert isinstance(ask(room, room.viewer([*codes.values()]), wire.Undo("u", PAGE + 1)), wire.Ack)
    assert numbers(gate(room).lines(WATCHER)) == list(range(2, PAGE + 2))
    assert numbers(gate(room).history(WATCHER, ACTS)) == list(range(2, PAGE + 2))


def test_who_has_missed_more_than_a_page_gets_the_whole_table(played: Room) -> None:
    missed = {count: gate(played).resumed(WATCHER, wire.Seen(ACTS - count, ACTS - count)) for count in (PAGE, PAGE + 1)}
    resumed = missed[PAGE]
    assert resumed is not None
    assert numbers(resumed.lines) == list(range(ACTS - PAGE + 1, ACTS + 1))
    assert missed[PAGE + 1] is None


def test_a_hidden_history_has_no_pages() -> None:
    room, codes = founded("toy", person(), person(), secretive=True)
    everybody = room.viewer([*codes.values()])
    assert isinstance(ask(room, everybody, wire.Act("a", 0, "take")), wire.Ack)
    with pytest.raises(Hidden, match="hides its history"):
        gate(room).history(everybody, 2)


def test_who_may_not_see_the_game_gets_no_page() -> None:
    game = founded("icefrogs", person(), person())[0].game
    request = wire.TableRequest("icefrogs", wire.Options({}), [person(), person()], live=False)
    charter, created = draw_up(request, game, [], NOW)
    room = Room(charter, game)
    everybody = room.viewer([*created.codes.values()])
    assert isinstance(ask(room, everybody, wire.Act("a", 0, "S@b1")), wire.Ack)
    assert numbers(gate(room).history(everybody, 2)) == [1]
    with pytest.raises(Hidden, match="when it is over"):
        gate(room).history(WATCHER, 2)


def test_a_page_is_asked_for_by_socket(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite") as server:
        table, codes = found(server.url, person_there("Ann"), person_there("Bob"))
        with Client(server.url, table, codes) as ann:
            ann.act(0, "S@b1")
            ann.act(1, "S@h1")
            ann.say(type="history", before=2)
            page = ann.hear("history")
            assert [(line["seq"], line["text"]) for line in page["lines"]] == [(1, "S@b1")]
            for before in (0, -1, 10**9 + 1, "2", None):
                ann.say(type="history", before=before)
                assert "can't be read" in ann.hear("error")["message"]


def test_a_page_of_a_hidden_history_is_refused_by_socket(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite") as server:
        table, codes = found(server.url, person_there("Ann"), person_there("Bob"), game="highrise", memory="on")
        with Client(server.url, table, codes) as ann:
            ann.say(type="history", before=1)
            assert ann.hear("error")["message"] == "This game hides its history until it is over."
