"""High Rise: towers over numbers that stay hidden until the end."""

from icetable.core.game import GameInfo
from icetable.core.options import Option

GAME = GameInfo(
    name="highrise",
    title="High Rise",
    summary="Build towers over hidden numbers: the player ahead in a tower scores the other's pips and its number.",
    players=(2, 2),
    default_players=2,
    options=(
        Option("rows", "int", 3, "Rows of the board", "HR-1", (), 3, 8),
        Option("cols", "int", 3, "Columns of the board", "HR-1", (), 3, 8),
        Option(
            "values",
            "list",
            "dice",
            "Numbers under the towers: dice, or a list with one number per square",
            "HR-2",
            ("dice",),
        ),
        Option("memory", "choice", "on", "Covered pyramids are hidden from view", "HR-7", ("on", "off")),
    ),
    rule_prefix="HR",
    turn_rule="HR-5",
    colours=("red", "purple"),
)
