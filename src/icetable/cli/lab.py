"""The command `lab`, with its studies of a game and its rules by games between bots."""

from __future__ import annotations

import contextlib
import json
import math
import os
import shlex
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from icetable import games
from icetable.cli.options import add_game_options, add_json, add_workers, cluster_at, game_of
from icetable.cli.parser import sentence
from icetable.core.errors import BadOption, GameError
from icetable.core.options import short_repr
from icetable.core.turns import TurnGame
from icetable.games import GAMES_VARIABLE, info_of
from icetable.lab import comparisons, storage
from icetable.lab.intervals import interval, percent, whole_percent
from icetable.lab.matches import elo, ladder, match, regret
from icetable.lab.measures import pace
from icetable.lab.plan import Plan, final_state
from icetable.lab.players import agent_of, strongest_player, usual_player
from icetable.lab.playouts import has_random_games
from icetable.lab.questions import DEFAULT_SECONDS, ask, signed
from icetable.lab.runs import OnProgress, Progress, manifest, open_run
from icetable.lab.runs import run as play_run
from icetable.lab.scheduler import QUESTIONS
from icetable.lab.storage import write_positions
from icetable.lab.studies import (
    Study,
    answers,
    command_of,
    described,
    infobox,
    keep,
    keep_answers,
    keep_records,
    study,
    summary,
    write_report,
)
from icetable.lab.tuning import MAX_BLOCKS_PER_VARIANT, race_in_words, tune
from icetable.workers import processes

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace, _ActionsContainer

    from icetable.core.game import Game
    from icetable.lab.intervals import Estimate
    from icetable.lab.players import Chooser
    from icetable.lab.questions import AskResult
    from icetable.lab.runs import Run

DEFAULT_BLOCKS = 200
PROGRAM, MODEL = "program:", "model:"
OWN_PLAYERS = "FILE.py:NAME, model:NAME or program:COMMAND"
LINE_SECONDS = 5
"""Minimum interval between lines of progress outside a terminal."""
UNPRINTED = ("choice_by_tenth", "course", "precision", "openings", "board_use")
"""Measures for charts, with too many lines for a terminal."""
WITHOUT_EXTRAS = ("ask", "tune")
"""The studies that store no games, and need no package but those of icetable."""
NOT_ENOUGH = 3
"""The exit code if all games were played without reaching the requested precision."""


class StudyCommand(NamedTuple):
    """A study of `icetable lab`."""

    about: str
    add_options: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]


def studies() -> dict[str, StudyCommand]:
    """The studies by name, in the order of the help."""
    return {
        "ask": StudyCommand(
            "answer questions about a game: does it end, how long is it, is a seat better, how much is luck …",
            add_ask_options,
            run_ask,
        ),
        "study": StudyCommand(
            "measure a game at several strengths, and summarize the findings", add_study_options, run_study
        ),
        "infobox": StudyCommand(
            "fill the infobox of a game: length, time, chance, depth", add_infobox_options, run_infobox
        ),
        "compare": StudyCommand(
            "compare a game with another one, or with another reading of it", add_compare_options, run_compare
        ),
        "sweep": StudyCommand("play all combinations of some options' values", add_sweep_options, run_sweep),
        "tune": StudyCommand(
            "race variants of a game, and report which meet the requirements", add_tune_options, run_tune
        ),
        "rules": StudyCommand(
            "try each other value of each option, and report what it changes", add_rules_options, run_rules
        ),
        "ladder": StudyCommand(
            "measure the depth of a game: players of 1, 2, 4, … simulations against the next weaker ones",
            add_ladder_options,
            run_ladder,
        ),
        "match": StudyCommand(
            "play two players against each other, from many openings, each played in every seat",
            add_match_options,
            run_match,
        ),
        "elo": StudyCommand("rate players by matches between each two of them", add_elo_options, run_elo),
        "games": StudyCommand(
            "play a data set of strong games, the same everywhere, and print its hash", add_games_options, run_games
        ),
        "regret": StudyCommand(
            "measure the loss of each act against perfect play, for solved games", add_regret_options, run_regret
        ),
        "pace": StudyCommand(
            "measure the thinking time of people per act and per turn, at the tables of a server",
            add_pace_options,
            run_pace,
        ),
        "report": StudyCommand("write the page of a study again, from its figures", add_report_options, run_report),
        "replay": StudyCommand("print the record of a game of a run", add_replay_options, run_replay),
    }


