"""`icetable lab`: study a game and its rules by games between bots."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from icetable import games
from icetable.cli.choosing import game_of
from icetable.cli.lab_answers import run_ask, run_compare, run_tune
from icetable.cli.lab_options import add_options
from icetable.cli.lab_plans import plan_of, player_of, print_json, read_values, workers
from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.core.turns import TurnGame
from icetable.lab import comparisons, storage
from icetable.lab.intervals import interval, percent, whole_percent
from icetable.lab.matches import elo, ladder, match, regret
from icetable.lab.measures import pace
from icetable.lab.plan import Plan, final_state
from icetable.lab.players import strongest_player
from icetable.lab.questions import signed
from icetable.lab.runs import open_run
from icetable.lab.runs import run as play_run
from icetable.lab.storage import write_positions
from icetable.lab.studies import Study, answers, command_of, described, infobox, keep, study, summary, write_report

if TYPE_CHECKING:
    from argparse import Namespace

    from icetable.lab.intervals import Estimate
    from icetable.lab.runs import Run


__all__ = ["add_options", "run"]

UNPRINTED = ("choice_by_tenth", "course", "precision", "openings", "board_use")
"""Measures for charts, with too many lines for a terminal."""
WITHOUT_EXTRAS = ("ask", "tune")
"""The studies that store no games, and need no package but those of icetable."""
NOT_ENOUGH = 3
"""The exit code if all games were played without reaching the requested precision."""


def run(args: Namespace) -> int:
    commands = {
        "ask": run_ask,
        "tune": run_tune,
        "study": run_study,
        "infobox": run_infobox,
        "compare": run_compare,
        "sweep": run_sweep,
        "rules": run_rules,
        "ladder": run_ladder,
        "match": run_match,
        "elo": run_elo,
        "games": run_games,
        "regret": run_regret,
        "pace": run_pace,
        "report": run_report,
        "replay": run_replay,
    }
    if args.study not in WITHOUT_EXTRAS:
        check_extras()
    return commands[args.study](args)


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


def run_study(args: Namespace) -> int:
    result = studied(args)
    if args.json:
        print_json(described(result))
        return code_of(result)
    for sentence in answers(result):
        print(sentence)
    for strength, measures in result.strengths.items():
        rows = [
            (name.replace("_", " "), of, figure)
            for name, figures in measures.items()
            for of, figure in figures.items()
            if name not in UNPRINTED
        ]
        print_table(f"Equal players: {strength}", ("measure", "of"), rows)
    return code_of(result)


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


def run_sweep(args: Namespace) -> int:
    game = game_of(args)
    over = dict(read_values(game, text) for text in args.over)
    with workers(args) as work:
        result = comparisons.sweep(plan_of(args, game), over, **work)
    combinations = [(options, comparisons.figures_of(run)) for options, run in result]
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
    return 0


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


def run_pace(args: Namespace) -> int:
    from icetable.cli.tables import finished_tables

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


def studied(args: Namespace) -> Study:
    game = game_of(args)
    with workers(args) as work:
        result = study(game, None, None, args.effort, args.seed, args.until, **work)
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
