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
        Option("width", "float", 24.0, "How wide the field is, in inches", "IH-2", (), 1, LARGEST_FIELD),
        Option("height", "float", 24.0, "How high the field is, in inches", "IH-2", (), 1, LARGEST_FIELD),
        Option("length", "choice", "face", "What a lying pyramid is as long as", "IH-4", ("face", "height")),
        Option("range", "choice", "gap", "What must be shorter than a lying pyramid", "IH-11", ("gap", "ray")),
        Option("meltdown", "choice", "call", "What becomes of attacks played too early", "IH-13", ("call", "prevent")),
        Option("false_call", "choice", "gift", "What a false call of icehouse costs", "IH-20", ("gift", "free")),
        Option("call_pause", "float", 10.0, "Seconds of void calls after a false one", "IH-20", (), 0, LONGEST_TIME),
        Option("call_grace", "float", 1.5, "Seconds of void calls after a true one", "IH-22", (), 0, LONGEST_TIME),
        Option("gift_time", "float", 10.0, "Seconds in which to give what is owed", "IH-24", (), 0, LONGEST_TIME),
        Option("crash", "choice", "penalty", "What a deep overlap costs", "IH-30", ("penalty", "refuse")),
        Option("tolerance", "float", 0.03, "Inches of overlap that are no crash yet", "IH-30", (), 0, 1),
        Option("timer", "float", 600.0, "Seconds until the bell rings; 0: never", "IH-31", (), 0, LONGEST_TIME),
        Option("timer_spread", "float", 0.2, "How far the bell may be off, of the timer", "IH-31", (), 0, 1),
    ),
    face="icetable.games.icehouse.game",
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
