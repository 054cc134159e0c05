"""`icetable serve`: a server that stays up; it opens no browser."""

from __future__ import annotations

import logging
import math
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from icetable import games
from icetable.cli.failure import Failure
from icetable.cli.workers import at
from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.server import HIGHEST_PORT

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from icetable.server.live.push import Push

CLUSTER_PATIENCE = 20.0
"""For how many seconds reviews and analyses wait for a worker where the cluster has none."""

LINKS = {"imprint": "imprint", "privacy": "privacy notice"}
LIMITS = {"messages": "second", "requests": "second", "tables": "minute", "reviews": "minute", "analyses": "minute"}
"""What of an address can be limited by itself, and in which time. `rate_limits.Limits` has the same order."""

logger = logging.getLogger(__name__)


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", metavar="FILE", help="files of games to offer too, or folders")
    parser.add_argument(
        "--config",
        metavar="FILE",
        help='a file of TOML that sets these options (db = "…"); variables such as ICETABLE_DB go before it',
    )
    parser.add_argument("--check", action="store_true", help="say what would be done, and end")
    parser.add_argument(
        "--db", metavar="PLACE", help="the tables' SQLite file or PostgreSQL URL (default: in your data folder)"
    )
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="H", help="the address to listen at (default: %(default)s)"
    )
    parser.add_argument("--port", type=int, default=8421, metavar="N", help="the port (default: %(default)s)")
    parser.add_argument("--socket", metavar="PATH", help="a Unix socket to listen at, in place of host and port")
    parser.add_argument(
        "--proxy-headers",
        action="store_true",
        help="trust the forwarding headers of a proxy on this machine or at an address in FORWARDED_ALLOW_IPS",
    )
    parser.add_argument(
        "--public-url",
        metavar="URL",
        help="the address under which others reach the pages, where a proxy or a tunnel changes it on the way",
    )
    parser.add_argument(
        "--prefix",
        default="/",
        metavar="PATH",
        help="the path under which everything is, where the host has other sites too, such as /pyramids",
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
        help="open no new tables while N are kept; none is ever deleted for that (default: no limit)",
    )
    parser.add_argument(
        "--keep-days",
        type=int,
        metavar="N",
        help="delete tables at which nobody was for N days, and after a week those never begun (default: never)",
    )
    for name in LINKS:
        parser.add_argument(
            f"--{name}-url", metavar="URL", help=f"the address of your {LINKS[name]}, for the first page"
        )
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="review and analyse on the workers of this scheduler of Dask"
    )
    parser.add_argument(
        "--push-keys",
        metavar="FILE",
        help="send notices to browsers that are closed, by the keys in this file, which is made if it is not there",
    )
    parser.add_argument(
        "--push-contact", metavar="ADDRESS", help="how push services reach you, such as mailto:ann@example.org"
    )
    parser.add_argument("--access-log", action="store_true", help="log each request, with the client's address")
    parser.add_argument(
        "--log-level",
        choices=("debug", "info", "warning", "error"),
        default="info",
        help="the least level to log to stderr, as lines of JSON (default: %(default)s; debug may log secrets)",
    )


def add_limits(parser: ArgumentParser) -> None:
    """Add how much one address may ask for."""
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


def run(chosen: Namespace) -> int:
    for option, port in (("port", chosen.port), ("metrics-port", chosen.metrics_port)):
        if not 0 <= port <= HIGHEST_PORT:
            raise GameError(f"--{option} is a whole number from 0 to {HIGHEST_PORT}, not {short_repr(port)}")
    for what in LIMITS:
        limit = getattr(chosen, f"{what}_per_address")
        if limit is not None and not 0 < limit < math.inf:
            raise GameError(f"--{what}-per-address is a number above 0, not {short_repr(limit)}")
    for option in ("sockets-per-address", "keep-days", "max-tables"):
        number = getattr(chosen, option.replace("-", "_"))
        if number is not None and number < 1:
            raise GameError(f"--{option} is a whole number from 1 up, not {short_repr(number)}")
    for name, link in links_of(chosen).items():
        if not link.startswith(("http://", "https://")):
            raise GameError(f"--{name}-url begins with http:// or https://, which {short_repr(link)} does not")
    if chosen.push_keys is not None and chosen.push_contact is None:
        raise GameError("--push-keys needs --push-contact: push services want to know whom to ask")
    check_address(chosen)
    for path in map(Path, chosen.games):
        for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            games.bring(file)
    if chosen.check:
        from icetable.cli import outlook

        outlook.tell(chosen)
    else:
        serve_tables(chosen)
    return 0


