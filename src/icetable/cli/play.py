"""`icetable play`: a table in the browser, or a game in the terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from icetable import games
from icetable.cli.choosing import point_out_mistakes
from icetable.cli.failure import Failure
from icetable.cli.options import add_game_options
from icetable.cli.serve import for_others
from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.server import HIGHEST_PORT
from icetable.server.apart.games import open_file

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8421
LAN = "::"
"""All IPv4 and IPv6 addresses of this machine."""
LOOPBACK_NOTICE = "Only this machine can open it, until you let others on your network in: by an invitation, or --lan."
TABLE_OPTIONS = ("port", "host", "lan", "db", "no_browser")
TERMINAL_OPTIONS = ("players", "option", "preset", "level", "seat", "seed", "record")


def add_options(parser: ArgumentParser) -> None:
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


def run(args: Namespace) -> int:
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
