"""The commands about the tables of a server, also while it runs: `admin`, `backup` and `copy`."""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from icetable.cli.options import add_database, add_json
from icetable.cli.output import Failure, new_file, say
from icetable.core.errors import GameError
from icetable.server.chat import NAMELESS
from icetable.server.live.administration import (
    BLOCK_PREFIX,
    CLOSED_POLICY,
    CLOSED_PREFIX,
    FAILURE_PREFIX,
    Order,
)
from icetable.server.store import is_postgres, open_store
from icetable.server.store.admin import AdminConnection, NoBackup, back_up
from icetable.server.store.copying import copy
from icetable.server.store.errors import StoreError
from icetable.server.store.sqlite import IN_USE
from icetable.server.store.tables import names_in
from icetable.server.table.log import read_name
from icetable.server.table.state import thinking_times

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from icetable.lab.measures import Thoughts
    from icetable.server.store.store import Store

ACTIONS = {
    "tables": "list the newest tables",
    "show": "show a table: its seats and its chat",
    "blocks": "list the addresses and networks that are blocked",
    "closed": "list the tables that are closed, and say whether new ones can be opened",
    "hide": "take a table out of the lobby",
    "delete": "delete a table with all its data, or a tournament, whose tables stay",
    "erase-chat": "delete the chat of a table",
    "erase-name": "erase a player's name at all tables",
    "erase-seat": "erase the name of the player of a seat, counted from 0: TABLE:SEAT",
    "block": "forbid an address or a network to open tables and sockets",
    "unblock": "allow it again",
    "announce": "show a sentence at all open tables",
    "close": "open no new tables, while games under way go on; with a table, stop play at that table",
    "open": "open new tables, or a table, again",
}
NO_TARGET = ("tables", "blocks", "closed")
ONE_TARGET = ("show", "announce", "erase-name")
"""Actions with exactly one argument; others take several, and `close` and `open` also none."""
OPTIONAL_TARGET = ("close", "open")
LINK = re.compile(r"(?:https?://\S*|^)/(?:table|tournament)/(\w+)[^:\s]*")
"""The address of a table or a tournament, of which the id is meant."""
HEADING = "table         created           seen    entries       game: seats"
TABLES_QUERY = (
    "SELECT id, game, created, seen, public, over, names, (SELECT COUNT(*) FROM acts WHERE table_id = id),"
    " EXISTS (SELECT 1 FROM policies WHERE policies.name = 'closed ' || id) FROM tables"
)
MAX_LISTED = 50
TABLES_PER_ORDER = 200
"""Maximum number of tables in one order to erase a name."""
ANSWER_TIMEOUT_SECONDS = 5.0


def add_admin_options(parser: ArgumentParser) -> None:
    add_database(parser, "PLACE", "the tables' SQLite file or PostgreSQL URL")
    parser.add_argument(
        "action", choices=tuple(ACTIONS), metavar="ACTION", help="; ".join(f"{a}: {b}" for a, b in ACTIONS.items())
    )
    parser.add_argument(
        "to",
        nargs="*",
        metavar="WHAT",
        help="the tables (their ids or the addresses of their pages), the seat, the name, the networks or the sentence",
    )
    add_json(parser)


def run_admin(args: Namespace) -> int:
    check_targets(args.action, args.to)
    targets = [LINK.sub(r"\1", target) for target in args.to]
    try:
        if args.action in ("tables", "show"):
            with contextlib.closing(AdminConnection(args.db)) as database:
                tables = tables_in(database) if args.action == "tables" else [table_in(database, targets[0])]
            text = "\n".join([HEADING, *map(line_of, tables)]) if args.action == "tables" else text_of(tables[0])
            say(args, text, tables=tables)
        elif args.action in NO_TARGET:
            with contextlib.closing(AdminConnection(args.db)) as database:
                policies = policies_in(database)
            list_policies(args, policies)
        elif args.action == "erase-name":
            answer, left = erase_name(args.db, args.to[0])
            say(args, "\n".join([answer, *([remainder(left)] if left else [])]), answer=answer, left=left)
        elif args.action == "announce":
            answer = execute(args.db, encode_order("announce", args.to[0]))
            say(args, answer, answer=answer)
        else:
            execute_each(args, targets or [""])
    except StoreError as error:
        raise Failure(str(error)) from None
    return 0


def check_targets(action: str, targets: list[str]) -> None:
    """Raise GameError for too few or too many arguments of an action."""
    if targets and action in NO_TARGET:
        raise GameError(f"{action} takes no argument")
    if not targets and action not in (*NO_TARGET, *OPTIONAL_TARGET):
        raise GameError(f"{action} needs an argument")
    if len(targets) > 1 and action in ONE_TARGET:
        raise GameError(f"{action} takes one argument; put one of several words in quotes")


