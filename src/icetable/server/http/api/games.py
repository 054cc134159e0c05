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
from icetable.extras import exercises, rulebook
from icetable.server import messages
from icetable.server.apart import games as apart
from icetable.server.errors import sentence
from icetable.server.http.api.endpoints import Endpoints, Query
from icetable.server.http.responses import SVG, cached_response
from icetable.server.http.site import flag_of, info_of, levels_of, manager_of

if TYPE_CHECKING:
    from icetable.core.game import GameInfo
    from icetable.core.options import Option

MAX_RULEBOOKS = 64
SEAT = re.compile(r"\b([Ss])eat\s+([0-9])\b")
"""A seat in the rules, counted from 0, or in a measurement, from 1: players count seats in words."""
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
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
    steps = await asyncio.to_thread(exercises.steps, info)
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


def step_of(request: Request, info: GameInfo) -> exercises.Step:
    """The lesson step in the request's path. Raises HTTPException."""
    try:
        return exercises.step_of(info, request.path_params["step"])
    except exercises.NoLesson as error:
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
            [describe_puzzle(puzzle) for puzzle in exercises.collection(info)],
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


def puzzle_picture(puzzle: exercises.Puzzle) -> str:
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


async def puzzle_of(request: Request) -> exercises.Puzzle:
    """The puzzle in the request's path. Raises HTTPException."""
    try:
        return await asyncio.to_thread(exercises.puzzle_of, info_of(request), request.path_params["puzzle"])
    except exercises.NoPuzzle as error:
        raise HTTPException(404, sentence(error)) from None


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
        random_seats=info.random_seats,
        measured={str(players): infobox.said for players, infobox in measured.items()},
        playing_time=usual.playing_time if usual else "",
        favours=usual.favours if usual else None,
        workshop=info.is_plain,
        teams={str(players): [*map(list, teams)] for players, teams in info.teams().items()},
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


def describe_step(step: exercises.Step) -> messages.LessonStep:
    return messages.LessonStep(
        name=step.name,
        title=step.title,
        instruction=step.instruction,
        hint=step.hint,
        praise=step.praise,
        rules=list(step.rules),
        seat=step.seat,
    )


def describe_puzzle(puzzle: exercises.Puzzle) -> messages.PuzzleListed:
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
