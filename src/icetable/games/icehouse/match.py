"""Matches of several games: totals and tournament ratings."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from icetable.core.errors import GameError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from icetable.core.game import State


def totals(games: Sequence[State]) -> tuple[int, ...]:
    """The total score of each seat (IH-35).

    Raises GameError if a game is not over, or has another number of players than the others.
    """
    check(games)
    return tuple(sum(scores) for scores in zip(*(game.scores for game in games), strict=True))


def ratings(games: Sequence[State]) -> tuple[Fraction, ...]:
    """The tournament rating of each seat (IH-36). Raises GameError as `totals` does."""
    return tuple(rating(total, wins_of(games, seat)) for seat, total in enumerate(totals(games)))


def rating(total: int, wins: Fraction) -> Fraction:
    """The total times the wins plus one, where shared wins count as fractions (IH-36)."""
    return total * (wins + 1)


def wins_of(games: Sequence[State], seat: int) -> Fraction:
    """The number of games that a seat has won, with shared wins as fractions."""
    return sum((Fraction(1, len(game.winners)) for game in games if seat in game.winners), Fraction())


def check(games: Sequence[State]) -> None:
    """Raise GameError unless these are the ends of games for the same number of players."""
    if not games or len({game.game.players for game in games}) > 1:
        raise GameError("a match is of one or more games, all for the same number of players (IH-35)")
    if not all(game.is_terminal for game in games):
        raise GameError("a match is counted when its games are over (IH-35)")
