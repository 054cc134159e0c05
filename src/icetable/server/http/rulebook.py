"""The rules of the games as HTML, with statistics of bot games."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from icetable.extras import rulebook
from icetable.server import messages

if TYPE_CHECKING:
    from icetable.core.game import GameInfo

MAX_RULEBOOKS = 64


@functools.lru_cache(MAX_RULEBOOKS)
def rules_text(info: GameInfo) -> messages.RulesText:
    """The rules of a game."""
    text = rulebook.html(info.rules() + measured_text(info))
    return messages.RulesText(info.title, text, info.colours[: info.players[1]])


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
