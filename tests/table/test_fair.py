"""What nature did at a table can be checked by anybody who has the record."""

from __future__ import annotations

import itertools
import re

import msgspec
import numpy as np
import pytest

from icetable.core import registry
from icetable.core.errors import BadRecord, GameError
from icetable.core.game import CHANCE
from icetable.table import fair, rooms, wire
from icetable.table.changes import End, Lots, text_of
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
        changed += [(entry.seq, entry.text, other) for other in sorted(others)[:1]]
        room.take(entry)
    text = gate(room).record()
    assert fair.verify(text).entries == room.entries
    assert len(changed) > 5
    lines = text.splitlines()
    first = lines.index("") + 1
    for number, act, other in changed[:: max(1, len(changed) // 40)]:
        line = first + number - 1
        assert act in lines[line]
        anew = [*lines[:line], lines[line].replace(act, other, 1), *lines[line + 1 :]]
        with pytest.raises(Broken, match=rf"^act {number} of the game is "):
            fair.verify("\n".join(anew))


# Without turns


@pytest.fixture
def icehouse() -> Room:
    """A game of Icehouse up to just before its bell, with a false call whose debt settles by itself."""
    game = registry.info("icehouse").load(players=2, timer=30, width=8, height=8, gift_time=4)
    charter, _ = draw_up(wire.TableRequest("icehouse", wire.Options({}), SEATS), game, (), 0)
    room = Room(msgspec.structs.replace(charter, id="k7m2", secret=bytes(range(32))), game)
    acts = [(0, "ready"), (1, "ready"), (0, "lift S"), (1, "lift L"), (0, "place 1000,1000 stand 0.0")]
    acts += [(1, "place 6000,6000 stand 0.0"), (1, "icehouse"), (0, "lift S"), (0, "return"), (1, "lift M")]
    for number, (seat, text) in enumerate(acts):
        room.take(room.act(seat, text, 2000 * number))
    return room


def rung(room: Room) -> str:
    """The record when the bell has rung."""
    bell = room.overdue(10**6)
    assert bell is not None
    room.take(bell)
    return gate(room).record()


def forged(text: str, entries: list[rooms.Entry], quotes: bool = True) -> str:
    """The record of another log by somebody who makes all links anew; the first link can't be another."""
    head, _, rest = text.partition("\n\n")
    table, link = re.findall(r"nature (\w+) (\w+)", head)[0]
    acts, log = [], []
    for seq, entry in enumerate(entries, 1):
        link = fair.link(link, table, seq, entry.seat, entry.at, entry.text)
        log.append(f"log {seq} {entry.seat} {entry.at} {link} {entry.text}")
        if not entry.text.startswith("/"):
            acts.append(f"{'*' if entry.seat == CHANCE else entry.seat} @{entry.at / 1000:.3f} {entry.text}")
    ends = re.findall(r"end .*", rest) if any(entry.text == "bell" for entry in entries) else []
    return "\n".join([head, "", *acts, *ends, *(log if quotes else [])]) + "\n"


def test_a_game_that_a_bell_ended_is_sound(icehouse: Room) -> None:
    text = rung(icehouse)
    assert fair.verify(text) == (1, 11, icehouse.link)
    assert fair.verify(without_log(text)) == (1, 0, None)
    assert fair.verify(forged(text, icehouse.log())).link == icehouse.link


@pytest.mark.parametrize("number", range(1, 12))
def test_every_act_and_time_of_a_game_without_turns_that_was_changed_is_found_and_named(
    icehouse: Room, number: int
) -> None:
    text = rung(icehouse)
    entry = icehouse.log()[number - 1]
    written = text.partition("\n\n")[2].splitlines()[number - 1]
    time = f"{entry.at / 1000:.3f}"
    for changed in (
        written.replace(entry.text, "lift L" if entry.text != "lift L" else "lift M"),
        written.replace(f"@{time}", f"@{(entry.at + 1) / 1000:.3f}"),
        written.replace("0 @" if entry.seat == 0 else f"{written[0]} @", "1 @" if entry.seat == 0 else "0 @", 1),
    ):
        with pytest.raises(Broken, match=rf"^act {number} of the game is .*; the log says .*@{time} "):
            fair.verify(text.replace(f"\n{written}\n", f"\n{changed}\n"))
    with pytest.raises(Broken, match=rf"^act {number} of the game is "):
        fair.verify(text.replace(f"\n{written}\n", "\n"))
    with pytest.raises(Broken, match=rf"^entry {number} of the log, '{entry.text}', is not what was kept"):
        fair.verify(text.replace(f"log {number} {entry.seat} {entry.at}", f"log {number} {entry.seat} {entry.at + 1}"))


@pytest.mark.parametrize("quotes", [True, False])
@pytest.mark.parametrize("off", [-5000, -1, 1, 5000])
def test_a_bell_that_was_moved_is_found_though_all_links_were_made_anew(icehouse: Room, off: int, quotes: bool) -> None:
    text = rung(icehouse)
    *acts, bell = icehouse.log()
    moved = msgspec.structs.replace(bell, at=bell.at + off)
    rang = f"{bell.at / 1000:.3f}"
    with pytest.raises(Broken, match=rf"^act 11 of the game, 'bell', was at \d+\.\d+; the bell rang at {rang}"):
        fair.verify(forged(text, [*acts, moved], quotes))


@pytest.mark.parametrize("quotes", [True, False])
@pytest.mark.parametrize("late", [0, 1, 10**6])
def test_an_act_from_the_bell_on_is_found_though_all_links_were_made_anew(
    icehouse: Room, late: int, quotes: bool
) -> None:
    text = rung(icehouse)
    *acts, bell = icehouse.log()
    act = rooms.Entry(11, 1, bell.at + late, "return")
    for entries in ([*acts, act], [*acts, act, msgspec.structs.replace(bell, at=act.at)]):
        with pytest.raises(Broken, match=r"^act 11 of the game, 'return', was at \d+\.\d+; the bell rang at"):
            fair.verify(forged(text, entries, quotes))
    before = [*acts, msgspec.structs.replace(act, at=bell.at - 1), bell]
    assert fair.verify(forged(text, before)).drawn == 1


@pytest.mark.parametrize("quotes", [True, False])
def test_a_bell_that_was_taken_out_is_found_though_all_links_were_made_anew(icehouse: Room, quotes: bool) -> None:
    text = rung(icehouse)
    for kept in (10, 5, 1):
        with pytest.raises(Broken, match="ends before the game does"):
            fair.verify(forged(text, icehouse.log()[:kept], quotes))


def test_a_game_that_was_broken_off_is_sound_and_only_before_its_bell(icehouse: Room) -> None:
    entry = rooms.Entry(11, 0, 20_000, text_of(End("draw", (0, 1))))
    broken_off = Room(icehouse.charter, icehouse.game, icehouse.log())
    broken_off.take(broken_off.chained(entry))
    text = gate(broken_off).record()
    assert fair.verify(text) == (0, 11, broken_off.link)
    with pytest.raises(Broken, match="ends before the game does"):
        fair.verify(without_log(text))
    acts, (_, bell) = icehouse.log(), (rung(icehouse), icehouse.log()[-1])
    for late in (0, 1):
        end = msgspec.structs.replace(entry, at=bell.at + late)
        with pytest.raises(Broken, match=r"^entry 11 of the log, '/.*', was at \d+\.\d+; the bell rang at"):
            fair.verify(forged(text, [*acts, end]))
    with pytest.raises(Broken, match="breaks off a game that the rules had ended"):
        fair.verify(forged(gate(icehouse).record(), [*acts, bell, msgspec.structs.replace(entry, at=bell.at)]))
    with pytest.raises(Broken, match="entry 12 of the log, 'return', is behind the end"):
        fair.verify(forged(text, [*acts, entry, rooms.Entry(12, 1, 20_001, "return")]))


def test_a_game_with_turns_that_lost_its_end_is_found(room: Room) -> None:
    text = whole(room)
    with pytest.raises(Broken, match="ends before the game does"):
        fair.verify(re.sub(r"\n0 @0.000 stop(.|\n)*", "\n", without_log(text)))


# Lots


def test_lots_that_were_changed_are_found_though_all_links_were_made_anew() -> None:
    game = TOY.load(None, players=3)
    seats = [wire.SeatRequest("person", name, None) for name in ("Ann", "Bob", "Cem")]
    request = wire.TableRequest("toy", wire.Options({}), seats, lots=True)
    charter, _ = draw_up(request, game, (), 0)
    room = Room(charter, game)
    room.take(room.draw_lots(0))
    room.take(room.act(0, "stop", 0))
    text = gate(room).record()
    assert fair.verify(text).entries == 2
    drawn, stop = room.log()
    for order in {*itertools.permutations(range(3))} - {fair.lots(charter.secret, charter.id, 3)}:
        other = msgspec.structs.replace(drawn, text=text_of(Lots(order)))
        with pytest.raises(Broken, match=r"^entry 1 of the log, the lots, is \[.*\]; nature drew \["):
            fair.verify(forged(text, [other, stop]))
