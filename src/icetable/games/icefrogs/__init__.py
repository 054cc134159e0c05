"""IceFrogs: pyramids jump across a star to reach an opponent's start."""

from icetable.core.game import GameInfo
from icetable.core.options import Option

GAME = GameInfo(
    name="icefrogs",
    title="IceFrogs",
    summary="Jump and stack your way across the star: reach an opponent's start space first to win.",
    players=(2, 6),
    default_players=2,
    options=(
        Option("board", "choice", "star", "Shape of the board of 37 spaces", "IF-1", ("star", "hexagon")),
        Option("turn_limit", "int", 400, "Total turns until the game is a draw; 0 for no limit", "IF-18", (), 0, 10**9),
    ),
    mechanics=("Jumping", "Stacking"),
    rule_prefix="IF",
    turn_rule="IF-5",
    lots=True,
    colours=("red", "blue", "yellow", "green", "purple", "orange"),
)