def add_lab_options(parser: ArgumentParser) -> None:
    subparsers = parser.add_subparsers(dest="study", metavar="STUDY", required=True)
    for name, (about, add_options, _) in studies().items():
        add_options(subparsers.add_parser(name, help=about, description=sentence(about), allow_abbrev=False))


def run_lab(args: Namespace) -> int:
    if args.study not in WITHOUT_EXTRAS:
        check_extras()
    return studies()[args.study].run(args)


def check_extras() -> None:
    """Raise GameError unless the packages are installed that store games and analyse them."""
    try:
        import duckdb  # noqa: F401 (stores the games)
        import rich  # noqa: F401
        import scipy  # noqa: F401
    except ModuleNotFoundError as missing:
        raise GameError(
            f"the lab needs {missing.name}: pip install 'icetable[lab]'; in a checkout, ./test ruff installs it too"
        ) from None


def add_ask_options(parser: ArgumentParser) -> None:
    add_run(parser)
    add_seconds(parser)


def run_ask(args: Namespace) -> int:
    return answer(args, game_of(args))


def add_study_options(parser: ArgumentParser) -> None:
    add_run(parser)
    add_effort(parser)


def run_study(args: Namespace) -> int:
    result = studied(args)
    if args.json:
        print_json(described(result))
        return code_of(result)
    print(*answers(result), sep="\n")
    for strength, measures in result.strengths.items():
        rows = [
            (name.replace("_", " "), of, figure)
            for name, figures in measures.items()
            for of, figure in figures.items()
            if name not in UNPRINTED
        ]
        print_table(f"Equal players: {strength}", ("measure", "of"), rows)
    return code_of(result)


def add_infobox_options(parser: ArgumentParser) -> None:
    add_run(parser)
    add_effort(parser)
    parser.add_argument("--markdown", action="store_true", help="print the infobox as a Markdown table")


def run_infobox(args: Namespace) -> int:
    result = studied(args)
    cells = infobox(result)
    if args.json:
        fields = [cell._asdict() for cell in cells]
        print_json({"said": summary(result), "cells": fields, "command": command_of(result)})
        return code_of(result)
    if args.markdown:
        print("| | |\n|---|---|")
    for cell in cells:
        print(f"| {cell.name} | {cell.text} |" if args.markdown else f"{cell.name + ':':<18}{cell.text}")
    scales = [f"{cell.name}: {cell.scale}." for cell in cells if cell.scale]
    if scales:
        print("", *scales, sep="\n")
    return code_of(result)


def add_compare_options(parser: ArgumentParser) -> None:
    add_run(parser)
    parser.add_argument("other", nargs="?", metavar="OTHER", help="the second game (default: the same one)")
    add_seconds(parser)
    planned = parser.add_argument_group("a run of fixed length, with p-values, instead of all questions")
    add_players(planned)
    for side in ("a", "b"):
        parser.add_argument(
            f"--{side}",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help=f"an option of reading {side}; may be repeated",
        )
    planned.add_argument("--measure", metavar="M,M", help="compare only these: first-seat, …, draws, length, choice")


def run_compare(args: Namespace) -> int:
    base = game_of(args)
    other = base if args.other is None else other_of(args, base)
    a, b = (varied(game, texts) for game, texts in ((base, args.a), (other, args.b)))
    if not (args.seats or args.blocks or args.measure):
        return answer(args, a, b)
    measures = args.measure.split(",") if args.measure else None
    with workers(args) as work:
        result = comparisons.compare(plan_of(args, a), plan_of(args, b), measures, **work)
    if args.json:
        return print_json([change.described() for change in result])
    for change in result:
        verdict = f"{'a' if change.is_clear else 'no'} clear difference (p {change.adjusted:.2g})"
        print(f"{change.measure}: {change.a:.3g} and {change.b:.3g}, {signed(change.difference, 1, 3)}: {verdict}")
    return 0


