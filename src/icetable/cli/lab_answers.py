"""`icetable lab ask`, `compare` and `tune`: what is told in words."""

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
from icetable.lab import comparing
from icetable.lab.answers import signed
from icetable.lab.asking import ask
from icetable.lab.report import keep_answers, keep_records
from icetable.lab.running import manifest
from icetable.lab.tuning import race_in_words, tune

if TYPE_CHECKING:
    from argparse import Namespace

    from icetable.core.game import Game
    from icetable.lab.asking import AskResult


def run_ask(chosen: Namespace) -> int:
    return answer(chosen, game_of(chosen))


def run_compare(chosen: Namespace) -> int:
    usual = game_of(chosen)
    other = usual if chosen.other is None else other_of(chosen, usual)
    a, b = (varied(game, texts) for game, texts in ((usual, chosen.a), (other, chosen.b)))
    if not (chosen.seats or chosen.blocks or chosen.measure):
        return answer(chosen, a, b)
    measures = chosen.measure.split(",") if chosen.measure else None
    with workers(chosen) as work:
        found = comparing.compare(plan_of(chosen, a), plan_of(chosen, b), measures, **work)
    if chosen.json:
        return print_json([one.described() for one in found])
    for one in found:
        verdict = f"{'a' if one.is_clear else 'no'} clear difference (p {one.adjusted:.2g})"
        print(f"{one.measure}: {one.a:.3g} and {one.b:.3g}, {signed(one.difference, 1, 3)}: {verdict}")
    return 0


def answer(chosen: Namespace, game: Game, against: Game | None = None) -> int:
    """Ask all questions about a game, or what changes from one to another, and tell the answers."""
    with contextlib.ExitStack() as stack:
        work = stack.enter_context(workers(chosen))
        # A game without end is broken off with its process.
        pool = work["where"] or stack.enter_context(processes(chosen.jobs))
        say(chosen, ask(game, None, None, chosen.seconds, chosen.seed, pool, chosen.jobs, work["tell"], against))
    return 0


def run_tune(chosen: Namespace) -> int:
    game = game_of(chosen)
    vary = dict(read_values(game, text) for text in chosen.vary)
    limits = {name: getattr(chosen, name) for name in ("seat", "blocks", "seconds", "seed", "jobs")}
    with workers(chosen) as work:
        found = tune(game, vary, chosen.want, **limits, where=work["where"], tell=work["tell"])
    if chosen.json:
        return print_json([one.described() for one in found])
    print(*race_in_words(found, chosen.want), sep="\n")
    return 0


def other_of(chosen: Namespace, usual: Game) -> Game:
    """The second game of a comparison, with as many players, and with those options that both have."""
    info = info_of(chosen.other)
    known = {option.name for option in info.options}
    options = {name: value for name, value in usual.options.items() if name in known and value != usual_of(usual, name)}
    return info.load(None, players=usual.players, **options)


def usual_of(game: Game, name: str) -> Any:
    """The usual value of an option."""
    return next(option.default for option in game.info.options if option.name == name)


def say(chosen: Namespace, found: AskResult) -> None:
    """Print answers, each with the command that shows its game, and keep them where that is asked for."""
    content = {
        "kind": "answers",
        "title": found.title,
        "plan": found.plan.described(),
        "verdicts": [one.described() for one in found.verdicts],
        "command": shlex.join(["icetable", *sys.argv[1:]]),
        "versions": manifest(found.plan)["versions"],
    }
    if chosen.out is not None:
        keep_answers(content, chosen.out)
    if chosen.json:
        print_json(content)
        return
    folder = chosen.out or Path(tempfile.mkdtemp(prefix="icetable-"))
    files = [one for one in (chosen.game, getattr(chosen, "other", None)) if one and one.endswith(".py")]
    brought = f"{GAMES_VARIABLE}={shlex.quote(os.pathsep.join(files))} " if files else ""
    for verdict, path in zip(found.verdicts, keep_records(content["verdicts"], folder), strict=True):
        print(verdict.sentence)
        if path is not None and verdict.watch is not None:
            at = "--all" if verdict.watch.at is None else f"--at {verdict.watch.at}"
            print(f"    {brought}icetable replay {shlex.quote(str(path))} {at}   # {verdict.watch.why}")
