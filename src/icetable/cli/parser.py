"""The command line: what there is to call and to choose."""

from __future__ import annotations

import argparse
from typing import Any

EPILOG = "'icetable COMMAND --help' tells more of a command."


class Version(argparse.Action):
    """Prints the version and ends; reading it takes time that nothing else should wait for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import version

        print(f"icetable {version('icetable')}")
        parser.exit()


def build() -> argparse.ArgumentParser:
    """The parser of the whole command."""
    parser = argparse.ArgumentParser(
        prog="icetable",
        description="Games played with Looney pyramids: a table to play at, rules, bots, and tools to study them.",
        epilog=EPILOG,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=Version, nargs=0, help="print the version and end")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, about: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.", allow_abbrev=False)

    fill_play(command("play", "open a table in the browser, or play in the terminal"))
    fill_serve(command("serve", "serve tables to others, as docs/running.md tells"))
    command("games", "list the games with their options")
    fill_rules(command("rules", "print the rules of a game"))
    fill_replay(command("replay", "show a game from its record"))
    fill_verify(command("verify", "check a table's record: the rules, and what nature drew"))
    fill_demo(command("demo", "play a game at random, and show how it ends"))
    fill_perft(command("perft", "count the sequences of acts of a length"))
    fill_solve(command("solve", "work out what a game comes to when nobody errs"))
    fill_bench(command("bench", "measure how fast games run on this machine"))
    fill_warmup(command("warmup", "compile what bots need, so that no table waits for it"))
    fill_backup(command("backup", "copy the file that keeps the tables, while a server runs"))
    return parser


def fill_play(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="a game that 'icetable games' lists")
    table = parser.add_argument_group("a table in the browser")
    table.add_argument("--port", type=int, metavar="N", help="the port (default: 8421, or a free one if it is taken)")
    table.add_argument("--host", metavar="H", help="the address to listen at (default: 127.0.0.1, this machine only)")
    table.add_argument(
        "--db", metavar="PLACE", help="the tables' SQLite file or PostgreSQL URL (default: in your data folder)"
    )
    table.add_argument("--no-browser", action="store_const", const=True, help="open no browser")
    terminal = parser.add_argument_group("in the terminal")
    terminal.add_argument("--terminal", action="store_true", help="play here, against bots")
    add_game_options(terminal)
    terminal.add_argument("--level", metavar="L", help="how strong the bots play; 'icetable games' lists the levels")
    terminal.add_argument("--seat", type=int, metavar="N", help="your seat, counted from 0 (default: 0, which begins)")
    terminal.add_argument("--seed", type=int, metavar="N", help="make chance and the bots' choices repeatable")
    terminal.add_argument("--record", metavar="FILE", help="keep the record of the game in a new file")


def fill_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--db", metavar="PLACE", help="the tables' SQLite file or PostgreSQL URL (default: in your data folder)"
    )
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="H", help="the address to listen at (default: %(default)s)"
    )
    parser.add_argument("--port", type=int, default=8421, metavar="N", help="the port (default: %(default)s)")
    parser.add_argument(
        "--proxy-headers",
        action="store_true",
        help="believe a proxy on this machine (or at the addresses in the variable FORWARDED_ALLOW_IPS) who asks",
    )
    parser.add_argument(
        "--metrics-host", default="127.0.0.1", metavar="H", help="where /metrics is shown (default: %(default)s)"
    )
    parser.add_argument(
        "--metrics-port", type=int, default=8422, metavar="N", help="and at which port; 0: nowhere (default: 8422)"
    )
    parser.add_argument(
        "--sockets-per-address",
        type=int,
        metavar="N",
        help="how many sockets one address may have; its other limits go with it (default: 64, but for this machine)",
    )
    parser.add_argument(
        "--log-level",
        choices=("debug", "info", "warning", "error"),
        default="info",
        help="what is written to stderr, in lines of JSON (default: %(default)s; debug may tell secrets)",
    )


def fill_rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("rule", nargs="?", metavar="RULE", help="only the rule of this id")


def fill_replay(parser: argparse.ArgumentParser) -> None:
    add_record(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="show the position after every act, not only after the last")
    which.add_argument("--at", type=int, metavar="N", help="show the position after so many acts")
    parser.add_argument("--svg", metavar="FILE", help="draw the position to a new file too, where the game can")


def fill_demo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    add_game_options(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="make it repeatable")
    parser.add_argument("--record", metavar="FILE", help="keep the record of the game in a new file")
    parser.add_argument("--svg", metavar="FILE", help="draw the end to a new file, where the game can")


def fill_verify(parser: argparse.ArgumentParser) -> None:
    add_record(parser)


def fill_perft(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--depth", type=int, required=True, metavar="N", help="how many acts a sequence has")
    add_game_options(parser)
    parser.add_argument("--divide", action="store_true", help="count apart for every first act")


def fill_solve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    add_game_options(parser)


def fill_bench(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="only this game")
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each game")


def fill_warmup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help="only these games")


def fill_backup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--db", required=True, metavar="FILE", help="the file that keeps the tables")
    parser.add_argument("copy", metavar="OUT", help="a new file; to restore, let a server start on it")


def add_record(parser: argparse.ArgumentParser) -> None:
    """The file that a command reads."""
    parser.add_argument("record", metavar="RECORD", help="the file of the record, or - for the standard input")


def add_game_options(parser: argparse._ActionsContainer) -> None:
    """What chooses a game's options."""
    parser.add_argument("--players", metavar="N", help="how many play")
    parser.add_argument(
        "--option", action="append", metavar="NAME=VALUE", help="an option of the game; may be given again"
    )
    parser.add_argument("--preset", metavar="P", help="a bundle of options that the game names")
