"""Tournaments: who may do what, how rounds follow each other, how all stand, and what outlasts a process."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
import pytest

from icetable import games
from icetable.core.errors import GameError
from icetable.server import messages, tournament
from icetable.server.errors import BadTable, TableNotFound
from icetable.server.live import tournaments
from icetable.server.live.tables.client import Client
from icetable.server.store import open_store
from icetable.server.store.database import written
from icetable.server.store.queries import Subscription
from icetable.server.table.seats import hash_code
from icetable.server.table.setup import PARTS_PER_WIN

from .fakes import PATIENCE, Listener
from .serving import Running
from .support import acked, join, kind, new_manager, receive, received

if TYPE_CHECKING:
    from collections.abc import Iterator

    from icetable.server.live.manager import TableManager

    from .support import Message

pytestmark = pytest.mark.anyio

SHORT = messages.Options({"turn_limit": 1})


def wanted(kind: Any = "swiss", game: str = "icefrogs", **terms: Any) -> messages.TournamentRequest:
    return messages.TournamentRequest("Cup", game, terms.pop("options", SHORT), kind, **terms)


async def enter(manager: TableManager, cup: str, name: str) -> str:
    """Enter a person, who has this code."""
    code = secrets.token_hex(16)
    await manager.tournaments.enter(cup, messages.EnterRequest(name, code), "")
    return code


async def open_cup(manager: TableManager, *names: str, bots: int = 0, **terms: Any) -> tuple[str, str, list[str]]:
    """A tournament: its id, its organizer's code, and the codes of those who have entered."""
    created = await manager.tournaments.begin(wanted(**terms))
    codes = [await enter(manager, created.tournament, name) for name in names]
    for _ in range(bots):
        request = messages.EnterRequest("", level="easy")
        await manager.tournaments.enter(created.tournament, request, created.code)
    return created.tournament, created.code, codes


async def start(manager: TableManager, cup: str, code: str) -> messages.Tournament:
    return await manager.tournaments.organize(cup, messages.OrganizerRequest("start"), code)


async def play(manager: TableManager, table: str, codes: list[str]) -> None:
    """All who sit there make legal acts until the game is over; bots make their own."""
    client = await join(manager, table, codes)
    async with asyncio.timeout(PATIENCE):
        while not client.table.state.is_over:
            state = client.table.state
            for seat in state.to_act & client.viewer.seats:
                act = str(state.position.legal_actions(seat)[0])
                acked(await client.table.handle(client.viewer, messages.Act(secrets.token_hex(4), seat, act)))
            await asyncio.sleep(0.001)
    await manager.leave(client)


async def until_over(manager: TableManager, cup: str, codes: list[str]) -> messages.Tournament:
    """Everybody plays each round to its end."""
    async with asyncio.timeout(3 * PATIENCE):
        while (shown := await manager.tournaments.show(cup)).state != "over":
            for one in shown.rounds[-1].tables:
                if one.wins is None and any(shown.entrants[entrant].level is None for entrant in one.seats):
                    await play(manager, one.table, codes)
            await manager.tournaments.update(cup)
            await asyncio.sleep(0.01)
    return shown


async def next_round(manager: TableManager, cup: str, rounds: int = 0) -> messages.Tournament:
    """The tournament once so many rounds are drawn or, by default, once it is over."""
    async with asyncio.timeout(PATIENCE):
        while len((shown := await manager.tournaments.show(cup)).rounds) != rounds and shown.state != "over":
            await manager.tournaments.update(cup)
    return shown


async def test_four_play_to_the_end(where: str) -> None:
    """By another process in the middle, as after a restart."""
    manager = new_manager(open_store(where))
    cup, code, codes = await open_cup(manager, "Ann", "Bob", "Cem", bots=1, kind="round-robin")
    shown = await start(manager, cup, code)
    assert (shown.state, shown.length, len(shown.rounds), len(shown.entrants)) == ("running", 3, 1, 4)
    await play(manager, shown.rounds[0].tables[0].table, codes)
    await manager.close()
    manager = new_manager(open_store(where))
    shown = await until_over(manager, cup, codes)
    met = [frozenset(one.seats) for round_ in shown.rounds for one in round_.tables]
    assert len(met) == len(set(met)) == 6
    assert sum(line.points for line in shown.standings) == 6
    assert [line.played for line in shown.standings] == [3] * 4
    assert [line.place for line in shown.standings] == sorted(line.place for line in shown.standings)
    await manager.close()


