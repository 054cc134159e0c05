"""Studies of games: all measures at several strengths of players, the results in words, the measured cells of the box
at the top of a game's page, and reports: figures as JSON, and a page that works offline, built by the front end.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from icetable import games
from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.core.parts import STRATEGY_DEPTH, Cell
from icetable.core.turns import Device, TurnGame
from icetable.lab import storage
from icetable.lab.comparisons import ALPHA, PLACES
from icetable.lab.intervals import interval, percent, whole_percent
from icetable.lab.luck import MIN_LUCK, SOURCES, Luck, split_luck
from icetable.lab.matches import Ladder, ladder
from icetable.lab.measures import (
    OPTION_MEASURES,
    SECONDS_PER_TURN,
    WORTH_MEASURES,
    EvaluatedGames,
    Figures,
    Games,
    Measure,
    at_limit,
    evaluate,
    functions_for,
    limit_of,
    measured,
    measures_for,
    most_dramatic,
    option_measures,
    p_of_equal_seats,
    p_of_openings,
    states,
    worth_measures,
)
from icetable.lab.plan import Plan, final_state
from icetable.lab.playouts import RANDOM_GAMES, has_random_games, random_games
from icetable.lab.runs import anytime_shares, at_stage, known_to, manifest, run, run_until
from icetable.lab.usage import USAGE_MEASURES, effect_measures, spaces_of
from icetable.workshop.playing import PlainGame

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from icetable.core.game import Game
    from icetable.lab.intervals import Estimate
    from icetable.lab.plan import Row
    from icetable.lab.runs import OnProgress


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
CHANCE_WORDS = ((0.0, "none"), (0.10, "some"), (0.35, "medium"), (0.65, "high"), (0.90, "very high"), (1.0, "all"))
"""Words for the share of chance in the variance of results, with their upper limits."""
DEPTH_WORDS = ((5.0, "low"), (12.0, "medium"), (20.0, "high"), (math.inf, "very high"))
"""Words for the rungs of skill from random play to DEPTH_TOP_PLAYER, with their upper limits. Tic-tac-toe has 5 and
connect four 17 (docs/benchmarks.md).
"""
DEPTH_TOP_PLAYER = "sims:64"
COMPLEXITY_WORDS = ((12.0, "low"), (24.0, "medium"), (math.inf, "high"))
"""Words for the number of numbered rules, with their upper limits."""
SECONDS_PER_PIECE = {"pyramids": 1.5, "dice": 1.0, "coins": 1.0, "tiles": 1.5}
"""Assumed time to set out a piece."""
SINGULARS = {"pyramids": "pyramid", "dice": "die", "coins": "coin", "tiles": "tile"}
SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
PAGE = Path(__file__).parent / "page" / "report.html"
DATA_START = '<script type="application/json" id="study">'
DATA_END = "</script>"


class Budget(NamedTuple):
    """The number of games of a study."""

    in_turns: Mapping[str, int]
    """The blocks by name of the players, in a game of turns."""
    in_real_time: Mapping[str, int]
    """The blocks by name of the players, in a game without turns."""
    luck: tuple[int, int]
    """The games and the playouts that tell how much is luck."""
    ladder: tuple[int, int]
    """The doublings of the search and the blocks that tell how deep the game is."""
    levels: int = 2
    """The blocks between two levels in a game without turns."""


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
    """An example game."""

    name: str
    """What it is an example of, such as "shortest"."""
    game: str
    """Its block and its number in the block, such as "12.0"."""
    turns: int
    """The number of its turns."""
    record: str
    """Its record."""


@dataclass(frozen=True)
class Study:
    """The results of a study."""

    plan: Plan
    """The plan of the strongest players."""
    effort: str
    """"quick", "normal" or "deep"."""
    strengths: Mapping[str, Mapping[str, Figures]]
    """The measures by name, at each strength, the weakest first."""
    lengths: Mapping[str, Mapping[int, int]]
    """The number of games by turns, at each strength; by seconds in a game without turns."""
    p_values: Mapping[str, float]
    """The p-value of equal seats, at each strength."""
    luck: Luck | None
    """How much of the result is luck; None in a game without turns or for one player."""
    ladder: Ladder | None
    """The depth of the game; None for one player."""
    records: list[Sample]
    """Examples of the games of the strongest players."""
    until: float | None = None
    """The precision of the seats' shares at which to stop; None if there was none."""
    is_enough: bool = True
    """Whether the shares reached that precision."""
    p_of_openings: Mapping[str, float] = field(default_factory=dict)
    """By first act: the adjusted p-value of it being as good as the others, between the strongest players."""
    random_games: int = 0
    """How many games between random players their shares, endings and lengths are those of, without acts; 0 if they are
    those of the other measures.
    """

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
    executor: Executor | None = None,
    jobs: int = 1,
    on_progress: OnProgress | None = None,
    device: Device = "cpu",
) -> Study:
    """Study a game: seats, length, endings, choices, luck and depth, at several strengths of equal players.

    `effort`: "quick", "normal" or "deep". `until`: stop once the share of every seat is known to plus or minus this
    much at each strength, by anytime-valid intervals, or at the number of games of the effort. `out`: the folder for
    all games, with a subfolder per strength; a study that was stopped continues there. If the game has no evaluation
    of positions, or players who use it don't beat random ones, the players use random playouts instead, and measures of
    evaluations are left out. If the game has a kernel, the shares, endings and lengths of games between random players
    are those of 100,000 games, played on as many threads as `jobs`, or with `device` "cuda" on a GPU: the same games.

    Raises GameError.
    """
    if effort not in BUDGETS:
        raise GameError(f"effort can't be {short_repr(effort)}; allowed: {', '.join(BUDGETS)}")
    has_turns = games.info_of(game).turns
    weakest = Plan(game, players, options, ["random" if has_turns else "beginner"], seed=seed)
    loaded, has_many = weakest.game, has_random_games(weakest, device)
    budget = (BUDGETS_IN_PYTHON if isinstance(loaded, PlainGame) else BUDGETS)[effort]
    by_strength = budget.in_turns if has_turns else budget.in_real_time
    has_opponents, is_split = loaded.players > 1, isinstance(loaded, TurnGame) and loaded.players > 1
    numbers, stages = itertools.count(1), has_opponents + len(by_strength) + is_split

    def stage(name: str) -> OnProgress | None:
        return at_stage(on_progress, f"stage {next(numbers)} of {stages}, {name}")

    steps = None
    if has_opponents:
        doublings, blocks = budget.ladder if has_turns else (0, budget.levels)
        depth = stage("from weak to strong players")
        steps = ladder(game, players, options, doublings, blocks, seed, out and out / "ladder", executor, jobs, depth)
    is_reliable = is_evaluated(loaded) and is_believed(loaded, steps)
    if not is_reliable:
        by_strength = {BY_PLAYOUTS.get(name, name): blocks for name, blocks in by_strength.items()}
    plans = {name: Plan(game, players, options, (name,), blocks, seed) for name, blocks in by_strength.items()}
    strengths, lengths, p_values = {}, {}, {}
    records: list[Sample] = []
    is_enough = True
    for name, plan in plans.items():
        folder, now = out and out / name.replace(":", "-"), stage(f"{name} players")
        results = random_games(weakest, jobs, device) if name == "random" and has_many else None
        if until is None or results is not None:
            played = Games(plan, run(plan, folder, executor, jobs, now).rows)
        else:
            played = run_until(plan, known_to(until), None, folder, executor, jobs, now).games
        results = results or played
        is_enough = is_enough and (until is None or known_to(until)(anytime_shares(results)))
        replayed = first_of(played, MAX_REPLAYED if plan.game.info.turns else MAX_REPLAYED_IN_REAL_TIME)
        evaluated = evaluate(replayed) if is_reliable and functions_for(plan.game) else None
        first_blocks = first_of(played, MAX_BLOCKS_FOR_OPTIONS)
        by_worth = worth_measures(evaluated) | option_measures(first_blocks) if evaluated else {}
        by_position = {"states": states(played)} if plan.game.info.turns else {}
        strengths[name] = {**measured(played, results), **by_position, **by_worth, **effect_measures(replayed)}
        lengths[name] = Counter(length_of(row) for row in results.rows)
        records = samples(played, evaluated)
        p_values[name] = p_of_equal_seats(results) if plan.game.players > 1 else 1.0
    luck = None
    if isinstance(plan.game, TurnGame) and plan.game.players > 1:
        slip = LUCK_SLIP if is_reliable else 1.0
        stage("how much is luck")
        luck = split_luck(plan.game, budget.luck[0], seed, slip=slip, playouts=budget.luck[1], jobs=jobs)
    by_opening = p_of_openings(played) if plan.game.info.turns and plan.game.players > 1 else {}
    return Study(
        played.plan,
        effort,
        strengths,
        lengths,
        p_values,
        luck,
        steps,
        records,
        until,
        is_enough,
        by_opening,
        RANDOM_GAMES if has_many else 0,
    )


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
    if found.random_games:
        said.append(f"Between random players, shares, endings and lengths are those of {found.random_games:,} games.")
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
        word = word_for(max(share, MIN_LUCK) if found.plan.game.has_chance else 0.0, CHANCE_WORDS)
        text = f"{word}, {percent(found.luck.chance)} of the result between greedy players" if share else word
        cells.append(Cell("Random chance", text, scale(CHANCE_WORDS, 100, "%")))
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
        text, scaled = [word_for(rules, COMPLEXITY_WORDS), f"{rules} rules"], scale(COMPLEXITY_WORDS, 1, " rules")
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
    return Cell(STRATEGY_DEPTH, f"{word_for(ladder.rungs.value, DEPTH_WORDS)}, {text}", scale(DEPTH_WORDS, 1, " rungs"))


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


