"""Verdicts on placements, for other languages to be held to."""

import json

from tests.vectors import placements


def test_the_vectors_are_fresh() -> None:
    assert placements.FILE.read_text(encoding="utf-8") == placements.usual(), "run python -m tests.vectors.placements"


def test_the_vectors_hold_every_verdict() -> None:
    scenes = json.loads(placements.FILE.read_text(encoding="utf-8"))
    told = {(verdict, early) for scene in scenes for *_, verdict, _, early in scene["placements"]}
    assert told >= {("fits", False), ("fits", True), ("crash", False), ("overlaps", False), ("off-field", False)}
    refused = {"overlaps-deeply", "too-early", "points-at-nothing", "points-at-attacker", "points-at-own-colour"}
    assert {verdict for verdict, _ in told} >= refused | {"out-of-range"}