async def test_a_table_knows_its_tournament_and_a_rematch_is_none_of_it(manager: TableManager) -> None:
    cup, code, codes = await open_cup(manager, "Ann", "Bob", rounds=1)
    shown = await start(manager, cup, code)
    table = shown.rounds[0].tables[0].table
    client = await join(manager, table, codes)
    assert client.table.views.table(client.viewer).tournament == cup
    await play(manager, table, codes)
    following = await manager.tables.create_next(table, messages.NextRequest(codes, rotate=False))
    await join(manager, following.table, codes)
    settled = manager.tables.store.tables.setup(following.table)
    assert settled is not None
    assert settled.terms.tournament is None


async def test_onlookers_are_told_of_changes(manager: TableManager) -> None:
    cup, *_ = await open_cup(manager, "Ann")
    told: list[bytes] = []
    client = Client(told.append)

    def names() -> list[list[str]]:
        heard = [msgspec.json.decode(one, type=messages.TournamentNews) for one in told]
        return [[entrant.name for entrant in one.tournament.entrants] for one in heard]

    await manager.tournaments.watchers.watch(client, cup)
    await manager.tournaments.watchers.send_changes()
    assert names() == [["Ann"]]
    await enter(manager, cup, "Bob")
    await manager.tournaments.watchers.send_changes()
    assert names() == [["Ann"], ["Ann", "Bob"]]
    await manager.leave(client)
    await enter(manager, cup, "Cem")
    await manager.tournaments.watchers.send_changes()
    assert len(told) == 2
    with pytest.raises(TableNotFound):
        await manager.tournaments.watchers.watch(client, "nowhere")


async def test_bots_alone_are_played_by_the_server(manager: TableManager) -> None:
    cup, code, codes = await open_cup(manager, bots=4, rounds=2)
    await start(manager, cup, code)
    shown = await until_over(manager, cup, codes)
    assert len(shown.rounds) == 2
    assert not manager.tournaments._own_clients


async def test_two_processes_draw_a_round_once(database: str) -> None:
    managers = [new_manager(open_store(database)) for _ in range(2)]
    cup, code, codes = await open_cup(managers[0], "Ann", "Bob", "Cem", "Dan", rounds=2)
    await asyncio.gather(*(start(manager, cup, code) for manager in managers))
    (first,) = (await managers[1].tournaments.show(cup)).rounds
    for one in first.tables:
        await play(managers[0], one.table, codes)
    async with asyncio.timeout(PATIENCE):
        while len((await managers[0].tournaments.show(cup)).rounds) < 2:
            await asyncio.gather(*(manager.tournaments.update(cup) for manager in managers))
    shown = [await manager.tournaments.show(cup) for manager in managers]
    assert shown[0] == shown[1]
    assert [len(round_.tables) for round_ in shown[0].rounds] == [2, 2]
    for manager in managers:
        await manager.close()


async def test_a_seat_is_its_entrant_s_alone(manager: TableManager) -> None:
    cup, code, codes = await open_cup(manager, "Ann", "Bob")
    (table,) = (await start(manager, cup, code)).rounds[0].tables
    for entrant, own in enumerate(codes):
        client = await join(manager, table.table, [own])
        assert client.viewer.seats == {table.seats.index(entrant)}
        assert not client.viewer.host
    stranger = await join(manager, table.table, [code])
    assert (stranger.viewer.seats, stranger.viewer.guest) == (frozenset(), frozenset())


async def test_an_entrant_who_is_missing_forfeits(manager: TableManager) -> None:
    cup, code, _ = await open_cup(manager, "Ann", "Bob", rounds=1)
    (table,) = (await start(manager, cup, code)).rounds[0].tables
    request = messages.OrganizerRequest("forfeit", 0, table.table)
    shown = await manager.tournaments.organize(cup, request, code)
    (over,) = shown.rounds[0].tables
    assert (over.forfeit, over.wins, over.scores) == (0, [float(entrant == 1) for entrant in over.seats], [])
    assert shown.state == "over"
    assert [line.entrant for line in shown.standings] == [1, 0]
    with pytest.raises(BadTable, match="no game there"):
        await manager.tournaments.organize(cup, request, code)


