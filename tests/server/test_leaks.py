"""Two tables that differ only in nature's secret are the same to everybody until nature acts differently."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

import httpx
import msgspec
import pytest

from icetable import games
from icetable.core.game import CHANCE, Game, State
from icetable.server import messages
from icetable.server.http.app import make_app
from icetable.server.live.bots import BotPool
from icetable.server.live.manager import TableManager
from icetable.server.live.tables import table as live
from icetable.server.live.tables.table import LiveTable
from icetable.server.store import open_store
from icetable.server.table import fairness
from icetable.server.table.log import Entry
from icetable.server.table.seats import hash_code
from icetable.server.table.setup import TableSetup
from icetable.server.table.state import TableState
from icetable.server.table.viewers import Viewer

from .fakes import FakeBots, Listener
from .table_states import ANYBODY, OPEN, Table, bot, drawn, person, views

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.applications import Starlette

NOW = 1_000_000
MAX_ACTS = 30
SECRETS = (bytes(32), bytes([1] * 32))
OFFENCES = ("nonsense", "undo 0", "pass", "take", "deal:111111111", "die:swap", "L@a1", "S@z9", "F@a1", "a1-a2")
GAMES: list[tuple[str, dict[str, object]]] = [
    ("icefrogs", {"turn_limit": 12}),
    *((info.name, {}) for info in games.list_games() if info.turns and info.name != "icefrogs"),
    ("toy", {}),
    ("toy", {"secretive": True}),
]
INSIGHTS = (b'"type":"analysed"', b'"type":"solved"')
"""Parts of messages with the values of positions."""
Told = list[tuple[str, bytes]]
"""The messages of the server, each with its receiver."""


class Still:
    """In the place of a table's machine: here nature and bots act when the test says so."""

    status = messages.BOTS_READY
    is_closed = False

    def __init__(self, *_: object) -> None: ...

    def update(self) -> None: ...

    async def close(self) -> None: ...


@pytest.fixture(autouse=True)
def _world(toy_game: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "now", lambda: NOW)
    monkeypatch.setattr(live, "AutoPlayer", Still)


def twin_setups(game: Game) -> tuple[list[TableSetup], list[str]]:
    """Two tables that differ in their secrets and in nothing else, and the codes of the persons' seats."""
    bots = 1 if game.players > 1 else 0
    table = Table(game, *(person(f"Player {seat}") for seat in range(game.players - bots)), *[bot()] * bots)
    return twins_of(table.state.setup), list(table.created.codes.values())


def twins_of(setup: TableSetup) -> list[TableSetup]:
    return [msgspec.structs.replace(setup, secret=secret) for secret in SECRETS]


def script(setups: list[TableSetup], game: Game, dice: random.Random) -> tuple[list[str], bool]:
    """Acts that fit both worlds, up to where nature first acts differently, and whether it does; none ends the game."""
    worlds = [TableState(setup, game) for setup in setups]
    acts: list[str] = []
    while len(acts) < MAX_ACTS:
        (seat,) = worlds[0].position.to_act
        if seat == CHANCE:
            entries = [drawn(world, NOW) for world in worlds]
            if entries[0].text != entries[1].text:
                return acts, True
        else:
            text = str(dice.choice(worlds[0].position.legal_actions(seat)))
            entries = [world.entry_for_act(ANYBODY, seat, text, NOW) for world in worlds]
        for world, entry in zip(worlds, entries, strict=True):
            world.append(entry)
        if worlds[0].position.is_terminal:
            break
        acts.append(entries[0].text)
    return acts, False