def keep(found: Study, folder: Path) -> None:
    """Write `estimates.json`, `report.html` and the sample games into a folder. Raises GameError and OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    content = described(found)
    storage.write_json(folder / "estimates.json", content)
    for sample in found.records:
        (folder / f"{sample.name.replace(' ', '-')}.record").write_text(sample.record, encoding="utf-8")
    write_report(content, folder / "report.html")


def keep_answers(content: Mapping[str, Any], folder: Path) -> None:
    """Write `answers.json`, `report.html` and the games to watch into a folder. The content includes the title, the
    described verdicts and the command. Raises GameError and OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    storage.write_json(folder / "answers.json", content)
    keep_records(content["verdicts"], folder)
    write_report(content, folder / "report.html")


def keep_records(verdicts: Sequence[Mapping[str, Any]], folder: Path) -> list[Path | None]:
    """Write the games to watch into a folder, and return their paths. Raises OSError."""
    paths = [folder / f"{number}.record" if verdict["watch"] else None for number, verdict in enumerate(verdicts, 1)]
    for path, verdict in zip(paths, verdicts, strict=True):
        if path is not None:
            path.write_text(verdict["watch"]["record"], encoding="utf-8")
    return paths


def described(found: Study) -> dict[str, Any]:
    """A study as a JSON-able dict."""
    ladder, luck = found.ladder, found.luck
    return {
        "title": found.plan.game.info.title,
        "plan": found.plan.described(),
        "effort": found.effort,
        "until": found.until,
        "command": command_of(found),
        "versions": manifest(found.plan)["versions"],
        "answers": answers(found),
        "infobox": [cell._asdict() for cell in infobox(found)],
        "definitions": definitions(found),
        "strengths": {
            strength: {name: _described(figures) for name, figures in measures.items()}
            for strength, measures in found.strengths.items()
        },
        "lengths": {strength: sorted(counts.items()) for strength, counts in found.lengths.items()},
        "p_of_equal_seats": dict(found.p_values),
        "p_of_openings": dict(found.p_of_openings),
        "board": spaces_of(found.plan.game),
        "luck": None if luck is None else _described(luck._asdict()),
        "ladder": None if ladder is None else ladder.described(),
        "records": [sample._asdict() for sample in found.records],
    }


