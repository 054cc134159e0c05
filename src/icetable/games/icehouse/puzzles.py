"""Puzzles of Icehouse: judging attempts, and finding puzzles in the positions of games, rated by random placements."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from icetable.core.game import Action
from icetable.core.turns import SIZE_WORDS
from icetable.extras.exercises import CALL, Puzzle, Verdict
from icetable.games.icehouse import rules
from icetable.games.icehouse.position import SIZE_LETTERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np

    from icetable.core.game import State
    from icetable.games.icehouse.game import IcehouseState
    from icetable.games.icehouse.position import Position

ICE, CRACK = "ice", "crack"
"""The goals besides the call: to ice the target with two pieces, to attack it with one."""
MAX_PIECES = {ICE: 2, CRACK: 1}
"""The number of pieces that may be placed, by goal."""
SAMPLES = 60
"""The number of random attempts at a puzzle, with a random placement of each piece."""
MAX_SOLVED = {ICE: 0.5, CRACK: 0.35}
"""The maximum share of samples that solve a puzzle."""
LEVELS_BY_SHARE = (("beginner", 0.3), ("casual", 0.2), ("skilled", 0.1), ("expert", 0.04), ("merciless", 0.0))
"""The level of a puzzle, by the minimum share of samples that solve it."""
LEVELS_BY_WORK = (("beginner", 3), ("casual", 5), ("skilled", 7), ("expert", 9))
"""The level of a call, by the maximum number of things to check."""
MARGIN = 2
"""A pad within this many pieces of the limit has to be counted."""
SHIFTS = ((12, 0, 0), (-12, 0, 0), (0, 12, 0), (0, -12, 0), (0, 0, 4), (0, 0, -4))
"""Errors of a hand, in thousandths of an inch and tenths of a degree."""
MIN_HITS = 4
"""A placement that still works after this many of the shifts can be made by hand."""
MIN_PIECES = 8
"""The minimum number of pieces on the field."""
MAX_POSITIONS = 12
"""The maximum number of positions of a game to search for an attack."""
THEMES = {ICE: "ice it with two", CRACK: "find the crack", CALL: "call or wait"}


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


def found(states: Sequence[State], rng: np.random.Generator) -> Iterator[Puzzle]:
    """The puzzles in the states of a game: at most one per goal, and for calls one per answer."""
    calm = [cast("IcehouseState", state) for state in states if is_calm(cast("IcehouseState", state))]
    calm = [calm[number] for number in rng.permutation(len(calm)).tolist()]
    for goal in (ICE, CRACK):
        puzzles = (attack_at(state, goal, rng) for state in calm[:MAX_POSITIONS])
        yield from itertools.islice((puzzle for puzzle in puzzles if puzzle is not None), 1)
    calls = [puzzle for state in calm if (puzzle := call_at(state, rng)) is not None]
    for is_right in (True, False):
        yield from itertools.islice((puzzle for puzzle in calls if bool(puzzle.answer) == is_right), 1)


def is_calm(state: IcehouseState) -> bool:
    """Whether the game is running, nobody is in debt or in the icehouse, and calls count."""
    table = state.table
    quiet = all(time == rules.NEVER for time in table[rules.QUIET_UNTIL : rules.PAUSED_UNTIL + rules.MAX_SEATS])
    busy = table[rules.FROZEN] or table[rules.DEBT : rules.DUE].any() or state.is_terminal
    return bool(quiet and not busy and len(state.field) >= MIN_PIECES)


def attack_at(state: IcehouseState, goal: str, rng: np.random.Generator) -> Puzzle | None:
    """A puzzle of attacking a defender, if the position has one."""
    state = with_empty_hands(state)
    for seat in rng.permutation(state.game.players).tolist():
        if rules.defenders(state.table, state.field, seat) < rules.MIN_DEFENDERS:
            continue
        for target in rng.permutation(targets(state, seat)).tolist():
            puzzle = attack_on(state, goal, seat, f"p{target}", rng)
            if puzzle is not None:
                return puzzle
    return None


def targets(state: IcehouseState, seat: int) -> list[int]:
    """The id numbers of the other colours' free defenders."""
    own = state.colours[seat]
    return [int(piece["id"][1:]) for piece in state.pieces() if piece["iced"] is False and piece["colour"] != own]


def attack_on(state: IcehouseState, goal: str, seat: int, target: str, rng: np.random.Generator) -> Puzzle | None:
    """The puzzle of attacking a defender, if that is possible in few ways, by hand, and not with fewer pieces."""
    puzzle = unanswered(state, seat, goal, target)
    is_reached = iced if goal == ICE else attacked
    ends = [trial(state, seat, target, MAX_PIECES[goal], rng) for _ in range(SAMPLES)]
    solved = [end for end in ends if end is not None and is_reached(puzzle, end)]
    if not solved or len(solved) > MAX_SOLVED[goal] * SAMPLES:
        return None
    if goal == ICE and any(end is not None and iced(puzzle, end) for end in single_trials(state, seat, target, rng)):
        return None
    steady = [end for end in solved if is_steady(end, state, puzzle, is_reached)]
    if not steady:
        return None
    share = len(solved) / SAMPLES
    return answered(
        puzzle, acts_between(state, steady[0]), next(level for level, least in LEVELS_BY_SHARE if share >= least)
    )


