"""Who's On The Squad?: cheerleaders' try-outs, in which captains leap over friends that others place."""

from icetable.core.game import GameInfo
from icetable.core.options import Option, Reading

READINGS = (
    Reading(
        "Exact",
        "A freshman needs exactly 1 neighbour, a sophomore 2, a junior 3: tight, and often over early. "
        "With two players, the second to play has a slight edge.",
    ),
    Reading(
        "Friendly",
        "A freshman needs 1 neighbour, a sophomore 1 or 2, a junior 1 to 3: more room, more stunts. "
        "With two players, the first to play has the edge, so play two games.",
    ),
)
"""Descriptions of the choices of `formation`. Their figures: `icetable lab sweep squad --over formation=exact,up-to
--seats sims:100 --blocks 300` for each number of players, and measured.json."""

GAME = GameInfo(
    name="squad",
    title="Who's On The Squad?",
    summary="Place your friends so that your captain leaps into a crowd and your juniors stay standing.",
    players=(1, 4),
    default_players=2,
    options=(
        Option("board", "int", None, "Squares per side; by default 4 for one or two players, else 6", "SQ-1", (4, 6)),
        Option(
            "trios",
            "int",
            None,
            "Friends of each size per player; by default 2 for two players, else 3",
            "SQ-2",
            (2, 3),
        ),
        Option("captain_start", "int", 1, "Number a captain shows until its first stunt", "SQ-3", (0, 1)),
        Option(
            "begins",
            "choice",
            "corner",
            "Who begins with three players",
            "SQ-4",
            ("corner", "seat"),
            labels=("the first captain in a corner", "the first seat"),
            before="seat",
        ),
        Option(
            "friends",
            "choice",
            "any",
            "Whose pieces count as friends; with only your own, about half as many find a place",
            "SQ-6",
            ("any", "own"),
            labels=("anyone's", "only your own"),
        ),
        Option(
            "formation",
            "choice",
            "exact",
            "A friend needs exactly as many friends beside it as its size says, or up to that",
            "SQ-7",
            ("exact", "up-to"),
            readings=READINGS,
            recommended="up-to",
        ),
        Option(
            "stuck",
            "choice",
            "mover",
            "Whose friends must have no place left for the game to end",
            "SQ-13",
            ("mover", "anyone"),
            labels=("those of the player to move", "anyone's"),
            before="mover",
        ),
        Option(
            "tie",
            "choice",
            "tied",
            "Who can win a tie by having the most friends on the board",
            "SQ-15",
            ("tied", "all"),
            labels=("the players who are tied", "every player"),
            before="tied",
        ),
    ),
    mechanics=("Placement", "Leaping", "Chain reactions"),
    rule_prefix="SQ",
    turn_rule="SQ-5",
)