def execute_each(args: Namespace, targets: list[str]) -> None:
    """Carry out an order for each target and print the answers. Raises StoreError if one is refused, after the rest."""
    answers, refusals = [], []
    for target in targets:
        try:
            answers.append(execute(args.db, encode_order(args.action, target)))
        except StoreError as error:
            refusals.append(str(error))
    if answers:
        say(args, "\n".join(answers), answer="\n".join(answers))
    if refusals:
        raise StoreError("\n".join(refusals))


def policies_in(database: AdminConnection) -> list[str]:
    """The standing orders of the operator."""
    return [name for (name,) in database.rows("SELECT name FROM policies ORDER BY name")]


def list_policies(args: Namespace, policies: list[str]) -> None:
    """Print the blocked networks, or what is closed."""
    if args.action == "blocks":
        blocks = [name.removeprefix(BLOCK_PREFIX) for name in policies if name.startswith(BLOCK_PREFIX)]
        say(args, "\n".join(blocks) or "Nothing is blocked.", blocks=blocks)
    else:
        tables = [name.removeprefix(CLOSED_PREFIX) for name in policies if name.startswith(CLOSED_PREFIX)]
        is_closed = CLOSED_POLICY in policies
        first = "No new tables can be opened." if is_closed else "New tables can be opened."
        listed = [f"Closed tables: {' '.join(tables)}" if tables else "No table is closed."]
        say(args, "\n".join([first, *listed]), closed=is_closed, tables=tables)


def erase_name(db: str, name: str) -> tuple[str, list[str]]:
    """Erase a name; return the answer, and the records and tournaments where it remains. Raises StoreError.

    The order holds the places of the name instead of the name, as orders are stored for a while.
    """
    with contextlib.closing(AdminConnection(db)) as database:
        places, left = database.erasable(name), database.permanent(name)
    if not places:
        return "That name appears nowhere where it can be erased.", left
    tables = list(places.items())
    answers = [
        execute(db, encode_order("erase-name", msgspec.json.encode(dict(tables[i : i + TABLES_PER_ORDER])).decode()))
        for i in range(0, len(tables), TABLES_PER_ORDER)
    ]
    return "\n".join(answers), left


def remainder(tables: list[str]) -> str:
    """The sentence about the records and tournaments where a name remains."""
    return f"It remains in records from files and on the lists of tournaments. `delete` them: {' '.join(tables)}"


def encode_order(action: str, to: str) -> str:
    return msgspec.json.encode(Order(action, to)).decode()


def execute(db: str, order: str) -> str:
    """Send an order to the servers, or execute it here if none runs; return the answer. Raises StoreError."""
    answer = answer_to(db, order)
    if answer.startswith(FAILURE_PREFIX):
        raise StoreError(answer.removeprefix(FAILURE_PREFIX))
    return answer


def answer_to(db: str, order: str) -> str:
    """The answer of the servers, or of this process, to an order. Raises StoreError."""
    if not is_postgres(db):
        with contextlib.closing(AdminConnection(db)):
            pass  # checks that the file has tables
        try:
            return execute_here(db, order)
        except StoreError as error:
            if str(error) != IN_USE:
                raise
    with contextlib.closing(AdminConnection(db)) as database:
        answer = database.order(order, ANSWER_TIMEOUT_SECONDS)
    if answer is None and is_postgres(db):
        return execute_here(db, order)
    if answer is None:
        raise StoreError("The server does not answer.")
    return answer


def execute_here(db: str, order: str) -> str:
    """Execute an order in this process; return the answer. Raises StoreError."""
    from icetable.server.live.bots import BotPool
    from icetable.server.live.manager import TableManager

    async def execute() -> str:
        manager = TableManager(store, BotPool())
        try:
            return await manager.administration.follow(order)
        finally:
            await manager.close()

    store = open_store(db)
    return asyncio.run(execute())


def tables_in(database: AdminConnection) -> list[dict[str, Any]]:
    rows = database.rows(f"{TABLES_QUERY} ORDER BY created DESC LIMIT ?", (MAX_LISTED,))
    return [table_to_dict(*row) for row in rows]


def table_in(database: AdminConnection, table: str) -> dict[str, Any]:
    """Describe a table with its chat. Raises StoreError."""
    rows = database.rows(f"{TABLES_QUERY} WHERE id = ?", (table,))
    if not rows:
        raise StoreError(f"There is no table {table}.")
    messages = database.rows("SELECT at, name, text FROM talk WHERE table_id = ? ORDER BY number", (table,))
    chat = [{"at": at, "name": name or NAMELESS, "text": text} for at, name, text in messages]
    later = database.rows("SELECT name FROM acts WHERE table_id = ? AND name IS NOT NULL ORDER BY seq", (table,))
    return table_to_dict(*rows[0]) | {"later": [read_name(name).name for (name,) in later], "chat": chat}


