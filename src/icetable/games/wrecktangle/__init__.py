"""WreckTangle: four pyramids at the corners of a rectangle capture the pyramids inside it or on its sides."""

from icetable.core.game import GameInfo
from icetable.core.options import Option

GAME = GameInfo(
    name="wrecktangle",
    title="WreckTangle",
    summary="Frame your opponents in rectangles: a die, a coin, and the last player left wins.",
    players=(2, 4),
    default_players=2,
    options=(
        Option("leap", "bool", False, "Normal moves can pass over a pyramid", "WT-6"),
        Option(
            "rectangles",
            "choice",
            "upright",
            "Which rectangles count",
            "WT-10",
            ("upright", "tilted"),
            labels=("upright ones only", "tilted ones, too"),
        ),
        Option(
            "home_coin",
            "choice",
            "stays",
            "What the coin does when a rectangle has a corner in a home row",
            "WT-12",
            ("stays", "turns"),
            labels=("it stays as it is", "it turns"),
            before="stays",
        ),
        Option(
            "fallen",
            "choice",
            "removed",
            "What happens to the pyramids of a player who is out",
            "WT-16",
            ("removed", "stay"),
            labels=("they are removed", "they stay on the board"),
        ),
        Option("turn_limit", "int", 400, "Total turns until the game is a draw; 0 for no limit", "WT-18", (), 0, 10**9),
    ),
    mechanics=("Dice", "Movement on a grid", "Capture by enclosure", "Elimination"),
    rule_prefix="WT",
    turn_rule="WT-5",
    lots=True,
    colours=("red", "blue", "yellow", "green"),
)
