"""`icetable serve`: run a server, without opening a browser."""

from __future__ import annotations

import logging
import math
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from icetable import games
from icetable.cli.choosing import point_out_mistakes
from icetable.cli.failure import Failure
from icetable.cli.workers import cluster_at
from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.server import HIGHEST_PORT
from icetable.server.apart.games import open_file

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from concurrent.futures import Executor

    from icetable.server.live.push import Push
    from icetable.server.live.settings import Settings

CLUSTER_TIMEOUT_SECONDS = 20.0
"""Time that reviews and analyses wait for a worker if the cluster has none."""

LINKS = {"imprint": "imprint", "privacy": "privacy notice"}
LIMITS = {"messages": "second", "requests": "second", "tables": "minute", "reviews": "minute", "analyses": "minute"}
"""The period of each limit per address; the names are those of `rate_limits.Limits`."""

logger = logging.getLogger(__name__)


def add_options(parser: ArgumentParser) -> None:
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


def run(args: Namespace) -> int:
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
        from icetable.cli import outlook

        outlook.describe(args, push_of)
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
    from icetable.cli.notify import READY, STOPPING, notify
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
