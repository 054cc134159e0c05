"""Who's On The Squad?: cheerleaders' try-outs, in which captains leap over friends that others place."""

from icetable.core.game import GameInfo
from icetable.core.options import Option

GAME = GameInfo(
    name="squad",
    title="Who's On The Squad?",
    summary="Place your friends so that your captain stunts over them to a crowd, and your juniors keep standing.",
    players=(1, 4),
    default_players=2,
    options=(
        Option("board", "int", None, "Squares per side (default: 4 for one or two players, else 6)", "SQ-1", (4, 6)),
        Option(
            "trios",
            "int",
            None,
            "Friends of each size per player (default: 2 for two players, else 3)",
            "SQ-2",
            (2, 3),
        ),
        Option("captain_start", "int", 1, "The number on a captain until its first stunt", "SQ-3", (0, 1)),
        Option(
            "friends",
            "choice",
            "any",
            "Whose pieces count as friends (own only with up-to)",
            "SQ-6",
            ("any", "own"),
        ),
        Option(
            "formation",
            "choice",
            "exact",
            "Whether a friend needs exactly as many friends beside it as its size says, or at most as many",
            "SQ-7",
            ("exact", "up-to"),
        ),
    ),
    rule_prefix="SQ",
    turn_rule="SQ-5",
)