async def test_a_removed_entrant_plays_no_more(manager: TableManager) -> None:
    cup, code, _ = await open_cup(manager, "Ann", "Bob", "Cem", "Dan", kind="round-robin")
    await start(manager, cup, code)
    shown = await manager.tournaments.organize(cup, messages.OrganizerRequest("remove", 0), code)
    assert [one.forfeit for one in shown.rounds[0].tables if 0 in one.seats] == [0]
    for one in shown.rounds[0].tables:
        if one.wins is None:
            request = messages.OrganizerRequest("forfeit", one.seats[0], one.table)
            shown = await manager.tournaments.organize(cup, request, code)
    assert len(shown.rounds) == 2
    assert all(0 not in one.seats for one in shown.rounds[1].tables)
    assert len(shown.rounds[1].out) == 1


async def test_only_its_organizer_runs_it(manager: TableManager) -> None:
    cup, _, codes = await open_cup(manager, "Ann", "Bob")
    for code in (codes[0], "", "0" * 32):
        with pytest.raises(BadTable, match="belongs to somebody else"):
            await start(manager, cup, code)
        with pytest.raises(BadTable, match="belongs to somebody else"):
            await manager.tournaments.enter(cup, messages.EnterRequest("", level="easy"), code)
    with pytest.raises(TableNotFound):
        await manager.tournaments.show("nowhere")


async def test_a_person_who_enters_twice_is_one_entrant(manager: TableManager) -> None:
    cup, code, codes = await open_cup(manager, "Ann", "Ann")
    again = await manager.tournaments.enter(cup, messages.EnterRequest("Ann", codes[1]), "")
    assert again.entrant == 1
    assert [one.name for one in (await manager.tournaments.show(cup)).entrants] == ["Ann", "Ann 2"]
    await start(manager, cup, code)
    with pytest.raises(BadTable, match="has begun"):
        await enter(manager, cup, "Cem")


async def test_there_is_room_for_so_many(manager: TableManager) -> None:
    cup, code, _ = await open_cup(manager, bots=tournament.MAX_ENTRANTS)
    with pytest.raises(BadTable, match="at most 32 entrants"):
        await enter(manager, cup, "Ann")
    await manager.tournaments.organize(cup, messages.OrganizerRequest("remove", 0), code)
    await enter(manager, cup, "Ann")


async def test_too_few_can_not_start(manager: TableManager) -> None:
    cup, code, _ = await open_cup(manager, "Ann")
    with pytest.raises(BadTable, match="too few"):
        await start(manager, cup, code)


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (
            wanted("round-robin", options=messages.Options({"players": 3})),
            "for two players; allowed here: swiss, rated",
        ),
        (wanted("rated"), "has no ratings; allowed: round-robin, swiss"),
        (wanted("swiss", "squad", options=messages.Options({"players": 1})), "two or more players"),
        (wanted("swiss", "icehouse", options=messages.Options({}), clock=messages.Clock("game", 60, 0)), "no turns"),
        (wanted("swiss", "chess"), "chess"),
        (messages.TournamentRequest(" ", "icefrogs", SHORT, "swiss"), "at least one visible character"),
    ],
)
def test_an_impossible_tournament_is_refused(request_: messages.TournamentRequest, why: str) -> None:
    with pytest.raises(GameError, match=why):
        tournaments.plan_of(request_)


# How all stand


def state_after(kind: Any, players: int, *tables: tuple[tuple[int, ...], tuple[float, ...], tuple[int, ...]]) -> Any:
    """A tournament with a table in each round: seats, wins and scores."""
    game = games.info("icehouse" if kind == "rated" else "icefrogs").load(None, players=players)
    plan = tournament.TournamentPlan("Cup", game.info.name, {}, players, None, kind, len(tables))
    state = tournament.TournamentState(plan, game)
    for number in range(4):
        state.apply(tournament.Entering(f"P{number}", None, f"{number}"))
    for number, (seats, wins, scores) in enumerate(tables):
        state.apply(tournament.DrawnRound((tournament.DrawnTable(f"t{number}", seats),), ()))
        parts = tuple(round(won * PARTS_PER_WIN) for won in wins)
        state.apply(tournament.TableResult(f"t{number}", parts, scores, (0,) * len(seats)))
    return state


