"""Icehouse: real time, no turns, on an open table."""

from icetable.core.game import GameInfo
from icetable.core.options import Option
from icetable.games.icehouse.view import COLOURS

LARGEST_FIELD = 240
LONGEST_TIME = 86_400

GAME = GameInfo(
    name="icehouse",
    title="Icehouse",
    summary="No turns: stand to defend, point to attack, and call the icehouse before somebody calls it on you.",
    players=(2, 8),
    default_players=4,
    options=(
        Option("width", "float", 24.0, "Width of the field in inches", "IH-2", (), 1, LARGEST_FIELD),
        Option("height", "float", 24.0, "Height of the field in inches", "IH-2", (), 1, LARGEST_FIELD),
        Option("length", "choice", "face", "Length of a lying pyramid", "IH-4", ("face", "height")),
        Option("range", "choice", "gap", "How attack range is measured", "IH-11", ("gap", "ray")),
        Option("meltdown", "choice", "call", "What happens to attacks played too early", "IH-13", ("call", "prevent")),
        Option("false_call", "choice", "gift", "Penalty for a false call", "IH-20", ("gift", "free")),
        Option(
            "call_pause", "float", 10.0, "Seconds calls are ignored after a false one", "IH-20", (), 0, LONGEST_TIME
        ),
        Option("call_grace", "float", 1.5, "Seconds calls are ignored after a true one", "IH-22", (), 0, LONGEST_TIME),
        Option("gift_time", "float", 10.0, "Seconds to give a piece you owe", "IH-24", (), 0, LONGEST_TIME),
        Option("crash", "choice", "penalty", "Penalty for a crash", "IH-30", ("penalty", "refuse")),
        Option("tolerance", "float", 0.03, "Overlap in inches that is not yet a crash", "IH-30", (), 0, 1),
        Option("timer", "float", 600.0, "Seconds until the bell rings; 0 for no bell", "IH-31", (), 0, LONGEST_TIME),
        Option("timer_spread", "float", 0.2, "Random part of the timer, earlier or later", "IH-31", (), 0, 1),
    ),
    rule_prefix="IH",
    turn_rule="IH-1",
    presets={
        "classic": {},
        "friendly": {"crash": "refuse", "meltdown": "prevent", "false_call": "free"},
        "tournament": {"players": 4},
    },
    colours=COLOURS,
    turns=False,
)
