"""`icetable verify`: check a table's record against the rules and the commitment to chance."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from icetable.cli.failure import Failure
from icetable.cli.options import add_json, add_record
from icetable.cli.replay import read
from icetable.server.table import fairness

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_options(parser: ArgumentParser) -> None:
    add_record(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    try:
        drawn, entries, link, erased = fairness.verify(read(args))
    except fairness.Broken as broken:
        raise Failure(f"the record is not sound: {broken}") from None
    if args.json:
        found = {"drawn": drawn, "entries": entries, "last_hash": link, "erased": erased}
        print(json.dumps(found, indent=1))
        return 0
    drawn_acts = "1 act of chance follows" if drawn == 1 else f"{drawn} acts of chance follow"
    print(f"The record is sound: the rules allow every act, and {drawn_acts} from the committed secret.")
    print(f"The {entries} entries of its log are one chain. The last hash is {link}.")
    print("The chain covers the options, the seats, the draw for seats, the clock, every act, and the end.")
    if erased:
        print(f"{names_subject(erased)} erased since, and nothing else.")
    print("Not proven: who held a seat. Compare the last hash with the one that the table showed at the end.")
    return 0


def names_subject(seats: tuple[int, ...]) -> str:
    if len(seats) == 1:
        return f"The name of seat {seats[0]} was"
    return f"The names of seats {', '.join(map(str, seats[:-1]))} and {seats[-1]} were"
