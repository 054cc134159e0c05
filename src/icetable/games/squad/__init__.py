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
        Option("board", "int", None, "Squares a side; if left open 4 for one or two players, else 6", "SQ-1", (4, 6)),
        Option(
            "trios",
            "int",
            None,
            "Friends of each size a player; if left open 2 for two players, else 3",
            "SQ-2",
            (2, 3),
        ),
        Option("captain_start", "int", 1, "What a captain shows until its first stunt", "SQ-3", (0, 1)),
        Option(
            "friends",
            "choice",
            "any",
            "Whose pieces count as friends; own goes only with up-to",
            "SQ-6",
            ("any", "own"),
        ),
        Option(
            "formation",
            "choice",
            "exact",
            "Whether a friend needs as many friends beside it as its size says, or may have fewer",
            "SQ-7",
            ("exact", "up-to"),
        ),
    ),
    rule_prefix="SQ",
    turn_rule="SQ-5",
)
