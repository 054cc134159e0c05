"""The endpoints of lessons and puzzles."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from icetable.extras import lessons, puzzles
from icetable.server import messages
from icetable.server.http.caching import cached_response
from icetable.server.http.dependencies import flag_of, info_of, levels_of, manager_of
from icetable.server.http.descriptions import describe_puzzle, describe_step
from icetable.server.http.endpoints import Endpoints, Query
from icetable.server.http.responses import SVG
from icetable.server.table.errors import sentence

if TYPE_CHECKING:
    from icetable.core.game import GameInfo

endpoints = Endpoints()

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
async def judge_lesson(request: Request) -> messages.Learned:
    info = info_of(request)
    is_done = await manager_of(request).study.practice.is_lesson_done(
        info, step_of(request, info), request.path_params["table"]
    )
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
    response = cached_response(request, (await asyncio.to_thread(picture_of, puzzle)).encode(), SVG)
    response.headers["Content-Disposition"] = "attachment"
    return response


def picture_of(puzzle: puzzles.Puzzle) -> str:
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
async def judge_puzzle(request: Request) -> messages.PuzzleVerdict:
    waits = flag_of(request, "waits", "The player waits (waits=1) or not (waits=0).")
    puzzle = await puzzle_of(request)
    return await manager_of(request).study.practice.judge_puzzle(puzzle, request.path_params["table"], waits)


async def puzzle_of(request: Request) -> puzzles.Puzzle:
    """The puzzle in the request's path. Raises HTTPException."""
    try:
        return await asyncio.to_thread(puzzles.puzzle_of, info_of(request), request.path_params["puzzle"])
    except puzzles.NoPuzzle as error:
        raise HTTPException(404, sentence(error)) from None
