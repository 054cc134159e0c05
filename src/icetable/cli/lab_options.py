"""The options of `icetable lab` and of each of its studies."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from icetable.cli.options import add_game_options, add_json, add_workers, sentence
from icetable.lab.asking import DEFAULT_SECONDS
from icetable.lab.tuning import MAX_BLOCKS_PER_VARIANT

if TYPE_CHECKING:
    from argparse import ArgumentParser, _ActionsContainer


def add_options(parser: ArgumentParser) -> None:
    studies = parser.add_subparsers(dest="study", metavar="STUDY", required=True)

    def add(name: str, about: str) -> ArgumentParser:
        return studies.add_parser(name, help=about, description=sentence(about), allow_abbrev=False)

    ask = add("ask", "answer questions about a game: does it end, how long is it, is a seat better, how much is luck …")
    add_run(ask)
    add_seconds(ask)
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
    compare = add("compare", "answer what changes from a game to another, or to another reading of it")
    add_run(compare)
    compare.add_argument("other", nargs="?", metavar="OTHER", help="the second game (default: the same one)")
    add_seconds(compare)
    planned = compare.add_argument_group("a run of fixed length, with p-values, in place of all questions")
    add_players(planned)
    for side in ("a", "b"):
        compare.add_argument(
            f"--{side}",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help=f"an option of reading {side}; may be repeated",
        )
    planned.add_argument("--measure", metavar="M,M", help="compare only these: first-seat, …, draws, length, choice")
    sweep = add("sweep", "play all combinations of some options' values")
    add_run(sweep)
    add_players(sweep)
    sweep.add_argument(
        "--over", action="append", required=True, metavar="NAME=V,V", help="values of an option; may be repeated"
    )
    tune = add("tune", "let variants of a game race, and say which are what is wanted")
    tune.add_argument("game", metavar="GAME")
    add_conditions(tune)
    tune.add_argument(
        "--vary", action="append", required=True, metavar="NAME=V,V", help="values of an option; may be repeated"
    )
    tune.add_argument("--want", required=True, metavar="W", help='such as "turns 30..50, seats within 0.03"')
    tune.add_argument("--seat", metavar="P", help="who plays in all seats (default: greedy, or tries:8)")
    tune.add_argument(
        "--blocks", type=int, default=MAX_BLOCKS_PER_VARIANT, metavar="N", help="the most of a variant (default: 1000)"
    )
    tune.add_argument("--seconds", type=float, default=math.inf, metavar="S", help="play no longer than this")
    rules = add("rules", "try each other value of each option, and say what it changes")
    add_run(rules)
    add_players(rules)
    ladder = add("ladder", "let players of 1, 2, 4, … simulations meet the next weaker ones: how deep the game is")
    add_run(ladder)
    ladder.add_argument("--doublings", type=int, default=6, metavar="N", help="how often to double (default: 6)")
    add_blocks(ladder, "blocks of games a step")
    match = add("match", "let two players meet, from different openings, each of them played in every seat")
    match.add_argument("game", metavar="GAME")
    match.add_argument("first", metavar="A", help="the first player by name, or FILE.py:NAME for your own")
    match.add_argument("other", metavar="B", help="the player in all other seats")
    add_conditions(match)
    add_blocks(match, "blocks, each an opening in all orders")
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
    elo = add("elo", "let each two of some players meet, and rate them all")
    add_agents(elo, "players by name, or FILE.py:NAME for your own; the first one has 0")
    add_blocks(elo, "blocks of each match, the same for all")
    games = add("games", "play a data set of strong games, the same everywhere, and print its hash")
    add_run(games)
    games.add_argument(
        "--seats", metavar="P,P", help="the players by name (default: the strongest level that has no clock)"
    )
    games.add_argument(
        "--blocks",
        type=int,
        default=10_000,
        metavar="N",
        help="blocks, of equal players one game each (default: 10000)",
    )
    regret = add("regret", "tell by how much players miss perfect play, act by act, where a game is solved")
    add_agents(regret, "a player, or the first one and the one in all other seats")
    add_blocks(regret, "blocks, each an opening in all orders")
    pace = add("pace", "measure how long people have thought about an act and a turn, at the tables of a server")
    pace.add_argument(
        "--db",
        required=True,
        metavar="PLACE",
        help="the SQLite file of the tables, or a PostgreSQL URL",
    )
    add_json(pace)
    report = add("report", "write the page of a study again, from its figures")
    report.add_argument("folder", metavar="DIR", type=Path, help="the folder of the study")
    replay = add("replay", "print the record of a game of a run")
    replay.add_argument("folder", metavar="DIR", type=Path, help="the folder of the run")
    replay.add_argument("game", metavar="BLOCK.GAME", help="the game, such as 12.0")


def add_run(parser: ArgumentParser) -> None:
    """Add what all studies take."""
    parser.add_argument("game", metavar="GAME")
    add_conditions(parser)


def add_agents(parser: ArgumentParser, about: str) -> None:
    """Add a game, players who meet in it, and the conditions."""
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("agents", nargs="+", metavar="A", help=about)
    add_conditions(parser)


def add_blocks(parser: ArgumentParser, about: str) -> None:
    """Add the number of blocks of a study that has its players by name."""
    parser.add_argument("--blocks", type=int, default=100, metavar="N", help=f"{about} (default: %(default)s)")


def add_conditions(parser: ArgumentParser) -> None:
    """Add under what conditions a study plays."""
    add_game_options(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="a seed, for other games (default: 0)")
    add_workers(parser, "games to play at a time")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep all games here; a run that is here goes on")
    add_json(parser)


def add_seconds(parser: ArgumentParser) -> None:
    """Add how long is played until all is known."""
    parser.add_argument(
        "--seconds", type=float, default=DEFAULT_SECONDS, metavar="S", help="play so long (default: %(default)g)"
    )


def add_players(parser: _ActionsContainer) -> None:
    """Add the players of a run and the number of its games."""
    parser.add_argument(
        "--seats",
        metavar="P,P",
        help="the players by name, or one for all seats (default: greedy; without turns, the level in the middle)",
    )
    parser.add_argument("--blocks", type=int, metavar="N", help="blocks, each an opening in all orders (default: 200)")
