"""Studies of games: all measures at several strengths of players, and the results in words."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from icetable import games
from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.core.turns import TurnGame
from icetable.lab.blocks import final_state
from icetable.lab.comparing import ALPHA
from icetable.lab.intervals import interval, percent, whole_percent
from icetable.lab.ladders import Ladder, ladder
from icetable.lab.luck import SOURCES, Luck, split_luck
from icetable.lab.measures import Figures, Games, at_limit, limit_of, measured, p_of_equal_seats, p_of_openings
from icetable.lab.plan import Plan
from icetable.lab.positions import states
from icetable.lab.running import at_stage, run
from icetable.lab.stopping import known_to, run_until
from icetable.lab.usage import effect_measures
from icetable.lab.worth import EvaluatedGames, evaluate, functions_for, most_dramatic, option_measures, worth_measures
from icetable.workshop.playing import PlainGame

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Executor
    from pathlib import Path

    from icetable.core.game import Game
    from icetable.lab.blocks import Row
    from icetable.lab.running import OnProgress

MAX_REPLAYED, MAX_REPLAYED_IN_REAL_TIME = 200, 50
"""Maximum number of blocks per strength for measures of evaluations and effects."""
MAX_BLOCKS_FOR_OPTIONS = 40
"""Maximum number of blocks per strength for measures of all options of players and chance."""
LUCK_SLIP = 0.1
"""Probability of a random act of the greedy players who measure luck; they are random if evaluations are unreliable."""
AMONG = "Between greedy players who play a random act in a tenth of their turns"
AMONG_RANDOM = "Between random players"
BY_PLAYOUTS = {"greedy": "pure:4", "sims:30": "pure:30", "sims:100": "pure:100", "sims:800": "pure:800"}
"""Replacement players with random playouts, for a game without reliable evaluations."""


class Budget(NamedTuple):
    """The number of games: blocks per strength, games and playouts for luck, doublings and blocks for depth, and blocks
    between two levels in a game without turns.
    """

    in_turns: Mapping[str, int]
    in_real_time: Mapping[str, int]
    luck: tuple[int, int]
    ladder: tuple[int, int]
    levels: int = 2


BUDGETS = {
    "quick": Budget({"random": 400, "greedy": 100, "sims:30": 60}, {"beginner": 50, "skilled": 50}, (50, 3), (3, 50)),
    "normal": Budget(
        {"random": 9604, "greedy": 2401, "sims:100": 1200},
        {"beginner": 200, "skilled": 200, "merciless": 200},
        (200, 16),
        (6, 100),
        50,
    ),
    "deep": Budget(
        {"random": 38416, "greedy": 9604, "sims:100": 4802, "sims:800": 1200},
        {"beginner": 800, "casual": 800, "skilled": 800, "expert": 800, "merciless": 800},
        (1000, 32),
        (9, 400),
        100,
    ),
}
"""On two cores, `quick` takes at most a minute per game and `normal` at most twenty."""
BUDGETS_IN_PYTHON = {**BUDGETS, "quick": Budget({"random": 100, "greedy": 50}, {}, (50, 1), (0, 50))}
"""The same for games without a kernel, which play a thousand times fewer acts a second."""


class Sample(NamedTuple):
    """An example game: its kind, its number in the run, its turns, and its record."""

    name: str
    game: str
    turns: int
    record: str


@dataclass(frozen=True)
class Study:
    """The results of a study: all measures at each strength, the amount of luck, and the depth of the game.

    `plan` is that of the strongest players, and `records` are examples of its games. `lengths` counts games by turns,
    or by seconds in a game without turns, which has no `luck`; a game for one player has no `ladder` either. If games
    were played `until` the seats' shares reached a precision, `is_enough` says whether they did. `p_of_openings` are
    adjusted p-values between the strongest players.
    """

    plan: Plan
    effort: str
    strengths: Mapping[str, Mapping[str, Figures]]
    lengths: Mapping[str, Mapping[int, int]]
    p_values: Mapping[str, float]
    luck: Luck | None
    ladder: Ladder | None
    records: list[Sample]
    until: float | None = None
    is_enough: bool = True
    p_of_openings: Mapping[str, float] = field(default_factory=dict)

    @property
    def strongest(self) -> str:
        return list(self.strengths)[-1]

    @property
    def best(self) -> Mapping[str, Figures]:
        """The measures of games between the strongest players."""
        return self.strengths[self.strongest]

    @property
    def is_believed(self) -> bool:
        """Whether evaluations are reliable: a player who looks one act ahead beats a random one."""
        return is_believed(self.plan.game, self.ladder)

    @property
    def is_by_worth(self) -> bool:
        """Whether the players of the study use evaluations of positions."""
        return self.is_believed and is_evaluated(self.plan.game)

    def better_seat(self, strength: str) -> str | None:
        """The best seat between players of a strength; None if no seat is significantly better."""
        shares = self.strengths[strength].get("seat_share", {})
        if len(shares) < 2 or self.p_values[strength] >= ALPHA:
            return None
        return max(shares, key=lambda seat: shares[seat].value)


def study(
    game: Game | str | type,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    effort: str = "quick",
    seed: int = 0,
    until: float | None = None,
    out: Path | None = None,
    where: Executor | None = None,
    jobs: int = 1,
    tell: OnProgress | None = None,
) -> Study:
    """Study a game: seats, length, endings, choices, luck and depth, at several strengths of equal players.

    `effort`: "quick", "normal" or "deep". `until`: stop once the share of every seat is known to plus or minus this
    much at each strength, by anytime-valid intervals, or at the number of games of the effort. `out`: the folder for
    all games, with a subfolder per strength; a study that was stopped continues there. If the game has no evaluation
    of positions, or players who use it don't beat random ones, the players use random playouts instead, and measures of
    evaluations are left out.

    Raises GameError.
    """
    if effort not in BUDGETS:
        raise GameError(f"effort can't be {short_repr(effort)}; allowed: {', '.join(BUDGETS)}")
    has_turns = games.info_of(game).turns
    loaded = Plan(game, players, options, ["random" if has_turns else "beginner"]).game
    budget = (BUDGETS_IN_PYTHON if isinstance(loaded, PlainGame) else BUDGETS)[effort]
    by_strength = budget.in_turns if has_turns else budget.in_real_time
    has_opponents, is_split = loaded.players > 1, isinstance(loaded, TurnGame) and loaded.players > 1
    numbers, stages = itertools.count(1), has_opponents + len(by_strength) + is_split

    def stage(name: str) -> OnProgress | None:
        return at_stage(tell, f"stage {next(numbers)} of {stages}, {name}")

    steps = None
    if has_opponents:
        doublings, blocks = budget.ladder if has_turns else (0, budget.levels)
        depth = stage("from weak to strong players")
        steps = ladder(game, players, options, doublings, blocks, seed, out and out / "ladder", where, jobs, depth)
    is_reliable = is_evaluated(loaded) and is_believed(loaded, steps)
    if not is_reliable:
        by_strength = {BY_PLAYOUTS.get(name, name): blocks for name, blocks in by_strength.items()}
    plans = {name: Plan(game, players, options, (name,), blocks, seed) for name, blocks in by_strength.items()}
    strengths, lengths, p_values = {}, {}, {}
    records: list[Sample] = []
    is_enough = True
    for name, plan in plans.items():
        folder, now = out and out / name.replace(":", "-"), stage(f"{name} players")
        if until is None:
            played = Games(plan, run(plan, folder, where, jobs, now).rows)
        else:
            played, _, enough = run_until(plan, known_to(until), None, folder, where, jobs, now)
            is_enough = is_enough and enough
        replayed = first_of(played, MAX_REPLAYED if plan.game.info.turns else MAX_REPLAYED_IN_REAL_TIME)
        evaluated = evaluate(replayed) if is_reliable and functions_for(plan.game) else None
        first_blocks = first_of(played, MAX_BLOCKS_FOR_OPTIONS)
        by_worth = worth_measures(evaluated) | option_measures(first_blocks) if evaluated else {}
        by_position = {"states": states(played)} if plan.game.info.turns else {}
        strengths[name] = {**measured(played), **by_position, **by_worth, **effect_measures(replayed)}
        lengths[name] = Counter(length_of(row) for row in played.rows)
        records = samples(played, evaluated)
        p_values[name] = p_of_equal_seats(played) if plan.game.players > 1 else 1.0
    luck = None
    if isinstance(plan.game, TurnGame) and plan.game.players > 1:
        slip = LUCK_SLIP if is_reliable else 1.0
        stage("how much is luck")
        luck = split_luck(plan.game, budget.luck[0], seed, slip=slip, playouts=budget.luck[1], jobs=jobs)
    by_opening = p_of_openings(played) if plan.game.info.turns and plan.game.players > 1 else {}
    return Study(played.plan, effort, strengths, lengths, p_values, luck, steps, records, until, is_enough, by_opening)


def is_evaluated(game: Game) -> bool:
    """Whether a game has an evaluation of positions, or no turns and its own players."""
    return not isinstance(game, TurnGame) or game.is_evaluated


def is_believed(game: Game, steps: Ladder | None) -> bool:
    """Whether players who use a game's evaluation of positions beat random ones."""
    if steps is None or not isinstance(game, TurnGame) or not game.is_evaluated:
        return True
    return steps.steps[0].share.value > 1 / game.players


