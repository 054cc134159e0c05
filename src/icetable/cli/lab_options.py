"""The options of `icetable lab` and of each of its studies."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from icetable.cli.options import add_game_options, add_json, add_workers, sentence
from icetable.lab.questions import DEFAULT_SECONDS
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
        ("study", "measure a game at several strengths, and summarize the findings"),
        ("infobox", "fill the infobox of a game: length, time, chance, depth"),
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
            help="stop once the share of every seat is known to plus or minus WIDTH, such as 0.02; "
            "exit with 3 if the effort is not enough for that",
        )
        if name == "infobox":
            study.add_argument("--markdown", action="store_true", help="print the infobox as a Markdown table")
    compare = add("compare", "compare a game with another one, or with another reading of it")
    add_run(compare)
    compare.add_argument("other", nargs="?", metavar="OTHER", help="the second game (default: the same one)")
    add_seconds(compare)
    planned = compare.add_argument_group("a run of fixed length, with p-values, instead of all questions")
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
    tune = add("tune", "race variants of a game, and report which meet the requirements")
    tune.add_argument("game", metavar="GAME")
    add_conditions(tune)
    tune.add_argument(
        "--vary", action="append", required=True, metavar="NAME=V,V", help="values of an option; may be repeated"
    )
    tune.add_argument("--want", required=True, metavar="W", help='such as "turns 30..50, seats within 0.03"')
    tune.add_argument("--seat", metavar="P", help="the player in all seats (default: greedy, or tries:8)")
    tune.add_argument(
        "--blocks",
        type=int,
        default=MAX_BLOCKS_PER_VARIANT,
        metavar="N",
        help="most blocks per variant (default: 1000)",
    )
    tune.add_argument("--seconds", type=float, default=math.inf, metavar="S", help="the time limit")
    rules = add("rules", "try each other value of each option, and report what it changes")
    add_run(rules)
    add_players(rules)
    ladder = add(
        "ladder", "measure the depth of a game: players of 1, 2, 4, … simulations against the next weaker ones"
    )
    add_run(ladder)
    ladder.add_argument("--doublings", type=int, default=6, metavar="N", help="how often to double (default: 6)")
    add_blocks(ladder, "blocks of games per step")
    match = add("match", "play two players against each other, from many openings, each played in every seat")
    match.add_argument("game", metavar="GAME")
    own = "FILE.py:NAME, model:NAME or program:COMMAND"
    match.add_argument("first", metavar="A", help=f"the first player by name, or {own}")
    match.add_argument("other", metavar="B", help="the player in all other seats")
    add_conditions(match)
    add_blocks(match, "blocks, each an opening in all orders")
    match.add_argument(
        "--until",
        type=float,
        metavar="WIDTH",
        help="stop once A's share is known to ± WIDTH",
    )
    match.add_argument(
        "--decide",
        action="store_true",
        help="stop once it is certain who is stronger; exit with 3 if it is not",
    )
    match.add_argument(
        "--without-luck",
        type=int,
        metavar="N",
        help="also adjust A's share for luck, with N simulations per outcome of chance",
    )
    elo = add("elo", "rate players by matches between each two of them")
    add_agents(elo, f"players by name, or {own}; the first one is rated 0")
    add_blocks(elo, "blocks per match")
    games = add("games", "play a data set of strong games, the same everywhere, and print its hash")
    add_run(games)
    games.add_argument(
        "--seats", metavar="P,P", help="the players by name (default: the strongest level without a clock)"
    )
    games.add_argument(
        "--blocks",
        type=int,
        default=10_000,
        metavar="N",
        help="blocks, which are single games for equal players (default: 10000)",
    )
    games.add_argument(
        "--positions", action="store_true", help="also store every position with its act and value (needs --out)"
    )
    regret = add("regret", "measure the loss of each act against perfect play, for solved games")
    add_agents(regret, "a player, or the first one and the one in all other seats")
    add_blocks(regret, "blocks, each an opening in all orders")
    pace = add("pace", "measure the thinking time of people per act and per turn, at the tables of a server")
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
    """Add the game and the conditions."""
    parser.add_argument("game", metavar="GAME")
    add_conditions(parser)


def add_agents(parser: ArgumentParser, about: str) -> None:
    """Add a game, players who meet in it, and the conditions."""
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("agents", nargs="+", metavar="A", help=about)
    add_conditions(parser)


def add_blocks(parser: ArgumentParser, about: str) -> None:
    """Add the number of blocks of a study with named players."""
    parser.add_argument("--blocks", type=int, default=100, metavar="N", help=f"{about} (default: %(default)s)")


def add_conditions(parser: ArgumentParser) -> None:
    add_game_options(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="a seed, for other games (default: 0)")
    add_workers(parser, "games to play at a time")
    parser.add_argument("--out", type=Path, metavar="DIR", help="store all games here; a run that is here is continued")
    add_json(parser)


def add_seconds(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--seconds",
        type=float,
        default=DEFAULT_SECONDS,
        metavar="S",
        help="the time limit (default: %(default)g)",
    )


def add_players(parser: _ActionsContainer) -> None:
    parser.add_argument(
        "--seats",
        metavar="P,P",
        help="the players by name, or one for all seats (default: greedy; without turns, the middle level)",
    )
    parser.add_argument("--blocks", type=int, metavar="N", help="blocks, each an opening in all orders (default: 200)")