def add_sweep_options(parser: ArgumentParser) -> None:
    add_run(parser)
    add_players(parser)
    add_device(parser)
    add_values(parser, "--over")


def run_sweep(args: Namespace) -> int:
    game = game_of(args)
    over = dict(read_values(game, text) for text in args.over)
    plan = plan_of(args, game)
    has_many = has_random_games(plan, args.device)
    with workers(args) as work:
        result = comparisons.sweep(plan, over, **work)
    combinations = [(options, comparisons.figures_of(run, args.jobs, args.device)) for options, run in result]
    if args.json:
        return print_json(
            [
                {"options": dict(options), **{name: figure.described() for name, figure in figures.items()}}
                for options, figures in combinations
            ]
        )
    rows = [
        (", ".join(f"{name}={value}" for name, value in options.items()), name, figure)
        for options, figures in combinations
        for name, figure in figures.items()
    ]
    print_table("Combinations", ("options", "measure"), rows)
    if has_many:
        games = combinations[0][1]["length"].blocks
        print(f"Shares, draws and lengths are those of {games:,} games of each combination.")
    return 0


def add_tune_options(parser: ArgumentParser) -> None:
    add_run(parser)
    add_values(parser, "--vary")
    parser.add_argument("--want", required=True, metavar="W", help='such as "turns 30..50, seats within 0.03"')
    parser.add_argument("--seat", metavar="P", help="the player in all seats (default: greedy, or tries:8)")
    parser.add_argument(
        "--blocks",
        type=int,
        default=MAX_BLOCKS_PER_VARIANT,
        metavar="N",
        help="most blocks per variant (default: 1000)",
    )
    parser.add_argument("--seconds", type=float, default=math.inf, metavar="S", help="the time limit")


def run_tune(args: Namespace) -> int:
    game = game_of(args)
    vary = dict(read_values(game, text) for text in args.vary)
    limits = {name: getattr(args, name) for name in ("seat", "blocks", "seconds", "seed", "jobs")}
    with workers(args) as work:
        result = tune(game, vary, args.want, **limits, executor=work["executor"], on_progress=work["on_progress"])
    if args.json:
        return print_json([variant.described() for variant in result])
    print(*race_in_words(result, args.want), sep="\n")
    return 0


def add_rules_options(parser: ArgumentParser) -> None:
    add_run(parser)
    add_players(parser)


def run_rules(args: Namespace) -> int:
    plan = plan_of(args, game_of(args))
    with workers(args) as work:
        result = comparisons.flips(plan, **work)
    if args.json:
        return print_json([flip.described() for flip in result])
    for flip in result:
        clear = [f"{each.measure} {signed(each.difference, 1, 3)}" for each in flip.differences if each.is_clear]
        print(
            f"{flip.rule} {flip.option}={flip.value} instead of {flip.usual}: changes the result of "
            f"{percent(flip.changed)} of games, while {percent(flip.unrelated)} of unrelated ones differ; "
            f"{', '.join(clear) or 'nothing else is clear'}"
        )
    for reason in comparisons.refusals(plan):
        print(f"Not tried: {reason}.")
    return 0


def add_ladder_options(parser: ArgumentParser) -> None:
    add_run(parser)
    parser.add_argument("--doublings", type=int, default=6, metavar="N", help="how often to double (default: 6)")
    add_blocks(parser, "blocks of games per step")


def run_ladder(args: Namespace) -> int:
    game = game_of(args)
    with workers(args) as work:
        result = ladder(game, None, None, args.doublings, args.blocks, args.seed, **work)
    if args.json:
        return print_json(result.described())
    for step in result.steps:
        print(f"{step.player:>10} against {step.against:<10} {percent(step.share):>20}  {interval(step.elo)} Elo")
    print(f"In total {interval(result.elo)} Elo: {interval(result.rungs, 1)} rungs.")
    return 0