def table_to_dict(
    table: str,
    game: str,
    created: int,
    seen: int,
    public: int,
    over: int,
    names: str,
    entries: int,
    closed: bool,
) -> dict[str, Any]:
    """Describe a row of TABLES_QUERY; times are in milliseconds since 1970."""
    return {
        "table": table,
        "game": game,
        "created": created,
        "seen": seen,
        "public": bool(public),
        "over": bool(over),
        "closed": bool(closed),
        "names": [name or "nobody" for name in names_of(names)],
        "entries": entries,
    }


def names_of(names: str) -> list[str]:
    """The players' names at the start, by seat; "" for seats without a name, or with an erased one."""
    return ["" if name is None else name.name for name in names_in(names)]


def line_of(table: dict[str, Any]) -> str:
    """Format a table as a line below HEADING."""
    state = next((word for word in ("closed", "over", "public") if table[word]), "")
    return (
        f"{table['table']}  {date_text(table['created'])}  {age(table['seen']):>6}  {table['entries']:>5}  {state:6}"
        f"  {table['game']}: {', '.join(table['names'])}"
    )


def text_of(table: dict[str, Any]) -> str:
    return "\n".join(
        [
            ", ".join([table["game"], *(word for word in ("public", "over", "closed") if table[word])]),
            f"opened {date_text(table['created'])}, last seen {age(table['seen'])} ago",
            f"seats as they were opened: {', '.join(table['names'])}",
            *([f"taken later by: {', '.join(table['later'])}"] if table["later"] else []),
            *(f"{date_text(message['at'])}  {message['name']}: {message['text']}" for message in table["chat"]),
        ]
    )


def date_text(milliseconds: int) -> str:
    return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M}"


def age(milliseconds: int) -> str:
    """The time since then, in its largest unit."""
    seconds = max(0, time.time() - milliseconds / 1000)
    for unit, length in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length:.0f} {unit}"
    return f"{seconds:.0f} s"


def add_backup_options(parser: ArgumentParser) -> None:
    add_database(parser, "FILE", "the SQLite file of the tables")
    parser.add_argument("copy", metavar="OUT", help="a new file; to restore it, start a server on it")
    add_json(parser)


def run_backup(args: Namespace) -> int:
    if is_postgres(args.db):
        raise Failure("a PostgreSQL database is copied with pg_dump, as docs/running.md shows")
    copy = new_file(args.copy, "copy")
    try:
        tables = back_up(Path(args.db), copy)
    except NoBackup as error:
        copy.unlink()
        raise Failure(str(error)) from None
    text = f"The copy is in {copy}: {tables} table{'' if tables == 1 else 's'}, and the file is sound."
    say(args, text, copy=str(copy), tables=tables)
    return 0


def add_copy_options(parser: ArgumentParser) -> None:
    parser.add_argument("source", metavar="FROM", help="the tables' SQLite file or PostgreSQL URL; stop the server")
    parser.add_argument("target", metavar="TO", help="a new SQLite file, or the URL of an empty PostgreSQL database")
    add_json(parser)


def run_copy(args: Namespace) -> int:
    try:
        found = copy(args.source, args.target, show_progress if sys.stderr.isatty() else lambda *_: None)
    except StoreError as error:
        raise Failure(str(error)) from None
    text = (
        f"Copied: tables {found.tables}, acts {found.entries}, rows of all kinds {found.rows}. All were read back from"
        " both databases and are equal."
    )
    say(args, text, **found._asdict())
    return 0


def show_progress(what: str, done: int, rows: int) -> None:
    """Show the progress in one line of the terminal, and clear it at the end of each pass."""
    text = f"{what} {done} of {rows} rows"
    print(f"\r{text if done < rows else ' ' * len(text)}\r", end="", file=sys.stderr, flush=True)


def finished_tables(db: str) -> list[Thoughts]:
    """The thinking times of people at each finished table. Raises Failure."""
    try:
        with open_read_only(db) as store:
            return list(_finished(store))
    except (NoBackup, StoreError) as error:
        raise Failure(str(error)) from None


@contextlib.contextmanager
def open_read_only(db: str) -> Iterator[Store]:
    """Open a store even while a server uses it: a file, which two processes can't share, is copied first.

    Raises NoBackup and StoreError.
    """
    with contextlib.ExitStack() as stack:
        if not is_postgres(db):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            copy = folder / "tables.sqlite"
            copy.touch()
            back_up(Path(db), copy)
            db = str(copy)
        store = open_store(db)
        stack.callback(store.close)
        yield store


def _finished(store: Store) -> Iterator[Thoughts]:
    from icetable.lab.measures import Thoughts

    for table in store.tables.finished():
        setup = store.tables.setup(table)
        if setup is not None:
            yield Thoughts(setup.game, thinking_times(setup, store.logs.entries(table)))
