"""Open tables without a network: what tests ask of a manager, and what its clients receive."""

from __future__ import annotations

import asyncio
import itertools
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from icetable.server import messages
from icetable.server.live.bots import BotPool
from icetable.server.live.manager import TableManager
from icetable.server.store import open_store

from .fakes import PATIENCE, FakeBots, Listener
from .table_states import OPEN, bot, person, request

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.server.store.store import Store

Message = dict[str, Any]
Answer = messages.Ack | messages.Refused
ids = itertools.count()

PERSON, BOT = person(), bot()


# Tables


def new_manager(store: Store | Path, bots: FakeBots | None = None) -> TableManager:
    """The tables in a store, or in a SQLite file; to be called in a running loop."""
    return TableManager(
        open_store(store) if isinstance(store, Path) else store, BotPool((bots or FakeBots()).factory, pause=0)
    )


async def create_table(
    manager: TableManager, game: str, *seats: messages.SeatRequest, **chosen: Any
) -> tuple[str, list[str]]:
    """A new table with terms and options: its id, and the codes of the persons' seats in order."""
    created = await manager.tables.create(request(game, *seats, **chosen))
    return created.table, list(created.codes.values())


async def create_exploring_table(manager: TableManager, game: str, **options: Any) -> tuple[str, list[str]]:
    """A table of two seats where one client tries things: its id, and the codes of the seats."""
    return await create_table(manager, game, PERSON, PERSON, explore=True, **options)


async def create_open_table(manager: TableManager, public: bool = False, **options: Any) -> messages.TableCreated:
    """A new table of IceFrogs with a person at seat 0, and seat 1 for a person who has a link."""
    return await manager.tables.create(request("icefrogs", PERSON, OPEN, public=public, **options))


def codes_of(created: messages.TableCreated, seat: int) -> list[str]:
    return [(created.codes | created.invites)[str(seat)]]


async def finished_table(manager: TableManager, game: str = "icefrogs", **chosen: Any) -> str:
    """A table of two whose game is over, without a client."""
    table, codes = await create_table(manager, game, PERSON, PERSON, **chosen)
    client = await join(manager, table, codes)
    while not client.table.state.is_over:
        (seat,) = client.table.state.to_act
        acked(await act(client, seat, client.table.state.position.legal_actions()[0]))
    await manager.leave(client)
    return table


async def join(manager: TableManager, table: str, codes: list[str]) -> Listener:
    """A new client at a table; its welcome is the first message that it receives."""
    client = Listener()
    await client.join(manager, table, codes)
    return client


def tamper(path: Path | str, command: str, values: tuple[object, ...] = ()) -> None:
    """Change a SQLite file behind its server's back."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(command, values)


def forget_entry(path: Path, table: str, seq: int) -> str:
    """The text of an entry that is taken out of the log, as if it had never been kept."""
    path.with_name(f"{path.name}-last-entries").unlink()
    row = (table, seq)
    with closing(sqlite3.connect(path)) as database:
        (text,) = database.execute("SELECT text FROM acts WHERE table_id = ? AND seq = ?", row).fetchone()
    tamper(path, "DELETE FROM acts WHERE table_id = ? AND seq = ?", row)
    return str(text)


# Requests


async def act(client: Listener, seat: int, text: str, request: str = "") -> Answer:
    """Ask for an act, under a new id where none is given."""
    return await client.table.handle(client.viewer, messages.Act(request or f"{next(ids)}", seat, text))


async def undo(client: Listener, to: int) -> Answer:
    return await client.table.handle(client.viewer, messages.Undo(f"{next(ids)}", to))


async def sit(client: Listener, seat: int, code: str) -> Answer:
    client.add_code(code)
    return await client.table.handle(client.viewer, messages.Sit(f"{next(ids)}", seat, "Bob", code))


def hold(client: Listener, seat: int, what: str | None) -> None:
    assert client.table.hold(client, seat, what) is None


def acked(answer: Answer) -> int:
    """The number of acts after a request that was granted."""
    assert isinstance(answer, messages.Ack), answer
    return answer.seq


def refused(answer: Answer) -> messages.Fault:
    assert isinstance(answer, messages.Refused), answer
    return answer.fault


# Messages to clients


async def receive(client: Listener, until: Callable[[Message], bool]) -> list[Message]:
    """The next messages up to the first of this sort. Presence is left out, unless it is what the test waits for."""
    received: list[Message] = []
    while not received or not until(received[-1]):
        message = json.loads(await asyncio.wait_for(client.waiting.get(), PATIENCE))
        if message["type"] != "presence" or until(message):
            received.append(message)
    return received


def received(client: Listener) -> list[Message]:
    """All messages that were sent to a client and not read yet."""
    return [json.loads(client.waiting.get_nowait()) for _ in range(client.waiting.qsize())]


def nothing_more(client: Listener) -> bool:
    """Whether a client was sent nothing but presence."""
    return all(message["type"] == "presence" for message in received(client))


def kind(name: str) -> Callable[[Message], bool]:
    return lambda message: bool(message["type"] == name)


def frame(seq: int) -> Callable[[Message], bool]:
    return lambda message: message["type"] == "frame" and message["frame"]["seq"] == seq


def bots_are(state: str) -> Callable[[Message], bool]:
    return lambda message: message["type"] == "bots" and message["state"] == state


def held(seat: int, what: str | None) -> Callable[[Message], bool]:
    return lambda message: message == {"type": "held", "seat": seat, "what": what}


def present(*seats: int, replaceable: tuple[int, ...] = ()) -> Callable[[Message], bool]:
    return lambda message: message == {"type": "presence", "here": list(seats), "replaceable": list(replaceable)}
