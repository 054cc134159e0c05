"""`icetable lab`: what games between bots tell of a game and its rules."""

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
"""The measures that are for charts: too many lines for a terminal."""
NOT_ENOUGH = 3
"""The exit code where all games were played before the figures were known as well as was asked."""


def run(chosen: Namespace) -> int:
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
        import duckdb  # noqa: F401 (without it nothing can be kept)
        import rich  # noqa: F401
        import scipy  # noqa: F401
    except ModuleNotFoundError as missing:
        raise GameError(
            f"the lab needs {missing.name}: pip install 'icetable[lab]'; in a checkout, ./test ruff installs it too"
        ) from None
    return commands[chosen.study](chosen)


def run_study(chosen: Namespace) -> int:
    found = studied(chosen)
    if chosen.json:
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


def run_infobox(chosen: Namespace) -> int:
    found = studied(chosen)
    cells = infobox(found)
    if chosen.json:
        cells_told = [cell._asdict() for cell in cells]
        print_json({"said": summary(found), "cells": cells_told, "command": command_of(found)})
        return code_of(found)
    if chosen.markdown:
        print("| | |\n|---|---|")
    for cell in cells:
        print(f"| {cell.name} | {cell.text} |" if chosen.markdown else f"{cell.name + ':':<18}{cell.text}")
    scales = [f"{cell.name}: {cell.scale}." for cell in cells if cell.scale]
    if scales:
        print("", *scales, sep="\n")
    return code_of(found)


def run_sweep(chosen: Namespace) -> int:
    usual = game_of(chosen)
    over = dict(read_values(usual, text) for text in chosen.over)
    with workers(chosen) as work:
        found = comparing.sweep(plan_of(chosen, usual), over, **work)
    told = [(options, comparing.figures_of(one)) for options, one in found]
    if chosen.json:
        return print_json(
            [
                {"options": dict(options), **{name: one.described() for name, one in several.items()}}
                for options, several in told
            ]
        )
    rows = [
        (", ".join(f"{name}={value}" for name, value in options.items()), name, figure)
        for options, several in told
        for name, figure in several.items()
    ]
    print_table("Combinations", ("options", "measure"), rows)
    return 0


def run_rules(chosen: Namespace) -> int:
    plan = plan_of(chosen, game_of(chosen))
    with workers(chosen) as work:
        found = comparing.flips(plan, **work)
    if chosen.json:
        return print_json([one.described() for one in found])
    for one in found:
        clear = [f"{each.measure} {signed(each.difference, 1, 3)}" for each in one.differences if each.is_clear]
        print(
            f"{one.rule} {one.option}={one.value} instead of {one.usual}: changes the result of "
            f"{percent(one.changed)} of games, where {percent(one.unrelated)} of unrelated ones differ; "
            f"{', '.join(clear) or 'nothing else is clear'}"
        )
    for reason in comparing.refusals(plan):
        print(f"Not tried: {reason}.")
    return 0


def run_ladder(chosen: Namespace) -> int:
    game = game_of(chosen)
    with workers(chosen) as work:
        found = ladder(game.info.name, None, dict(game.options), chosen.doublings, chosen.blocks, chosen.seed, **work)
    if chosen.json:
        return print_json(found.described())
    for step in found.steps:
        print(f"{step.player:>10} against {step.against:<10} {percent(step.share):>20}  {interval(step.elo)} Elo")
    print(f"From bottom to top {interval(found.elo)} Elo: {interval(found.rungs, 1)} rungs.")
    return 0


def run_match(chosen: Namespace) -> int:
    game = game_of(chosen)
    seats = [agent_of(chosen.first)] + [agent_of(chosen.other)] * (game.players - 1)
    plan = Plan(game.info.name, None, game.options, seats, chosen.blocks, chosen.seed)
    with workers(chosen) as work:
        found = match(plan, chosen.until, chosen.decide, **work, analyst=chosen.without_luck)
    code = 0 if found.is_enough else NOT_ENOUGH
    if chosen.json:
        print_json(found.described())
        return code
    step, games = found.step, found.plan.games
    equal, different = (f"{100 * share:.0f} %" for share in (found.equal, found.distinct.value))
    print(f"{step.player} against {step.against}: {percent(step.share)} in {games} games, {equal} for an equal.")
    if found.without_luck is not None:
        print(f"Without luck that is {percent(found.without_luck)}.")
    print(f"That is {interval(step.elo)} Elo. Of the games {different} are not the same as one before.")
    skill, seat, draw, rest = (percent(part) for part in found.sources)
    print(f"Its results come from who plays, {skill}; the seat, {seat}; opening and chance, {draw}; the rest, {rest}.")
    if found.coins is not None:
        print(f"A sure winner would do as well if a coin decided {percent(found.coins)} of the games.")
    left = f"{100 * step.pairing.value:.0f} %"
    print(f"Playing each opening in every seat leaves {left} of the variance of as many others.")
    if found.sure is not None:
        print(f"However often one had looked: {percent(found.sure)}.")
    return code


