"""High Rise: towers over numbers that stay hidden until the end."""

from icetable.core.game import GameInfo
from icetable.core.options import Option

GAME = GameInfo(
    name="highrise",
    title="High Rise",
    summary="Build towers over hidden numbers: who is ahead in a tower scores the other's pips and its number.",
    players=(2, 2),
    default_players=2,
    options=(
        Option("rows", "int", 3, "How many rows of squares the board has", "HR-1", (), 3, 8),
        Option("cols", "int", 3, "How many columns of squares the board has", "HR-1", (), 3, 8),
        Option(
            "values",
            "list",
            "dice",
            "The numbers under the towers: rolled dice, or a list with a number for each square",
            "HR-2",
            ("dice",),
        ),
        Option("memory", "choice", "on", "Whether covered pyramids are hidden from view", "HR-7", ("on", "off")),
    ),
    rule_prefix="HR",
    turn_rule="HR-5",
    colours=("red", "purple"),
)
