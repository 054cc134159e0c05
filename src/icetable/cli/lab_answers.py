"""`icetable lab ask`, `compare` and `tune`, which answer in sentences."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from icetable.cli.choosing import game_of
from icetable.cli.lab_plans import plan_of, print_json, read_values, varied, workers
from icetable.core.workers import processes
from icetable.games import GAMES_VARIABLE, info_of
from icetable.lab import comparisons
from icetable.lab.questions import ask, signed
from icetable.lab.runs import manifest
from icetable.lab.studies import keep_answers, keep_records
from icetable.lab.tuning import race_in_words, tune

if TYPE_CHECKING:
    from argparse import Namespace

    from icetable.core.game import Game
    from icetable.lab.questions import AskResult


def run_ask(args: Namespace) -> int:
    return answer(args, game_of(args))


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


def other_of(args: Namespace, base: Game) -> Game:
    """Load the second game of a comparison, with the same number of players, and the options that both games have."""
    info = info_of(args.other)
    known = {option.name for option in info.options}
    options = {name: value for name, value in base.options.items() if name in known and value != default_of(base, name)}
    return info.load(None, players=base.players, **options)


def default_of(game: Game, name: str) -> Any:
    return next(option.default for option in game.info.options if option.name == name)


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
