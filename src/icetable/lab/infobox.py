"""The measured cells of the box at the top of a game's page."""

from __future__ import annotations

import contextlib
import math
import re
from typing import TYPE_CHECKING

from icetable.core.parts import STRATEGY_DEPTH, Cell
from icetable.core.turns import TurnGame
from icetable.lab.comparing import PLACES
from icetable.lab.intervals import interval, percent
from icetable.lab.luck import MIN_LUCK
from icetable.lab.measures import SECONDS_PER_TURN, at_limit

if TYPE_CHECKING:
    from icetable.core.game import Game
    from icetable.lab.intervals import Estimate
    from icetable.lab.ladders import Ladder
    from icetable.lab.studies import Study

CHANCE = ((0.0, "none"), (0.10, "some"), (0.35, "medium"), (0.65, "high"), (0.90, "very high"), (1.0, "all"))
"""Words for the share of chance in the variance of results, with their upper limits."""
DEPTH = ((5.0, "low"), (12.0, "medium"), (20.0, "high"), (math.inf, "very high"))
"""Words for the rungs of skill from random play to DEPTH_TOP_PLAYER, with their upper limits. Tic-tac-toe has 5 and
connect four 17 (docs/benchmarks.md).
"""
DEPTH_TOP_PLAYER = "sims:64"
COMPLEXITY = ((12.0, "low"), (24.0, "medium"), (math.inf, "high"))
"""Words for the number of numbered rules, with their upper limits."""
SECONDS_PER_PIECE = {"pyramids": 1.5, "dice": 1.0, "coins": 1.0, "tiles": 1.5}
"""Assumed time to set out a piece."""
SINGULARS = {"pyramids": "pyramid", "dice": "die", "coins": "coin", "tiles": "tile"}
SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def infobox(found: Study) -> list[Cell]:
    """The cells that a study fills."""
    best, info = found.best, found.plan.game.info
    least, most = info.players
    cells = [Cell("Players", str(least) if least == most else f"{least} to {most}")]
    if "turns" in best:
        length = best["turns"]["50 %"]
        is_cut = not math.isfinite(length.value)
        cells.append(Cell("Length", at_limit(found.plan.game) if is_cut else f"{interval(length)} turns"))
    if "50 %" in best["minutes"]:
        cells.append(Cell("Playing time", f"{interval(best['minutes']['50 %'], 1)} minutes"))
    else:
        times = [
            minutes_of(found.plan.game, *pair) for pair in zip(best["minutes"].values(), SECONDS_PER_TURN, strict=True)
        ]
        pace = " to ".join(map(str, SECONDS_PER_TURN))
        cells.append(Cell("Playing time", f"{' to '.join(times)} minutes", f"{pace} s a turn"))
    cells.append(setup_time(found.plan.game))
    if "seat_share" in best:
        shares = ", ".join(f"{seat}: {percent(share)}" for seat, share in best["seat_share"].items())
        cells.append(Cell("Seats", shares))
    cells.append(complexity(found))
    if found.luck is not None and is_luck_known(found) and isinstance(found.plan.game, TurnGame):
        share = found.luck.chance.value if found.plan.game.has_chance else 0.0
        word = word_for(max(share, MIN_LUCK) if found.plan.game.has_chance else 0.0, CHANCE)
        text = f"{word}, {percent(found.luck.chance)} of the result between greedy players" if share else word
        cells.append(Cell("Random chance", text, scale(CHANCE, 100, "%")))
    if found.ladder is not None and found.is_believed:
        cells.append(depth(found.ladder))
    if info.mechanics:
        cells.append(Cell("Mechanics", ", ".join(info.mechanics)))
    return cells


def setup_time(game: Game) -> Cell:
    counts = {name: count for name, count in game.pieces()._asdict().items() if count}
    seconds = sum(count * SECONDS_PER_PIECE[name] for name, count in counts.items())
    text = ", ".join(f"{count} {name if count > 1 else SINGULARS[name]}" for name, count in counts.items())
    assumed = ", ".join(f"{SECONDS_PER_PIECE[name]:g} s for each {SINGULARS[name]}" for name in counts)
    return Cell("Setup time", f"{max(seconds / 60, 0.1):.1f} minutes for {text}" if text else "none", assumed)


