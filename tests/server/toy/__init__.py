"""A game for testing tables: it has a die, and something that only one seat may see.

The seats take turns to `take`, and chance rolls a die for each (`die:5`), until a seat has TARGET points or stops
(`stop`). Every seat has a card that the others may not see until the game is over. With `secretive` the acts are hidden
until then, and chance rolls only once, for the seat that stops.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from icetable.core.errors import BadNotation, BadRecord, Fault, IllegalAction
from icetable.core.game import CHANCE, Action, Effect, Game, GameInfo, State
from icetable.core.options import Option, milliseconds

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    import numpy as np

TARGET = 12
CARDS = ("SEVEN-OF-SPADES", "QUEEN-OF-HEARTS", "ACE-OF-CLUBS")
ROLLS = [f"die:{pips}" for pips in range(1, 7)]

TOY = GameInfo(
    name="toy",
    title="Toy",
    summary="Take or stop.",
    players=(2, 3),
    default_players=2,
    options=(
        Option("target", "int", TARGET, "Points that win", "T-1", (), 1, 100),
        Option("secretive", "bool", False, "Whether nobody may look up the acts", "T-4"),
    ),
    rule_prefix="T",
    turn_rule="T-2",
    presets={"short": {"target": 3}},
    package="tests.server.toy",
)


MAX_SOLVED = 50
solver_may_think = threading.Event()
solver_may_think.set()


def can_solve(game: Game) -> bool:
    return bool(game.options["target"] <= MAX_SOLVED)


def values(state: State) -> dict[Action, str | int]:
    """Stopping wins, for want of a better idea. Waits until it may think."""
    assert solver_may_think.wait(20)
    return {act: "win" if act == "stop" else "loss" for act in state.legal_actions()}


def make(info: GameInfo, options: dict[str, Any]) -> Toy:
    return Toy(info, options)


class Toy(Game):
    def start(self) -> ToyState:
        return ToyState(self, None, None, None, None, (0,) * self.players, 0, False)

    def parse(self, text: str) -> Action:
        if text not in ("take", "stop", *ROLLS):
            raise BadNotation(f"{text!r} is no act; acts are take and stop")
        return Action(text)

    def random_act(self, state: State, rng: np.random.Generator) -> Action:
        legal = state.legal_actions(min(state.to_act))
        return legal[rng.integers(len(legal))]

    def layout(self) -> dict[str, Any]:
        return {"target": self.options["target"]}

    def shows_history(self, state: State) -> bool:
        return state.is_terminal or not self.options["secretive"]

    def draw(self, view: Mapping[str, Any], touched: Collection[str] = (), paint: object = None) -> str:
        return f"{view['points']}"

    def _set_up(self, position: Any) -> State:
        raise BadRecord("positions of this game are not saved")


@dataclass(eq=False)
class ToyState(State):
    _game: Toy
    _parent: ToyState | None
    _act: Action | None
    _seat: int | None
    _at: int | None
    points: tuple[int, ...]
    turn: int
    rolling: bool

    def without_history(self) -> ToyState:
        return replace(self, _parent=None)

    @property
    def to_act(self) -> frozenset[int]:
        secretive = self.game.options["secretive"]
        if (self.seat == CHANCE if secretive else self.act == "stop") or max(self.points) >= self.game.options[
            "target"
        ]:
            return frozenset()
        return frozenset({CHANCE if self.rolling else self.turn})

    @property
    def winners(self) -> frozenset[int]:
        best = max(self.points)
        return frozenset(seat for seat, points in enumerate(self.points) if not self.to_act and points == best)

    @property
    def scores(self) -> tuple[int, ...]:
        return self.points

    @property
    def ended_by(self) -> str | None:
        return None if self.to_act else "T-3"

    @property
    def effects(self) -> tuple[Effect, ...]:
        return (Effect("rolled", (), str(self.act)),) if self.seat == CHANCE else ()

    def legal_actions(self, seat: int | None = None) -> list[Action]:
        seat = min(self.to_act, default=None) if seat is None else seat
        if seat not in self.to_act:
            return []
        return [Action(text) for text in (ROLLS if self.rolling else ("take", "stop"))]

    def chance_outcomes(self) -> list[tuple[Action, float]]:
        return [(act, 1 / 6) for act in self.legal_actions(CHANCE)]

    def fault(self, action: str, seat: int | None = None, at: float | None = None) -> Fault | None:
        act = self.game.parse(action)
        if seat is not None and seat not in self.to_act:
            return Fault("not-your-turn", "It is not your turn.", "T-2", ("somewhere",))
        return None if act in self.legal_actions(seat) else Fault("wrong", "Not now.", "T-3")

    def apply(self, action: str, seat: int | None = None, at: float | None = None) -> ToyState:
        fault = self.fault(action, seat)
        if fault is not None:
            raise IllegalAction(fault)
        points, turn = list(self.points), self.turn
        rolling = action == ("stop" if self.game.options["secretive"] else "take")
        if self.rolling:
            points[turn] += int(action[-1])
        if not rolling:
            turn = (turn + 1) % self.game.players
        actor = min(self.to_act)
        return ToyState(self._game, self, Action(action), actor, milliseconds(at), tuple(points), turn, rolling)

    def _see(self, seat: int | None) -> dict[str, Any]:
        cards = [card if self.is_terminal or seat == owner else None for owner, card in enumerate(CARDS)]
        return {"points": list(self.points), "cards": cards[: self.game.players]}

    def _position(self) -> Any:
        return [list(self.points), self.turn, self.rolling, self.act == "stop"]