async def all_told(setup: TableSetup, codes: list[str], acts: list[str], path: Path) -> Told:
    """Play by the script at a table, and all that anybody can get out of the server on the way."""
    told: Told = []
    log = open_store(path)
    app = make_app(log, BotPool(FakeBots().factory, pause=0))
    async with app.router.lifespan_context(app):
        await asyncio.wrap_future(log.tables.create(setup))
        place: TableManager = app.state.site.manager
        people = {"watcher": [], "everybody": codes, **{f"seat {seat}": [code] for seat, code in enumerate(codes)}}
        clients = {name: await enter(place, setup.id, held) for name, held in people.items()}
        table = clients["watcher"].table
        for number, text in enumerate(acts):
            told += [(name, message) for name, held in people.items() for message in await ask(app, table, held)]
            told += [("somebody who is refused", answer) for answer in await offend(table, codes, number)]
            for seat in table.state.to_act & table.state.viewer(codes).seats:
                for word in ("a1", "L", text.split("@")[0]):
                    table.hold(clients["everybody"], seat, word)
            await go_on(table, codes, text, number, told)
        told += [(name, message) for name, held in people.items() for message in await ask(app, table, held)]
        told += [(name, message) for name, client in clients.items() for message in heard(client)]
    return [(who, without_commitment(message, setup)) for who, message in told]


async def enter(place: TableManager, table: str, codes: list[str]) -> Listener:
    client = Listener()
    await client.join(place, table, codes)
    return client


def heard(client: Listener) -> list[bytes]:
    return [client.waiting.get_nowait() for _ in range(client.waiting.qsize())]


