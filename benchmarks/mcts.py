#!/usr/bin/env python3
"""Matches against OpenSpiel's MCTS on our own games: both make as many simulations, or think as long.

A pair of games begins with the same random acts, and each player sits in every seat. OpenSpiel's search plays games out
at random, as its `MCTSBot` does by default, and searches from the same positions.
"""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser
from typing import TYPE_CHECKING

import openspiel
import pyspiel
from measure import chosen_game, report

from icetable.bots.search import search
from icetable.core.game import CHANCE
from icetable.core.kernel import shares_of
from icetable.envs.openspiel import PREFIX, game_of, written
from icetable.envs.spaces import space
from icetable.lab import Plan
from icetable.lab.blocks import Chance, openings
from icetable.lab.intervals import mean
from icetable.lab.streams import seed_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.core.game import Action
    from icetable.core.turns import TurnGame, TurnState

    Chooser = Callable[[TurnState, int], Action]

FIRST_GUESS = 50
"""The simulations of OpenSpiel's first search that is to take so long; its speed sets those of the next ones."""


class Peer:
    """OpenSpiel's search. To think for so many seconds it makes as many simulations as would have done before."""

    def __init__(self, game: TurnGame, simulations: int | None, seconds: float | None) -> None:
        self.spiel = pyspiel.load_game(PREFIX + game.info.name, written(game))
        self.space, self.seconds = space(game), seconds
        self.simulations = simulations or FIRST_GUESS

    def choose(self, state: TurnState, seed: int) -> Action:
        """The act that the search prefers."""
        asked = self.spiel.new_initial_state({**json.loads(state.to_json()), "drawn": []})
        before = time.monotonic()
        bot = openspiel.searcher(self.spiel, self.simulations, 1, seed % 2**31)
        action = bot.mcts_search(asked).best_child().action
        if self.seconds is not None:
            self.simulations = max(1, round(self.simulations * self.seconds / (time.monotonic() - before)))
        return state.game.notations[self.space.codec.act_of(state.position, action)]


def play(plan: Plan, block: int, seat: int, one: Chooser, others: Chooser) -> float:
    """The share of one player in a seat, against others in all other seats, from the opening of a block."""
    game = plan.game
    opening, chance = openings(plan, game).of(block), Chance(plan.seed, block)  # type: ignore[arg-type]
    state = game.start()
    played = 0
    while not state.is_terminal:
        actor = state.actor  # type: ignore[attr-defined]
        if actor == CHANCE:
            act = chance.act(state)  # type: ignore[arg-type]
        elif played < len(opening):
            act = opening[played]
        else:
            act = (one if actor == seat else others)(state, seed_of(plan.seed, block, actor, played))  # type: ignore[arg-type]
        state = state.apply(act)
        played += 1
    return shares_of(state.winners, game.players)[seat]


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("game", help="the game's name, such as icefrogs")
    parser.add_argument("--players", type=int, help="how many play it (the game's default)")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--simulations", type=int, help="of each search, ours and theirs (100)")
    limit.add_argument("--seconds", type=float, help="of each search instead, ours and theirs")
    parser.add_argument("--blocks", type=int, default=20, help="how many openings (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the openings and of chance (%(default)s)")
    chosen = parser.parse_args()
    asked = chosen_game(parser, chosen)
    game = game_of(asked.info, written(asked))
    simulations = chosen.simulations or (None if chosen.seconds else 100)
    peer = Peer(game, simulations, chosen.seconds)

    def ours(state: TurnState, seed: int) -> Action:
        return search(state, simulations=simulations, seconds=chosen.seconds, seed=seed)[0].action

    plan = Plan(game.info.name, None, game.options, ["random"], chosen.blocks, chosen.seed)
    shares = [
        sum(play(plan, block, seat, ours, peer.choose) for seat in range(game.players)) / game.players
        for block in range(chosen.blocks)
    ]
    share = mean(shares, 0, 1)
    report(
        game,
        simulations=simulations,
        seconds=chosen.seconds,
        games=chosen.blocks * game.players,
        share=round(share.value, 3),
        interval=[round(share.low, 3), round(share.high, 3)],
        equal=round(1 / game.players, 3),
    )


if __name__ == "__main__":
    main()
