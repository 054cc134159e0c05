"""The rules of the games as HTML, with statistics of bot games."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from icetable.extras import rulebook
from icetable.server import messages

if TYPE_CHECKING:
    from icetable.core.game import GameInfo

MAX_RULEBOOKS = 64
SEAT = re.compile(r"\b([Ss])eat\s+([0-9])\b")
"""A seat in the rules, counted from 0, or in a measurement, from 1: players count seats in words."""
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@functools.lru_cache(MAX_RULEBOOKS)
def rules_text(info: GameInfo) -> messages.RulesText:
    """The rules of a game."""
    rules = SEAT.sub(lambda found: f"{'T' if found[1] == 'S' else 't'}he {ORDINALS[int(found[2])]} seat", info.rules())
    measured = SEAT.sub(lambda found: f"{ORDINALS[int(found[2]) - 1]} seat", measured_text(info))
    return messages.RulesText(info.title, rulebook.html(rules + measured), info.colours[: info.players[1]])


def measured_text(info: GameInfo) -> str:
    """Statistics of bot games in Markdown: a table for the usual number of players, and a line for each other."""
    infoboxes = info.measured()
    if not infoboxes:
        return ""
    usual = info.default_players if info.default_players in infoboxes else min(infoboxes)
    infobox = infoboxes[usual]
    lines = [
        "",
        "## What games have shown",
        "",
        "In games between equal bots; 95% confidence intervals are in brackets. People may play differently.",
        "",
        f"| Measured | {count_of(usual)} |",
        "|---|---|",
        *(f"| **{cell.name}** | {cell.text} |" for cell in infobox.cells),
        "",
        *(f"- **{count_of(players)}.** {other.said}" for players, other in infoboxes.items() if players != usual),
        "",
        "The words and their numbers:",
        "",
        *(f"- {cell.name}: {cell.scale}." for cell in infobox.cells if cell.scale),
        "",
        f"`{infobox.command}` repeats the measurement.",
        "",
    ]
    return "\n".join(lines)


def count_of(players: int) -> str:
    """A number of players in words."""
    return "1 player" if players == 1 else f"{players} players"
