"""The endpoints of games: their rules as HTML, their lessons and puzzles, and how each is described in messages."""

from __future__ import annotations

import asyncio
import functools
import re
from typing import TYPE_CHECKING

from msgspec import UNSET
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from icetable import games
from icetable.extras import lessons, puzzles
from icetable.server import messages
from icetable.server.apart import games as apart
from icetable.server.http.api.endpoints import Endpoints, Query
from icetable.server.http.dependencies import flag_of, info_of, levels_of, manager_of
from icetable.server.http.responses import SVG, cached_response
from icetable.server.table.errors import sentence

if TYPE_CHECKING:
    from markdown_it.token import Token

    from icetable.core.game import GameInfo
    from icetable.core.options import Option

MAX_RULEBOOKS = 64
RULE = re.compile(r"[A-Z]{2,}-\d+[a-z]?")
RULE_IN_TEXT = re.compile(rf"\b({RULE.pattern})\b")
endpoints = Endpoints()


# Games and their rules


@endpoints.get("/api/games", "The games", "All games.", is_cacheable=True)
async def list_games(request: Request) -> list[messages.GameInfo]:
    levels = functools.partial(levels_of, request)
    return await asyncio.to_thread(lambda: [describe_game(info, levels(info)) for info in games.list_games()])


@endpoints.get("/api/rules/{game}", "A game's rules as HTML", "The rules.", (404,), is_cacheable=True)
async def show_rules(request: Request) -> messages.RulesText:
    return await asyncio.to_thread(rules_text, info_of(request))


@endpoints.get(
    "/api/games/{game}/picture.svg", "A game as a picture", "A watcher's view of the start.", (404,), media=SVG
)
async def draw_game(request: Request) -> Response:
    info = info_of(request)
    drawn = await apart.in_thread(info, picture_of, info)
    response = cached_response(request, drawn.encode(), SVG)
    response.headers["Content-Disposition"] = "attachment"
    return response


def picture_of(info: GameInfo) -> str:
    """The start of a game with default options, as an SVG file."""
    game = info.load(None)
    return game.thumbnail(game.start().view())


# Lessons


@endpoints.get("/api/lessons/{game}", "A game's lesson", "The lesson.", (404,), is_cacheable=True)
async def show_lesson(request: Request) -> messages.Lesson:
    info = info_of(request)
    steps = await asyncio.to_thread(lessons.steps, info)
    return messages.Lesson(info.name, info.title, [describe_step(step) for step in steps])


@endpoints.post(
    "/api/lessons/{game}/{step}",
    "Open a table for a step of a lesson",
    "The table and its seats' codes.",
    (404, 503),
)
async def create_lesson_table(request: Request) -> messages.TableCreated:
    info = info_of(request)
    return await manager_of(request).study.practice.open_lesson(info, step_of(request, info))


@endpoints.get(
    "/api/lessons/{game}/{step}/{table}", "Whether a step was completed at a table", "The answer.", (404, 503)
)
async def check_lesson(request: Request, table: str) -> messages.Learned:
    info = info_of(request)
    is_done = await manager_of(request).study.practice.is_lesson_done(info, step_of(request, info), table)
    return messages.Learned(is_done)


def step_of(request: Request, info: GameInfo) -> lessons.Step:
    """The lesson step in the request's path. Raises HTTPException."""
    try:
        return lessons.step_of(info, request.path_params["step"])
    except lessons.NoLesson as error:
        raise HTTPException(404, sentence(error)) from None


# Puzzles


@endpoints.get(
    "/api/puzzles/{game}", "A game's puzzles", "The puzzles, without their solutions.", (404,), is_cacheable=True
)
async def show_puzzles(request: Request) -> messages.PuzzleCollection:
    info = info_of(request)

    def describe() -> messages.PuzzleCollection:
        return messages.PuzzleCollection(
            info.name,
            info.title,
            levels_of(request, info),
            [describe_puzzle(puzzle) for puzzle in puzzles.collection(info)],
        )

    return await asyncio.to_thread(describe)


@endpoints.get(
    "/api/puzzles/{game}/{puzzle}/picture.svg",
    "A puzzle as a picture",
    "The solver's view of the start.",
    (404, 422),
    media=SVG,
)
async def draw_puzzle(request: Request) -> Response:
    puzzle = await puzzle_of(request)
    response = cached_response(request, (await asyncio.to_thread(puzzle_picture, puzzle)).encode(), SVG)
    response.headers["Content-Disposition"] = "attachment"
    return response


