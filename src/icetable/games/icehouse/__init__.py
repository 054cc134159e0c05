"""Icehouse: real time, no turns, on an open table."""

from icetable.core.game import GameInfo
from icetable.core.options import Option
from icetable.games.icehouse.view import COLOURS

MAX_FIELD_INCHES = 240
MAX_SECONDS = 86_400

GAME = GameInfo(
    name="icehouse",
    title="Icehouse",
    summary="No turns: upright pyramids defend, lying ones attack. Call “Icehouse!” before somebody calls it on you.",
    players=(2, 8),
    default_players=4,
    options=(
        Option("width", "float", 24.0, "Width of the field in inches", "IH-2", (), 1, MAX_FIELD_INCHES),
        Option("height", "float", 24.0, "Height of the field in inches", "IH-2", (), 1, MAX_FIELD_INCHES),
        Option(
            "length",
            "choice",
            "face",
            "Length of a lying pyramid",
            "IH-4",
            ("face", "height"),
            labels=("its slanted face", "its height"),
        ),
        Option(
            "range",
            "choice",
            "gap",
            "Attack range is measured",
            "IH-11",
            ("gap", "ray"),
            labels=("between the pieces", "along the ray"),
        ),
        Option(
            "meltdown",
            "choice",
            "call",
            "Attacks before two defenders",
            "IH-13",
            ("call", "prevent"),
            labels=("anyone may call a meltdown", "not allowed"),
        ),
        Option(
            "false_call",
            "choice",
            "gift",
            "Penalty for a false call",
            "IH-20",
            ("gift", "free"),
            labels=("give a piece away", "none"),
        ),
        Option(
            "call_pause",
            "float",
            10.0,
            "Seconds during which calls are ignored after a false one",
            "IH-20",
            (),
            0,
            MAX_SECONDS,
        ),
        Option(
            "call_grace",
            "float",
            1.5,
            "Seconds during which calls are ignored after a true one",
            "IH-22",
            (),
            0,
            MAX_SECONDS,
        ),
        Option("gift_time", "float", 10.0, "Seconds to give a piece you owe", "IH-24", (), 0, MAX_SECONDS),
        Option(
            "crash",
            "choice",
            "penalty",
            "A placement that crashes",
            "IH-30",
            ("penalty", "refuse"),
            labels=("costs the piece", "is not allowed"),
        ),
        Option("tolerance", "float", 0.03, "Overlap, in inches, that is not yet a crash", "IH-30", (), 0, 1),
        Option("timer", "float", 600.0, "Seconds until the bell rings; 0 for no bell", "IH-31", (), 0, MAX_SECONDS),
        Option(
            "timer_spread",
            "float",
            0.2,
            "How early or late the bell may ring, as a part of the timer: 0.2 is up to 20%",
            "IH-31",
            (),
            0,
            1,
        ),
    ),
    mechanics=("Real time", "Placement on an open table", "Attack and defence", "Calls"),
    rule_prefix="IH",
    turn_rule="IH-1",
    presets={
        "classic": {},
        "friendly": {"crash": "refuse", "meltdown": "prevent", "false_call": "free"},
        "tournament": {"players": 4},
        "first": {"players": 3, "crash": "refuse", "meltdown": "prevent", "false_call": "free", "timer": 300.0},
    },
    colours=COLOURS,
    turns=False,
)
