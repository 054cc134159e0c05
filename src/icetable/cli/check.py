"""`icetable check`: test a workshop game with random games."""

from __future__ import annotations

import json
import statistics
from typing import TYPE_CHECKING

from icetable import games
from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.workshop.checking import check
from icetable.workshop.files import WorkshopInfo

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

FAILED = 1


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="FILE", help="the file of the game, or the name of a game of turns")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="a seed, for other games (default: 0)")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(args: Namespace) -> int:
    info = games.info_of(args.game)
    if not isinstance(info, WorkshopInfo):
        raise GameError(f"{short_repr(args.game)} is not a game of turns; its own tests check it")
    checked = check(info, args.seed)
    if args.json:
        findings = [{"what": each.what, "options": dict(each.options), "acts": each.acts} for each in checked.findings]
        found = {"game": info.name, "findings": findings, "lengths": checked.lengths, "endings": dict(checked.endings)}
        print(json.dumps(found | {"acts_a_second": round(checked.acts_per_second)}, indent=1))
        return FAILED if checked.findings else 0
    for finding in checked.findings:
        print(finding)
    if checked.lengths:
        median, longest = statistics.median(checked.lengths), max(checked.lengths)
        print(f"{len(checked.lengths)} random games: a median of {median:.0f} acts, {longest} at most;", end=" ")
        print("ended by " + ", ".join(f"{rule} {times}" for rule, times in checked.endings.most_common()) + ".")
    if not checked.findings:
        tests = f" Its {checked.tests} tests pass." if checked.tests > 1 else " Its test passes." * checked.tests
        print(f"{info.title} is sound.{tests} {checked.acts_per_second:,.0f} random acts per second.")
    return FAILED if checked.findings else 0
