"""Who's On The Squad?: cheerleaders' try-outs, in which captains leap over friends that others place."""

from icetable.core.game import GameInfo
from icetable.core.options import Option, Reading

READINGS = (
    Reading(
        "Exact",
        "A friend needs exactly its number beside it: tight, and often over early. "
        "Of two equals the second seat has a slight edge, 58 % of the wins, and a pair of games evens it out; "
        "with three or four the first seat has one, 37 and 40 %.",
    ),
    Reading(
        "Friendly: up to",
        "A friend needs from one up to its number beside it: more places to go, more stunts, more juniors. "
        "Of two equals the first seat has the edge, 79 % of the wins, and a pair of games evens it out; "
        "with three it has 40 %, and with four nearly its due.",
    ),
)
"""What the choices of `formation` are like. Figures: `icetable lab sweep squad --over formation=exact,up-to --seats
sims:100 --blocks 300` for each number of players, and measured.json."""

GAME = GameInfo(
    name="squad",
    title="Who's On The Squad?",
    summary="Place your friends so that your captain stunts over them to a crowd, and your juniors keep standing.",
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
            "Whose pieces count as friends; of your own alone, about half as many find a place",
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
            "Whose friends have to be out of place for the game to end",
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