def trial(state: IcehouseState, seat: int, target: str, pieces: int, rng: np.random.Generator) -> IcehouseState | None:
    """The state after random attacks on a target; None if a piece finds no place."""
    colour = colour_of(state, target)
    for _ in range(pieces):
        kinds = [kind for kind in state.kinds_on_pad(seat) if (kind.partition(":")[2] or state.colours[seat]) != colour]
        if not kinds:
            return None
        state = state.apply(f"lift {kinds[int(rng.integers(len(kinds)))]}", seat)
        placements = state.sample_placements(seat, rng, 1, standing=False, target=target)
        if not placements:
            return None
        state = state.apply(placements[0], seat)
    return state


def colour_of(state: IcehouseState, piece: str) -> str:
    """The colour of a piece on the field."""
    row = state.field[:, rules.ID].tolist().index(int(piece[1:]))
    return state.colours[int(state.field[row, rules.COLOUR])]


def single_trials(
    state: IcehouseState, seat: int, target: str, rng: np.random.Generator
) -> Iterator[IcehouseState | None]:
    """Attempts with one random piece."""
    return (trial(state, seat, target, 1, rng) for _ in range(SAMPLES))


def is_steady(
    end: IcehouseState, start: IcehouseState, puzzle: Puzzle, is_reached: Callable[[Puzzle, State], bool]
) -> bool:
    """Whether each placement of a solution tolerates small errors."""
    acts = acts_between(start, end)
    for number, act in enumerate(acts):
        if act.startswith("place"):
            hits = 0
            for shift in SHIFTS:
                moved = play(start, puzzle.seat, [*acts[:number], shifted(act, shift), *acts[number + 1 :]])
                hits += moved is not None and is_reached(puzzle, moved)
            if hits < MIN_HITS:
                return False
    return True


def play(state: IcehouseState, seat: int, acts: Sequence[str]) -> IcehouseState | None:
    """The state after acts of a seat; None if the rules refuse one."""
    for act in acts:
        if state.fault(act, seat) is not None:
            return None
        state = state.apply(act, seat)
    return state


def shifted(act: str, shift: tuple[int, int, int]) -> str:
    """A placement moved and turned."""
    _, place, how, heading = act.split(" ")
    x, y = map(int, place.split(","))
    tenths = (round(float(heading) * 10) + shift[2]) % 3600
    return f"place {x + shift[0]},{y + shift[1]} {how} {tenths // 10}.{tenths % 10}"


def acts_between(start: State, end: State) -> list[Action]:
    """The acts that led from one state to another."""
    states = list(end.history())
    number = next(number for number, state in enumerate(states) if state is start)
    return [state.act for state in states[number + 1 :] if state.act is not None]


def with_empty_hands(state: IcehouseState) -> IcehouseState:
    """The state after every seat has put back the piece in its hand."""
    for seat in range(state.game.players):
        if state.hand(seat) is not None:
            state = state.apply("return", seat)
    return state


def call_at(state: IcehouseState, rng: np.random.Generator) -> Puzzle | None:
    """A puzzle of calling or waiting: somebody can be found, or just barely not."""
    caller, *others = rng.permutation(state.game.players).tolist()
    if rules.is_vulnerable(state.table, state.field, caller) or state.hand(caller) is not None:
        return None
    found = found_by(state.apply("icehouse", caller), caller)
    named = [seat for seat in others if state.colours[seat] in found or (not found and is_close(state, seat))]
    if not named:
        return None
    colour = state.colours[named[0]]
    defenders = [piece for piece in state.pieces() if piece["colour"] == colour and piece["standing"]]
    near = abs(pad(state, named[0]) - rules.STASH_LIMIT) <= MARGIN
    work = len(defenders) + 2 * near + (state.hand(named[0]) is not None)
    level = next((level for level, most in LEVELS_BY_WORK if work <= most), "merciless")
    return answered(unanswered(state, caller, CALL, colour), [Action("icehouse")] if found else [], level)


def pad(state: IcehouseState, seat: int) -> int:
    """The number of pieces on a seat's pad and in its hand."""
    return int(rules.on_pad(state.table, seat)) + (state.hand(seat) is not None)


def is_close(state: IcehouseState, seat: int) -> bool:
    """Whether a seat is safe only by one piece, on the pad or on the field."""
    free = sum(piece["iced"] is False and piece["colour"] == state.colours[seat] for piece in state.pieces())
    left = pad(state, seat) - rules.STASH_LIMIT
    return (free == 0 and 0 <= left < MARGIN) or (free == 1 and left < 0)


def unanswered(state: IcehouseState, seat: int, goal: str, target: str) -> Puzzle:
    """A puzzle without its answer, at time 0."""
    position = json.loads(state.to_json())["position"] | {"clock": 0}
    task, options = task_of(state, seat, goal, target), dict(state.game.options)
    themes = (THEMES[goal],)
    return Puzzle(state.game.info, options, position, seat, task, (), (), None, None, None, themes, goal, target)


def answered(puzzle: Puzzle, answer: Sequence[Action], level: str) -> Puzzle:
    return replace(puzzle, answer=tuple(answer), line=tuple(answer), level=level)


def task_of(state: IcehouseState, seat: int, goal: str, target: str) -> str:
    own = state.colours[seat]
    if goal == CALL:
        return f"You play {own}. Can {target} be found in the icehouse: do you call, or wait?"
    piece = next(piece for piece in state.pieces() if piece["id"] == target)
    size = SIZE_WORDS[SIZE_LETTERS.index(piece["size"])]
    what = f"{size} {piece['colour']} piece number {target.removeprefix('p')}"
    if goal == ICE:
        return f"You play {own}. Ice the {what} with two more pieces."
    return f"You play {own}. The {what} is well covered: find the crack, and attack it with one piece."
