"""What nature did at a table can be checked by anybody who has the record."""

from __future__ import annotations

import re

import msgspec
import numpy as np
import pytest

from icetable.core import registry
from icetable.core.errors import BadRecord, GameError
from icetable.core.game import CHANCE
from icetable.table import fair, rooms, wire
from icetable.table.charter import draw_up
from icetable.table.fair import Broken
from icetable.table.rooms import Room, Viewer

from .gates import gate
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
    charter, _ = draw_up(wire.TableRequest("toy", wire.Options({}), SEATS), game, (), 0)
    room = Room(msgspec.structs.replace(charter, id="k7m2", secret=bytes(range(32))), game)
    for _ in range(6):
        room.take(room.act(min(room.state.to_act), "take", 0))
        room.take(room.draw(0))
    return room


@pytest.fixture
def played(room: Room) -> str:
    """The record of that game when it is over, as one that does not quote the log."""
    return without_log(whole(room))


def whole(room: Room) -> str:
    """The record when the game is over."""
    room.take(room.act(min(room.state.to_act), "stop", 0))
    return gate(room).record()


def without_log(text: str) -> str:
    return re.sub(r"log .*\n", "", text)


def roll(record: str, number: int) -> str:
    return str(re.findall(r"\* .*?(die:\d)", record)[number])


def with_roll(record: str, number: int, pips: int) -> str:
    """The record of a game in which one roll was another. What rolls cause and the end do not stand in it."""
    head, rolls = re.split(r"(?=\n0 )", record, maxsplit=1)
    count = iter(range(100))
    rolls = re.sub(r"die:\d # .*", lambda old: f"die:{pips}" if next(count) == number else old[0], rolls)
    return head + re.sub(r"\nend .*", "", rolls)


def test_a_record_as_the_table_wrote_it_is_sound(played: str) -> None:
    assert fair.verify(played) == (6, 0, None)
    assert fair.verify(with_roll(played, 3, int(roll(played, 3)[-1]))).drawn == 6


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
    rolled = [line.text for line in gate(room).lines(Viewer()) or []][-1]
    room.take(room.chained(rooms.Entry(room.entries + 1, 0, 0, "undo 11")))
    room.take(room.draw(0))
    assert [line.text for line in gate(room).lines(Viewer()) or []][-1] == rolled
    assert fair.verify(whole(room)) == (6, 15, room.log()[-1].link)


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
        fair.verify(gate(room).record())


# The log that a record quotes


def test_a_record_quotes_the_log_when_the_game_is_over(room: Room) -> None:
    assert "\nlog " not in gate(room).record()
    text = whole(room)
    assert text.count("\nlog ") == 13
    assert fair.verify(text) == (6, 13, room.log()[-1].link)
    assert TOY.load(None, target=100).replay(text).is_terminal


@pytest.mark.parametrize("number", range(1, 14))
def test_every_entry_that_was_changed_is_found_and_named(room: Room, number: int) -> None:
    text = whole(room)
    quoted = re.search(rf"\nlog {number} (\S+) (\d+) (\w+) (\S+)", text)
    assert quoted is not None
    seat, at, link, act = quoted.groups()
    other = "take" if act != "take" else "stop"
    for changed in (
        f"\nlog {number} {int(seat) + 1} {at} {link} {act}",
        f"\nlog {number} {seat} {int(at) + 1} {link} {act}",
        f"\nlog {number} {seat} {at} {'0' * 64} {act}",
        f"\nlog {number} {seat} {at} {link} {other}",
    ):
        with pytest.raises(Broken, match=f"entry {number} of the log, '.*', is not what was kept"):
            fair.verify(text.replace(quoted[0], changed))
    with pytest.raises(Broken, match=f"entry {number} of the log|act {number} "):
        fair.verify(text.replace(quoted[0], ""))


def test_an_act_that_is_not_the_logs_is_found_and_named(room: Room) -> None:
    text = whole(room)
    die = roll(text, 2)
    other = "die:1" if die != "die:1" else "die:2"
    lines = text.splitlines(keepends=True)
    line = [number for number, line in enumerate(lines) if line.startswith("* ")][2]
    lines[line] = lines[line].replace(die, other)
    changed = "".join(lines)
    with pytest.raises(Broken, match=rf"act 6 of the game is '\* @0\.000 {other}'; the log says '\* @0\.000 {die}'"):
        fair.verify(changed)
    with pytest.raises(Broken, match="act 14 of the game is '0 take'; the log says nothing"):
        fair.verify(text.replace("\nend", "\n0 take\nend"))


def test_who_writes_the_whole_log_anew_ends_with_another_link(room: Room) -> None:
    """Why the last link is told: nobody can make another game end with it."""
    text = whole(room)
    anew = Room(room.charter, room.game)
    for entry in room.log():
        anew.take(anew.chained(msgspec.structs.replace(entry, at=entry.at + 1)))
    assert fair.verify(gate(anew).record()).link != fair.verify(text).link


WITH_NATURE = [
    (info.name, {"players": players})
    for info in registry.games()
    if info.turns
    for players in range(info.players[0], info.players[1] + 1)
]


@pytest.mark.parametrize(("name", "options"), WITH_NATURE, ids=str)
def test_in_every_game_what_nature_and_players_did_is_found_where_it_was_changed(
    name: str, options: dict[str, int]
) -> None:
    game = registry.info(name).load(**options)
    seats = [wire.SeatRequest("person", f"Ann {seat}", None) for seat in range(game.players)]
    charter, _ = draw_up(wire.TableRequest(name, wire.Options({}), seats), game, (), 0)
    room, dice = Room(charter, game), np.random.default_rng(4)
    changed: list[tuple[int, str, str]] = []
    while not room.state.is_terminal:
        seat = min(room.state.to_act)
        entry = room.draw(0) if seat == CHANCE else room.act(seat, str(game.random_act(room.state, dice)), 0)
        others = {str(game.random_act(room.state, dice)) for _ in range(3)} - {entry.text}
        changed += [(entry.seq, entry.text, other) for other in list(others)[:1]]
        room.take(entry)
    text = gate(room).record()
    assert fair.verify(text).entries == room.entries
    assert len(changed) > 5
    lines = text.splitlines()
    first = lines.index("") + 1
    for number, act, other in changed:
        line = first + number - 1
        assert act in lines[line]
        anew = [*lines[:line], lines[line].replace(act, other, 1), *lines[line + 1 :]]
        with pytest.raises(Broken, match=rf"^act {number} of the game is "):
            fair.verify("\n".join(anew))
