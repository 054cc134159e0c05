"""High Rise: towers over numbers that stay hidden until the end."""

from icetable.core.game import GameInfo
from icetable.core.options import Option

GAME = GameInfo(
    name="highrise",
    title="High Rise",
    summary="Build towers over numbers: win one by more pips in it, and score your opponent's pips and its number.",
    players=(2, 2),
    default_players=2,
    options=(
        Option("rows", "int", 3, "Rows of the board", "HR-1", (), 3, 8),
        Option("cols", "int", 3, "Columns of the board", "HR-1", (), 3, 8),
        Option(
            "values",
            "list",
            "dice",
            "Numbers under the towers: dice, or a list with one for each square",
            "HR-2",
            ("dice",),
        ),
        Option(
            "numbers",
            "choice",
            "seen",
            "Dice before they are covered",
            "HR-2",
            ("seen", "unseen"),
            labels=("are seen by all", "are seen by nobody"),
            before="unseen",
        ),
        Option(
            "memory",
            "choice",
            "on",
            "Covered pyramids",
            "HR-7",
            ("on", "off"),
            labels=("stay hidden", "may be looked up"),
        ),
    ),
    mechanics=("Stacking", "Majorities", "Hidden numbers", "Memory"),
    rule_prefix="HR",
    turn_rule="HR-5",
    lots=True,
    colours=("red", "purple"),
)