def add_match_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("first", metavar="A", help=f"the first player by name, or {OWN_PLAYERS}")
    parser.add_argument("other", metavar="B", help="the player in all other seats")
    add_conditions(parser)
    add_blocks(parser, "blocks, each an opening in all orders")
    parser.add_argument("--until", type=float, metavar="WIDTH", help="stop once A's share is known to ± WIDTH")
    parser.add_argument(
        "--decide", action="store_true", help="stop once it is certain who is stronger; exit with 3 if it is not"
    )
    parser.add_argument(
        "--without-luck",
        type=int,
        metavar="N",
        help="also adjust A's share for luck, with N simulations per outcome of chance",
    )


def run_match(args: Namespace) -> int:
    game = game_of(args)
    seats = [player_of(args.first)] + [player_of(args.other)] * (game.players - 1)
    plan = Plan(game, None, None, seats, args.blocks, args.seed)
    with workers(args) as work:
        result = match(plan, args.until, args.decide, **work, analyst=args.without_luck)
    code = 0 if result.is_enough else NOT_ENOUGH
    if args.json:
        print_json(result.described())
        return code
    step, games = result.step, result.plan.games
    equal, different = (f"{whole_percent(share)}%" for share in (result.equal, result.distinct.value))
    print(f"{step.player} against {step.against}: {percent(step.share)} in {games} games, {equal} for an equal.")
    if result.without_luck is not None:
        print(f"Adjusted for luck: {percent(result.without_luck)}.")
    print(f"That is {interval(step.elo)} Elo. {different} of the games differ from all before them.")
    skill, seat, draw, rest = (percent(part) for part in result.sources)
    print(f"Variance by source: the players {skill}; the seat {seat}; opening and chance {draw}; the rest {rest}.")
    if result.coins is not None:
        print(f"A sure winner would score the same if a coin decided {percent(result.coins)} of the games.")
    left = f"{whole_percent(step.pairing.value)}%"
    print(f"Playing each opening in every seat leaves {left} of the variance of as many unpaired games.")
    if result.sure is not None:
        print(f"Valid at any stopping time: {percent(result.sure)}.")
    return code


def add_elo_options(parser: ArgumentParser) -> None:
    add_agents(parser, f"players by name, or {OWN_PLAYERS}; the first one is rated 0")
    add_blocks(parser, "blocks per match")


def run_elo(args: Namespace) -> int:
    game, agents = game_of(args), [player_of(name) for name in args.agents]
    with workers(args) as work:
        result = elo(game, agents, None, None, args.blocks, args.seed, **work)
    if args.json:
        return print_json(result.described())
    width = max(len(rating.player) for rating in result.rated)
    for rating in result.rated:
        distance = interval(rating.elo) if rating.elo.low < rating.elo.high else "0"
        print(f"{rating.player:<{width}}  {distance:>22} Elo  {percent(rating.share)} in {rating.games} games")
    return 0


def add_games_options(parser: ArgumentParser) -> None:
    add_run(parser)
    parser.add_argument(
        "--seats", metavar="P,P", help="the players by name (default: the strongest level without a clock)"
    )
    parser.add_argument(
        "--blocks",
        type=int,
        default=10_000,
        metavar="N",
        help="blocks, which are single games for equal players (default: 10000)",
    )
    parser.add_argument(
        "--positions", action="store_true", help="also store every position with its act and value (needs --out)"
    )


def run_games(args: Namespace) -> int:
    game = game_of(args)
    args.seats = args.seats or strongest_player(game)
    plan = plan_of(args, game)
    with workers(args) as work:
        played = play_run(plan, **work)
    positions = stored_positions(args, played)
    if args.json:
        hashes = {"hash": played.hash} | ({"positions": positions} if positions else {})
        return print_json({"plan": plan.described(), "games": plan.games, **hashes})
    plural = "" if plan.games == 1 else "s"
    print(f"{plan.games} game{plural} of {game.info.title} for {game.players} between {args.seats}: hash {played.hash}")
    if positions:
        print(f"Their positions are in {args.out / 'positions'}: hash {positions}")
    return 0