def test_in_a_round_robin_head_to_head_decides_first() -> None:
    state = state_after(
        "round-robin",
        2,
        ((0, 1), (0, 1), (9, 0)),
        ((0, 2), (1, 0), (9, 0)),
        ((0, 3), (1, 0), (9, 0)),
        ((1, 2), (1, 0), (0, 0)),
        ((1, 3), (0, 1), (0, 0)),
        ((2, 3), (1, 0), (0, 0)),
    )
    assert [(line.entrant, line.points) for line in state.standings()] == [(1, 2), (0, 2), (2, 1), (3, 1)]
    assert [line.breaks[0] for line in state.standings()] == [1, 0, 1, 0]


def test_by_the_swiss_system_stronger_opponents_decide() -> None:
    state = state_after(
        "swiss",
        2,
        ((0, 1), (1, 0), (0, 0)),
        ((2, 3), (1, 0), (0, 0)),
        ((0, 2), (0.5, 0.5), (0, 0)),
        ((1, 3), (1, 0), (0, 0)),
    )
    lines = {line.entrant: line for line in state.standings()}
    assert (lines[0].points, lines[2].points) == (1.5, 1.5)
    assert lines[0].breaks[0] == 2.5
    assert lines[2].breaks[0] == 1.5
    assert lines[0].breaks[1] == 1 + 0.75
    assert [line.entrant for line in state.standings()][:2] == [0, 2]


@pytest.mark.rule("IH-36")
def test_rated_is_the_sum_of_scores_times_one_more_than_the_wins() -> None:
    state = state_after(
        "rated", 4, ((0, 1, 2, 3), (1, 0, 0, 0), (20, 18, 5, 0)), ((3, 2, 1, 0), (0, 0, 0.5, 0.5), (1, 4, 15, 15))
    )
    lines = {line.entrant: line.points for line in state.standings()}
    assert lines == {0: 35 * 2.5, 1: 33 * 1.5, 2: 9, 3: 1}


def test_a_bye_is_a_win_once_its_round_is_played() -> None:
    state = state_after("swiss", 2)
    state.apply(tournament.DrawnRound((tournament.DrawnTable("t", (0, 1)),), (2,)))
    assert next(line for line in state.standings() if line.entrant == 2).points == 0
    state.apply(tournament.TableResult("t", (PARTS_PER_WIN, 0), (1, 0), (0, 0)))
    assert next(line for line in state.standings() if line.entrant == 2).points == 1


# What is told


async def test_nothing_secret_is_told(manager: TableManager) -> None:
    cup, code, codes = await open_cup(manager, "Ann", "Bob", bots=1)
    shown = await start(manager, cup, code)
    told = msgspec.json.encode(shown).decode()
    hashes = [one.lock for one in manager.tournaments._cached[cup].state.entrants if one.lock]
    for secret in (code, *codes, *hashes, manager.tournaments._cached[cup].code_hash):
        assert secret not in told


def told_round(client: Listener) -> list[Message]:
    return [message for message in received(client) if message["type"] == "round"]


async def test_players_at_a_finished_table_are_told_what_follows(manager: TableManager) -> None:
    """One plays on, one has a bye; a watcher is told nothing, and who comes back is told again."""
    cup, code, codes = await open_cup(manager, "Ann", "Bob", "Cem", rounds=2)
    (first,) = (await start(manager, cup, code)).rounds[0].tables
    players = [await join(manager, first.table, [codes[entrant]]) for entrant in first.seats]
    watcher = await join(manager, first.table, [])
    assert told_round(players[0]) == []
    await play(manager, first.table, codes)
    second = (await next_round(manager, cup, 2)).rounds[1]
    ((out,), (following,)) = second.out, second.tables
    names = ["Ann", "Bob", "Cem"]
    for seat, entrant in enumerate(first.seats):
        expected = {"type": "round", "name": "Cup", "number": 2, "length": 2, "unfinished": 1, "place": None}
        against = [] if entrant == out else [names[other] for other in following.seats if other != entrant]
        table = None if entrant == out else following.table
        expected |= {"table": table, "against": against, "bye": entrant == out}
        assert told_round(players[seat]) == [expected]
        again = await join(manager, first.table, [codes[entrant]])
        async with asyncio.timeout(PATIENCE):
            assert (await receive(again, kind("round")))[-1] == expected
    await play(manager, following.table, codes)
    places = {line.entrant: line.place for line in (await next_round(manager, cup)).standings}
    for seat, entrant in enumerate(first.seats):
        (end,) = told_round(players[seat])
        assert (end["place"], end["table"], end["bye"], end["unfinished"]) == (places[entrant], None, False, 0)
    assert told_round(watcher) == []


