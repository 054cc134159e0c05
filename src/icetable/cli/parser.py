"""The command line: its commands and their options."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

EPILOG = "'icetable COMMAND --help' describes a command."


class Version(argparse.Action):
    """Print the version and exit. Only this option takes the time to read the version."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import version

        print(f"icetable {version('icetable')}")
        parser.exit()


class Parser(argparse.ArgumentParser):
    """A parser that says what may be meant by a mistyped word."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            from icetable.core.options import allowed_for, short_repr

            raise argparse.ArgumentError(action, f"not {short_repr(value)}; {allowed_for(value, list(action.choices))}")


def build() -> argparse.ArgumentParser:
    """The parser of the whole command."""
    parser = Parser(
        prog="icetable",
        description="Play and study games with Looney pyramids: tables in the browser, rules, bots, and tools.",
        epilog=EPILOG,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, about: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.", allow_abbrev=False)

    fill_play(command("play", "open a table in the browser, or play in the terminal"))
    fill_serve(command("serve", "run a server for other people, as described in docs/running.md"))
    command("games", "list the games with their options")
    fill_rules(command("rules", "print the rules of a game"))
    fill_env(command("env", "describe a game's actions and observations, for programs that learn"))
    fill_replay(command("replay", "show a game from its record"))
    fill_analyse(command("analyse", "tell what a position of a record is worth, and what may be played there"))
    fill_review(command("review", "tell what of a game's result was luck, and which acts cost most"))
    fill_puzzles(command("puzzles", "find positions in which one act is right"))
    fill_verify(command("verify", "check a table's record against the rules and the commitment to chance"))
    fill_demo(command("demo", "play a game of random acts and show its end"))
    fill_perft(command("perft", "count the sequences of acts of a given length"))
    fill_train(command("train", "learn the weights of a game's evaluation"))
    fill_solve(command("solve", "find the result of perfect play"))
    fill_bench(command("bench", "measure the speed of games on this machine"))
    fill_lab(command("lab", "study a game by games between bots: balance, length, luck, depth, readings of its rules"))
    fill_warmup(command("warmup", "compile the rules and the bots now instead of at the first table"))
    fill_backup(command("backup", "copy the file of the tables, also while a server runs"))
    return parser


def fill_play(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="a game that 'icetable games' lists")
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
        help="trust the forwarding headers of a proxy on this machine or at an address in FORWARDED_ALLOW_IPS",
    )
    parser.add_argument(
        "--public-url",
        metavar="URL",
        help="the address under which others reach the pages, where a proxy or a tunnel changes it on the way",
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
    parser.add_argument(
        "--sockets-per-address",
        type=int,
        metavar="N",
        help="the most sockets per address; its other limits scale with it (default: 64, unlimited for this machine)",
    )
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="review and analyse on the workers of this scheduler of Dask"
    )
    parser.add_argument(
        "--log-level",
        choices=("debug", "info", "warning", "error"),
        default="info",
        help="the least level to log to stderr, as lines of JSON (default: %(default)s; debug may log secrets)",
    )


def fill_rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("rule", nargs="?", metavar="RULE", help="print only the rule with this id")


def fill_env(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    add_game_options(parser)


def fill_replay(parser: argparse.ArgumentParser) -> None:
    add_record(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="show the position after each act")
    which.add_argument("--at", type=int, metavar="N", help="show the position after N acts")
    parser.add_argument(
        "--svg", metavar="FILE", help="also draw the position to a new SVG file; - is standard output, alone"
    )


def fill_analyse(parser: argparse.ArgumentParser) -> None:
    add_record(parser)
    parser.add_argument(
        "--at", type=int, metavar="N", help="the position after N acts (default: the last one that is not over)"
    )
    add_search(parser, 1000)


def fill_review(parser: argparse.ArgumentParser) -> None:
    add_record(parser)
    add_search(parser, 200)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="a seed, for other searches (default: 0)")
    add_workers(parser, "positions to search at a time")


def fill_puzzles(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    add_game_options(parser)
    parser.add_argument("--count", type=int, metavar="N", help="how many (default: 10; with --check all)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="a seed, for other puzzles (default: 0)")
    parser.add_argument("--check", action="store_true", help="judge the puzzles that ship with the game anew instead")
    parser.add_argument(
        "--simulations", type=int, default=300_000, metavar="N", help="how deep --check searches (default: 300000)"
    )
    parser.add_argument("--level", metavar="LEVEL", help="only those that no weaker level of the computer finds")
    add_workers(parser, "games to search at a time")
    parser.add_argument("--json", action="store_true", help="print each puzzle as a line of JSON")


def fill_train(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    add_game_options(parser)
    parser.add_argument("--games", type=int, default=4000, metavar="N", help="how many to play (default: %(default)s)")
    parser.add_argument(
        "--simulations", type=int, default=100, metavar="N", help="of each search (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="a seed, for other games (default: 0)")
    add_workers(parser, "games to play at a time")
    parser.add_argument(
        "--out", metavar="FILE", help="where to keep the weights, beside those of other settings (default: GAME.npz)"
    )


def fill_demo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    add_game_options(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="a seed, to repeat a game")
    parser.add_argument(
        "--record", metavar="FILE", help="write the record of the game to a new file; - is standard output"
    )
    parser.add_argument(
        "--svg", metavar="FILE", help="also draw the end to a new SVG file; - is standard output, alone"
    )


def fill_verify(parser: argparse.ArgumentParser) -> None:
    add_record(parser)


def fill_perft(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--depth", type=int, required=True, metavar="N", help="the number of acts of a sequence")
    add_game_options(parser)
    parser.add_argument("--divide", action="store_true", help="print a count for each first act")


def fill_solve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    add_game_options(parser)


def fill_bench(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="measure only this game")
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each game")


def fill_lab(parser: argparse.ArgumentParser) -> None:
    studies = parser.add_subparsers(dest="study", metavar="STUDY", required=True)

    def add(name: str, about: str) -> argparse.ArgumentParser:
        return studies.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.", allow_abbrev=False)

    for name, about in (
        ("study", "measure a game at several strengths, and say what was found"),
        ("infobox", "fill the box of a game's page: length, time, chance, depth"),
    ):
        study = add(name, about)
        add_run(study)
        study.add_argument(
            "--effort", choices=("quick", "normal", "deep"), default="quick", help="how much to play (default: quick)"
        )
        study.add_argument(
            "--until",
            type=float,
            metavar="WIDTH",
            help="play until the share of every seat is known to plus or minus WIDTH, such as 0.02, and no longer; "
            "exit with 3 where the effort is not enough for that",
        )
        if name == "infobox":
            study.add_argument("--markdown", action="store_true", help="print the box as a table in Markdown")
    compare = add("compare", "compare two readings of a rule, with the same openings and the same chance")
    add_run(compare)
    add_players(compare)
    for side in ("a", "b"):
        compare.add_argument(
            f"--{side}",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help=f"an option of reading {side}; may be repeated",
        )
    compare.add_argument("--measure", metavar="M,M", help="compare only these: first-seat, draws, length, choice")
    sweep = add("sweep", "play all combinations of some options' values")
    add_run(sweep)
    add_players(sweep)
    sweep.add_argument(
        "--over", action="append", required=True, metavar="NAME=V,V", help="values of an option; may be repeated"
    )
    rules = add("rules", "try each other value of each option, and say what it changes")
    add_run(rules)
    add_players(rules)
    ladder = add("ladder", "let players of 1, 2, 4, … simulations meet the next weaker ones: how deep the game is")
    add_run(ladder)
    ladder.add_argument("--doublings", type=int, default=6, metavar="N", help="how often to double (default: 6)")
    ladder.add_argument("--blocks", type=int, default=100, metavar="N", help="blocks of games a step (default: 100)")
    match = add("match", "let two players meet, from different openings, each of them played in every seat")
    match.add_argument("game", metavar="GAME")
    match.add_argument("first", metavar="A", help="the first player by name")
    match.add_argument("other", metavar="B", help="the player in all other seats")
    add_conditions(match)
    match.add_argument(
        "--blocks", type=int, default=100, metavar="N", help="blocks, each an opening in all orders (default: 100)"
    )
    match.add_argument(
        "--until",
        type=float,
        metavar="WIDTH",
        help="play no longer than until A's share is known to ± WIDTH",
    )
    match.add_argument(
        "--decide",
        action="store_true",
        help="play no longer than until it is sure who is stronger; exit with 3 where it is not",
    )
    match.add_argument(
        "--without-luck",
        type=int,
        metavar="N",
        help="take luck out of A's share too, by N simulations for each thing that chance could do",
    )
    pace = add("pace", "measure how long people have thought about an act and a turn, at the tables of a server")
    pace.add_argument(
        "--db",
        required=True,
        metavar="PLACE",
        help="the SQLite file of the tables, or a PostgreSQL URL",
    )
    pace.add_argument("--json", action="store_true", help="print what was found as JSON")
    report = add("report", "write the page of a study again, from its figures")
    report.add_argument("folder", metavar="DIR", type=Path, help="the folder of the study")
    replay = add("replay", "print the record of a game of a run")
    replay.add_argument("folder", metavar="DIR", type=Path, help="the folder of the run")
    replay.add_argument("game", metavar="BLOCK.GAME", help="the game, such as 12.0")


def add_run(parser: argparse.ArgumentParser) -> None:
    """Add what all studies take."""
    parser.add_argument("game", metavar="GAME")
    add_conditions(parser)


def add_conditions(parser: argparse.ArgumentParser) -> None:
    """Add under what conditions a study plays."""
    add_game_options(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="a seed, for other games (default: 0)")
    add_workers(parser, "games to play at a time")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep all games here; a run that is here goes on")
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")


def add_workers(parser: argparse.ArgumentParser, jobs: str) -> None:
    """Add who does the work. `jobs`: what a job is, in words."""
    workers = parser.add_mutually_exclusive_group()
    workers.add_argument("--jobs", type=int, default=1, metavar="N", help=f"{jobs} (default: 1)")
    workers.add_argument("--cluster", metavar="ADDRESS", help="work on the workers of this scheduler of Dask instead")


def add_players(parser: argparse.ArgumentParser) -> None:
    """Add the players of a run and the number of its games."""
    parser.add_argument(
        "--seats",
        metavar="P,P",
        help="the players by name, or one for all seats (default: greedy; without turns, the level in the middle)",
    )
    parser.add_argument(
        "--blocks", type=int, default=200, metavar="N", help="blocks, each an opening in all orders (default: 200)"
    )


def fill_warmup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help="compile only these games")


def fill_backup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--db", required=True, metavar="FILE", help="the SQLite file of the tables")
    parser.add_argument("copy", metavar="OUT", help="a new file; to restore it, start a server on it")


def add_record(parser: argparse.ArgumentParser) -> None:
    """Add the record that a command reads."""
    parser.add_argument("record", metavar="RECORD", help="the file of the record, or - for standard input")
    parser.add_argument("--number", type=int, metavar="N", help="which record of a file that has several (from 1)")


def add_search(parser: argparse.ArgumentParser, simulations: int) -> None:
    """Add how the positions of a record are searched."""
    parser.add_argument(
        "--simulations",
        type=int,
        default=simulations,
        metavar="N",
        help="the simulations of each search (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")


def add_game_options(parser: argparse._ActionsContainer) -> None:
    """Add the options that choose a game's options."""
    parser.add_argument("--players", metavar="N", help="the number of players")
    parser.add_argument(
        "--option", action="append", metavar="NAME=VALUE", help="an option of the game; may be repeated"
    )
    parser.add_argument("--preset", metavar="P", help="a named set of the game's options")