async def ask(app: Starlette, table: LiveTable, codes: list[str]) -> list[bytes]:
    """The messages to a visitor who joins, looks at positions and pages, requests record and values, and returns."""
    place: TableManager = app.state.site.manager
    client = await enter(place, table.state.setup.id, codes)
    acts = table.state.acts
    looks = [messages.write(await table.past(client.viewer, number)) for number in (0, 1, acts // 2, acts, acts + 1)]
    pages = [
        messages.write(await table.history(client.viewer, before)) for before in (1, acts // 2 + 1, acts + 1, acts + 2)
    ]
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as http:
        record, review = [await http.get(f"/api/tables/{table.state.setup.id}/{what}") for what in ("record", "review")]
    for seq in (0, acts // 2, acts, acts + 1):
        seen = messages.Seen(seq, table.state.entry_of_act(seq) if seq <= acts else seq)
        await client.join(place, table.state.setup.id, codes, seen)
    for seq in (0, 1, 3, 99):
        place.study.analyses.start(client, table, seq)
    client.table.solve(client, 1)
    await asyncio.sleep(0)
    await place.leave(client)
    told = heard(client)
    assert table.state.is_over or (
        review.status_code == 409 and not any(kind in message for message in told for kind in INSIGHTS)
    )
    assert not any(salt in message for message in (*told, *looks, *pages, review.content) for salt in salts_of(table))
    answers = [str(answer.status_code).encode() + answer.content for answer in (record, review)]
    return [*told, *looks, *pages, *answers]


def salts_of(table: LiveTable) -> list[bytes]:
    """The salts of the names at a table, which its record alone may tell."""
    names = [*table.state.setup.names, *(entry.name for entry in table.state.log())]
    return [name.salt.encode() for name in names if name is not None]


async def offend(table: LiveTable, codes: list[str], number: int) -> list[bytes]:
    """The answers to acts that are not legal: for every seat, nature's too, and to those who hold none."""
    viewer, answers = table.state.viewer(codes), []
    legal = {
        str(act) for seat in table.state.position.to_act - {CHANCE} for act in table.state.position.legal_actions(seat)
    }
    for seat in range(-1, table.state.game.players + 1):
        for text in sorted(set(OFFENCES) - legal):
            request = messages.Act(f"{number} {seat} {text}", seat, text)
            answers += [await table.handle(viewer, request), await table.handle(Viewer(), request)]
    assert all(isinstance(answer, messages.Refused) for answer in answers)
    return [messages.write(answer) for answer in answers]


async def go_on(table: LiveTable, codes: list[str], text: str, number: int, told: Told) -> None:
    """The next act by whoever is to act; a bot is told the state that it is asked about."""
    table_state, state = table.state, table.state.position
    (seat,) = state.to_act
    if seat == CHANCE:
        await table.append(table_state.draw_chance)
    elif seat in table_state.bots:
        told.append(("the bot", all_of(state)))
        await table.append(lambda now: table_state.entry_for_act(ANYBODY, seat, text, now))
    else:
        told.append(
            (
                f"seat {seat}",
                messages.write(await table.handle(table_state.viewer(codes), messages.Act(f"{number}", seat, text))),
            )
        )
    assert table_state.position.act == text


def all_of(state: State) -> bytes:
    """A state with all that led to it, down to what nobody is shown."""
    return repr([(one.act, one.seat, one.at, one._position(), one.effects) for one in state.history()]).encode()


def without_commitment(message: bytes, setup: TableSetup) -> bytes:
    return message.replace(fairness.commitment(setup.secret).encode(), b"COMMITMENT")


@pytest.mark.parametrize(("name", "options"), GAMES, ids=str)
def test_nobody_is_told_what_nature_will_do(name: str, options: dict[str, object], tmp_path: Path) -> None:
    game = games.info(name).load(None, **options)
    setups, codes = twin_setups(game)
    acts, differs = script(setups, game, random.Random(1))
    one, other = (asyncio.run(all_told(setup, codes, acts, tmp_path / setup.secret.hex()[:4])) for setup in setups)
    assert len(one) > 4 * len(acts)
    assert one == other
    assert not any(secret.hex().encode() in message for secret in SECRETS for _, message in one)
    if differs:
        worlds = [TableState(setup, game) for setup in setups]
        for world in worlds:
            for entry in entries_of(acts, game):
                world.append(world.chained(entry))
            world.append(drawn(world, NOW))
        assert views(worlds[0]).frame(Viewer()) != views(worlds[1]).frame(Viewer())


def entries_of(acts: list[str], game: Game) -> list[Entry]:
    """The acts as a log has them."""
    state, entries = game.start(), []
    for number, text in enumerate(acts, 1):
        entries.append(Entry(number, min(state.to_act), 0, text))
        state = state.apply(text)
    return entries


# Tables by a link


def hidden_table(game: Game) -> tuple[TableSetup, messages.TableCreated]:
    """A table that is shown to watchers when it is over: a person who is there, and open seats."""
    table = Table(game, person(), *[OPEN] * (game.players - 1), public=True, live=False)
    return table.state.setup, table.created


async def all_watched(setup: TableSetup, created: messages.TableCreated, path: Path, seed: int) -> tuple[int, Told]:
    """How many acts two random players make, and all that a watcher can get out of the server meanwhile."""
    dice = random.Random(seed)
    app = make_app(open_store(path), BotPool(FakeBots().factory, pause=0))
    async with app.router.lifespan_context(app):
        place: TableManager = app.state.site.manager
        await asyncio.wrap_future(place.tables.store.tables.create(setup))
        watcher, people = await enter(place, setup.id, []), await enter(place, setup.id, [*created.codes.values()])
        table = people.table
        for number, invite in created.invites.items():
            open_seat, mine = int(number), f"{number:0>32}"
            viewer = table.state.viewer([invite])
            people.add_code(mine)
            assert isinstance(
                await table.handle(viewer, messages.Sit(f"s{number}", open_seat, "Bob", mine)), messages.Ack
            )
        acts = 0
        while acts < MAX_ACTS // 4:
            state = table.state.position
            (seat,) = state.to_act
            text = "" if seat == CHANCE else str(dice.choice(state.legal_actions(seat)))
            if text and state.apply(text, seat, 0).is_terminal:
                break
            if seat == CHANCE:
                await table.append(table.state.draw_chance)
            else:
                assert isinstance(await table.handle(people.viewer, messages.Act(f"a{acts}", seat, text)), messages.Ack)
                if table.state.game.players > 1:  # an undo is proposed, and declined by another act
                    await table.handle(table.state.viewer([*created.codes.values()]), messages.Undo(f"u{acts}", acts))
            acts += 1
        told = [("watcher", message) for message in await ask(app, table, [])]
        told += [("watcher", message) for message in heard(watcher)]
        told += [("lobby", messages.write(await place.lobby.listings()))]
        assert len(salts_of(table)) == table.state.game.players
        assert not any(salt in message for _, message in told for salt in salts_of(table))
    return acts, told


@pytest.mark.parametrize(("name", "options"), [(name, options) for name, options in GAMES if not options])
def test_a_watcher_of_a_hidden_table_can_not_tell_one_game_from_another(
    name: str, options: dict[str, object], tmp_path: Path
) -> None:
    game = games.info(name).load(**options)
    if game.players == 1:
        game = games.info(name).load(players=2)
    setup, created = hidden_table(game)
    (acts, one), (others, another) = (
        asyncio.run(all_watched(setup, created, tmp_path / f"{seed}.sqlite", seed)) for seed in (1, 2)
    )
    assert min(acts, others) > 0
    distinct = {message for _, message in one if b'"type":"changed"' not in message}
    assert distinct == {message for _, message in another if b'"type":"changed"' not in message}
    codes = [*created.codes.values(), *created.invites.values(), str(created.host)]
    for _, message in (*one, *another):
        assert not any(code.encode() in message or hash_code(code).encode() in message for code in codes)


def test_the_codes_of_a_table_change_nothing_that_anybody_is_told() -> None:
    """Two tables that differ in their locks alone are the same to everybody, whatever seats they hold."""
    game = games.info("icefrogs").load(players=2)
    setup, _ = hidden_table(game)
    seats = tuple(msgspec.structs.replace(seat, code_hash=hash_code("other")) for seat in setup.seats)
    terms = msgspec.structs.replace(setup.terms, host=hash_code("another"))
    tables = [TableState(setup, game), TableState(msgspec.structs.replace(setup, seats=seats, terms=terms), game)]
    for viewer in (
        Viewer(),
        Viewer(guest=frozenset({1})),
        Viewer(frozenset({0}), host=True),
    ):
        told = [
            messages.write(views(table_state).welcome(viewer)) + messages.write(views(table_state).listing({}))
            for table_state in tables
        ]
        assert told[0] == told[1]


# Without turns: nature's only act is the bell, and its moment is the secret

BEFORE_THE_BELL = (
    *((0, "ready", 0), (1, "ready", 700), (0, "lift S", 900), (1, "lift L", 1000)),
    *((0, "place 1000,1000 stand 0.0", 1500), (1, "place 6000,6000 stand 0.0", 2000), (1, "icehouse", 2500)),
    *((0, "lift S", 4000), (0, "return", 4600)),
)
OFFENCES_IN_ICEHOUSE = ("bell", "place 1000,1000 stand 0.0", "return", "capture p1", "give S red")


class Clock:
    """The time of the server, in milliseconds since the table was opened."""

    def __init__(self) -> None:
        self.at = 0

    def now(self) -> int:
        return NOW + self.at


def bells_of(setups: list[TableSetup], game: Game) -> list[int]:
    """When the tables ring, worked out anew: the last one is ready after 700 ms."""
    bells = [fairness.bell(setup.secret, setup.id, game) for setup in setups]
    return [700 + bell for bell in bells if bell is not None]


def forbidden(table: LiveTable, seat: int, now: int) -> list[str]:
    """The acts, of some, that a seat may not play now; those of chance no seat may request."""
    at = table.state.time(now) / 1000
    acts = [text for text in OFFENCES_IN_ICEHOUSE if table.state.position.fault(text, seat, at) or seat == CHANCE]
    return [*acts, '/{"type":"pause","now":0}']


async def all_told_before_the_bell(setup: TableSetup, codes: list[str], last: int, path: Path, clock: Clock) -> Told:
    """Play with pauses, debts and refusals up to a moment, and all that anybody can get out of the server meanwhile."""
    told: Told = []
    app = make_app(open_store(path), BotPool(FakeBots().factory, pause=0))
    async with app.router.lifespan_context(app):
        place: TableManager = app.state.site.manager
        await asyncio.wrap_future(place.tables.store.tables.create(setup))
        people: dict[str, list[str]] = {"watcher": [], "everybody": codes, "seat 0": codes[:1], "seat 1": codes[1:]}
        clients = {name: await enter(place, setup.id, held) for name, held in people.items()}
        table = clients["watcher"].table
        paused_for = 0

        async def look_everywhere() -> None:
            table.advance_time()
            for name, held in people.items():
                told.extend((name, message) for message in await ask(app, table, held))
            told.append(("lobby", messages.write(await place.lobby.listings())))
            told.append(("what the machine does", messages.write(table.views.table(Viewer()))))

        async def request(what: messages.Request) -> None:
            told.append(("answer", messages.write(await table.handle(table.state.viewer(codes), what))))

        for number, (seat, text, at) in enumerate(BEFORE_THE_BELL):
            clock.at = at + paused_for
            await request(messages.Act(f"{number}", seat, text, 300))
            assert table.state.acts == number + 1
            for other in range(-1, 3):
                for offence in forbidden(table, other, clock.now()):
                    await request(messages.Act(f"{number} {other} {offence}", other, offence))
            await look_everywhere()
            if number in (4, 6):
                await request(messages.Offer(f"pause {number}", "pause"))
                clock.at += 90_000
                paused_for += 90_000
                await look_everywhere()
                assert table.state.timing.paused is not None
                await request(messages.Offer(f"resume {number}", "resume"))
        for at in (5000, last - 1):
            clock.at = at + paused_for
            await look_everywhere()
        assert not table.state.is_over
        assert table.state.position.effects == ()
        told += [(name, message) for name, client in clients.items() for message in heard(client)]
        clock.at += 1
        await table.append(lambda _: None)
        rung = table.state.is_over
        endings = [message for client in clients.values() for message in heard(client)]
        assert any(setup.secret.hex().encode() in message for message in endings) == rung
        told.append(("rung", str(rung).encode()))
    return [(who, without_commitment(message, setup)) for who, message in told]


def test_nobody_is_told_when_the_bell_will_ring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to the moment when the first of two bells rings, the two tables are the same to everybody, byte for byte."""
    clock = Clock()
    for module in ("table", "tables"):
        monkeypatch.setattr(f"icetable.server.live.tables.{module}.now", clock.now)
    table = Table("icehouse", public=True, width=8, height=8, timer=30, gift_time=1, crash="refuse")
    setups = twins_of(msgspec.structs.replace(table.state.setup, id="k7m2k7m2k7m2"))
    bells, codes = bells_of(setups, table.state.game), list(table.created.codes.values())
    assert bells[0] != bells[1]
    one, other = (
        asyncio.run(all_told_before_the_bell(setup, codes, min(bells), tmp_path / f"{number}.sqlite", clock))
        for number, setup in enumerate(setups)
    )
    assert len(one) > 100
    assert one[:-1] == other[:-1]
    assert {one[-1], other[-1]} == {("rung", b"True"), ("rung", b"False")}
    for bell, setup in zip(bells, setups, strict=True):
        moments = (f"{bell}", f"{bell / 1000}", f"{NOW + bell}", f"{bell - 700}", f"{(bell - 700) / 1000}")
        for _, message in (*one, *other):
            assert not any(moment.encode() in message for moment in moments)
            assert setup.secret.hex().encode() not in message
            assert not any(code.encode() in message or hash_code(code).encode() in message for code in codes)
