"""`icetable new`: create the file of a new game that runs and passes its check."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from icetable.cli.files import new_output
from icetable.core.errors import GameError
from icetable.core.options import short_repr

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

NAME = re.compile(r"[A-Za-z][A-Za-z0-9]{1,30}")
TEMPLATE = Path(__file__).parent.parent / "workshop" / "examples" / "first.py"


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="the name of the game, such as Canals; its file is canals.py")


def run(args: Namespace) -> int:
    if not NAME.fullmatch(args.name):
        raise GameError(f"a game's name is a word of letters and digits, such as Canals, not {short_repr(args.name)}")
    name = args.name[0].upper() + args.name[1:]
    prefix = re.sub("[a-z0-9]", "", name)[:4] if sum(map(str.isupper, name)) > 1 else name[:2].upper()
    text = TEMPLATE.read_text(encoding="utf-8").replace("FI-", f"{prefix}-").replace("First", name)
    file = f"{name.lower()}.py"
    new_output(file, "game")(text)
    print(f"{file} is a small game that runs. Try: icetable play {file}; icetable check {file}; then change it.")
    return 0
