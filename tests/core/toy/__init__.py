"""A game too small for the registry, by which to test what all games share. Its rules run in plain mode only.

Chance rolls a die, then a seat takes up to so many beans from the heap; who takes the last one wins. Rule ids: TO-1 the
players, TO-2 the heap, TO-3 turns, TO-4 the roll, TO-5 taking, TO-6 the end.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable import BadNotation, BadRecord, Effect, Fault, GameInfo, Option
from icetable.core.options import is_integer
from icetable.core.turns import TurnGame
from icetable.kernels.jit import draw
from icetable.kernels.layout import ACTOR, CHANCE, COMMON, SEATS, TURN, Words, settle

if TYPE_CHECKING:
    from icetable.kernels.jit import Ints

WORDS = Words(COMMON)
HEAP = WORDS.add("heap", "The beans that are left.")
DIE = WORDS.add("die", "What was rolled.")
SEAT = WORDS.add("seat", "Whose turn it is.")
ROLL = 10  # the acts: 1 … 6 takes so many, 10 + 1 … 10 + 6 is a roll
MAX_ACTS = 6
FORM = re.compile("(take|die):([1-9])")

INFO = GameInfo(
    name="toy",
    title="Toy",
    summary="Take the last bean.",
    players=(1, 3),
    default_players=2,
    options=(
        Option("beans", "int", 12, "How many beans", "TO-2", (), 1, 1000),
        Option("winner", "choice", "last", "Who wins", "TO-6", ("last", "others")),
        Option("noisy", "bool", False, "Whether taking makes a noise", "TO-5"),
        Option("weight", "float", 0.5, "What a bean weighs", "TO-2", (), 0.0, 2.5),
        Option("names", "list", (), "What the beans are called", "TO-2"),
        Option("depth", "int", None, "How deep the heap is", "TO-2", (), 0),
    ),
    package="tests.core.toy",
    rule_prefix="TO",
    turn_rule="TO-3",
    presets={"few": {"beans": 3, "noisy": True}},
)


def legal(state: Ints, acts: Ints) -> int:
    """TO-4, TO-5."""
    if state[ACTOR] == CHANCE:
        for face in range(6):
            acts[face] = ROLL + face + 1
        return 6
    count = min(int(state[DIE]), int(state[HEAP]))
    for beans in range(count):
        acts[beans] = beans + 1
    return count


def pick(state: Ints, acts: Ints, rng: Ints) -> int:
    """Any of the legal acts."""
    count = legal(state, acts)
    return int(acts[draw(rng, count)])


def apply(state: Ints, act: int) -> None:
    """TO-3 … TO-6."""
    if act > ROLL:
        state[DIE] = act - ROLL
        state[ACTOR] = state[SEAT]
        return
    state[TURN] += 1
    state[HEAP] -= act
    if state[HEAP] == 0:
        settle(state, 1 << state[ACTOR], 6)
        return
    state[SEAT] = (state[SEAT] + 1) % state[SEATS]
    state[ACTOR] = CHANCE


class Toy(TurnGame):
    """The adapter."""

    rules = sys.modules[__name__]

    def first_position(self) -> Ints:
        position = np.zeros(SEAT + 1, np.int64)
        position[ACTOR], position[SEATS], position[HEAP] = CHANCE, self.players, self.options["beans"]
        return position

    def notation(self, code: int) -> str:
        return f"die:{code - ROLL}" if code > ROLL else f"take:{code}"

    def code(self, text: str) -> int | None:
        form = FORM.fullmatch(text)
        if form is None:
            raise BadNotation("acts look like die:3 or take:2")
        number = int(form[2])
        return None if number > 6 else number + ROLL if form[1] == "die" else number

    def explain_fault(self, position: Ints, text: str) -> Fault:
        if text.startswith("die") == (position[ACTOR] == CHANCE):
            return Fault("too-many", "So many there are not.", "TO-5", ("heap",))
        return Fault("wrong-time", "That is not the order of things.", "TO-4")

    def work_out_effects(self, before: Ints, code: int, after: Ints) -> tuple[Effect, ...]:
        return () if code > ROLL else (Effect("leaves", ("heap",), int(after[HEAP])),)

    def describe_position(self, position: Ints) -> Any:
        return {"heap": int(position[HEAP]), "seat": int(position[SEAT]), "turn": int(position[TURN])}

    def read_position(self, described: Any) -> Ints:
        if not isinstance(described, dict) or set(described) != {"heap", "seat", "turn"}:
            raise BadRecord("a position has heap, seat and turn")
        if not all(is_integer(value) and 0 <= value <= 1000 for value in described.values()):
            raise BadRecord("all these are numbers")
        position = self.first_position()
        position[HEAP], position[SEAT], position[TURN] = described["heap"], described["seat"], described["turn"]
        return position

    def see(self, position: Ints, seat: int | None) -> dict[str, Any]:
        return {"heap": int(position[HEAP])}

    def layout(self) -> dict[str, Any]:
        return {}


def make(info: GameInfo, options: dict[str, Any]) -> Toy:
    """The game under complete options."""
    return Toy(info, options)
