"""Games of known truth, by which the lab is measured. Their rules run in plain mode only.

`fate`: lots are drawn, and some of the ten decide the game; else the seats take one to three beans in turn from a heap,
and who takes the last one wins. Perfect play is known, and so the part of the result that is luck. Without lots it is
all play, with ten of them all chance. `guess`: one seat guesses a coin before it falls. `march`: a game of a fixed
length with the same number of legal acts at each. `nim`: `fate` without lots, which does not say what positions are
worth.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable import BadNotation, Effect, Fault, GameInfo, Option
from icetable.core.errors import BadOption
from icetable.core.turns import TurnGame
from icetable.kernels.layout import ACTOR, CHANCE, SEATS, TURN_LIMIT
from tests.lab.toys import fate, guess, march

if TYPE_CHECKING:
    from icetable.kernels.jit import Ints

FORM = re.compile("([a-z]+):([0-9]+)")
MAX_STEPS = 12
NOISES = ("", "tap", "stamp", "jump")
"""The sound of each step."""


def _info(name: str, players: tuple[int, int], *options: Option) -> GameInfo:
    title = name.capitalize()
    return GameInfo(name, title, title, players, 2, options, "TY", "TY-2", package="tests.lab.toys")


FATE = _info(
    "fate",
    (2, 2),
    Option("heap", "int", 13, "How many beans", "TY-3", (), 1, 100),
    Option("lots", "int", 0, "How many of ten lots decide the game", "TY-4", (), 0, 10),
    Option("first", "int", 0, "How many of them the first seat wins by", "TY-4", (), 0, 10),
)
GUESS = _info("guess", (2, 2))
MARCH = _info(
    "march",
    (1, 4),
    Option("length", "int", 4, "How many steps, up to 12 by the width", "TY-3", (), 1, MAX_STEPS),
    Option("width", "int", 2, "How many ways to step", "TY-4", (), 1, 3),
    Option("loud", "bool", False, "Whether the steps make a noise, which changes nothing", "TY-5"),
    Option("names", "list", (), "What the steps are called", "TY-5"),
    Option("turn_limit", "int", 0, "Turns until the game is a draw; 0 for no limit", "TY-6", (), 0, 100),
)
NIM = _info("nim", (2, 2), Option("heap", "int", 7, "How many beans", "TY-3", (), 1, 100))
TOYS = (FATE, GUESS, MARCH, NIM)


class Toy(TurnGame):
    """The adapter: acts are codes with a word before them."""

    words = "do", "lot"

    def first_position(self) -> Ints:
        position = np.zeros(self.rules.WORDS.length, np.int64)
        position[SEATS] = self.players
        return position

    def notation(self, code: int) -> str:
        return f"{self.words[code >= fate.LOT]}:{code}"

    def code(self, text: str) -> int | None:
        form = FORM.fullmatch(text)
        if form is None or form[1] not in self.words:
            raise BadNotation("acts look like do:2 or lot:10")
        return int(form[2])

    def explain_fault(self, position: Ints, text: str) -> Fault:
        return Fault("no", "That is not allowed.", "TY-2")

    def work_out_effects(self, before: Ints, code: int, after: Ints) -> tuple[Effect, ...]:
        return ()

    def describe_position(self, position: Ints) -> Any:
        return position.tolist()

    def read_position(self, described: Any) -> Ints:
        return np.array(described, np.int64)

    def see(self, position: Ints, seat: int | None) -> dict[str, Any]:
        return {"position": position.tolist()}

    def layout(self) -> dict[str, Any]:
        return {}


class Fate(Toy):
    rules = evaluation = fate

    def __init__(self, info: GameInfo, options: dict[str, Any]) -> None:
        super().__init__(info, options)
        if options["lots"]:
            self.chance_parts = tuple(self.notation(fate.LOT + lot) for lot in range(10))

    def first_position(self) -> Ints:
        position = super().first_position()
        position[fate.HEAP], position[fate.LOTS] = self.options["heap"], self.options["lots"]
        position[fate.FIRST] = self.options["first"]
        if self.chance_parts:
            position[ACTOR] = CHANCE
        return position


class Guess(Toy):
    rules = evaluation = guess
    chance_parts = ("lot:10", "lot:11")


class March(Toy):
    rules = evaluation = march

    def work_out_effects(self, before: Ints, code: int, after: Ints) -> tuple[Effect, ...]:
        return (Effect(NOISES[code]), Effect("noise")) if self.options["loud"] else ()

    def first_position(self) -> Ints:
        position = super().first_position()
        position[march.LENGTH], position[march.WIDTH] = self.options["length"], self.options["width"]
        position[TURN_LIMIT] = self.options["turn_limit"]
        return position


class Nim(Toy):
    rules = fate

    def first_position(self) -> Ints:
        position = super().first_position()
        position[fate.HEAP] = self.options["heap"]
        return position


def make(info: GameInfo, options: dict[str, Any]) -> Toy:
    """The game under complete options. Raises BadOption."""
    if info is MARCH and options["length"] * options["width"] > MAX_STEPS:
        raise BadOption(f"length can't be {options['length']} with {options['width']} ways to step")
    kinds: dict[str, type[Toy]] = {"fate": Fate, "guess": Guess, "march": March, "nim": Nim}
    return kinds[info.name](info, options)