def puzzle_picture(puzzle: puzzles.Puzzle) -> str:
    """The solver's view of a puzzle's start, as an SVG file. Raises GameError."""
    state = puzzle.state()
    return state.game.thumbnail(state.view(puzzle.seat))


@endpoints.post(
    "/api/puzzles/{game}/{puzzle}",
    "Open a table for a puzzle",
    "The table and the code of the solver's seat.",
    (404, 503),
)
async def create_puzzle_table(request: Request) -> messages.TableCreated:
    return await manager_of(request).study.practice.open_puzzle(await puzzle_of(request))


@endpoints.get(
    "/api/puzzles/{game}/{puzzle}/{table}",
    "The result of a puzzle at a table",
    "The verdict; with the solution once the puzzle is decided.",
    (404, 422, 503),
    query=(Query("waits", "1: the player's solution is to do nothing", ("0", "1")),),
)
async def check_puzzle(request: Request, table: str) -> messages.PuzzleVerdict:
    waits = flag_of(request, "waits", "The player waits (waits=1) or not (waits=0).")
    puzzle = await puzzle_of(request)
    return await manager_of(request).study.practice.judge_puzzle(puzzle, table, waits)


async def puzzle_of(request: Request) -> puzzles.Puzzle:
    """The puzzle in the request's path. Raises HTTPException."""
    try:
        return await asyncio.to_thread(puzzles.puzzle_of, info_of(request), request.path_params["puzzle"])
    except puzzles.NoPuzzle as error:
        raise HTTPException(404, sentence(error)) from None


@functools.lru_cache(MAX_RULEBOOKS)
def rules_text(info: GameInfo) -> messages.RulesText:
    """The rules of a game."""
    return messages.RulesText(info.title, render(info.rules() + measured_text(info)), info.colours[: info.players[1]])


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


def describe_game(info: GameInfo, levels: list[messages.Level]) -> messages.GameInfo:
    """Describe a game for the lobby, with the levels of its bots."""
    measured = info.measured()
    usual = measured.get(info.default_players)
    return messages.GameInfo(
        name=info.name,
        title=info.title,
        summary=info.summary,
        players=info.players,
        turns=info.turns,
        default_players=info.default_players,
        options=[describe_option(option) for option in info.options],
        presets={name: messages.Options(dict(preset)) for name, preset in info.presets.items()},
        levels=levels,
        colours=list(info.colours[: info.players[1]]),
        random_seats=info.lots,
        measured={str(players): infobox.said for players, infobox in measured.items()},
        playing_time=usual.playing_time if usual else "",
        favours=usual.favours if usual else None,
        workshop=info.is_plain,
    )


def describe_option(option: Option) -> messages.OptionSpec:
    """Describe an option for the lobby, leaving out the bounds that it does not have."""
    default = list(option.default) if isinstance(option.default, tuple) else option.default
    return messages.OptionSpec(
        name=option.name,
        kind=option.kind,
        default=default,
        help=option.help,
        rule=option.rule,
        recommended=default if option.recommended is None else option.recommended,
        choices=list(option.choices) or UNSET,
        min=UNSET if option.least is None else option.least,
        max=UNSET if option.most is None else option.most,
        readings=[messages.Reading(reading.label, reading.about) for reading in option.readings] or UNSET,
        labels=list(option.labels) or UNSET,
    )


def describe_step(step: lessons.Step) -> messages.LessonStep:
    return messages.LessonStep(
        name=step.name,
        title=step.title,
        instruction=step.told,
        hint=step.hint,
        praise=step.praise,
        rules=list(step.rules),
        seat=step.seat,
    )


def describe_puzzle(puzzle: puzzles.Puzzle) -> messages.PuzzleListed:
    """Describe a puzzle for the list, without its solution."""
    defaults = {option.name: option.default for option in puzzle.info.options if option.kind in ("choice", "bool")}
    unusual = {name: value for name, value in puzzle.options.items() if name in defaults and value != defaults[name]}
    return messages.PuzzleListed(
        name=puzzle.name,
        task=puzzle.task,
        seat=puzzle.seat,
        options=messages.Options(unusual),
        waits=puzzle.may_wait,
        level=puzzle.level,
        themes=list(puzzle.themes),
    )
