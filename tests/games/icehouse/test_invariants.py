"""Properties that always hold: random real-time games for two to eight, driven by Hypothesis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import icetable
from icetable import IllegalAction
from icetable.games.icehouse.game import IcehouseState

from . import geometry_oracle as geometry
from .oracle import COLOURS, Oracle, footprint, read

DOINGS = ("play", "play", "play", "play", "lift", "return", "icehouse", "meltdown", "capture", "give", "wild")
OPTIONS = st.fixed_dictionaries(
    {
        "players": st.integers(2, 8),
        "width": st.sampled_from([6.0, 9.5, 24.0]),
        "meltdown": st.sampled_from(["call", "prevent"]),
        "crash": st.sampled_from(["penalty", "refuse"]),
        "range": st.sampled_from(["gap", "ray"]),
        "false_call": st.sampled_from(["gift", "free"]),
    }
)
DEEDS = st.lists(
    st.tuples(st.sampled_from(DOINGS), st.integers(0, 7), st.integers(0, 2**32 - 1), st.integers(0, 4000)),
    min_size=30,
    max_size=90,
)


def acts_of(state: IcehouseState, doing: str, seat: int, rng: np.random.Generator) -> list[str]:
    """The acts that a seat tries, one after another."""
    colours = state.game.colours
    pad = state.kinds_on_pad(seat)
    if doing == "lift" and pad:
        return [f"lift {rng.choice(pad)}"]
    if doing == "meltdown":
        return [f"meltdown {rng.choice(colours)}"]
    if doing == "capture":
        return [f"capture p{rng.integers(1, 10 + len(state.field))}", *captures(state, seat)]
    if doing == "give" and pad:
        return [f"give {rng.choice(pad)} {rng.choice(colours)}"]
    if doing == "wild":
        return [f"place {rng.integers(6000)},{rng.integers(24000)} point {rng.integers(360)}.{rng.integers(10)}"]
    return [doing] if doing in ("return", "icehouse") else []


def captures(state: IcehouseState, seat: int) -> list[str]:
    """The captures that a seat can make."""
    return [act for act in state.legal_actions(seat) if act.startswith("capture")]


class Table:
    """A game, and how it is watched."""

    def __init__(self, options: dict[str, Any]) -> None:
        game = icetable.load("icehouse", **options)
        self.start = game.start()
        assert isinstance(self.start, IcehouseState)
        self.state: IcehouseState = self.start
        self.clock = 0
        for seat in range(game.players):
            self.attempt("ready", seat)

    def attempt(self, text: str, seat: int) -> None:
        """Make an act, or find that it is refused without a trace."""
        before, saved = self.state, self.state.to_json()
        fault = before.fault(text, seat, self.clock / 1000)
        if fault is None:
            self.state = before.apply(text, seat, self.clock / 1000)
            self.check(before, self.state)
        else:
            with pytest.raises(IllegalAction) as refused:
                before.apply(text, seat, self.clock / 1000)
            assert refused.value.fault == fault
        assert before.to_json() == saved

    def do(self, doing: str, seat: int, seed: int) -> None:
        """Try something."""
        rng = np.random.default_rng(seed)
        for text in acts_of(self.state, doing, seat, rng):
            self.attempt(text, seat)
        if doing == "play":
            pad = self.state.kinds_on_pad(seat)
            if pad and self.state.hand(seat) is None:
                self.attempt(f"lift {rng.choice(pad)}", seat)
            if self.state.hand(seat) is not None:
                for text in self.state.sample_placements(seat, rng, 1):
                    assert self.state.fault(text, seat) is None
                    self.attempt(text, seat)

    def check(self, before: IcehouseState, after: IcehouseState) -> None:
        """Assert the properties that no act may change, and those that hold after every act."""
        assert census(after) == Counter({(colour, size): 5 for colour in after.game.colours for size in "SML"})
        assert all(0 <= score <= 30 for score in after.scores)
        old = {piece["id"]: lies(piece) for piece in before.pieces()}
        new = {piece["id"]: lies(piece) for piece in after.pieces()}
        assert all(old[name] == new[name] for name in old.keys() & new.keys())
        assert after.act is not None
        if not after.act.startswith(("capture", "meltdown")):
            assert old.keys() <= new.keys()
        assert not any(overlap(after, name) for name in new.keys() - old.keys())


def lies(piece: Mapping[str, Any]) -> tuple[object, ...]:
    """The properties of a piece on the field that never change (IH-8)."""
    return tuple(piece[name] for name in ("colour", "size", "x", "y", "heading", "standing"))


def census(state: IcehouseState) -> Counter[tuple[str, str]]:
    """Where all pieces are: on the field, on pads, in hands (IH-3)."""
    view = state.view()
    found = Counter((piece["colour"], piece["size"]) for piece in view["field"])
    for pad in view["pads"]:
        found.update({(colour, size): count for colour, sizes in pad.items() for size, count in sizes.items()})
    for held in filter(None, view["hands"]):
        size, colour = held.split(":")
        found[colour, size] += 1
    return found


def overlap(state: IcehouseState, name: str) -> bool:
    """Whether a piece overlaps another, or the edge, as the oracle sees it (IH-5)."""
    options = {"players": state.game.players, "width": state.game.options["width"]}
    oracle = Oracle(**options)
    shapes = {}
    for one in state.pieces():
        place = f"{one['x']},{one['y']} {'stand' if one['standing'] else 'point'} {one['heading']}"
        act = read(f"place {place}", oracle.players)
        assert act
        shapes[one["id"]] = footprint(oracle.piece(act, (one["size"], COLOURS.index(one["colour"]))), "face")
        if one["id"] == name:
            assert Oracle.laid(f"{one['colour']} {one['size']} {place}", **options).field
    own = shapes.pop(name)
    return any(geometry.overlap(own, other) for other in shapes.values())


@given(OPTIONS, DEEDS)
@settings(max_examples=40)
def test_a_game(options: dict[str, Any], deeds: list[tuple[str, int, int, int]]) -> None:
    table = Table(options)
    for doing, seat, seed, pause in deeds:
        if table.state.is_terminal:
            break
        table.clock += pause
        table.do(doing, seat % options["players"], seed)
    game = table.state.game
    assert game.replay(table.state.record()) == table.state
    assert game.from_json(table.state.to_json()) == table.state


@pytest.mark.rule("IH-22")
def test_ih_22_the_order_of_arrival_decides() -> None:
    """At one and the same moment two players place in one spot: the first to arrive lies there, the other crashes."""
    state = icetable.load("icehouse", players=2).start()
    for text in ("ready", "lift L"):
        for seat in (0, 1):
            state = state.apply(text, seat)
    for first, second in ((0, 1), (1, 0)):
        after = state.apply("place 5000,5000 stand 0.0", first, at=1.0)
        after = after.apply("place 5100,5000 stand 0.0", second, at=1.0)
        (piece,) = after.view()["field"]
        assert piece["colour"] == ("red", "green")[first]
        assert after.view()["owed"] == {str(second): f"L:{('red', 'green')[second]}"}
