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
from icetable.cli.lab_plans import plan_of, print_json, read_values, workers
from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.lab import comparing, store
from icetable.lab.agents import agent_of
from icetable.lab.answers import signed
from icetable.lab.blocks import final_state
from icetable.lab.infobox import infobox, summary
from icetable.lab.intervals import interval, percent
from icetable.lab.ladders import ladder
from icetable.lab.matches import match
from icetable.lab.pace import pace
from icetable.lab.plan import Plan
from icetable.lab.players import strongest_player
from icetable.lab.ratings import elo
from icetable.lab.regret import regret
from icetable.lab.report import command_of, described, keep, write_report
from icetable.lab.running import open_run
from icetable.lab.running import run as play_run
from icetable.lab.studies import Study, answers, study

if TYPE_CHECKING:
    from argparse import Namespace

    from icetable.lab.intervals import Estimate


__all__ = ["add_options", "run"]

UNPRINTED = ("choice_by_tenth", "course", "precision", "openings", "board_use")
"""Measures for charts, with too many lines for a terminal."""
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
    try:
        import duckdb  # noqa: F401 (stores the games)
        import rich  # noqa: F401
        import scipy  # noqa: F401
    except ModuleNotFoundError as missing:
        raise GameError(
            f"the lab needs {missing.name}: pip install 'icetable[lab]'; in a checkout, ./test ruff installs it too"
        ) from None
    return commands[args.study](args)


def run_study(args: Namespace) -> int:
    found = studied(args)
    if args.json:
        print_json(described(found))
        return code_of(found)
    for sentence in answers(found):
        print(sentence)
    for strength, measures in found.strengths.items():
        rows = [
            (name.replace("_", " "), of, figure)
            for name, figures in measures.items()
            for of, figure in figures.items()
            if name not in UNPRINTED
        ]
        print_table(f"Equal players: {strength}", ("measure", "of"), rows)
    return code_of(found)


def run_infobox(args: Namespace) -> int:
    found = studied(args)
    cells = infobox(found)
    if args.json:
        fields = [cell._asdict() for cell in cells]
        print_json({"said": summary(found), "cells": fields, "command": command_of(found)})
        return code_of(found)
    if args.markdown:
        print("| | |\n|---|---|")
    for cell in cells:
        print(f"| {cell.name} | {cell.text} |" if args.markdown else f"{cell.name + ':':<18}{cell.text}")
    scales = [f"{cell.name}: {cell.scale}." for cell in cells if cell.scale]
    if scales:
        print("", *scales, sep="\n")
    return code_of(found)


