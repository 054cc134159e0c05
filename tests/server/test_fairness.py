"""Anybody with the record can verify the acts of chance at a table."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import re

import msgspec
import numpy as np
import pytest

from icetable import games
from icetable.core import record
from icetable.core.errors import BadRecord, GameError
from icetable.core.game import CHANCE
from icetable.server import messages
from icetable.server.table import fairness
from icetable.server.table.fairness import Broken
from icetable.server.table.log import DrawSeats, End, Entry, Leave, Pause, Resume, write_event
from icetable.server.table.setup import setup_from_position
from icetable.server.table.state import TableState
from icetable.server.table.viewers import Viewer

from .table_states import ANYBODY, Table, drawn, person, views
from .toy import TOY

THREE = [person(name) for name in ("Ann", "Bob", "Cem")]

pytestmark = pytest.mark.usefixtures("toy_game")


def known(table: Table) -> TableState:
    """The same table with a known id and secret."""
    setup = msgspec.structs.replace(table.state.setup, id="k7m2", secret=bytes(range(32)))
    return TableState(setup, table.state.game)


@pytest.fixture
def table_state() -> TableState:
    """A game that has begun, with six rolls."""
    table_state = known(Table("toy", target=100, opened=0))
    for _ in range(6):
        table_state.append(table_state.entry_for_act(ANYBODY, min(table_state.position.to_act), "take", 0))
        table_state.append(drawn(table_state, 0))
    return table_state


@pytest.fixture
def played(table_state: TableState) -> str:
    """The record of that game when it is over."""
    return whole(table_state)


def whole(table_state: TableState) -> str:
    """The record when the game is over."""
    table_state.append(table_state.entry_for_act(ANYBODY, min(table_state.position.to_act), "stop", 0))
    return views(table_state).record()


def roll(record: str, number: int) -> str:
    return str(re.findall(r"\* .*?(die:\d)", record)[number])


def test_a_record_as_the_table_wrote_it_is_sound(table_state: TableState, played: str) -> None:
    assert fairness.verify(played) == fairness.VerifiedRecord(6, 13, table_state.closing)
    assert fairness.verify(forged(played, table_state.log())).drawn == 6


@pytest.mark.parametrize("number", range(6))
def test_every_other_roll_is_found_and_named(table_state: TableState, played: str, number: int) -> None:
    entries, drawn = table_state.log(), roll(played, number)
    without_end = re.sub(r"\nend .*", "", played)  # another roll may end it otherwise
    for pips in {1, 2, 3, 4, 5, 6} - {int(drawn[-1])}:
        entries[2 * number + 1] = msgspec.structs.replace(entries[2 * number + 1], text=f"die:{pips}")
        with pytest.raises(Broken, match=rf"act {2 * number + 2} of the game is 'die:{pips}'; chance drew '{drawn}'"):
            fairness.verify(forged(without_end, entries))


def test_another_secret_or_table_is_create_table(table_state: TableState, played: str) -> None:
    secret = table_state.setup.secret.hex()
    other = f"{int(secret, 16) ^ 1:064x}"
    with pytest.raises(Broken, match="not the one that was committed"):
        fairness.verify(played.replace(secret, other))
    committed_anew = played.replace(secret, other).replace(
        fairness.commitment(table_state.setup.secret), fairness.commitment(bytes.fromhex(other))
    )
    for changed in (committed_anew, played.replace(f"nature {table_state.setup.id}", "nature another")):
        with pytest.raises(Broken, match="entry 1 of the log"):
            fairness.verify(changed)
        with pytest.raises(Broken, match="chance drew"):
            fairness.verify(forged(changed, table_state.log()))


def test_a_roll_that_was_taken_back_falls_the_same_again(table_state: TableState) -> None:
    rolled = [line.text for line in views(table_state).lines(Viewer()) or []][-1]
    table_state.append(table_state.chained(Entry(table_state.entries + 1, 0, 0, "undo 11")))
    table_state.append(drawn(table_state, 0))
    assert [line.text for line in views(table_state).lines(Viewer()) or []][-1] == rolled
    assert fairness.verify(whole(table_state)) == fairness.VerifiedRecord(6, 15, table_state.closing)


@pytest.mark.parametrize(
    ("pattern", "other", "message"),
    [
        (r"nature .*\n", "", "nothing to verify"),
        (r"nature .*\n", "nature lost\n", "nothing to verify"),
        (r"(nature \w+ \w+) \w+\n", r"\1\n", "revealed when the game is over"),
        (r"game toy", "game poker", "poker"),
        (r"(?s).*", "", "first line"),
    ],
)
def test_a_record_that_lacks_something_can_not_be_verified(played: str, pattern: str, other: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        fairness.verify(re.sub(pattern, other, played))


def test_a_game_that_goes_on_can_not_be_verified_yet(table_state: TableState) -> None:
    with pytest.raises(BadRecord, match="revealed when the game is over"):
        fairness.verify(views(table_state).record())


# The log that a record quotes


def test_a_record_quotes_the_log_when_the_game_is_over(table_state: TableState) -> None:
    assert not record.read_head(views(table_state).record()).log()
    text = whole(table_state)
    assert text.count("\nlog ") == 13 + 2
    assert fairness.verify(text) == fairness.VerifiedRecord(6, 13, table_state.closing)
    assert TOY.load(None, target=100).replay(text).is_terminal


@pytest.mark.parametrize("number", range(1, 14))
def test_every_entry_that_was_changed_is_found_and_named(table_state: TableState, number: int) -> None:
    text = whole(table_state)
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
        with pytest.raises(Broken, match=f"entry {number} of the log, '.*', is not what was stored"):
            fairness.verify(text.replace(quoted[0], changed))
    with pytest.raises(Broken, match=f"entry {number} of the log|act {number} "):
        fairness.verify(text.replace(quoted[0], ""))


def test_an_act_that_is_not_the_logs_is_found_and_named(table_state: TableState) -> None:
    text = whole(table_state)
    die = roll(text, 2)
    other = "die:1" if die != "die:1" else "die:2"
    lines = text.splitlines(keepends=True)
    line = [number for number, line in enumerate(lines) if line.startswith("* ")][2]
    lines[line] = lines[line].replace(die, other)
    changed = "".join(lines)
    with pytest.raises(Broken, match=rf"act 6 of the game is '\* @0\.000 {other}'; the log says '\* @0\.000 {die}'"):
        fairness.verify(changed)
    with pytest.raises(Broken, match="act 14 of the game is '0 take'; the log says nothing"):
        fairness.verify(text.replace("\nend", "\n0 take\nend"))


def test_a_log_that_is_written_anew_ends_with_another_link(table_state: TableState) -> None:
    """The last link is published since nobody can make another game end with it."""
    text = whole(table_state)
    anew = TableState(table_state.setup, table_state.game)
    for entry in table_state.log():
        anew.append(anew.chained(msgspec.structs.replace(entry, at=entry.at + 1)))
    assert fairness.verify(views(anew).record()).link != fairness.verify(text).link


OF_TURNS = [info for info in games.list_games() if info.turns]
WITH_NATURE = [(info.name, {"players": players}) for info in OF_TURNS for players in sorted({*info.players})]
TURNS = {"icefrogs": {"turn_limit": 12}, "wrecktangle": {"turn_limit": 12}}


@pytest.mark.parametrize(("name", "options"), WITH_NATURE, ids=str)
def test_in_every_game_what_nature_and_players_did_is_found_where_it_was_changed(
    name: str, options: dict[str, int]
) -> None:
    game = games.info(name).load(**options, **TURNS.get(name, {}))
    table_state = Table(game, *(person(f"Ann {seat}") for seat in range(game.players)), opened=0).state
    dice = np.random.default_rng(4)
    changed: list[tuple[int, str, str]] = []
    while not table_state.position.is_terminal:
        seat = min(table_state.position.to_act)
        entry = (
            drawn(table_state, 0)
            if seat == CHANCE
            else table_state.entry_for_act(ANYBODY, seat, str(game.random_act(table_state.position, dice)), 0)
        )
        others = {str(game.random_act(table_state.position, dice)) for _ in range(3)} - {entry.text}
        changed += [(entry.seq, entry.text, other) for other in sorted(others)[:1]]
        table_state.append(entry)
    text = views(table_state).record()
    assert fairness.verify(text).entries == table_state.entries
    assert len(changed) > 5
    lines = text.splitlines()
    first = lines.index("") + 1
    for number, act, other in changed[:: max(1, len(changed) // 20)]:
        line = first + number - 1
        assert act in lines[line]
        anew = [*lines[:line], lines[line].replace(act, other, 1), *lines[line + 1 :]]
        with pytest.raises(Broken, match=rf"^act {number} of the game is "):
            fairness.verify("\n".join(anew))


# Without turns


@pytest.fixture
def icehouse() -> TableState:
    """A game of Icehouse up to just before its bell, with a false call whose debt settles by itself."""
    table_state = known(Table("icehouse", timer=30, width=8, height=8, gift_time=4, opened=0))
    acts = [(0, "ready"), (1, "ready"), (0, "lift S"), (1, "lift L"), (0, "place 1000,1000 stand 0.0")]
    acts += [(1, "place 6000,6000 stand 0.0"), (1, "icehouse"), (0, "lift S"), (0, "return"), (1, "lift M")]
    for number, (seat, text) in enumerate(acts):
        table_state.append(table_state.entry_for_act(ANYBODY, seat, text, 2000 * number))
    return table_state


def rung(table_state: TableState) -> str:
    """The record when the bell has rung."""
    bell = table_state.overdue(10**6)
    assert bell is not None
    table_state.append(bell)
    return views(table_state).record()


def forged(text: str, entries: list[Entry]) -> str:
    """The record of another log by somebody who makes all links anew."""
    head, _, rest = text.partition("\n\n")
    table, committed = re.findall(r"nature (\w+) (\w+)", head)[0]
    said = record.read_head(text)
    link = fairness.root(committed, table, said, said.terms or "")
    acts, log = [], []
    for seq, entry in enumerate(entries, 1):
        link = fairness.link(link, table, seq, entry.seat, entry.at, entry.text)
        log.append(f"log {seq} {entry.seat} {entry.at} {link} {entry.text}")
        if not entry.text.startswith("/"):
            acts.append(f"{'*' if entry.seat == CHANCE else entry.seat} @{entry.at / 1000:.3f} {entry.text}")
    last = next(entry.text for entry in reversed(entries) if not entry.text.startswith("/"))
    ends = re.findall(rf"(?m)^[^#\n]* {re.escape(last)}(?: #.*)?\n(end .*)", rest)
    log += [f"log name {name}" for name in said.names()]
    return "\n".join([head, "", *acts, *ends, *log]) + "\n"


def test_a_game_that_a_bell_ended_is_sound(icehouse: TableState) -> None:
    text = rung(icehouse)
    assert fairness.verify(text) == fairness.VerifiedRecord(1, 11, icehouse.closing)
    assert fairness.verify(forged(text, icehouse.log())).link == icehouse.closing


@pytest.mark.parametrize("number", range(1, 12))
def test_every_act_and_time_of_a_game_without_turns_that_was_changed_is_found_and_named(
    icehouse: TableState, number: int
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
            fairness.verify(text.replace(f"\n{written}\n", f"\n{changed}\n"))
    with pytest.raises(Broken, match=rf"^act {number} of the game is "):
        fairness.verify(text.replace(f"\n{written}\n", "\n"))
    with pytest.raises(Broken, match=rf"^entry {number} of the log, '{entry.text}', is not what was stored"):
        fairness.verify(
            text.replace(f"log {number} {entry.seat} {entry.at}", f"log {number} {entry.seat} {entry.at + 1}")
        )


@pytest.mark.parametrize("off", [-5000, -1, 1, 5000])
def test_a_bell_that_was_moved_is_found_though_all_links_were_made_anew(icehouse: TableState, off: int) -> None:
    text = rung(icehouse)
    *acts, bell = icehouse.log()
    moved = msgspec.structs.replace(bell, at=bell.at + off)
    rang = f"{bell.at / 1000:.3f}"
    with pytest.raises(Broken, match=rf"^act 11 of the game, 'bell', was at \d+\.\d+; the bell rang at {rang}"):
        fairness.verify(forged(text, [*acts, moved]))


@pytest.mark.parametrize("late", [0, 1, 10**6])
def test_an_act_from_the_bell_on_is_found_though_all_links_were_made_anew(icehouse: TableState, late: int) -> None:
    text = rung(icehouse)
    *acts, bell = icehouse.log()
    act = Entry(11, 1, bell.at + late, "return")
    for entries in ([*acts, act], [*acts, act, msgspec.structs.replace(bell, at=act.at)]):
        with pytest.raises(Broken, match=r"^act 11 of the game, 'return', was at \d+\.\d+; the bell rang at"):
            fairness.verify(forged(text, entries))
    before = [*acts, msgspec.structs.replace(act, at=bell.at - 1), bell]
    assert fairness.verify(forged(text, before)).drawn == 1


def test_a_bell_that_was_taken_out_is_found_though_all_links_were_made_anew(icehouse: TableState) -> None:
    text = rung(icehouse)
    for kept in (10, 5, 1):
        with pytest.raises(Broken, match="ends before the game does"):
            fairness.verify(forged(text, icehouse.log()[:kept]))


def test_a_game_that_was_broken_off_is_sound_and_only_before_its_bell(icehouse: TableState) -> None:
    entry = Entry(11, 0, 20_000, write_event(End("draw", (0, 1))))
    broken_off = TableState(icehouse.setup, icehouse.game, icehouse.log())
    broken_off.append(broken_off.chained(entry))
    text = views(broken_off).record()
    assert fairness.verify(text) == fairness.VerifiedRecord(0, 11, broken_off.closing)
    acts, (_, bell) = icehouse.log(), (rung(icehouse), icehouse.log()[-1])
    for late in (0, 1):
        end = msgspec.structs.replace(entry, at=bell.at + late)
        with pytest.raises(Broken, match=r"^entry 11 of the log, '/.*', was at \d+\.\d+; the bell rang at"):
            fairness.verify(forged(text, [*acts, end]))
    with pytest.raises(Broken, match="breaks off a game that the rules had ended"):
        fairness.verify(forged(views(icehouse).record(), [*acts, bell, msgspec.structs.replace(entry, at=bell.at)]))
    with pytest.raises(Broken, match="entry 12 of the log, 'return', is after the end"):
        fairness.verify(forged(text, [*acts, entry, Entry(12, 1, 20_001, "return")]))


def test_a_game_with_turns_that_lost_its_end_is_create_table(table_state: TableState) -> None:
    text = whole(table_state)
    with pytest.raises(Broken, match="ends before the game does"):
        fairness.verify(forged(text, table_state.log()[:-1]))


# DrawSeats


def test_lots_that_were_changed_are_found_though_all_links_were_made_anew() -> None:
    table_state = Table("toy", *THREE, random_seats=True, opened=0).state
    setup = table_state.setup
    lots = table_state.draw_chance(0)
    assert lots is not None
    table_state.append(lots)
    table_state.append(table_state.entry_for_act(ANYBODY, 0, "stop", 0))
    text = views(table_state).record()
    assert fairness.verify(text).entries == 2
    drawn, stop = table_state.log()
    for order in {*itertools.permutations(range(3))} - {fairness.draw_seats(setup.secret, setup.id, 3)}:
        other = msgspec.structs.replace(drawn, text=write_event(DrawSeats(order)))
        with pytest.raises(Broken, match=r"^entry 1 of the log seats \[.*\]; chance drew \["):
            fairness.verify(forged(text, [other, stop]))


# What is settled, and the end


@pytest.fixture
def table() -> TableState:
    """A table with everything that may be settled, at which a game is over."""
    clock = messages.Clock("game", 300, 5)
    table_state = known(Table("toy", *THREE, target=20, random_seats=True, clock=clock, opened=0))
    while not table_state.is_over:
        table_state.append(
            table_state.draw_chance(0)
            or table_state.entry_for_act(ANYBODY, min(table_state.position.to_act), "take", 0)
        )
    return table_state


LOG_LINE = re.compile(r"(?m)^log (\d+) (-?\d+) (\d+) \w+ (.*)$")


def anew(text: str) -> str:
    """The same record with all links made anew from what its head says."""
    quoted = LOG_LINE.findall(text)
    return forged(text, [Entry(int(seq), int(seat), int(at), said) for seq, seat, at, said in quoted])


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("option target 20", "option target 21"),
        ("option secretive false", "option secretive true"),
        ('"seats":[{"kind":"person"', '"seats":[{"kind":"bot"'),
        ('"lots":true', '"lots":false'),
        ('"increment":5', '"increment":6'),
        ('"per":"game"', '"per":"act"'),
        ('"opened":0', '"opened":1'),
    ],
)
def test_the_terms_of_a_table_are_bound(table: TableState, said: str, other: str) -> None:
    text = views(table).record()
    assert fairness.verify(text) == fairness.VerifiedRecord(table.acts // 2, table.entries, table.closing)
    assert text.count(said) == 1
    with pytest.raises((Broken, GameError)):
        fairness.verify(text.replace(said, other))
    with contextlib.suppress(Broken, GameError):  # where the rules or the terms say otherwise
        assert fairness.verify(anew(text.replace(said, other))).link != table.closing


def test_another_start_is_bound() -> None:
    game = games.info("icefrogs").load(players=2, turn_limit=4)
    state = game.start().apply("S@b1").apply("S@h1")
    setup, _ = setup_from_position(state, ["Ann", "Bob"], 0, False)
    table_state = TableState(setup, game)
    while not table_state.is_over:
        table_state.append(
            table_state.entry_for_act(ANYBODY, min(table_state.to_act), table_state.position.legal_actions()[0], 0)
        )
    text = views(table_state).record()
    assert fairness.verify(text).link == table_state.closing
    other = game.start().apply("S@b1").apply("M@h2").to_json()
    with pytest.raises((Broken, GameError)):
        fairness.verify(text.replace(state.to_json(), other))


@pytest.mark.parametrize(
    ("pattern", "other", "message"),
    [
        (r"(?m)^end .*\n", "", "does not say how the game ended"),
        (r"(?m)^log .*\n", "", "does not quote the table's log"),
        (r"(?m)^terms .*\n", "", "lacks the table's terms: another version of icetable wrote it"),
        (r'"form":1', '"form":3', "is of form 3, not 1: another version of icetable wrote it"),
        (r'"lots":true', '"lots":7', "can't be read"),
    ],
)
def test_a_record_with_a_missing_or_changed_line_is_refused(
    table: TableState, pattern: str, other: str, message: str
) -> None:
    with pytest.raises((Broken, GameError), match=message):
        fairness.verify(re.sub(pattern, other, views(table).record()))


def test_the_end_is_bound_and_nothing_comes_behind_it(table: TableState) -> None:
    text = views(table).record()
    entry = Entry(table.entries + 1, 0, 5, write_event(Leave(0)))
    with pytest.raises(Broken, match="is after the end of the game"):
        fairness.verify(forged(text, [*table.log(), entry]))
    table.append(table.chained(entry))
    assert views(table).record() == text, "a player that leaves then does not change the record"
    ending = views(table).ending
    assert ending is not None
    assert ending.link == fairness.verify(text).link


def test_an_act_in_a_pause_is_create_table(table_state: TableState) -> None:
    text = whole(table_state)
    *acts, stop = table_state.log()
    pause, resume = (Entry(0, 0, 0, write_event(change)) for change in (Pause(7), Resume(9)))
    assert fairness.verify(forged(text, [*acts, pause, resume, stop])).entries == 15
    with pytest.raises(Broken, match=r"entry 13 of the log, 'die:\d', was made in a pause"):
        fairness.verify(forged(text, [*acts[:-1], pause, acts[-1], stop]))


def test_lots_are_drawn_where_the_terms_say_so(table: TableState, table_state: TableState) -> None:
    with pytest.raises(Broken, match="the seats were drawn 0 times, but the terms say 1"):
        fairness.verify(forged(views(table).record(), table.log()[1:]))
    lots = Entry(
        0, -1, 0, write_event(DrawSeats(fairness.draw_seats(table_state.setup.secret, table_state.setup.id, 2)))
    )
    with pytest.raises(Broken, match="the seats were drawn 1 times, but the terms say 0"):
        fairness.verify(forged(whole(table_state), [lots, *table_state.log()]))


@pytest.mark.parametrize(
    "text", ["S@b1", "", 'a "b" \\ /', "Ævar\u2028李小龍👨‍👩‍👧", "\ud800", '/{"type":"drop"}', "tab\there"]
)
def test_a_link_is_the_hash_of_json(text: str) -> None:
    line = json.dumps(["ab" * 32, "k7m2", 12, -1, 3456, text])
    assert fairness.link("ab" * 32, "k7m2", 12, -1, 3456, text) == hashlib.sha256(line.encode()).hexdigest()
