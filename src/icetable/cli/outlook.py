"""`icetable serve --check`: describe what a server would do with these settings, without changing anything."""

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
from icetable.server.store.migrations import check_version, current_version
from icetable.server.store.versions import version_at

if TYPE_CHECKING:
    from argparse import Namespace

HIDDEN = ("check", "command", "config", "db", "games", "host", "port", "prefix", "public_url", "socket", "version")
"""Settings that have their own sentence, or are left out."""


def describe(args: Namespace) -> None:
    """Print what the server would do. Raises Failure if it could not start."""
    try:
        prefix = prefix_of(args.prefix)
        print(address_sentence(args))
        if prefix:
            print(f"Everything would be under {prefix}/.")
        if args.public_url is not None:
            print(f"Browsers reach it at {public_origin(args.public_url)}{prefix}/.")
        print(database_sentence(args))
    except (CannotServe, StoreError) as error:
        raise Failure(str(error)) from None
    for name, value in sorted(vars(args).items()):
        if name not in HIDDEN:
            print(f"{name.replace('_', '-')}: {'by default' if value is None else str(value).lower()}")


def address_sentence(args: Namespace) -> str:
    """Say where the server would listen. Raises CannotServe."""
    if args.socket is not None:
        return f"It would listen at the Unix socket {args.socket}."
    addresses = [str(rest[0]) for _, rest in resolve(args.host)]
    return f"It would listen at {', '.join(addresses)}, port {args.port}."


def database_sentence(args: Namespace) -> str:
    """Say where the tables would be stored. Raises CannotServe and StoreError."""
    db = args.db or str(default_database())
    version = version_at(db)
    parts = urlsplit(db) if is_postgres(db) else None  # the whole URL may contain a password
    name = db if parts is None else f"PostgreSQL, {parts.hostname or 'this machine'}{parts.path}"
    if version is None:
        return f"The tables would be kept in {name}, which is new."
    check_version(version)
    if version == current_version():
        return f"The tables are kept in {name}, which has the version of this icetable."
    return f"The tables are kept in {name}, which would be migrated from version {version} to {current_version()}."