def definitions(found: Study) -> dict[str, str]:
    others = [Measure(each.__name__, each) for each in (states, *WORTH_MEASURES, *OPTION_MEASURES, *USAGE_MEASURES)]
    about = {measure.name: measure.about for measure in [*measures_for(found.plan.game), *others]}
    return {name: about[name] for name in found.best}


def _described(figures: Figures) -> dict[str, Any]:
    return {of: estimate.described() for of, estimate in figures.items()}


def command_of(found: Study) -> str:
    """The command that repeats a study."""
    game = found.plan.game
    usual = game.info.load(players=game.players).options
    changed = [f"--option {name}={value}" for name, value in game.options.items() if value != usual[name]]
    words = ["icetable lab study", shlex.quote(game.info.reference), f"--players {game.players}", *changed]
    precision = [] if found.until is None else [f"--until {found.until:g}"]
    return " ".join([*words, f"--effort {found.effort}", *precision, f"--seed {found.plan.seed}"])


def write_report(content: Mapping[str, Any], path: Path) -> None:
    """Write the page of a described study. Raises GameError if the page was never built, and OSError."""
    try:
        page = PAGE.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise GameError("the page of the report is not built in this checkout; ./play builds it") from None
    before, _, rest = page.partition(DATA_START)
    _, _, after = rest.partition(DATA_END)
    data = json.dumps(content).replace("</", "<\\/")
    path.write_text(f"{before}{DATA_START}{data}{DATA_END}{after}", encoding="utf-8")
