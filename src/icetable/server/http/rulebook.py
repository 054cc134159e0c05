"""The rules of the games as HTML, with statistics of bot games."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from icetable.server import messages

if TYPE_CHECKING:
    from markdown_it.token import Token

    from icetable.core.game import GameInfo

MAX_RULEBOOKS = 64
RULE = re.compile(r"[A-Z]{2,}-\d+[a-z]?")
SEAT = re.compile(r"\b([Ss])eat\s+([0-9])\b")
"""A seat in the rules, counted from 0, or in a measurement, from 1: players count seats in words."""
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
RULE_IN_TEXT = re.compile(rf"\b({RULE.pattern})\b")


@functools.lru_cache(MAX_RULEBOOKS)
def rules_text(info: GameInfo) -> messages.RulesText:
    """The rules of a game."""
    rules = SEAT.sub(lambda found: f"{'T' if found[1] == 'S' else 't'}he {ORDINALS[int(found[2])]} seat", info.rules())
    measured = SEAT.sub(lambda found: f"{ORDINALS[int(found[2]) - 1]} seat", measured_text(info))
    return messages.RulesText(info.title, render(rules + measured), info.colours[: info.players[1]])


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


def render(text: str) -> str:
    """Render Markdown as HTML. A paragraph or list item that begins with a rule's id in bold gets it as its HTML id.

    All other mentions of the id become links to it.
    """
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    named: set[str] = set()
    for number, token in enumerate(tokens):
        rule = _rule_at_start(token)
        if rule and rule not in named:
            named.add(rule)
            paragraph, before = tokens[number - 1], tokens[number - 2]
            (before if paragraph.hidden else paragraph).attrSet("id", rule)
    for token in tokens:
        if token.children:
            token.children = [part for child in token.children for part in _linked(child, named)]
    return str(markdown.renderer.render(tokens, markdown.options, {}))


def _rule_at_start(token: Token) -> str:
    """The id of the rule that a text begins with, or ""."""
    start = [child for child in (token.children or []) if child.type != "text" or child.content][:2]
    if token.type != "inline" or [child.type for child in start] != ["strong_open", "text"]:
        return ""
    return start[1].content if RULE.fullmatch(start[1].content) else ""


def _linked(child: Token, named: set[str]) -> list[Token]:
    """A token split at the rule ids in it, which become links. A token that is only a rule id is left alone."""
    from markdown_it.token import Token

    if child.type != "text" or child.content in named:
        return [child]
    parts = []
    for number, text in enumerate(RULE_IN_TEXT.split(child.content)):
        piece = Token("text", "", 0, content=text)
        if number % 2 and text in named:
            parts += [Token("link_open", "a", 1, attrs={"href": f"#{text}"}), piece, Token("link_close", "a", -1)]
        else:
            parts.append(piece)
    return parts
