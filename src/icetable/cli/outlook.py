"""`icetable serve --check`: what a server would do with these settings; nothing is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from icetable.cli.failure import Failure
from icetable.server.http.addresses import CannotServe, resolve
from icetable.server.http.origins import public_origin
from icetable.server.http.prefix import prefix_of
from icetable.server.http.server import default_database
from icetable.server.store import is_postgres
from icetable.server.store.errors import StoreError
from icetable.server.store.migrations import MIGRATIONS
from icetable.server.store.versions import version_at

if TYPE_CHECKING:
    from argparse import Namespace

HIDDEN = ("check", "command", "config", "db", "games", "host", "port", "prefix", "public_url", "socket", "version")
"""What is told in a sentence of its own, or not at all."""


def tell(chosen: Namespace) -> None:
    """Print what would be done. Raises Failure for what would stop the server from starting."""
    try:
        prefix = prefix_of(chosen.prefix)
        print(place(chosen))
        if prefix:
            print(f"Everything would be under {prefix}/.")
        if chosen.public_url is not None:
            print(f"Browsers reach it at {public_origin(chosen.public_url)}{prefix}/.")
        print(database(chosen))
    except (CannotServe, StoreError) as error:
        raise Failure(str(error)) from None
    for name, value in sorted(vars(chosen).items()):
        if name not in HIDDEN:
            print(f"{name.replace('_', '-')}: {'by default' if value is None else str(value).lower()}")


def place(chosen: Namespace) -> str:
    """Where the server would listen. Raises CannotServe."""
    if chosen.socket is not None:
        return f"It would listen at the Unix socket {chosen.socket}."
    addresses = [str(rest[0]) for _, rest in resolve(chosen.host)]
    return f"It would listen at {', '.join(addresses)}, port {chosen.port}."


def database(chosen: Namespace) -> str:
    """Where the tables would be kept. Raises CannotServe and StoreError."""
    where = chosen.db or str(default_database())
    version = version_at(where)
    parts = urlsplit(where) if is_postgres(where) else None  # of a URL nothing else is shown: it may hold a password
    name = where if parts is None else f"PostgreSQL, {parts.hostname or 'this machine'}{parts.path}"
    if version is None:
        return f"The tables would be kept in {name}, which is new."
    if version == len(MIGRATIONS):
        return f"The tables are kept in {name}, which has the version of this icetable."
    if version > len(MIGRATIONS):
        raise StoreError("The database was written by a newer icetable.")
    return f"The tables are kept in {name}, which would be brought from version {version} to {len(MIGRATIONS)}."
