"""`icetable admin`: look after the tables of a server, also while it runs."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from icetable.cli.failure import Failure
from icetable.cli.options import add_database, add_json
from icetable.cli.screen import say
from icetable.core.errors import GameError
from icetable.server.live.administration import FAILURE_PREFIX, Administration, Order
from icetable.server.live.erasing import Erasing
from icetable.server.store import is_postgres, named, open_store
from icetable.server.store.beside import Beside
from icetable.server.store.errors import Conflict, StoreError
from icetable.server.store.setups import names_in
from icetable.server.store.sqlite import IN_USE
from icetable.server.store.waits import written
from icetable.server.table.chat import NAMELESS
from icetable.server.table.salted_names import FIRST_FORM, read_name

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

ACTIONS = {
    "tables": "list the newest tables",
    "show": "show a table: its seats, and what was said there",
    "hide": "take a table out of the lobby",
    "delete": "delete a table with all that belongs to it, or a tournament, whose tables stay",
    "erase-chat": "delete what was said at a table",
    "erase-name": "erase a player's name at all tables",
    "erase-seat": "erase the name of who has a seat, counted from 0: TABLE:SEAT",
    "block": "let an address or a network open no tables and no sockets any more",
    "unblock": "let it do so again",
    "announce": "tell all who are at tables a sentence",
    "close": "open no new tables, while games under way go on; with a table, stop play at that table",
    "open": "open new tables, or a table, again",
}
ALONE = ("tables", "close", "open")
"""The actions that need nothing to do it to."""
READING = ("tables", "show")
HEAD = "table         created           seen    entries       game: seats"
TABLES = (
    "SELECT id, game, created, seen, public, over, seats, names, form,"
    " (SELECT COUNT(*) FROM acts WHERE table_id = id) FROM tables"
)
LISTED = 50
"""How many tables are listed."""
AT_ONCE = 200
"""A server is asked to erase a name at so many tables at a time."""
PATIENCE = 5.0
"""How many seconds a server has to answer."""


def add_options(parser: ArgumentParser) -> None:
    add_database(parser, "PLACE", "the tables' SQLite file or PostgreSQL URL")
    parser.add_argument(
        "action", choices=tuple(ACTIONS), metavar="ACTION", help="; ".join(f"{a}: {b}" for a, b in ACTIONS.items())
    )
    parser.add_argument(
        "to", nargs="?", metavar="WHAT", help="the table, the seat, the name, the address or the sentence"
    )
    add_json(parser)


def run(chosen: Namespace) -> int:
    if chosen.to is None and chosen.action not in ALONE:
        raise GameError(f"{chosen.action} needs to be told with what")
    if chosen.to is not None and chosen.action == "tables":
        raise GameError("tables takes nothing more")
    try:
        if chosen.action in READING:
            with contextlib.closing(Beside(chosen.db)) as database:
                found = tables_in(database) if chosen.action == "tables" else [table_in(database, chosen.to)]
            text = "\n".join([HEAD, *map(line_of, found)]) if chosen.action == "tables" else text_of(found[0])
            say(chosen, text, tables=found)
        elif chosen.action == "erase-name":
            answer, left = erased(chosen.db, chosen.to)
            say(chosen, "\n".join([answer, *([left_at(left)] if left else [])]), answer=answer, left=left)
        else:
            answer = ordered(chosen.db, written_order(chosen.action, chosen.to or ""))
            say(chosen, answer, answer=answer)
    except StoreError as error:
        raise Failure(str(error)) from None
    return 0


def erased(where: str, name: str) -> tuple[str, list[str]]:
    """Erase a name: the answer, and the tables where it stays. Raises StoreError.

    The order does not say the name but where it stands, as orders are kept for a while.
    """
    with contextlib.closing(Beside(where)) as database:
        places, left = named.erasable(database, name), named.lasting(database, name)
    if not places:
        return "That name stands nowhere where it can be erased.", left
    tables = list(places.items())
    answers = [
        ordered(where, written_order("erase-name", msgspec.json.encode(dict(tables[first : first + AT_ONCE])).decode()))
        for first in range(0, len(tables), AT_ONCE)
    ]
    return "\n".join(answers), left


def left_at(tables: list[str]) -> str:
    """Where a name stays, for people."""
    where = "in records from files, on the lists of tournaments, and at older tables, whose chains bind it"
    return f"It stays {where}. `delete` them: {' '.join(tables)}"


def written_order(action: str, to: str) -> str:
    return msgspec.json.encode(Order(action, to)).decode()


def ordered(where: str, text: str) -> str:
    """What became of an order, which servers follow, or this process where none runs. Raises StoreError."""
    answer = answer_to(where, text)
    if answer.startswith(FAILURE_PREFIX):
        raise StoreError(answer.removeprefix(FAILURE_PREFIX))
    return answer


def answer_to(where: str, text: str) -> str:
    """What servers, or this process, say to an order. Raises StoreError."""
    if not is_postgres(where):
        with contextlib.closing(Beside(where)):
            pass  # there are tables
        try:
            return followed_here(where, text)
        except StoreError as error:
            if str(error) != IN_USE:
                raise
    with contextlib.closing(Beside(where)) as database:
        answer = database.order(text, PATIENCE)
    if answer is None and is_postgres(where):
        return followed_here(where, text)
    if answer is None:
        raise StoreError("The server does not answer.")
    return answer


def followed_here(where: str, text: str) -> str:
    """What became of an order that this process follows. Raises StoreError."""
    with contextlib.closing(open_store(where)) as store:

        async def delete(table: str, _: object) -> bool:
            with contextlib.suppress(Conflict):
                await written(store.delete_table(table))
            return True

        async def close(*_: object) -> None:
            """Does nothing: no client is connected to this process."""

        return asyncio.run(Administration(store, {}, delete, close, Erasing(store, {})).follow(text))


def tables_in(database: Beside) -> list[dict[str, Any]]:
    """The newest tables."""
    rows = database.rows(f"{TABLES} ORDER BY created DESC LIMIT ?", (LISTED,))
    return [described(*row) for row in rows]


def table_in(database: Beside, table: str) -> dict[str, Any]:
    """A table with its chat. Raises StoreError."""
    rows = database.rows(f"{TABLES} WHERE id = ?", (table,))
    if not rows:
        raise StoreError(f"There is no table {table}.")
    said = database.rows("SELECT at, name, text FROM talk WHERE table_id = ? ORDER BY number", (table,))
    chat = [{"at": at, "name": name or NAMELESS, "text": text} for at, name, text in said]
    later = database.rows("SELECT name FROM acts WHERE table_id = ? AND name IS NOT NULL ORDER BY seq", (table,))
    return described(*rows[0]) | {"later": [read_name(name).name for (name,) in later], "chat": chat}


def described(
    table: str,
    game: str,
    created: int,
    seen: int,
    public: int,
    over: int,
    seats: str,
    names: str,
    form: int,
    entries: int,
) -> dict[str, Any]:
    """A table as it is told; times are in milliseconds since 1970."""
    return {
        "table": table,
        "game": game,
        "created": created,
        "seen": seen,
        "public": bool(public),
        "over": bool(over),
        "names": [name or "nobody" for name in names_of(seats, names, form)],
        "entries": entries,
    }


def names_of(seats: str, names: str, form: int) -> list[str]:
    """The names of seats as they were settled; "" where there was none, or it was erased."""
    if form < FIRST_FORM:
        return [str(seat.get("name") or "") for seat in json.loads(seats)]
    return ["" if name is None else name.name for name in names_in(names)]


def line_of(table: dict[str, Any]) -> str:
    """A table in one line below HEAD."""
    state = "over" if table["over"] else "public" if table["public"] else ""
    return (
        f"{table['table']}  {when(table['created'])}  {age(table['seen']):>6}  {table['entries']:>5}  {state:6}"
        f"  {table['game']}: {', '.join(table['names'])}"
    )


def text_of(table: dict[str, Any]) -> str:
    """A table with its chat, for people."""
    return "\n".join(
        [
            f"{table['game']}{', public' if table['public'] else ''}{', over' if table['over'] else ''}",
            f"opened {when(table['created'])}, last seen {age(table['seen'])} ago",
            f"seats as they were opened: {', '.join(table['names'])}",
            *([f"taken later by: {', '.join(table['later'])}"] if table["later"] else []),
            *(f"{when(one['at'])}  {one['name']}: {one['text']}" for one in table["chat"]),
        ]
    )


def when(milliseconds: int) -> str:
    return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M}"


def age(milliseconds: int) -> str:
    """How long ago something was, in one number."""
    seconds = max(0, time.time() - milliseconds / 1000)
    for unit, length in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length:.0f} {unit}"
    return f"{seconds:.0f} s"
