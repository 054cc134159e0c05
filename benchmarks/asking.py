"""How many questions the lab answers about each example of the workshop, and about slow games, in a minute.

    python -m benchmarks.asking --seconds 60 --jobs 2

The slow games are those of `slow_games.py`.
"""

from __future__ import annotations

import argparse
import os
import pkgutil
import time

from benchmarks.slow_games import SlowBeacons, SlowCanals, SlowFirst
from icetable import games, lab
from icetable.lab.claims import try_out
from icetable.lab.questions import UNKNOWN
from icetable.workers import processes
from icetable.workshop import examples
from icetable.workshop.files import info_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=())
    args = parser.parse_args()
    names = [module.name for module in pkgutil.iter_modules(examples.__path__)]
    chosen = [games.info_of(f"{examples.__path__[0]}/{name}.py") for name in names]
    chosen += [info_of(design) for design in (SlowFirst, SlowCanals, SlowBeacons)]
    print(f"{'game':12} {'acts/s':>7} {'acts':>5} {'answered':>9} {'seconds':>8} {'cpu':>6} {'load':>5}  open")
    for info in chosen:
        if args.only and info.name not in args.only:
            continue
        trial = try_out(info.load(), 0, 10)
        before, worked = time.monotonic(), cpu_seconds()
        with processes(args.jobs) as pool:
            found = lab.ask(info.load(), seconds=args.seconds, executor=pool, jobs=args.jobs)
        took, cpu, load = time.monotonic() - before, cpu_seconds() - worked, os.getloadavg()[0]
        missing = [one for one in found.verdicts if one.answer == UNKNOWN]
        answered = f"{len(found.verdicts) - len(missing)} of {len(found.verdicts)}"
        still = "; ".join(f"{one.question} ({one.minutes or 0:.0f} min)" for one in missing)
        game = f"{info.name:12} {1 / trial.seconds_per_act:7.0f} {trial.acts:5.0f}"
        print(f"{game} {answered:>9} {took:8.1f} {cpu:6.1f} {load:5.1f}  {still}", flush=True)


def cpu_seconds() -> float:
    """The processor time of this process, and of the workers that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


if __name__ == "__main__":
    main()
