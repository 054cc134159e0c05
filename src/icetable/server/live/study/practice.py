"""Lessons and puzzles: private tables for attempts, and their results."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from icetable.extras import exercises
from icetable.server import messages
from icetable.server.errors import TableNotFound
from icetable.server.table import setup
from icetable.server.table.clock import now
from icetable.server.table.log import remaining_acts
from icetable.server.table.views import frames, states_after

if TYPE_CHECKING:
    from collections.abc import Iterator

    from icetable.core.game import GameInfo, State
    from icetable.server.live.tables.tables import Tables
    from icetable.server.table.state import TableState

MAX_TRIED_ACTS = 256
"""Maximum number of acts checked in an attempt at a puzzle."""


class Practice:
    """Private tables for one learner."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store

    async def open_lesson(self, info: GameInfo, step: exercises.Step) -> messages.TableCreated:
        """Create a table at the start of a lesson's step. Raises StoreError."""
        return await self._open(await asyncio.to_thread(exercises.start_of, info, step), step.seat)

    async def is_lesson_done(self, info: GameInfo, step: exercises.Step, table_id: str) -> bool:
        """Whether the goal of a step was reached at its table. Raises TableNotFound or StoreError."""
        table_state = await self._tables.read(table_id)
        start = await asyncio.to_thread(exercises.start_of, info, step)
        if not _begins_at(table_state, start):
            raise TableNotFound("There is no such table in this lesson.")

        def is_done() -> bool:
            return any(
                state.seat == step.seat and step.is_goal(state) for state in table_state.replay(table_state.log())
            )

        return await asyncio.to_thread(is_done)

    async def open_puzzle(self, puzzle: exercises.Puzzle) -> messages.TableCreated:
        """Create a table at the start of a puzzle; return only the code of its seat. Raises StoreError."""
        created = await self._open(await asyncio.to_thread(puzzle.state), puzzle.seat)
        seat = str(puzzle.seat)
        return messages.TableCreated(created.table, {seat: created.codes[seat]}, {}, None)

    async def judge_puzzle(self, puzzle: exercises.Puzzle, table_id: str, waits: bool) -> messages.PuzzleVerdict:
        """Judge the attempt at a puzzle's table. `waits`: the player claims that no act is needed.

        Raises TableNotFound or StoreError.
        """
        table_state = await self._tables.read(table_id)
        start = await asyncio.to_thread(puzzle.state)
        if not _begins_at(table_state, start):
            raise TableNotFound("There is no such table for this puzzle.")
        return await asyncio.to_thread(_judge, puzzle, table_state, waits)

    async def _open(self, state: State, seat: int) -> messages.TableCreated:
        names = [colour.title() for colour in state.game.info.colours[: state.game.players]]
        names[seat] += " (you)"
        table_setup, created = setup.setup_from_position(state, names, now(), explores=False)
        await self._tables.add(table_setup)
        self._store.tables.set_over(table_setup.id, over=True)  # nothing happens there without the learner
        return created


def _begins_at(table_state: TableState, start: State) -> bool:
    """Whether a table was created for this position. Its stored text may lack newer options, so states are compared."""
    return table_state.setup.start is not None and table_state.after(0) == start


def _judge(puzzle: exercises.Puzzle, table_state: TableState, waits: bool) -> messages.PuzzleVerdict:
    """The first verdict on the acts; later acts don't count."""
    start, *later = _attempt(table_state)
    for number, state in enumerate(later, 1):
        verdict = exercises.judged(puzzle, state)
        if verdict.is_right is not None:
            return _verdict(puzzle, verdict, start, state, number=number)
    last = (start, *later)[-1]
    return _verdict(puzzle, exercises.judged(puzzle, last, waits), start, last, number=len(later))


def _attempt(table_state: TableState) -> Iterator[State]:
    """The start and the state after each of the first MAX_TRIED_ACTS acts, with their history."""
    state = table_state.after(0)
    yield state
    for entry in remaining_acts(table_state.log())[:MAX_TRIED_ACTS]:
        state = state.apply(entry.text, entry.seat, entry.at / 1000)
        yield state


def _verdict(
    puzzle: exercises.Puzzle, verdict: exercises.Verdict, start: State, state: State, *, number: int
) -> messages.PuzzleVerdict:
    """The verdict on the state after `number` acts, with the answer once it is decided."""
    if verdict.is_right is None:
        return messages.PuzzleVerdict(
            is_right=None, explanation=verdict.explanation, worth=None, best=None, reply=[], answer=[]
        )
    reply = () if verdict.reply is None else verdict.reply.line
    worth = verdict.reply.worth if verdict.reply else puzzle.worth if verdict.is_right else None
    return messages.PuzzleVerdict(
        is_right=verdict.is_right,
        explanation=verdict.explanation,
        worth=worth,
        best=puzzle.worth,
        reply=frames(states_after(state, reply, puzzle.seat), puzzle.seat, number + 1),
        answer=frames([start, *states_after(start, puzzle.line, puzzle.seat)], puzzle.seat, 0),
    )
