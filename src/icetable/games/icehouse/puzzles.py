"""The judge of Icehouse puzzles: the rules alone decide, by the effects of the acts."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from icetable.extras.exercises import CALL, Verdict
from icetable.games.icehouse import rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from icetable.core.game import State
    from icetable.extras.exercises import Puzzle
    from icetable.games.icehouse.position import Position

ICE, CRACK = "ice", "crack"
"""The goals besides the call: to ice the target with two pieces, to attack it with one."""
MAX_PIECES = {ICE: 2, CRACK: 1}
"""The number of pieces that may be placed, by goal."""


def judged(puzzle: Puzzle, states: Sequence[State], waits: bool) -> Verdict:
    """The verdict on a puzzle; the states begin with its position."""
    own = [state for state in states if state.seat == puzzle.seat]
    if puzzle.goal == CALL:
        called = [state for state in own if state.act == "icehouse"]
        return _judge_call(puzzle, states[0], called[0] if called else None, waits)
    placed = [state for state in own if any(effect.kind == "places" for effect in state.effects)]
    is_reached = iced if puzzle.goal == ICE else attacked
    for state in placed[: MAX_PIECES[puzzle.goal]]:
        if is_reached(puzzle, state):
            return Verdict(True, _done(puzzle, state))
    if len(placed) < MAX_PIECES[puzzle.goal]:
        return Verdict(None, puzzle.task)
    return Verdict(False, _missed(puzzle, placed[MAX_PIECES[puzzle.goal] - 1]))


def iced(puzzle: Puzzle, state: State) -> bool:
    """Whether the target is iced."""
    position, row = _target(puzzle, state)
    return bool(rules.is_iced(position.table, position.field, row))


def attacked(puzzle: Puzzle, state: State) -> bool:
    """Whether the last piece placed makes a valid attack on the target."""
    last = cast("Position", state).pieces()[-1]
    return bool(last["valid"]) and last["points_at"] == puzzle.target


def _target(puzzle: Puzzle, state: State) -> tuple[Position, int]:
    position = cast("Position", state)
    number = int(str(puzzle.target).removeprefix("p"))
    return position, int(rules.row_of(position.table, position.field, number))


def _balance(puzzle: Puzzle, state: State) -> str:
    """The value of the target and of its attackers, in words."""
    position, row = _target(puzzle, state)
    attack, value = rules.attack_on(position.table, position.field, row), rules.value(position.field, row)
    return f"it is worth {value}, and its attackers {attack}"


def _done(puzzle: Puzzle, state: State) -> str:
    if puzzle.goal == ICE:
        return f"Iced: {_balance(puzzle, state)}. You have {state.scores[puzzle.seat]} points now."
    return "There is the crack: your piece attacks what it should."


def _missed(puzzle: Puzzle, state: State) -> str:
    if puzzle.goal == ICE:
        return f"It is not iced: {_balance(puzzle, state)}."
    points_at = cast("Position", state).pieces()[-1]["points_at"]
    return "Your piece stands, and attacks nothing." if points_at is None else f"Your piece points at {points_at}."


def _judge_call(puzzle: Puzzle, start: State, called: State | None, waits: bool) -> Verdict:
    """A call is right if it finds somebody else; waiting is right if it would not."""
    if called is None and not waits:
        return Verdict(None, puzzle.task)
    tried = called if called is not None else start.apply("icehouse", puzzle.seat)
    found = found_by(tried, puzzle.seat)
    why = f"{str(puzzle.target).title()} has {' and '.join(facts(cast('Position', start), str(puzzle.target)))}."
    if called is None:
        return Verdict(not found, f"You could have called. {why}" if found else f"Right: nobody can be found. {why}")
    if not found:
        owes = any(effect.kind == "owes" for effect in tried.effects)
        return Verdict(False, f"A false call{', and you owe a piece' if owes else ''}. {why}")
    return Verdict(True, f"Found: {', '.join(found)}. {why}")


def found_by(state: State, seat: int) -> list[str]:
    """The other colours found by the call that led to a state."""
    own = state.game.info.colours[seat]
    return [colour for effect in state.effects if effect.kind == "finds" for colour in effect.spaces if colour != own]


def facts(position: Position, colour: str) -> Iterator[str]:
    """The facts that decide whether a colour can be found (IH-18)."""
    seat = position.colours.index(colour)
    pad = int(rules.on_pad(position.table, seat)) + (position.hand(seat) is not None)
    yield f"{pad} pieces left" if pad != 1 else "1 piece left"
    free = [piece["id"] for piece in position.pieces() if piece["colour"] == colour and piece["iced"] is False]
    yield f"{', '.join(free)} standing free" if free else "no piece standing free"