def run_elo(chosen: Namespace) -> int:
    game, agents = game_of(chosen), [agent_of(one) for one in chosen.agents]
    with workers(chosen) as work:
        found = elo(game.info.name, agents, None, game.options, chosen.blocks, chosen.seed, **work)
    if chosen.json:
        return print_json(found.described())
    width = max(len(one.player) for one in found.rated)
    for one in found.rated:
        distance = interval(one.elo) if one.elo.low < one.elo.high else "0"
        print(f"{one.player:<{width}}  {distance:>22} Elo  {percent(one.share)} in {one.games} games")
    return 0


def run_games(chosen: Namespace) -> int:
    game = game_of(chosen)
    chosen.seats = chosen.seats or strongest_player(game)
    plan = plan_of(chosen, game)
    with workers(chosen) as work:
        played = play_run(plan, **work)
    if chosen.json:
        return print_json({"plan": plan.described(), "games": plan.games, "hash": played.hash})
    many = "" if plan.games == 1 else "s"
    print(f"{plan.games} game{many} of {game.info.title} for {game.players} between {chosen.seats}: hash {played.hash}")
    return 0


def run_regret(chosen: Namespace) -> int:
    game = game_of(chosen)
    first, *others = map(agent_of, chosen.agents)
    seats = [first] + (others or [first]) * (game.players - 1)
    with workers(chosen) as work:
        found = regret(Plan(game.info.name, None, game.options, seats, chosen.blocks, chosen.seed), **work)
    if chosen.json:
        return print_json([one.described() for one in found])
    for one in found:
        print(
            f"{one.player} gives away {interval(one.act, 3)} {one.act.unit} by an act and {interval(one.game, 3)} in a "
            f"game; where an act can give anything away, {percent(one.perfect)} do not."
        )
    return 0


def run_pace(chosen: Namespace) -> int:
    from icetable.cli.tables import finished_tables

    found = pace(finished_tables(chosen.db))
    if chosen.json:
        return print_json(
            {game: {of: one.described() for of, one in figures.items()} for game, figures in found.items()}
        )
    if not found:
        print("No game there is over.")
    for game, figures in found.items():
        act, turn = (interval(figures[of], 1) for of in ("act", "turn"))
        tables = figures["act"].blocks
        many = "" if tables == 1 else "s"
        print(f"{games.info(game).title}: an act takes {act} seconds, a turn {turn}; {tables} game{many}.")
    return 0


def run_report(chosen: Namespace) -> int:
    estimates = next(filter(Path.exists, (chosen.folder / "answers.json", chosen.folder / "estimates.json")), None)
    if estimates is None:
        raise GameError(f"there is no study in {chosen.folder}; 'icetable lab study GAME --out DIR' makes one")
    try:
        content = json.loads(estimates.read_text(encoding="utf-8"))
    except ValueError:
        raise GameError(f"{estimates} can't be read") from None
    write_report(content, chosen.folder / "report.html")
    print(chosen.folder / "report.html")
    return 0


def run_replay(chosen: Namespace) -> int:
    played = open_run(chosen.folder)
    block, _, game = chosen.game.partition(".")
    if not (block.isdecimal() and (game or "0").isdecimal()):
        raise GameError(
            f"a game of a run is named by its block and its number, such as 12.0, not {short_repr(chosen.game)}"
        )
    found = played.games.filter(f"block = {int(block)} AND game = {int(game or 0)}")
    for row in store.rows_of(found, played.files):
        print(final_state(played.plan, row).record(), end="")
        return 0
    raise GameError(f"there is no game {chosen.game} in {chosen.folder}")


def studied(chosen: Namespace) -> Study:
    game = game_of(chosen)
    with workers(chosen) as work:
        found = study(game.info.name, None, dict(game.options), chosen.effort, chosen.seed, chosen.until, **work)
    if chosen.out is not None:
        keep(found, chosen.out)
    return found


def code_of(found: Study) -> int:
    """The exit code for a study: whether it has found what it was to find."""
    return 0 if found.is_enough else NOT_ENOUGH


def print_table(title: str, names: tuple[str, str], rows: Sequence[tuple[str, str, Estimate]]) -> None:
    """Print figures with their intervals."""
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