async def test_another_process_tells_its_players_too(database: str) -> None:
    playing, watching = (new_manager(open_store(database)) for _ in range(2))
    cup, code, codes = await open_cup(playing, "Ann", "Bob", rounds=1)
    (table,) = (await start(playing, cup, code)).rounds[0].tables
    await play(playing, table.table, codes)
    await next_round(playing, cup)
    client = await join(watching, table.table, [codes[0]])
    watching.start()
    async with asyncio.timeout(PATIENCE):
        end = (await receive(client, kind("round")))[-1]
    assert end["place"] in (1, 2)
    for manager in (playing, watching):
        await manager.close()


async def test_notices_follow_their_player_to_the_next_round(manager: TableManager) -> None:
    cup, code, codes = await open_cup(manager, "Ann", "Bob", "Cem", "Dan", rounds=2)
    shown = await start(manager, cup, code)
    locks = [hash_code(own) for own in codes]
    for one in shown.rounds[0].tables:
        for entrant in one.seats:
            subscription = Subscription(locks[entrant], f"https://push.example/{entrant}", "key", "auth", 0, 0)
            await written(manager.tables.store.subscriptions.add(one.table, subscription, 2**50, -1))
    for one in shown.rounds[0].tables:
        await play(manager, one.table, codes)
    for one in (await next_round(manager, cup, 2)).rounds[1].tables:
        async with asyncio.timeout(PATIENCE):
            while {told.lock for told in manager.tables.store.subscriptions.at_table(one.table)} != {
                locks[entrant] for entrant in one.seats
            }:
                await asyncio.sleep(0.01)


async def test_public_tournaments_are_listed_until_they_are_over(manager: TableManager) -> None:
    assert await manager.tournaments.listed() == []
    await open_cup(manager, "Ann", "Bob", rounds=1)
    cup, code, _ = await open_cup(manager, "Ann", "Bob", rounds=1, public=True)

    async def listed() -> list[tuple[str, str, int, int]]:
        manager.tournaments._listed = (0, [])  # forgets what it keeps for some seconds
        return [(one.id, one.state, one.entrants, one.round) for one in await manager.tournaments.listed()]

    assert await listed() == [(cup, "open", 2, 0)]
    (table,) = (await start(manager, cup, code)).rounds[0].tables
    assert await listed() == [(cup, "running", 2, 1)]
    await manager.tournaments.organize(cup, messages.OrganizerRequest("forfeit", 0, table.table), code)
    assert await listed() == []


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("tournaments") / "tables.sqlite") as started:
        yield started


def test_by_the_interface(running: Running) -> None:
    def ask(path: str, organizer: str = "", **body: Any) -> httpx.Response:
        return httpx.post(f"{running.url}api/tournaments{path}", json=body, headers={"Icetable-Code": organizer})

    created = ask("", name="Cup", game="icefrogs", options={"players": 2}, kind="swiss", rounds=1)
    assert created.status_code == 201
    cup, code = created.json()["tournament"], created.json()["code"]
    for number in range(2):
        assert ask(f"/{cup}/entrants", name="Ann", code=f"{number}" * 32).json() == {"entrant": number}
    assert ask(f"/{cup}/entrants", name="Bob", level="best").status_code == 422
    assert ask(f"/{cup}/orders", do="start").status_code == 422
    assert ask(f"/{cup}/orders", code, do="start").json()["state"] == "running"
    assert httpx.get(f"{running.url}api/tournaments/{cup}").json()["entrants"][1]["name"] == "Ann 2"
    assert httpx.get(f"{running.url}api/tournaments/nowhere").status_code == 404
    assert httpx.get(f"{running.url}api/tournaments").json() == []
