"""Two tables that differ only in nature's secret are the same to everybody until nature acts differently."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

import httpx
import msgspec
import pytest

from icetable.core import registry
from icetable.core.game import CHANCE, Game, State
from icetable.table import fair, live, rooms, wire
from icetable.table.app import make_app
from icetable.table.bots import Thinkers
from icetable.table.charter import Charter, draw_up
from icetable.table.hall import Hall
from icetable.table.live import Table
from icetable.table.log_sqlite import SqliteLog
from icetable.table.rooms import Room
from icetable.table.seating import lock_of

from .fakes import FakeBrains, Listener
from .gates import ANYBODY, drawn, gate
from .toy import TOY

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.applications import Starlette

NOW = 1_000_000
MOST_ACTS = 60
SECRETS = (bytes(32), bytes([1] * 32))
OFFENCES = ("nonsense", "undo 0", "pass", "take", "deal:111111111", "die:swap", "L@a1", "S@z9", "F@a1", "a1-a2")
GAMES: list[tuple[str, dict[str, object]]] = [
    *((info.name, {}) for info in registry.games() if info.turns),
    ("toy", {}),
    ("toy", {"secretive": True}),
]
Told = list[tuple[str, bytes]]
"""What came out of the server, and to whom."""


class Still:
    """In the place of a table's machine: here nature and bots act when the test says so."""

    news = wire.Bots("ready", None)

    def __init__(self, *_: object) -> None: ...

    def look(self) -> None: ...

    async def close(self) -> None: ...


@pytest.fixture(autouse=True)
def _world(monkeypatch: pytest.MonkeyPatch) -> None:
    games = registry.games()
    monkeypatch.setattr(registry, "games", lambda: (*games, TOY))
    monkeypatch.setattr(live, "now", lambda: NOW)
    monkeypatch.setattr(live, "Machine", Still)


def twin_charters(game: Game) -> tuple[list[Charter], list[str]]:
    """Two tables that differ in their secrets and in nothing else, and the codes of the persons' seats."""
    bots = 1 if game.players > 1 else 0
    seats = [wire.SeatRequest("person", f"Player {seat}", None) for seat in range(game.players - bots)]
    seats += [wire.SeatRequest("bot", "Robot", "easy")] * bots
    charter, created = draw_up(wire.TableRequest(game.info.name, wire.Options({}), seats), game, ["easy"], NOW)
    return [msgspec.structs.replace(charter, secret=secret) for secret in SECRETS], list(created.codes.values())


def script(charters: list[Charter], game: Game, dice: random.Random) -> tuple[list[str], bool]:
    """Acts that fit both worlds, up to where nature first acts differently, and whether it does; none ends the game."""
    worlds = [Room(charter, game) for charter in charters]
    acts: list[str] = []
    while len(acts) < MOST_ACTS:
        (seat,) = worlds[0].state.to_act
        if seat == CHANCE:
            entries = [drawn(world, NOW) for world in worlds]
            if entries[0].text != entries[1].text:
                return acts, True
        else:
            text = str(dice.choice(worlds[0].state.legal_actions(seat)))
            entries = [world.act(ANYBODY, seat, text, NOW) for world in worlds]
        for world, entry in zip(worlds, entries, strict=True):
            world.take(entry)
        if worlds[0].state.is_terminal:
            break
        acts.append(entries[0].text)
    return acts, False


async def all_told(charter: Charter, codes: list[str], acts: list[str], path: Path) -> Told:
    """Play by the script at a table, and all that anybody can get out of the server on the way."""
    told: Told = []
    log = SqliteLog(path)
    app = make_app(log, Thinkers(FakeBrains(), pause=0))
    async with app.router.lifespan_context(app):
        await asyncio.wrap_future(log.open_table(charter))
        place: Hall = app.state.hall
        people = {"watcher": [], "everybody": codes, **{f"seat {seat}": [code] for seat, code in enumerate(codes)}}
        visitors = {name: await enter(place, charter.id, held) for name, held in people.items()}
        table = visitors["watcher"].table
        assert table is not None
        for number, text in enumerate(acts):
            told += [(name, message) for name, held in people.items() for message in await ask(app, table, held)]
            told += [("somebody who is refused", answer) for answer in await offend(table, codes, number)]
            for seat in table.room.to_act & table.room.viewer(codes).seats:
                for word in ("a1", "L", text.split("@")[0]):
                    table.hold(visitors["everybody"], seat, word)
            await go_on(table, codes, text, number, told)
        told += [(name, message) for name, held in people.items() for message in await ask(app, table, held)]
        told += [(name, message) for name, visitor in visitors.items() for message in heard(visitor)]
    return [(who, without_commitment(message, charter)) for who, message in told]