def run_sweep(args: Namespace) -> int:
    game = game_of(args)
    over = dict(read_values(game, text) for text in args.over)
    with workers(args) as work:
        found = comparing.sweep(plan_of(args, game), over, **work)
    combinations = [(options, comparing.figures_of(one)) for options, one in found]
    if args.json:
        return print_json(
            [
                {"options": dict(options), **{name: one.described() for name, one in figures.items()}}
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
        found = comparing.flips(plan, **work)
    if args.json:
        return print_json([one.described() for one in found])
    for one in found:
        clear = [f"{each.measure} {signed(each.difference, 1, 3)}" for each in one.differences if each.is_clear]
        print(
            f"{one.rule} {one.option}={one.value} instead of {one.usual}: changes the result of "
            f"{percent(one.changed)} of games, while {percent(one.unrelated)} of unrelated ones differ; "
            f"{', '.join(clear) or 'nothing else is clear'}"
        )
    for reason in comparing.refusals(plan):
        print(f"Not tried: {reason}.")
    return 0


def run_ladder(args: Namespace) -> int:
    game = game_of(args)
    with workers(args) as work:
        found = ladder(game.info.name, None, dict(game.options), args.doublings, args.blocks, args.seed, **work)
    if args.json:
        return print_json(found.described())
    for step in found.steps:
        print(f"{step.player:>10} against {step.against:<10} {percent(step.share):>20}  {interval(step.elo)} Elo")
    print(f"In total {interval(found.elo)} Elo: {interval(found.rungs, 1)} rungs.")
    return 0


def run_match(args: Namespace) -> int:
    game = game_of(args)
    seats = [agent_of(args.first)] + [agent_of(args.other)] * (game.players - 1)
    plan = Plan(game.info.name, None, game.options, seats, args.blocks, args.seed)
    with workers(args) as work:
        found = match(plan, args.until, args.decide, **work, analyst=args.without_luck)
    code = 0 if found.is_enough else NOT_ENOUGH
    if args.json:
        print_json(found.described())
        return code
    step, games = found.step, found.plan.games
    equal, different = (f"{100 * share:.0f} %" for share in (found.equal, found.distinct.value))
    print(f"{step.player} against {step.against}: {percent(step.share)} in {games} games, {equal} for an equal.")
    if found.without_luck is not None:
        print(f"Adjusted for luck: {percent(found.without_luck)}.")
    print(f"That is {interval(step.elo)} Elo. {different} of the games differ from all before them.")
    skill, seat, draw, rest = (percent(part) for part in found.sources)
    print(f"Variance by source: the players {skill}; the seat {seat}; opening and chance {draw}; the rest {rest}.")
    if found.coins is not None:
        print(f"A sure winner would score the same if a coin decided {percent(found.coins)} of the games.")
    left = f"{100 * step.pairing.value:.0f} %"
    print(f"Playing each opening in every seat leaves {left} of the variance of as many unpaired games.")
    if found.sure is not None:
        print(f"Valid at any stopping time: {percent(found.sure)}.")
    return code


def run_elo(args: Namespace) -> int:
    game, agents = game_of(args), [agent_of(one) for one in args.agents]
    with workers(args) as work:
        found = elo(game.info.name, agents, None, game.options, args.blocks, args.seed, **work)
    if args.json:
        return print_json(found.described())
    width = max(len(one.player) for one in found.rated)
    for one in found.rated:
        distance = interval(one.elo) if one.elo.low < one.elo.high else "0"
        print(f"{one.player:<{width}}  {distance:>22} Elo  {percent(one.share)} in {one.games} games")
    return 0


def run_games(args: Namespace) -> int:
    game = game_of(args)
    args.seats = args.seats or strongest_player(game)
    plan = plan_of(args, game)
    with workers(args) as work:
        played = play_run(plan, **work)
    if args.json:
        return print_json({"plan": plan.described(), "games": plan.games, "hash": played.hash})
    plural = "" if plan.games == 1 else "s"
    print(f"{plan.games} game{plural} of {game.info.title} for {game.players} between {args.seats}: hash {played.hash}")
    return 0


def run_regret(args: Namespace) -> int:
    game = game_of(args)
    first, *others = map(agent_of, args.agents)
    seats = [first] + (others or [first]) * (game.players - 1)
    with workers(args) as work:
        found = regret(Plan(game.info.name, None, game.options, seats, args.blocks, args.seed), **work)
    if args.json:
        return print_json([one.described() for one in found])
    for one in found:
        print(
            f"{one.player} gives away {interval(one.act, 3)} {one.act.unit} per act and {interval(one.game, 3)} per "
            f"game; of the acts that could give anything away, {percent(one.perfect)} are perfect."
        )
    return 0


def run_pace(args: Namespace) -> int:
    from icetable.cli.tables import finished_tables

    found = pace(finished_tables(args.db))
    if args.json:
        return print_json(
            {game: {of: one.described() for of, one in figures.items()} for game, figures in found.items()}
        )
    if not found:
        print("No game is finished there.")
    for game, figures in found.items():
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
    found = played.games.filter(f"block = {int(block)} AND game = {int(game or 0)}")
    for row in store.rows_of(found, played.files):
        print(final_state(played.plan, row).record(), end="")
        return 0
    raise GameError(f"there is no game {args.game} in {args.folder}")


def studied(args: Namespace) -> Study:
    game = game_of(args)
    with workers(args) as work:
        found = study(game.info.name, None, dict(game.options), args.effort, args.seed, args.until, **work)
    if args.out is not None:
        keep(found, args.out)
    return found


def code_of(found: Study) -> int:
    """The exit code for a study, by whether it has reached the requested precision."""
    return 0 if found.is_enough else NOT_ENOUGH


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
