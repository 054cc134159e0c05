"""The commands that open tables in browsers: `serve` for other people, and `play` for this machine.

The options of `serve` can also be set in a TOML file and in environment variables: an option on the command line
overrides a variable, which overrides the file.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import math
import os
import signal
import socket
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from icetable import games
from icetable.cli.options import add_game_options, cluster_at, point_out_mistakes
from icetable.cli.output import Failure
from icetable.core.errors import GameError
from icetable.core.options import allowed_for, short_repr, suggested
from icetable.server import HIGHEST_PORT
from icetable.server.apart.games import open_file

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Executor

    from icetable.server.live.push import Push
    from icetable.server.live.settings import Settings

READY, STOPPING = b"READY=1", b"STOPPING=1"
HIDDEN = ("check", "command", "config", "db", "games", "host", "port", "prefix", "public_url", "socket", "version")
"""Settings that have their own sentence, or are left out."""
CLUSTER_TIMEOUT_SECONDS = 20.0
"""Time that reviews and analyses wait for a worker if the cluster has none."""
LINKS = {"imprint": "imprint", "privacy": "privacy notice"}
LIMITS = {"messages": "second", "requests": "second", "tables": "minute", "reviews": "minute", "analyses": "minute"}
"""The period of each limit per address; the names are those of `rate_limits.Limits`."""
logger = logging.getLogger(__name__)
DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8421
LAN = "::"
"""All IPv4 and IPv6 addresses of this machine."""
LOOPBACK_NOTICE = "Only this machine can open it, until you let others on your network in: by an invitation, or --lan."
TABLE_OPTIONS = ("port", "host", "lan", "db", "no_browser")
TERMINAL_OPTIONS = ("players", "option", "preset", "level", "seat", "seed", "record")
PREFIX = "ICETABLE_"
CONFIG = "ICETABLE_CONFIG"
"""The variable with the path of the file."""
JIT = "ICETABLE_JIT"
"""The variable that turns the compiler off."""
ONLY_OPTIONS = ("check", "config", "games")
SWITCHES = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off", ""), False),
}


def add_serve_options(parser: ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", metavar="FILE", help="files of more games to offer, or their folders")
    parser.add_argument(
        "--config",
        metavar="FILE",
        help='a TOML file that sets these options (db = "…"); variables such as ICETABLE_DB override it',
    )
    parser.add_argument("--check", action="store_true", help="describe what the server would do, and exit")
    parser.add_argument(
        "--db", metavar="PLACE", help="the tables' SQLite file or PostgreSQL URL (default: in your data folder)"
    )
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="H", help="the address to listen at (default: %(default)s)"
    )
    parser.add_argument("--port", type=int, default=8421, metavar="N", help="the port (default: %(default)s)")
    parser.add_argument("--socket", metavar="PATH", help="a Unix socket to listen at instead of host and port")
    parser.add_argument(
        "--proxy-headers",
        action="store_true",
        help="trust the forwarding headers of a proxy on this machine or at an address in FORWARDED_ALLOW_IPS",
    )
    parser.add_argument(
        "--public-url",
        metavar="URL",
        help="the address of the pages for others, if a proxy or a tunnel changes it",
    )
    parser.add_argument(
        "--prefix",
        default="/",
        metavar="PATH",
        help="the path in front of all pages, such as /pyramids, if the host has other sites too",
    )
    parser.add_argument(
        "--metrics-host",
        default="127.0.0.1",
        metavar="H",
        help="the address to serve /metrics at (default: %(default)s)",
    )
    parser.add_argument(
        "--metrics-port",
        type=int,
        default=8422,
        metavar="N",
        help="the port of /metrics; 0: no metrics (default: 8422)",
    )
    add_limits(parser)
    parser.add_argument(
        "--max-tables",
        type=int,
        metavar="N",
        help="open no new tables while N are stored; none is deleted for that (default: no limit)",
    )
    parser.add_argument(
        "--keep-days",
        type=int,
        metavar="N",
        help="delete tables unused for N days, and after a week those never begun (default: never)",
    )
    for name in LINKS:
        parser.add_argument(
            f"--{name}-url", metavar="URL", help=f"the address of your {LINKS[name]}, for the first page"
        )
    parser.add_argument("--cluster", metavar="ADDRESS", help="review and analyse on the workers of this Dask scheduler")
    parser.add_argument(
        "--push-keys",
        metavar="FILE",
        help="send push notifications with the keys in this file, which is created if it does not exist",
    )
    parser.add_argument(
        "--push-contact", metavar="ADDRESS", help="how push services reach you, such as mailto:ann@example.org"
    )
    parser.add_argument("--access-log", action="store_true", help="log each request, with the client's address")
    parser.add_argument(
        "--log-level",
        choices=("debug", "info", "warning", "error"),
        default="info",
        help="the lowest level to log to stderr, as lines of JSON (default: %(default)s; debug may log secrets)",
    )


def add_limits(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--sockets-per-address",
        type=int,
        metavar="N",
        help="the most sockets per address; its other limits scale with it (default: 64, unlimited for this machine)",
    )
    for what, period in LIMITS.items():
        parser.add_argument(
            f"--{what}-per-address", type=float, metavar="N", help=f"the most {what} of an address in a {period}"
        )


def run_serve(args: Namespace) -> int:
    for option, port in (("port", args.port), ("metrics-port", args.metrics_port)):
        if not 0 <= port <= HIGHEST_PORT:
            raise GameError(f"--{option} is a whole number from 0 to {HIGHEST_PORT}, not {short_repr(port)}")
    for what in LIMITS:
        limit = getattr(args, f"{what}_per_address")
        if limit is not None and not 0 < limit < math.inf:
            raise GameError(f"--{what}-per-address is a number above 0, not {short_repr(limit)}")
    for option in ("sockets-per-address", "keep-days", "max-tables"):
        number = getattr(args, option.replace("-", "_"))
        if number is not None and number < 1:
            raise GameError(f"--{option} is a whole number from 1 up, not {short_repr(number)}")
    for name, link in links_of(args).items():
        if not link.startswith(("http://", "https://")):
            raise GameError(f"--{name}-url begins with http:// or https://, which {short_repr(link)} does not")
    if args.push_keys is not None and args.push_contact is None:
        raise GameError("--push-keys needs --push-contact: push services require it")
    check_address(args)
    games.keep_files_apart(open_file)
    for path in map(Path, args.games):
        for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            point_out_mistakes(games.register(file))
    games.check_names()
    if args.check:
        describe_server(args)
    else:
        serve_tables(args)
    return 0


def check_address(args: Namespace) -> None:
    """Raise GameError if `--public-url` or `--prefix` is invalid."""
    from icetable.server.http.addresses import public_origin
    from icetable.server.http.proxies import prefix_of

    for option, value, parse in (
        ("public-url", args.public_url, public_origin),
        ("prefix", args.prefix, prefix_of),
    ):
        try:
            if value is not None:
                parse(value)
        except ValueError as error:
            raise GameError(f"--{option} {error}") from None


def serve_tables(args: Namespace) -> None:
    """Serve until SIGTERM or Ctrl-C. Raises Failure."""
    from icetable.server import logs
    from icetable.server.http.addresses import CanNeverServe, CannotServe
    from icetable.server.http.server import expose_metrics, serve

    logs.configure(args.log_level)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # both are a normal shutdown

    def announce(address: str) -> None:
        print(f"Icetable is open at {address}", flush=True)
        logger.info("serving", extra=logs.about(address=address))
        notify(READY)

    def announce_to_others(addresses: list[str]) -> None:
        print(for_others(addresses), flush=True)
        logger.info("reached by others", extra=logs.about(addresses=addresses))

    try:
        if args.metrics_port:
            expose_metrics(args.metrics_host, args.metrics_port)
        with cluster_at(args.cluster, CLUSTER_TIMEOUT_SECONDS) as cluster:
            serve(settings_of(args, cluster), announce, announce_to_others)
    except CanNeverServe as error:
        raise GameError(str(error)) from None  # the exit status of wrong settings, after which systemd does not retry
    except CannotServe as error:
        raise Failure(str(error)) from None
    notify(STOPPING)
    logger.info("ended")


def settings_of(args: Namespace, cluster: Executor | None) -> Settings:
    """The settings of a server by the command line. Raises Failure."""
    from icetable.server.live.settings import Settings
    from icetable.server.rate_limits import Limits

    return Settings(
        host=args.host,
        port=args.port,
        socket_path=None if args.socket is None else Path(args.socket),
        behind_proxy=args.proxy_headers,
        public_url=args.public_url,
        prefix=args.prefix,
        db=args.db,
        limits=Limits(
            sockets=args.sockets_per_address,
            **{what: getattr(args, f"{what}_per_address") for what in LIMITS},
            kept=args.max_tables,
        ),
        keep_days=args.keep_days,
        games=games.list_games(),
        load_first=True,
        cluster=cluster,
        push=push_of(args),
        links=links_of(args),
        access_log=args.access_log,
    )


def push_of(args: Namespace) -> Push | None:
    """Create the sender of push notifications; None without keys. Raises Failure."""
    if args.push_keys is None:
        return None
    try:
        from icetable.server.live.push import BadKeys, Push, load_keys
    except ImportError:
        raise Failure("--push-keys needs more packages: pip install 'icetable[push]'") from None
    try:
        return Push(load_keys(Path(args.push_keys)), args.push_contact)
    except BadKeys as error:
        raise Failure(str(error)) from None


def links_of(args: Namespace) -> dict[str, str]:
    """The links of the command line, by name."""
    links = {name: getattr(args, f"{name}_url") for name in LINKS}
    return {name: link for name, link in links.items() if link}


def for_others(addresses: list[str]) -> str:
    """The sentence with the addresses for browsers on other machines."""
    return f"On other machines: {'  '.join(addresses) or 'nowhere, as this machine has no address in a network'}"


def notify(state: bytes) -> None:
    """Send the state of the service to systemd, if it runs the service."""
    path = os.environ.get("NOTIFY_SOCKET")
    if path and hasattr(socket, "AF_UNIX"):
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.connect(f"\0{path[1:]}" if path.startswith("@") else path)
            manager.send(state)


def describe_server(args: Namespace) -> None:
    """Print what the server would do with these settings, without changing anything.

    Raises Failure with everything for which it could not start now, or GameError if some of that stays so until it is
    changed.
    """
    from icetable.server.http.addresses import CannotServe, public_origin
    from icetable.server.http.proxies import prefix_of
    from icetable.server.store.errors import StoreError, StoreUnusable

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
        show(push_sentence)
    for name, value in sorted(vars(args).items()):
        if name not in HIDDEN:
            print(f"{name.replace('_', '-')}: {'by default' if value is None else str(value).lower()}")
    if refusals:
        text = " ".join(map(str, refusals))
        raise (GameError if any(isinstance(error, StoreUnusable) for error in refusals) else Failure)(text)


def address_sentence(args: Namespace) -> str:
    """Say where the server would listen. Raises CannotServe."""
    from icetable.server.http.addresses import bind, check_path, resolve

    if args.socket is not None:
        check_path(Path(args.socket))
        return f"It would listen at the Unix socket {args.socket}."
    addresses = [str(rest[0]) for _, rest in resolve(args.host)]
    for listener in bind(args.host, args.port):
        listener.close()
    return f"It would listen at {', '.join(addresses)}, port {args.port}."


def metrics_sentence(args: Namespace) -> str:
    """Say where the metrics would be. Raises CannotServe."""
    from icetable.server.http.addresses import bind

    for listener in bind(args.metrics_host, args.metrics_port):
        listener.close()
    return f"Metrics would be at {args.metrics_host}, port {args.metrics_port}."


def database_sentence(args: Namespace) -> str:
    """Say where the tables would be stored. Raises CannotServe and StoreError."""
    from icetable.server.http.server import default_database
    from icetable.server.store import is_postgres
    from icetable.server.store.admin import check_writable, version_at
    from icetable.server.store.migrations import check_version, current_version

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


def push_sentence(args: Namespace) -> str:
    """Say where the keys of notifications are. Raises Failure."""
    path = Path(args.push_keys)
    if path.exists():
        push_of(args)
        return f"The keys of notifications are in {path}."
    if not os.access(path.parent, os.W_OK):
        raise Failure(f"the keys in {path} can't be created: its folder is missing, or can't be written")
    return f"The keys of notifications would be created in {path}."


def with_settings(given: Sequence[str]) -> list[str]:
    """Add the settings of the file and the variables to a `serve` command line. Raises GameError and OSError."""
    command, *rest = given
    finder = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    finder.add_argument("--config")
    path = finder.parse_known_args(rest)[0].config or os.environ.get(CONFIG)
    options = known_options()
    check_variables(os.environ, options)
    from_path = {} if path is None else from_file(Path(path), options)
    settings = from_path | from_variables(os.environ, options)
    return [command, *(word for name, value in settings.items() for word in option_words(name, value)), *rest]


def known_options() -> dict[str, Any]:
    """The options that settings may set, with their defaults."""
    parser = argparse.ArgumentParser(add_help=False)
    add_serve_options(parser)
    return {name: value for name, value in vars(parser.parse_args([])).items() if name not in ONLY_OPTIONS}


def from_file(path: Path, options: Mapping[str, Any]) -> dict[str, Any]:
    """Read the settings of a file. Raises GameError and OSError."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GameError(f"{path} is not a TOML file: {error}") from None
    found = {}
    for key, value in content.items():
        name = key.replace("-", "_")
        if name not in options:
            names = [known.replace("_", "-") for known in options]
            raise GameError(f"{path} sets {short_repr(key)}, which is not a setting; {allowed_for(key, names)}")
        is_switch = isinstance(options[name], bool)
        if isinstance(value, bool) != is_switch or not isinstance(value, bool | int | float | str):
            expected = "true or false" if is_switch else "a text or a number"
            raise GameError(f"{path} sets {key} to {short_repr(value)}, which is not {expected}")
        found[name] = value
    return found


