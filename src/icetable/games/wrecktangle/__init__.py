"""WreckTangle: four pyramids at the corners of a rectangle capture what stands inside or on its sides."""

from icetable.core.game import GameInfo
from icetable.core.options import Option

GAME = GameInfo(
    name="wrecktangle",
    title="WreckTangle",
    summary="Frame your opponents in rectangles: a die, a coin, and the last player left wins.",
    players=(2, 4),
    default_players=2,
    options=(
        Option("leap", "bool", False, "Whether normal moves may leap over a pyramid", "WT-6"),
        Option("rectangles", "choice", "upright", "Which rectangles count", "WT-10", ("upright", "tilted")),
        Option(
            "fallen",
            "choice",
            "removed",
            "What happens to the pyramids of a player who is out",
            "WT-16",
            ("removed", "stay"),
        ),
        Option(
            "turn_limit",
            "int",
            400,
            "Turns of all players after which the game is drawn; 0: no limit",
            "WT-18",
            (),
            0,
            10**9,
        ),
    ),
    rule_prefix="WT",
    turn_rule="WT-5",
    colours=("red", "blue", "yellow", "green"),
)
