"""Searches in the games of files, which take longer than acts and so have processes of their own."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import msgspec

from icetable.analysis.results import Analysis, Review, ReviewedAct, Shares
from icetable.bots.levels import SearchLevel, level_named
from icetable.core.game import Action
from icetable.server.apart import wire
from icetable.server.apart.games import ApartState

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.analysis.reviews import Retry
    from icetable.core.game import State
    from icetable.server.apart.games import ApartGame

SEARCH_SECONDS = 30.0
"""Maximum time, besides that of a question, of a search that is limited by its number of simulations."""
_analysis = msgspec.json.Decoder(Analysis)
_review = msgspec.json.Decoder(Review)
_retry = msgspec.json.Decoder(tuple[ReviewedAct, Shares, tuple[str, ...]])


def _position_of(state: ApartState) -> wire.PositionRef:
    return wire.PositionRef(state.game.written, 0, state.snapshot.saved)


class ApartBot:
    """A player of a game in a file, as `bots.Bot`."""

    def __init__(self, game: ApartGame, level: str) -> None:
        self.game = game
        chosen = level_named(game, level)
        assert isinstance(chosen, SearchLevel)
        self.level = chosen

    def choose(self, state: State, seat: int, *, threads: int | None = None) -> Action:
        """Choose a legal act for the seat. Blocks; raises like `GameProcess.ask`."""
        assert isinstance(state, ApartState)
        seed = random.SystemRandom().getrandbits(32)
        question = wire.Choose(_position_of(state), seat, self.level.name, seed)
        extra = self.level.effort.seconds or SEARCH_SECONDS
        return Action(state.game.info.code.bots.ask(question, wire.Said, extra=extra).text)


def analyse(state: ApartState, number: int, simulations: int) -> Analysis:
    """Analyse the position after `number` acts. Blocks; raises like `GameProcess.ask`."""
    question = wire.Analyse(_position_of(state), number, simulations)
    said = state.game.info.code.studies.ask(question, wire.Said, extra=SEARCH_SECONDS)
    return _analysis.decode(said.text)


def review(
    game: ApartGame, record: str, simulations: int, on_progress: Callable[[wire.ReviewProgress], object]
) -> Review:
    """Review a game, by its record. Blocks; raises like `GameProcess.ask`, and what `on_progress` raises."""
    question = wire.ReviewGame(record, simulations)
    said = game.info.code.studies.ask(question, wire.Said, extra=SEARCH_SECONDS, on_progress=on_progress)
    return _review.decode(said.text)


def retry(state: ApartState, act: str, number: int, simulations: int) -> Retry:
    """Judge an act after `number` acts. Blocks; raises like `GameProcess.ask`."""
    from icetable.analysis.reviews import Retry

    question = wire.RetryAct(_position_of(state), act, number, simulations)
    said = state.game.info.code.studies.ask(question, wire.Said, extra=2 * SEARCH_SECONDS)
    return Retry(*_retry.decode(said.text))


def play_bot_game(game: ApartGame, seed: int) -> tuple[int, frozenset[int]]:
    """As `bot_games.play_bot_game`. Blocks; raises like `GameProcess.ask`."""
    said = game.info.code.studies.ask(wire.PlayGame(game.written, seed), wire.Said, extra=SEARCH_SECONDS)
    acts, winners = json.loads(said.text)
    return acts, frozenset(winners)