def first_of(games: Games, blocks: int) -> Games:
    """The games of the first blocks, for slow measures."""
    return Games(games.plan, games.rows[: blocks * len(games.plan.orders)])


def length_of(row: Row) -> int:
    """The turns of a game, or its seconds in a game without turns."""
    return round(row.times[-1] / 1000) if row.times else row.turns


def samples(played: Games, evaluated: EvaluatedGames | None) -> list[Sample]:
    """The games of median length, the shortest and the longest, and the most dramatic of the evaluated ones."""
    ordered = sorted(played.rows, key=length_of)
    chosen = {"median": ordered[len(ordered) // 2], "shortest": ordered[0], "longest": ordered[-1]}
    if evaluated is not None:
        chosen["most dramatic"] = most_dramatic(evaluated)
    return [
        Sample(name, f"{row.block}.{row.game}", row.turns, final_state(played.plan, row).record())
        for name, row in chosen.items()
    ]


def answers(found: Study) -> list[str]:
    """The results of a study in sentences."""
    best = found.best
    said = [f"Figures are for games between equal players ({found.strongest}), with 95% intervals in brackets."]
    if found.until is not None:
        how = "Games were played until" if found.is_enough else "All games were played before"
        said.append(f"{how} the share of every seat was known to plus or minus {100 * found.until:g} points.")
    if "turns" in best:
        said.append(_on_length(found.plan.game, best["turns"]))
    elif "minutes" in best:
        said.append(f"A game takes {interval(best['minutes']['50 %'], 1)} minutes.")
    said += _on_ends(found)
    if "seat_share" in best:
        said += _on_seats(found)
        said += _on_openings(found)
        said.append(f"There is no single winner in {percent(best['draws'][''])} of games.")
    if found.luck is not None:
        has_chance = isinstance(found.plan.game, TurnGame) and found.plan.game.has_chance
        said.append(on_luck(found.luck, has_chance, AMONG if found.is_by_worth else AMONG_RANDOM))
    if not is_evaluated(found.plan.game):
        said.append(
            "The game has no evaluation of positions, so its players use random playouts, and measures that need an "
            "evaluation are left out."
        )
    if not found.is_believed:
        said.append(
            "Players who use the game's evaluation of positions don't beat random ones, so it is not reliable: "
            f"{found.strongest} players use random playouts instead, and depth, drama and real choice are left out."
        )
    elif found.ladder is not None:
        bottom, top = found.ladder.steps[0].against, found.ladder.steps[-1].player
        said.append(f"From {bottom} to {top} players there are {interval(found.ladder.rungs, 1)} rungs of skill.")
        said.append("A player wins 60 of 100 games against one a rung below.")
    if "surprise" in best and found.plan.game.players > 2:
        said.append(_on_kings(best))
    if "points_alone" in best:
        said.append(f"The median score is {interval(best['points_alone']['50 %'])} points.")
    if never := [kind.replace("_", " ") for kind, share in best.get("usage", {}).items() if share.value == 0]:
        said.append(f"Some effects never occurred: {', '.join(never)}.")
    if "choice" in best:
        said.append(f"A player chooses from {interval(best['choice']['mean'])} acts on average.")
    return said


def _on_ends(found: Study) -> list[str]:
    """Whether games end without a limit."""
    cut = {strength: best["cut_short"][""] for strength, best in found.strengths.items() if "cut_short" in best}
    some = {strength: share for strength, share in cut.items() if share.value > 0}
    if cut and not some:
        most = max(share.high for share in cut.values())
        return [f"All games end by themselves; at each strength, at most {100 * most:.2g} of 100 might not."]
    how = limit_of(found.plan.game)
    return [f"Between {strength} players, {percent(share)} of games reach {how}." for strength, share in some.items()]


def _on_seats(found: Study) -> list[str]:
    """The best seat, and whether it is the same at every strength."""
    better = {strength: found.better_seat(strength) for strength in found.strengths}
    most = better[found.strongest]
    if most is None:
        return ["No seat is clearly better than another in these games."]
    shares = found.best["seat_share"]
    equal = whole_percent(1 / len(shares))
    said = [f"The best seat is {most}, with {percent(shares[most])} of the game instead of {equal}%."]
    others = {strength: seat for strength, seat in better.items() if seat != most}
    if len(better) > 1 and not others:
        said.append("This holds at every strength.")
    for strength, seat in others.items():
        if seat is None:
            said.append(f"Between {strength} players, no seat is clearly better.")
        else:
            share = percent(found.strengths[strength]["seat_share"][seat])
            said.append(f"Between {strength} players, it is {seat}, with {share}.")
    return said


def _on_openings(found: Study) -> list[str]:
    """The best and the worst first act, if they are significant."""
    shares = found.best.get("openings", {})
    if len(shares) < 2:
        return []
    clear = sorted((act for act in shares if found.p_of_openings[act] < ALPHA), key=lambda act: shares[act].value)
    if not clear:
        return [f"None of the {len(shares)} first acts is clearly better than another in these games."]
    ends = [f"after {act}, its seat gets {percent(shares[act])}" for act in {clear[0]: 0, clear[-1]: 0}]
    return [f"The first act matters: {' and '.join(ends)}."]


def on_luck(luck: Luck, has_chance: bool, among: str = AMONG) -> str:
    """The amount of luck in a sentence."""
    luck = luck.shares
    if not has_chance and not luck.is_seat_known:
        return "Nothing is left to chance. These games are too few to say how much comes from the seat."
    if not has_chance:
        return f"Nothing is left to chance. {among}, {percent(luck.seat)} of the result comes from the seat."
    if not luck.is_known:
        return "These games are too few to say how much of the result is luck; use a greater effort."
    seat, choices, chance = (percent(getattr(luck, source)) for source in SOURCES)
    return f"{among}, {chance} of the result comes from chance, {choices} from choices and {seat} from the seat."


def _on_length(game: Game, turns: Figures) -> str:
    """The length of a game in turns, in a sentence."""
    low, median, high = (turns[part] for part in ("5 %", "50 %", "95 %"))
    if not math.isfinite(low.value):
        return f"More than 95 of 100 games reach {limit_of(game)}."
    least = f"95 of 100 take {low.value:.0f} or more"
    if not math.isfinite(median.value):
        said = at_limit(game)
        return f"{said[0].upper()}{said[1:]}; {least}."
    both = f"nine of ten take {low.value:.0f} to {high.value:.0f}" if math.isfinite(high.value) else least
    return f"A game takes {interval(median)} turns; {both}."


def _on_kings(best: Mapping[str, Figures]) -> str:
    """The amount of kingmaking in a sentence."""
    if "kingmaking" not in best:
        return "There was no kingmaking, as no losing seat ever acted."
    share = percent(best["kingmaking"][""])
    return f"In {share} of all acts, a losing seat changes which of the others leads."
