"""`icetable check`: a game of the workshop, tried by random games."""

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
    parser.add_argument("game", metavar="FILE", help="the file of the game")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="a seed, for other games (default: 0)")
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")


def run(chosen: Namespace) -> int:
    info = games.info_of(chosen.game)
    if not isinstance(info, WorkshopInfo):
        raise GameError(f"{short_repr(chosen.game)} is no game of the workshop; its own tests check it")
    checked = check(info, chosen.seed)
    if chosen.json:
        findings = [{"what": one.what, "options": dict(one.options), "acts": one.acts} for one in checked.findings]
        found = {"game": info.name, "findings": findings, "lengths": checked.lengths, "endings": dict(checked.endings)}
        print(json.dumps(found | {"acts_per_second": round(checked.acts_per_second)}, indent=1))
        return FAILED if checked.findings else 0
    for finding in checked.findings:
        print(finding)
    if checked.lengths:
        median, longest = statistics.median(checked.lengths), max(checked.lengths)
        print(f"{len(checked.lengths)} random games: {median:.0f} acts in the median, {longest} at most;", end=" ")
        print("ended by " + ", ".join(f"{rule} {times}" for rule, times in checked.endings.most_common()) + ".")
    if not checked.findings:
        print(f"{info.title} is sound. {checked.acts_per_second:,.0f} random acts a second.")
    return FAILED if checked.findings else 0