def check_variables(variables: Mapping[str, str], options: Mapping[str, Any]) -> None:
    """Raise GameError for a variable that looks like a setting and is none: it would be ignored silently."""
    known = [CONFIG, JIT, *(PREFIX + name.upper() for name in options)]
    for name in sorted(variables):
        if name.startswith(PREFIX) and name not in known:
            raise GameError(f"the variable {name} is not a setting{suggested(name, {each: each for each in known})}")


def from_variables(variables: Mapping[str, str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Read the settings of variables, without empty ones. Raises GameError."""
    found: dict[str, Any] = {}
    for name, default in options.items():
        variable = PREFIX + name.upper()
        text = variables.get(variable, "")
        if not text:
            continue
        if not isinstance(default, bool):
            found[name] = text
        elif text.lower() in SWITCHES:
            found[name] = SWITCHES[text.lower()]
        else:
            raise GameError(f"the variable {variable} is true or false, not {short_repr(text)}")
    return found


def option_words(name: str, value: object) -> list[str]:
    """Format a setting as words of the command line."""
    word = f"--{name.replace('_', '-')}"
    if isinstance(value, bool):
        return [word] if value else []
    return [f"{word}={value}"]


def add_play_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="a game of 'icetable games', or the file of one")
    table = parser.add_argument_group("a table in the browser")
    table.add_argument(
        "--port", type=int, metavar="N", help="the port (default: 8421, or any free port if it is in use)"
    )
    table.add_argument("--host", metavar="H", help="the address to listen at (default: 127.0.0.1, this machine only)")
    table.add_argument(
        "--lan",
        action="store_const",
        const=True,
        help="let others on the local network join: listen at all addresses of this machine, or at 127.0.0.1 and H",
    )
    table.add_argument(
        "--db", metavar="PLACE", help="the tables' SQLite file or PostgreSQL URL (default: in your data folder)"
    )
    table.add_argument("--no-browser", action="store_const", const=True, help="do not open a browser")
    terminal = parser.add_argument_group("in the terminal")
    terminal.add_argument("--terminal", action="store_true", help="play in the terminal against bots")
    add_game_options(terminal)
    terminal.add_argument("--level", metavar="L", help="the level of the bots; 'icetable games' lists the levels")
    terminal.add_argument(
        "--seat", type=int, metavar="N", help="your seat, counted from 1 (default: 1, the first to act)"
    )
    terminal.add_argument("--seed", type=int, metavar="N", help="a seed for chance and the bots, to repeat a game")
    terminal.add_argument(
        "--record", metavar="FILE", help="write the record of the game to a new file; - is standard output"
    )


def run_play(args: Namespace) -> int:
    for name in TABLE_OPTIONS if args.terminal else TERMINAL_OPTIONS:
        if getattr(args, name) is not None:
            where = "a table in the browser, not with" if args.terminal else "a game in the terminal, with"
            raise GameError(f"--{name.replace('_', '-')} is for {where} --terminal")
    if args.terminal:
        from icetable.cli import terminal

        return terminal.play(args)
    games.keep_files_apart(open_file)
    if args.game is not None:
        info = games.info_of(args.game)
        point_out_mistakes(info)
        args.game = info.name
    games.check_names()
    if args.port is not None and not 0 <= args.port <= HIGHEST_PORT:
        raise GameError(f"--port is a whole number from 0 to {HIGHEST_PORT}, not {short_repr(args.port)}")
    open_table(args)
    return 0


def open_table(args: Namespace) -> None:
    """Serve tables until Ctrl-C. Raises Failure."""
    from icetable.server import logs
    from icetable.server.http.addresses import CannotServe
    from icetable.server.http.server import serve
    from icetable.server.live.settings import Settings

    def announce(address: str) -> None:
        if args.game is not None:
            address += f"?game={args.game}"
        print(f"Icetable is open at {address}", flush=True)
        if not (args.host or args.lan):
            print(LOOPBACK_NOTICE, flush=True)
        if not args.no_browser:
            open_browser(address)

    def report(sentence: str) -> None:
        print(sentence, flush=True)

    def serve_at(port: int) -> None:
        settings = Settings(
            host=args.host or (LAN if args.lan else DEFAULT_HOST),
            port=port,
            lan=args.lan or (False if args.host else None),
            db=args.db,
            games=sorted(games.list_games(), key=lambda info: info.name != args.game),
        )
        serve(settings, announce, lambda addresses: report(for_others(addresses)), report)

    logs.configure_terminal()
    try:
        try:
            serve_at(DEFAULT_PORT if args.port is None else args.port)
        except CannotServe:
            if args.port is not None:
                raise
            serve_at(0)
    except CannotServe as error:
        raise Failure(str(error)) from None


def open_browser(address: str) -> None:
    """Open the table in a browser if there is a display. It runs in another process, as it may block and print."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    null = subprocess.DEVNULL
    command = [sys.executable, "-m", "webbrowser", address]
    subprocess.Popen(command, stdin=null, stdout=null, stderr=null, start_new_session=True)  # noqa: S603