def stored_positions(args: Namespace, played: Run) -> str:
    """Store the positions of a run, if they are asked for; return their hash. Raises GameError."""
    if not args.positions:
        return ""
    if args.out is None:
        raise GameError("--positions needs --out DIR, where they are stored")
    game = played.plan.game
    if not isinstance(game, TurnGame) or game.info.part("encoding") is None:
        return write_positions(played.plan, played.rows, args.out / "positions", None)
    from icetable.envs import space  # environments take a while to import

    return write_positions(played.plan, played.rows, args.out / "positions", space(game).number)


def add_regret_options(parser: ArgumentParser) -> None:
    add_agents(parser, "a player, or the first one and the one in all other seats")
    add_blocks(parser, "blocks, each an opening in all orders")


def run_regret(args: Namespace) -> int:
    game = game_of(args)
    first, *others = map(player_of, args.agents)
    seats = [first] + (others or [first]) * (game.players - 1)
    with workers(args) as work:
        result = regret(Plan(game, None, None, seats, args.blocks, args.seed), **work)
    if args.json:
        return print_json([loss.described() for loss in result])
    for loss in result:
        print(
            f"{loss.player} gives away {interval(loss.act, 3)} {loss.act.unit} per act and {interval(loss.game, 3)} "
            f"per game; of the acts that could give anything away, {percent(loss.perfect)} are perfect."
        )
    return 0


def add_pace_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--db", required=True, metavar="PLACE", help="the SQLite file of the tables, or a PostgreSQL URL"
    )
    add_json(parser)


def run_pace(args: Namespace) -> int:

    from icetable.cli.admin import finished_tables  # imports the server

    result = pace(finished_tables(args.db))
    if args.json:
        return print_json(
            {game: {of: figure.described() for of, figure in figures.items()} for game, figures in result.items()}
        )
    if not result:
        print("No game is finished there.")
    for game, figures in result.items():
        act, turn = (interval(figures[of], 1) for of in ("act", "turn"))
        tables = figures["act"].blocks
        plural = "" if tables == 1 else "s"
        print(f"{games.info(game).title}: an act takes {act} seconds, a turn {turn}; {tables} game{plural}.")
    return 0


