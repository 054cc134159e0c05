"""What nature did at a table can be checked by anybody who has the record."""

from __future__ import annotations

import re

import msgspec
import pytest

from icetable.core import registry
from icetable.core.errors import BadRecord, GameError
from icetable.table import fair, rooms, wire
from icetable.table.fair import Broken
from icetable.table.rooms import Room

from .toy import TOY

SEATS = [wire.SeatRequest("person", name, None) for name in ("Ann", "Bob")]


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    games = registry.games()
    monkeypatch.setattr(registry, "games", lambda: (*games, TOY))


@pytest.fixture
def room() -> Room:
    """A game that has begun, with six rolls."""
    game = TOY.load(None, target=100)
    charter, _ = rooms.draw_up(wire.TableRequest("toy", wire.Options({}), SEATS), game, (), 0)
    room = Room(msgspec.structs.replace(charter, id="k7m2", secret=bytes(range(32))), game)
    for _ in range(6):
        room.take(room.act(min(room.state.to_act), "take", 0))
        room.take(room.draw(0))
    return room


@pytest.fixture
def played(room: Room) -> str:
    """The record of that game when it is over."""
    room.take(room.act(min(room.state.to_act), "stop", 0))
    return room.record()


def roll(record: str, number: int) -> str:
    return str(re.findall(r"\* .*?(die:\d)", record)[number])


def with_roll(record: str, number: int, pips: int) -> str:
    """The record of a game in which one roll was another. What rolls cause and the end do not stand in it."""
    head, rolls = re.split(r"(?=\n0 )", record, maxsplit=1)
    count = iter(range(100))
    rolls = re.sub(r"die:\d # .*", lambda old: f"die:{pips}" if next(count) == number else old[0], rolls)
    return head + re.sub(r"\nend .*", "", rolls)


def test_a_record_as_the_table_wrote_it_is_sound(played: str) -> None:
    assert fair.verify(played) == 6
    assert fair.verify(with_roll(played, 3, int(roll(played, 3)[-1]))) == 6


@pytest.mark.parametrize("number", range(6))
def test_every_other_roll_is_found_and_named(played: str, number: int) -> None:
    drawn = roll(played, number)
    for pips in {1, 2, 3, 4, 5, 6} - {int(drawn[-1])}:
        with pytest.raises(Broken, match=rf"act {2 * number + 2} of the game is 'die:{pips}'; nature drew '{drawn}'"):
            fair.verify(with_roll(played, number, pips))


def test_another_secret_or_table_is_found(room: Room, played: str) -> None:
    secret = room.charter.secret.hex()
    other = f"{int(secret, 16) ^ 1:064x}"
    with pytest.raises(Broken, match="not the one that was committed"):
        fair.verify(played.replace(secret, other))
    committed_anew = played.replace(secret, other).replace(
        fair.commitment(room.charter.secret), fair.commitment(bytes.fromhex(other))
    )
    with pytest.raises(Broken, match="nature drew"):
        fair.verify(committed_anew)
    with pytest.raises(Broken, match="nature drew"):
        fair.verify(played.replace(f"nature {room.charter.id}", "nature another"))


def test_a_roll_that_was_taken_back_falls_the_same_again(room: Room) -> None:
    rolled = [line.text for line in room.lines() or []][-1]
    room.take(rooms.Entry(room.entries + 1, 0, 0, "undo 11"))
    room.take(room.draw(0))
    assert [line.text for line in room.lines() or []][-1] == rolled
    room.take(room.act(min(room.state.to_act), "stop", 0))
    assert fair.verify(room.record()) == 6


@pytest.mark.parametrize(
    ("pattern", "other", "message"),
    [
        (r"nature .*\n", "", "nothing to verify"),
        (r"nature .*\n", "nature lost\n", "nothing to verify"),
        (r"(nature \w+ \w+) \w+\n", r"\1\n", "shown when the game is over"),
        (r"take", "steal", "no act"),
        (r"game toy", "game poker", "poker"),
        (r"(?s).*", "", "first line"),
    ],
)
def test_what_can_not_be_verified(played: str, pattern: str, other: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        fair.verify(re.sub(pattern, other, played))


def test_a_game_that_goes_on_can_not_be_verified_yet(room: Room) -> None:
    with pytest.raises(BadRecord, match="shown when the game is over"):
        fair.verify(room.record())
