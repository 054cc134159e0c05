"""`icetable serve --check`: describe what a server would do with these settings, without changing anything."""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from icetable.cli.failure import Failure
from icetable.core.errors import GameError
from icetable.server.http.addresses import CannotServe, bind, check_path, public_origin, resolve
from icetable.server.http.proxies import prefix_of
from icetable.server.http.server import default_database
from icetable.server.store import is_postgres
from icetable.server.store.admin import check_writable, version_at
from icetable.server.store.errors import StoreError, StoreUnusable
from icetable.server.store.migrations import check_version, current_version

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

HIDDEN = ("check", "command", "config", "db", "games", "host", "port", "prefix", "public_url", "socket", "version")
"""Settings that have their own sentence, or are left out."""


def describe(args: Namespace, push_of: Callable[[Namespace], object]) -> None:
    """Print what the server would do; `push_of` loads the keys of notifications, if there are any.

    Raises Failure with everything for which it could not start now, or GameError if some of that stays so until it is
    changed.
    """
    refusals: list[Exception] = []

    def show(sentence: Callable[[Namespace], str]) -> None:
        try:
            print(sentence(args))
        except (CannotServe, StoreError, Failure) as error:
            refusals.append(error)

    prefix = prefix_of(args.prefix)
    show(address_sentence)
    if prefix:
        print(f"Everything would be under {prefix}/.")
    if args.public_url is not None:
        print(f"Browsers reach it at {public_origin(args.public_url)}{prefix}/.")
    if args.metrics_port:
        show(metrics_sentence)
    show(database_sentence)
    if args.push_keys is not None:
        show(functools.partial(push_sentence, push_of))
    for name, value in sorted(vars(args).items()):
        if name not in HIDDEN:
            print(f"{name.replace('_', '-')}: {'by default' if value is None else str(value).lower()}")
    if refusals:
        text = " ".join(map(str, refusals))
        raise (GameError if any(isinstance(error, StoreUnusable) for error in refusals) else Failure)(text)


def address_sentence(args: Namespace) -> str:
    """Say where the server would listen. Raises CannotServe."""
    if args.socket is not None:
        check_path(Path(args.socket))
        return f"It would listen at the Unix socket {args.socket}."
    addresses = [str(rest[0]) for _, rest in resolve(args.host)]
    for listener in bind(args.host, args.port):
        listener.close()
    return f"It would listen at {', '.join(addresses)}, port {args.port}."


def metrics_sentence(args: Namespace) -> str:
    """Say where the metrics would be. Raises CannotServe."""
    for listener in bind(args.metrics_host, args.metrics_port):
        listener.close()
    return f"Metrics would be at {args.metrics_host}, port {args.metrics_port}."


def database_sentence(args: Namespace) -> str:
    """Say where the tables would be stored. Raises CannotServe and StoreError."""
    db = args.db or str(default_database())
    version = version_at(db)
    if version is not None:
        check_version(version)
    check_writable(db)
    parts = urlsplit(db) if is_postgres(db) else None  # the whole URL may contain a password
    name = db if parts is None else f"PostgreSQL, {parts.hostname or 'this machine'}{parts.path}"
    if version is None:
        return f"The tables would be kept in {name}, which is new."
    if version == current_version():
        return f"The tables are kept in {name}, which has the version of this icetable."
    return f"The tables are kept in {name}, which would be migrated from version {version} to {current_version()}."


def push_sentence(push_of: Callable[[Namespace], object], args: Namespace) -> str:
    """Say where the keys of notifications are. Raises Failure."""
    path = Path(args.push_keys)
    if path.exists():
        push_of(args)
        return f"The keys of notifications are in {path}."
    if not os.access(path.parent, os.W_OK):
        raise Failure(f"the keys in {path} can't be created: its folder is missing, or can't be written")
    return f"The keys of notifications would be created in {path}."