def complexity(found: Study) -> Cell:
    """The number of rules, and the number of legal acts."""
    info, best = found.plan.game.info, found.best
    text, scaled = [], ""
    with contextlib.suppress(FileNotFoundError):  # an unfinished game may have no page of rules yet
        rules = len(set(re.findall(rf"^\*\*({info.rule_prefix}-\d+)", info.rules(), re.MULTILINE)))
        text, scaled = [word_for(rules, COMPLEXITY), f"{rules} rules"], scale(COMPLEXITY, 1, " rules")
    if "choice" in best:
        text.append(f"{interval(best['choice']['mean'])} legal acts on average")
    if "tree" in best:
        size = f"{best['tree'][''].value:.0f}".translate(SUPERSCRIPT)
        text.append(f"10{size} courses of play")
    return Cell("Complexity", ", ".join(text), scaled)


def depth(ladder: Ladder) -> Cell:
    """The number of rungs, with a word if the ladder is the one that words are defined by."""
    bottom, top = ladder.steps[0].against, ladder.steps[-1].player
    text = f"{interval(ladder.rungs, 1)} rungs from {called(bottom)} to {called(top)}"
    if top != DEPTH_TOP_PLAYER:
        return Cell(STRATEGY_DEPTH, text)
    return Cell(STRATEGY_DEPTH, f"{word_for(ladder.rungs.value, DEPTH)}, {text}", scale(DEPTH, 1, " rungs"))


def summary(found: Study) -> str:
    """The most important facts about a game in a few sentences."""
    best, game = found.best, found.plan.game
    subject = "A bot alone takes about" if game.players == 1 else "About"
    no_seat = "Neither seat" if game.players == 2 else "No seat"
    said = []
    if "turns" in best:
        length = best["turns"]["50 %"].value
        text = f"{subject} {length:.0f} turns." if math.isfinite(length) else f"{at_limit(game)}."
        said.append(f"{text[0].upper()}{text[1:]}")
    elif "minutes" in best:
        said.append(f"{subject} {best['minutes']['50 %'].value:.1f} minutes.")
    if "seat_share" in best:
        seat = favours(found)
        share = list(best["seat_share"].values())[seat or 0]
        said.append(
            f"{no_seat} has an advantage." if seat is None else f"The {PLACES[seat]} seat wins {percent(share)}."
        )
    if "points_alone" in best:
        said.append(f"It gets {best['points_alone']['50 %'].value:.0f} points.")
    if isinstance(game, TurnGame) and found.luck is not None and is_luck_known(found):
        luck = f"Luck is {percent(found.luck.chance)} of the result."
        said.append(luck if game.has_chance else "No luck.")
    return " ".join(said)


def favours(found: Study) -> int | None:
    """The seat that wins clearly more than its share, counted from 0; None if no seat does."""
    best = found.better_seat(found.strongest) if "seat_share" in found.best else None
    return None if best is None else list(found.best["seat_share"]).index(best)


def is_luck_known(found: Study) -> bool:
    """Whether the amount of luck is known, also in a game without chance."""
    game, luck = found.plan.game, found.luck
    return isinstance(game, TurnGame) and luck is not None and (luck.is_known or not game.has_chance)


def minutes_of(game: Game, figure: Estimate, seconds: int) -> str:
    """Minutes at a number of seconds per turn; those of the turn limit if it cuts most games short."""
    if math.isfinite(figure.value):
        return f"{figure.value:.0f}"
    return f"more than {game.options['turn_limit'] * seconds / 60:.0f}"


def called(player: str) -> str:
    kind, _, number = player.partition(":")
    return f"a search of {number} simulations" if kind == "sims" else f"{player} play"


def word_for(value: float, words: tuple[tuple[float, str], ...]) -> str:
    """The word for a value on a scale."""
    return next((word for most, word in words if value <= most), words[-1][1])


def scale(words: tuple[tuple[float, str], ...], factor: float, unit: str) -> str:
    """A scale in words; a `unit` that is a word begins with a space."""
    text = (f"{word} up to {most * factor:g}{unit}" if most < math.inf else f"{word} above" for most, word in words)
    return ", ".join(text)
