"""`icetable verify`: whether nature did at a table what it had committed itself to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.cli import Failure
from icetable.cli.replay import read
from icetable.server.table import fairness

if TYPE_CHECKING:
    from argparse import Namespace


def run(chosen: Namespace) -> int:
    try:
        drawn, entries, link, form = fairness.verify(read(chosen.record))
    except fairness.Broken as broken:
        raise Failure(f"the record is not sound: {broken}") from None
    drawn_acts = "1 act of nature follows" if drawn == 1 else f"{drawn} acts of nature follow"
    print(f"The record is sound: the rules allow every act, and {drawn_acts} from the committed secret.")
    if link is None:
        print("It does not quote the table's log, so it can't be told whether people's acts are those that were made.")
        return 0
    print(f"The {entries} entries of its log are one chain. The last hash is {link}.")
    if form == 1:
        print("It is of an older form: the chain binds neither the options and the seats nor how the game ended.")
    else:
        print("The chain binds the options, the seats, lots and clock as they were settled, every act, and the end.")
    print("Not proven: who held a seat. Compare the last hash with the one that the table showed at the end.")
    return 0
