#!/usr/bin/env python3
"""Measures games like `icetable lab infobox`, and writes the values for the pages:
src/icetable/games/<game>/measured.json.

Each game is studied with the recommended options, for each number of players. Games are stored in .tools/measured, so
that an interrupted run can be resumed; a game whose sources have changed is restarted, with a message.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from resume import folder_of

from icetable import games
from icetable.core.game import GameInfo
from icetable.lab.studies import BUDGETS, command_of, favours, infobox, study, summary

ROOT = Path(__file__).parent.parent
RUNS = ROOT / ".tools" / "measured"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--effort", choices=BUDGETS, default="normal")
    parser.add_argument("--players", type=int, metavar="N", help="measure only this number of players")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    args = parser.parse_args()
    for info in [games.info(name) for name in args.games] or games.list_games():
        file = ROOT / "src" / "icetable" / "games" / info.name / "measured.json"
        content = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        for players in range(info.players[0], info.players[1] + 1):
            if args.players in (None, players):
                content[str(players)] = measure(info, players, args.effort, args.jobs)
                in_order = dict(sorted(content.items(), key=lambda item: int(item[0])))
                file.write_text(json.dumps(in_order, indent=1) + "\n", encoding="utf-8")
                print(info.name, players, content[str(players)]["said"], flush=True)


def measure(info: GameInfo, players: int, effort: str, jobs: int) -> dict[str, Any]:
    options = {option.name: option.recommended for option in info.options if option.recommended is not None}
    out = folder_of(RUNS / f"{info.name}-{players}-{effort}", info)
    result = study(info.name, players, options, effort, out=out, jobs=jobs)
    cells = [cell._asdict() for cell in infobox(result)]
    return {"said": summary(result), "cells": cells, "command": command_of(result), "favours": favours(result)}


if __name__ == "__main__":
    main()