def check_address(chosen: Namespace) -> None:
    """Raises GameError where `--public-url` or `--prefix` is no such thing."""
    from icetable.server.http.origins import public_origin
    from icetable.server.http.prefix import prefix_of

    for option, given, read in (("public-url", chosen.public_url, public_origin), ("prefix", chosen.prefix, prefix_of)):
        try:
            if given is not None:
                read(given)
        except ValueError as error:
            raise GameError(f"--{option} {error}") from None


def serve_tables(chosen: Namespace) -> None:
    """Serve until SIGTERM or Ctrl-C. Raises Failure."""
    from icetable.cli.notify import READY, STOPPING, notify
    from icetable.server import logs
    from icetable.server.http.addresses import CannotServe
    from icetable.server.http.server import expose_metrics, serve
    from icetable.server.rate_limits import Limits

    logs.configure(chosen.log_level)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # both shut the server down, and neither is an error

    def announce(address: str) -> None:
        print(f"Icetable is open at {address}", flush=True)
        logger.info("serving", extra=logs.about(address=address))
        notify(READY)

    def say_to_others(addresses: list[str]) -> None:
        print(for_others(addresses), flush=True)
        logger.info("reached by others", extra=logs.about(addresses=addresses))

    try:
        if chosen.metrics_port:
            expose_metrics(chosen.metrics_host, chosen.metrics_port)
        with at(chosen.cluster, CLUSTER_PATIENCE) as cluster:
            serve(
                chosen.host,
                chosen.port,
                chosen.db,
                on_ready=announce,
                on_shared=say_to_others,
                behind_proxy=chosen.proxy_headers,
                public_url=chosen.public_url,
                socket_path=None if chosen.socket is None else Path(chosen.socket),
                limits=Limits(*(getattr(chosen, f"{what}_per_address") for what in ("sockets", *LIMITS)))._replace(
                    kept=chosen.max_tables
                ),
                games=games.list_games(),
                load_first=True,
                cluster=cluster,
                keep_days=chosen.keep_days,
                links=links_of(chosen),
                access_log=chosen.access_log,
                prefix=chosen.prefix,
                push=push_of(chosen),
            )
    except CannotServe as error:
        raise Failure(str(error)) from None
    notify(STOPPING)
    logger.info("ended")


def push_of(chosen: Namespace) -> Push | None:
    """What sends notices to browsers that are closed; None without keys. Raises Failure."""
    if chosen.push_keys is None:
        return None
    try:
        from icetable.server.live.push import BadKeys, Push, load_keys
    except ImportError:
        raise Failure("--push-keys needs more packages: pip install 'icetable[push]'") from None
    try:
        return Push(load_keys(Path(chosen.push_keys)), chosen.push_contact)
    except BadKeys as error:
        raise Failure(str(error)) from None


def links_of(chosen: Namespace) -> dict[str, str]:
    """The addresses of the operator's notices that were given, by name."""
    given = {name: getattr(chosen, f"{name}_url") for name in LINKS}
    return {name: link for name, link in given.items() if link}


def for_others(addresses: list[str]) -> str:
    """Where browsers on other machines find the pages."""
    return f"On other machines: {'  '.join(addresses) or 'nowhere, as this machine has no address in a network'}"