def add_report_options(parser: ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", type=Path, help="the folder of the study")


def run_report(args: Namespace) -> int:
    estimates = next(filter(Path.exists, (args.folder / "answers.json", args.folder / "estimates.json")), None)
    if estimates is None:
        raise GameError(f"there is no study in {args.folder}; create one with 'icetable lab study GAME --out DIR'")
    try:
        content = json.loads(estimates.read_text(encoding="utf-8"))
    except ValueError:
        raise GameError(f"{estimates} can't be read") from None
    write_report(content, args.folder / "report.html")
    print(args.folder / "report.html")
    return 0


def add_replay_options(parser: ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", type=Path, help="the folder of the run")
    parser.add_argument("game", metavar="BLOCK.GAME", help="the game, such as 12.0")


def run_replay(args: Namespace) -> int:
    played = open_run(args.folder)
    block, _, game = args.game.partition(".")
    if not (block.isdecimal() and (game or "0").isdecimal()):
        raise GameError(f"a game of a run is given by its block and number, such as 12.0, not {short_repr(args.game)}")
    result = played.games.filter(f"block = {int(block)} AND game = {int(game or 0)}")
    for row in storage.rows_of(result, played.files):
        print(final_state(played.plan, row).record(), end="")
        return 0
    raise GameError(f"there is no game {args.game} in {args.folder}")


def answer(args: Namespace, game: Game, against: Game | None = None) -> int:
    """Answer all questions about a game, or about the differences between two."""
    with contextlib.ExitStack() as stack:
        work = stack.enter_context(workers(args))
        # An endless game is stopped by killing its process.
        pool = work["executor"] or stack.enter_context(processes(args.jobs))
        print_answers(
            args, ask(game, None, None, args.seconds, args.seed, pool, args.jobs, work["on_progress"], against)
        )
    return 0


def print_answers(args: Namespace, result: AskResult) -> None:
    """Print answers, each with the command that replays its game, and store them if requested."""
    content = {
        "kind": "answers",
        "title": result.title,
        "plan": result.plan.described(),
        "verdicts": [verdict.described() for verdict in result.verdicts],
        "command": shlex.join(["icetable", *sys.argv[1:]]),
        "versions": manifest(result.plan)["versions"],
    }
    if args.out is not None:
        keep_answers(content, args.out)
    if args.json:
        print_json(content)
        return
    folder = args.out or Path(tempfile.mkdtemp(prefix="icetable-"))
    files = [name for name in (args.game, getattr(args, "other", None)) if name and name.endswith(".py")]
    variable = f"{GAMES_VARIABLE}={shlex.quote(os.pathsep.join(files))} " if files else ""
    for verdict, path in zip(result.verdicts, keep_records(content["verdicts"], folder), strict=True):
        print(verdict.sentence)
        if path is not None and verdict.watch is not None:
            at = "--all" if verdict.watch.at is None else f"--at {verdict.watch.at}"
            print(f"    {variable}icetable replay {shlex.quote(str(path))} {at}   # {verdict.watch.why}")


def varied(game: Game, texts: Sequence[str]) -> Game:
    """Change options of a game, given as texts such as `formation=exact`. Raises BadOption."""
    changes = {}
    for text in texts:
        name, (value, *more) = read_values(game, text)
        if more:
            raise BadOption(f"{short_repr(text)} gives more than one value; sweep tries several")
        changes[name] = value
    return games.with_options(game, **changes)


def other_of(args: Namespace, base: Game) -> Game:
    """Load the second game of a comparison, with the same number of players, and the options that both games have."""
    info = info_of(args.other)
    known = {option.name for option in info.options}
    options = {name: value for name, value in base.options.items() if name in known and value != default_of(base, name)}
    return info.load(None, players=base.players, **options)


def default_of(game: Game, name: str) -> Any:
    return next(option.default for option in game.info.options if option.name == name)


def studied(args: Namespace) -> Study:
    game = game_of(args)
    with workers(args) as work:
        result = study(game, None, None, args.effort, args.seed, args.until, **work, device=args.device)
    if args.out is not None:
        keep(result, args.out)
    return result


def code_of(result: Study) -> int:
    """The exit code for a study, by whether it has reached the requested precision."""
    return 0 if result.is_enough else NOT_ENOUGH


def print_table(title: str, names: tuple[str, str], rows: Sequence[tuple[str, str, Estimate]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    for name in names:
        table.add_column(name)
    for name in ("figure", "from", "to", "unit"):
        table.add_column(name, justify="right" if name != "unit" else "left")
    for first, second, figure in rows:
        numbers = (f"{value:.4g}" for value in (figure.value, figure.low, figure.high))
        table.add_row(first, second, *numbers, figure.unit)
    Console(width=None if sys.stdout.isatty() else 100).print(table)


def print_json(content: Any) -> int:
    """Print results as JSON; return the exit code."""
    print(json.dumps(content, indent=1))
    return 0


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


def add_effort(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--effort", choices=("quick", "normal", "deep"), default="quick", help="how much to play (default: quick)"
    )
    parser.add_argument(
        "--until",
        type=float,
        metavar="WIDTH",
        help="stop once the share of every seat is known to plus or minus WIDTH, such as 0.02; "
        "exit with 3 if the effort is not enough for that",
    )
    add_device(parser)


def add_device(parser: ArgumentParser) -> None:
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="cuda: random games on a GPU")


def add_values(parser: ArgumentParser, name: str) -> None:
    parser.add_argument(
        name, action="append", required=True, metavar="NAME=V,V", help="values of an option; may be repeated"
    )


def add_players(parser: _ActionsContainer) -> None:
    parser.add_argument(
        "--seats",
        metavar="P,P",
        help="the players by name, or one for all seats (default: greedy; without turns, the middle level)",
    )
    parser.add_argument("--blocks", type=int, metavar="N", help="blocks, each an opening in all orders (default: 200)")


def player_of(text: str) -> str | Chooser:
    """The player that a text names: its name, `mine.py:agent`, `model:NAME` or `program:COMMAND`. Raises GameError."""
    if not text.startswith((PROGRAM, MODEL)):
        return agent_of(text)
    from icetable.envs import Agent, Program, load_model  # environments take a while to import

    kind, _, rest = text.partition(":")
    return Program(rest) if f"{kind}:" == PROGRAM else Agent(load_model(rest))


def plan_of(args: Namespace, game: Game) -> Plan:
    """Create the plan of a command line with players and blocks."""
    seats = [player_of(name) for name in (args.seats or usual_player(game)).split(",")]
    return Plan(game, None, None, seats, args.blocks or DEFAULT_BLOCKS, args.seed)


def read_values(game: Game, text: str) -> tuple[str, list[Any]]:
    """Parse an option and its values, such as `trios=2,3`; a list is a single value. Raises BadOption."""
    options = {option.name: option for option in (game.info.players_option, *game.info.options)}
    name, _, values = text.partition("=")
    if name not in options:
        raise BadOption(f"there is no option {short_repr(name)}; allowed: {', '.join(options)}")
    option = options[name]
    return name, [option.read_text(value) for value in ([values] if option.kind == "list" else values.split(","))]


class Work(TypedDict):
    """Arguments of lab functions: where games are stored, who plays them, and how progress is shown."""

    out: Path | None
    executor: Executor | None
    jobs: int
    on_progress: OnProgress | None


@contextlib.contextmanager
def workers(args: Namespace) -> Iterator[Work]:
    """Set up the workers of a study and its progress display: a bar on a terminal, otherwise lines."""
    with contextlib.ExitStack() as stack:
        executor = stack.enter_context(cluster_at(args.cluster))
        if not sys.stderr.isatty() or find_spec("rich") is None:
            yield Work(out=args.out, executor=executor, jobs=args.jobs, on_progress=stack.enter_context(lines()))
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        bar = stack.enter_context(Bar(*columns, console=Console(stderr=True), transient=True))
        task = bar.add_task("playing", total=None)

        def on_progress(progress: Progress) -> None:
            total = progress.blocks or None
            bar.update(task, completed=progress.done, total=total, description=progress.stage)

        yield Work(out=args.out, executor=executor, jobs=args.jobs, on_progress=on_progress)


@contextlib.contextmanager
def lines() -> Iterator[OnProgress]:
    """A function that prints progress as lines. They go on while there is no news, as in slow games."""
    printer, ended = LinePrinter(), threading.Event()

    def repeat() -> None:
        while not ended.wait(LINE_SECONDS):
            printer.repeat()

    if LINE_SECONDS < threading.TIMEOUT_MAX:
        threading.Thread(target=repeat, name="progress", daemon=True).start()
    try:
        yield printer.update
    finally:
        ended.set()


class LinePrinter:
    """Prints progress as lines, at most one per LINE_SECONDS: the last news, and how long its stage has taken."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._printed = self._begun = now()
        self._last: Progress | None = None

    def update(self, progress: Progress) -> None:
        if self._last is None or progress.stage != self._last.stage:
            self._begun = self._now()
        self._last = progress
        self.repeat()

    def repeat(self) -> None:
        """Print the last news, unless a line has just been printed."""
        progress, now = self._last, self._now()
        if progress is None or now - self._printed < LINE_SECONDS:
            return
        self._printed = now
        counted = "" if progress.stage == QUESTIONS else " blocks"
        done = f": {progress.done} of {progress.blocks}{counted}" if progress.blocks else ""
        left = "" if progress.seconds_left is None else f", about {progress.seconds_left:.0f} s left"
        print(f"{progress.stage}{done}{left}, {now - self._begun:.0f} s so far", file=sys.stderr, flush=True)