async def enter(place: Hall, table: str, codes: list[str]) -> Listener:
    visitor = Listener()
    await place.enter(visitor, table, codes)
    return visitor


def heard(visitor: Listener) -> list[bytes]:
    return [visitor.waiting.get_nowait() for _ in range(visitor.waiting.qsize())]


async def ask(app: Starlette, table: Table, codes: list[str]) -> list[bytes]:
    """What a visitor gets who comes, looks at positions and pages, asks for the record, and comes back."""
    place: Hall = app.state.hall
    visitor = await enter(place, table.room.charter.id, codes)
    acts = table.room.acts
    looks = [wire.write(table.look(visitor.viewer, number)) for number in (0, 1, acts // 2, acts, acts + 1)]
    pages = [wire.write(table.history(visitor.viewer, before)) for before in (1, acts // 2 + 1, acts + 1, acts + 2)]
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client:
        record = await client.get(f"/api/tables/{table.room.charter.id}/record")
    for seq in (0, acts // 2, acts, acts + 1):
        seen = wire.Seen(seq, table.room.made_by(seq) if seq <= acts else seq)
        await place.enter(visitor, table.room.charter.id, codes, seen)
    await place.leave(visitor)
    return [*heard(visitor), *looks, *pages, str(record.status_code).encode() + record.content]


async def offend(table: Table, codes: list[str], number: int) -> list[bytes]:
    """The answers to acts that are not legal: for every seat, nature's too, and to those who hold none."""
    viewer, answers = table.room.viewer(codes), []
    legal = {str(act) for seat in table.room.state.to_act - {CHANCE} for act in table.room.state.legal_actions(seat)}
    for seat in range(-1, table.room.game.players + 1):
        for text in sorted(set(OFFENCES) - legal):
            request = wire.Act(f"{number} {seat} {text}", seat, text)
            answers += [await table.ask(viewer, request), await table.ask(rooms.Viewer(), request)]
    assert all(isinstance(answer, wire.Refused) for answer in answers)
    return [wire.write(answer) for answer in answers]


async def go_on(table: Table, codes: list[str], text: str, number: int, told: Told) -> None:
    """The next act by whoever is to act; a bot is told the state that it is asked about."""
    room, state = table.room, table.room.state
    (seat,) = state.to_act
    if seat == CHANCE:
        await table.enter(room.draw)
    elif seat in room.bots:
        told.append(("the bot", all_of(state)))
        await table.enter(lambda now: room.act(ANYBODY, seat, text, now))
    else:
        told.append(
            (f"seat {seat}", wire.write(await table.ask(room.viewer(codes), wire.Act(f"{number}", seat, text))))
        )
    assert room.state.act == text


def all_of(state: State) -> bytes:
    """A state with all that led to it, down to what nobody is shown."""
    return repr([(one.act, one.seat, one.at, one._position(), one.effects) for one in state.history()]).encode()


def without_commitment(message: bytes, charter: Charter) -> bytes:
    return message.replace(fair.commitment(charter.secret).encode(), b"COMMITMENT")


@pytest.mark.parametrize(("name", "options"), GAMES, ids=str)
def test_nobody_is_told_what_nature_will_do(name: str, options: dict[str, object], tmp_path: Path) -> None:
    game = registry.info(name).load(None, **options)
    charters, codes = twin_charters(game)
    acts, differs = script(charters, game, random.Random(1))
    one, other = (
        asyncio.run(all_told(charter, codes, acts, tmp_path / charter.secret.hex()[:4])) for charter in charters
    )
    assert len(one) > 4 * len(acts)
    assert one == other
    assert not any(secret.hex().encode() in message for secret in SECRETS for _, message in one)
    if differs:
        worlds = [Room(charter, game) for charter in charters]
        for world in worlds:
            for entry in entries_of(acts, game):
                world.take(world.chained(entry))
            world.take(drawn(world, NOW))
        assert gate(worlds[0]).frame(rooms.Viewer()) != gate(worlds[1]).frame(rooms.Viewer())


def entries_of(acts: list[str], game: Game) -> list[rooms.Entry]:
    """The acts as a log has them."""
    state, entries = game.start(), []
    for number, text in enumerate(acts, 1):
        entries.append(rooms.Entry(number, min(state.to_act), 0, text))
        state = state.apply(text)
    return entries


# Tables by a link


def hidden_table(game: Game) -> tuple[Charter, wire.TableCreated]:
    """A table that is shown to watchers when it is over: a person who is there, and open seats."""
    seats = [wire.SeatRequest("person", "Ann", None)]
    seats += [wire.SeatRequest("open", "", None)] * (game.players - 1)
    request = wire.TableRequest(game.info.name, wire.Options({}), seats, True, False)
    return draw_up(request, game, [], NOW)


async def all_watched(charter: Charter, created: wire.TableCreated, path: Path, seed: int) -> tuple[int, Told]:
    """How many acts two random players make, and all that a watcher can get out of the server meanwhile."""
    dice = random.Random(seed)
    app = make_app(SqliteLog(path), Thinkers(FakeBrains(), pause=0))
    async with app.router.lifespan_context(app):
        place: Hall = app.state.hall
        await asyncio.wrap_future(place.log.open_table(charter))
        watcher, people = await enter(place, charter.id, []), await enter(place, charter.id, [*created.codes.values()])
        table = people.table
        assert table is not None
        for number, invite in created.invites.items():
            open_seat, mine = int(number), f"{number:0>32}"
            viewer = table.room.viewer([invite])
            people.know(mine)
            assert isinstance(await table.ask(viewer, wire.Sit(f"s{number}", open_seat, "Bob", mine)), wire.Ack)
        acts = 0
        while acts < MOST_ACTS // 4:
            state = table.room.state
            (seat,) = state.to_act
            text = "" if seat == CHANCE else str(dice.choice(state.legal_actions(seat)))
            if text and state.apply(text, seat, 0).is_terminal:
                break
            if seat == CHANCE:
                await table.enter(table.room.draw)
            else:
                assert isinstance(await table.ask(people.viewer, wire.Act(f"a{acts}", seat, text)), wire.Ack)
                if table.room.game.players > 1:  # an undo is proposed, and declined by another act
                    await table.ask(table.room.viewer([*created.codes.values()]), wire.Undo(f"u{acts}", acts))
            acts += 1
        told = [("watcher", message) for message in await ask(app, table, [])]
        told += [("watcher", message) for message in heard(watcher)]
        told += [("lobby", wire.write(await place.lobby()))]
    return acts, told


@pytest.mark.parametrize(("name", "options"), [(name, options) for name, options in GAMES if not options])
def test_who_watches_a_hidden_table_can_not_tell_one_game_from_another(
    name: str, options: dict[str, object], tmp_path: Path
) -> None:
    game = registry.info(name).load(**options)
    if game.players == 1:
        game = registry.info(name).load(players=2)
    charter, created = hidden_table(game)
    (acts, one), (others, another) = (
        asyncio.run(all_watched(charter, created, tmp_path / f"{seed}.sqlite", seed)) for seed in (1, 2)
    )
    assert min(acts, others) > 0
    distinct = {message for _, message in one if b'"type":"changed"' not in message}
    assert distinct == {message for _, message in another if b'"type":"changed"' not in message}
    codes = [*created.codes.values(), *created.invites.values(), str(created.host)]
    for _, message in (*one, *another):
        assert not any(code.encode() in message or lock_of(code).encode() in message for code in codes)


def test_the_codes_of_a_table_change_nothing_that_anybody_is_told() -> None:
    """Two tables that differ in their locks alone are the same to everybody, whatever seats they hold."""
    game = registry.info("icefrogs").load(players=2)
    charter, _ = hidden_table(game)
    seats = tuple(msgspec.structs.replace(seat, lock=lock_of("other")) for seat in charter.seats)
    terms = msgspec.structs.replace(charter.terms, host=lock_of("another"))
    rooms_ = [Room(charter, game), Room(msgspec.structs.replace(charter, seats=seats, terms=terms), game)]
    for viewer in (
        rooms.Viewer(),
        rooms.Viewer(guest=frozenset({1})),
        rooms.Viewer(frozenset({0}), host=True),
    ):
        told = [wire.write(gate(room).welcome(viewer)) + wire.write(gate(room).listing()) for room in rooms_]
        assert told[0] == told[1]


# Without turns: nature's only act is the bell, and its moment is the secret

BEFORE_THE_BELL = (
    *((0, "ready", 0), (1, "ready", 700), (0, "lift S", 900), (1, "lift L", 1000)),
    *((0, "place 1000,1000 stand 0.0", 1500), (1, "place 6000,6000 stand 0.0", 2000), (1, "icehouse", 2500)),
    *((0, "lift S", 4000), (0, "return", 4600)),
)
OFFENCES_IN_ICEHOUSE = ("bell", "place 1000,1000 stand 0.0", "return", "capture p1", "give S red")


class Clock:
    """What time it is at the server, in milliseconds since the table was opened."""

    def __init__(self) -> None:
        self.at = 0

    def now(self) -> int:
        return NOW + self.at


def bells_of(charters: list[Charter], game: Game) -> list[int]:
    """When the tables ring, worked out anew: the last one is ready after 700 ms."""
    bells = [fair.bell(charter.secret, charter.id, game) for charter in charters]
    return [700 + bell for bell in bells if bell is not None]


def forbidden(table: Table, seat: int, now: int) -> list[str]:
    """What a seat may not do now, of some acts; nature's own is not for anybody to ask for."""
    at = table.room.time(now) / 1000
    acts = [text for text in OFFENCES_IN_ICEHOUSE if table.room.state.fault(text, seat, at) or seat == CHANCE]
    return [*acts, '/{"type":"pause","now":0}']


async def all_told_before_the_bell(charter: Charter, codes: list[str], last: int, path: Path, clock: Clock) -> Told:
    """Play with pauses, debts and refusals up to a moment, and all that anybody can get out of the server meanwhile."""
    told: Told = []
    app = make_app(SqliteLog(path), Thinkers(FakeBrains(), pause=0))
    async with app.router.lifespan_context(app):
        place: Hall = app.state.hall
        await asyncio.wrap_future(place.log.open_table(charter))
        people: dict[str, list[str]] = {"watcher": [], "everybody": codes, "seat 0": codes[:1], "seat 1": codes[1:]}
        visitors = {name: await enter(place, charter.id, held) for name, held in people.items()}
        table = visitors["watcher"].table
        assert table is not None
        paused_for = 0

        async def look_everywhere() -> None:
            table.age()
            for name, held in people.items():
                told.extend((name, message) for message in await ask(app, table, held))
            told.append(("lobby", wire.write(await place.lobby())))
            told.append(("what the machine does", wire.write(table.gate.table(rooms.Viewer()))))

        async def request(what: wire.Request) -> None:
            told.append(("answer", wire.write(await table.ask(table.room.viewer(codes), what))))

        for number, (seat, text, at) in enumerate(BEFORE_THE_BELL):
            clock.at = at + paused_for
            await request(wire.Act(f"{number}", seat, text, 300))
            assert table.room.acts == number + 1
            for other in range(-1, 3):
                for offence in forbidden(table, other, clock.now()):
                    await request(wire.Act(f"{number} {other} {offence}", other, offence))
            await look_everywhere()
            if number in (4, 6):
                await request(wire.Offer(f"pause {number}", "pause"))
                clock.at += 90_000
                paused_for += 90_000
                await look_everywhere()
                assert table.room.timing.paused is not None
                await request(wire.Offer(f"resume {number}", "resume"))
        for at in (5000, last - 1):
            clock.at = at + paused_for
            await look_everywhere()
        assert not table.room.is_over
        assert table.room.state.effects == ()
        told += [(name, message) for name, visitor in visitors.items() for message in heard(visitor)]
        clock.at += 1
        await table.enter(lambda _: None)
        rung = table.room.is_over
        endings = [message for visitor in visitors.values() for message in heard(visitor)]
        assert any(charter.secret.hex().encode() in message for message in endings) == rung
        told.append(("rung", str(rung).encode()))
    return [(who, without_commitment(message, charter)) for who, message in told]


def test_nobody_is_told_when_the_bell_will_ring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to the moment when the first of two bells rings, the two tables are the same to everybody, byte for byte."""
    clock = Clock()
    for module in ("live", "hall"):
        monkeypatch.setattr(f"icetable.table.{module}.now", clock.now)
    game = registry.info("icehouse").load(players=2, width=8, height=8, timer=30, gift_time=1, crash="refuse")
    seats = [wire.SeatRequest("person", name, None) for name in ("Ann", "Bob")]
    request = wire.TableRequest("icehouse", wire.Options({}), seats, True)
    charter, created = draw_up(request, game, [], NOW)
    charters = [msgspec.structs.replace(charter, id="k7m2k7m2k7m2", secret=secret) for secret in SECRETS]
    bells, codes = bells_of(charters, game), list(created.codes.values())
    assert bells[0] != bells[1]
    one, other = (
        asyncio.run(all_told_before_the_bell(charter, codes, min(bells), tmp_path / f"{number}.sqlite", clock))
        for number, charter in enumerate(charters)
    )
    assert len(one) > 100
    assert one[:-1] == other[:-1]
    assert {one[-1], other[-1]} == {("rung", b"True"), ("rung", b"False")}
    for bell, charter in zip(bells, charters, strict=True):
        moments = (f"{bell}", f"{bell / 1000}", f"{NOW + bell}", f"{bell - 700}", f"{(bell - 700) / 1000}")
        for _, message in (*one, *other):
            assert not any(moment.encode() in message for moment in moments)
            assert charter.secret.hex().encode() not in message
            assert not any(code.encode() in message or lock_of(code).encode() in message for code in codes)
