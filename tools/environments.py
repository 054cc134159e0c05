#!/usr/bin/env python3
"""Writes docs/environments/<game>.md: a picture, the game in short, what random games measure, an example, and the
meaning of the numbers in each game's environment.

`python tools/environments.py --pictures` also draws docs/pictures/environments/<game>.webp (needs `icetable[images]`).
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from icetable import games, lab
from icetable.core.turns import TurnGame
from icetable.envs import Batch, frame, space
from icetable.envs.reference import page_of

if TYPE_CHECKING:
    from icetable.core.game import Game, GameInfo, State

DOCS = Path(__file__).parent.parent / "docs"
FOLDER = DOCS / "environments"
PICTURES = DOCS / "pictures" / "environments"
RANDOM_GAMES, SEED = 1000, 2026
SHOWN_ACTS = {"highrise": 18, "icefrogs": 40, "squad": 9, "wrecktangle": 30}
SHOWN_MS = 90_000
"""The act of a random game, or the milliseconds of one between bots, at which the picture is taken."""
RULES = {
    "highrise": """\
Two players place pyramids on a board of squares, each of which has a number. A pyramid may cover what stands there.
When both have placed all of theirs, the one with more pips in a tower wins it. The winner of a tower scores the number
under it and the pips of the opponent in it. By default the numbers are rolled and seen at the start and dealt to the
squares at the end, so where each lies is chance, and what larger pyramids cover has to be remembered.""",
    "icefrogs": """\
Two to six players bring pyramids in from their points of a star of 37 spaces. A pyramid steps to a neighbouring space,
or jumps in chains over pyramids of its own size or smaller, and lands on empty spaces or on pyramids of its own size or
larger. Only the top of a stack moves. Nothing is captured. The first pyramid on an opponent's start space wins. After
400 turns the game is drawn.""",
    "icehouse": """\
Two to eight players place pyramids on a field without turns: the quicker hand acts first. A standing pyramid defends,
a lying one attacks what it points at. A defender under attacks that add up to more than its own value is iced, and
its owner may capture an attacker that is more than is needed. A player without a safe defender can be put in the
icehouse by a call. A hidden bell ends the game, and successful pieces score.""",
    "squad": """\
One to four players place pyramids, their friends, each next to as many friends as its size says: 1, 2 or 3. A captain
beside the new friend leaps over it if the square beyond is free, and then shows on its die how many friends are beside
it. Friends beside a captain that has leapt fall if they have too many neighbours. The game ends when a player has
placed all friends or can place none. Each large friend that stands scores 5, and the captain its number.""",
    "wrecktangle": """\
Two to four players have six pyramids each on a board without corners. In each turn a die is rolled; a player makes one
normal move of exactly two squares, and may make one move of any pyramid by the die. Four own pyramids on the corners of
a rectangle capture what is inside it, or on its sides if the coin shows tails; then the coin is turned. One who has
lost three pyramids is out, and the last player left wins. After 400 turns the game is drawn.""",
}
HISTORY = {name: ["0: the first version"] for name in RULES}
"""What each version of an encoding changed, the newest first."""
EXAMPLE = """\
```python
from icetable.envs import Batch

batch = Batch("{name}", 4, seed=1)
for _ in range(10):
    batch.step(batch.pick())  # random acts; your policy for batch.observation and batch.mask
print(batch.actor, batch.mask.sum(axis=1))
```"""
TICK_EXAMPLE = """\
```python
from icetable.envs import RealTime

env = RealTime("{name}", seed=1)
for _ in range(10):
    env.step(env.pick())  # random entries of the menus; your policy for env.observation and env.mask
print(env.now, env.mask.sum(axis=1))
```"""


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    if "--pictures" in sys.argv[1:]:
        PICTURES.mkdir(exist_ok=True)
        for info in games.list_games():
            (PICTURES / f"{info.name}.webp").write_bytes(picture(info))


def pages() -> dict[str, str]:
    """The text of each file by its name."""
    return {f"{info.name}.md": page(info) for info in games.list_games()}


def page(info: GameInfo) -> str:
    """The page of a game."""
    game = info.load()
    title, _, numbers = page_of(game).partition("\n\n")
    example = (EXAMPLE if isinstance(game, TurnGame) else TICK_EXAMPLE).format(name=info.name)
    sections = [
        title,
        f"![{info.title}: a position](../pictures/environments/{info.name}.webp)",
        RULES[info.name],
        "| | |\n|---|---|\n" + "\n".join(f"| {name} | {value} |" for name, value in specification(game)),
        "## Example",
        example,
        "## Versions",
        "\n".join(f"- {line}" for line in HISTORY[info.name]),
        "## Options and sizes",
        numbers,
    ]
    return "\n\n".join(sections)


def specification(game: Game) -> list[tuple[str, str]]:
    """The table of a game: sizes, and what random games with a seed measure."""
    info = game.info
    least, most = info.players
    players = ("players", f"{game.players} by default; {least} to {most}" if least < most else f"{least}")
    rewards = ("rewards", "at the end: the share of the game from -1 / (players - 1) to 1, or its points")
    if not isinstance(game, TurnGame):
        return [
            players,
            ("actions", "a menu for each seat and tick, a grid, or coordinates"),
            ("length", "until a hidden bell, or a fixed one, rings"),
            ("chance", "the moment of the bell, and the order of acts in one tick"),
            ("hidden information", "the moment of the bell"),
            rewards,
        ]
    encoding = space(game).encoding
    acts, choices = measured(game)
    return [
        players,
        ("actions", f"{encoding.actions}"),
        ("observation", f"int8[{', '.join(map(str, encoding.shape))}], {encoding.shape[2]} planes"),
        ("length of a random game", f"{acts:.1f} acts"),
        ("branching factor", f"{choices:.1f} legal acts on average"),
        ("chance", f"{len(game.chance_parts)} outcomes" if game.chance_parts else "none"),
        ("hidden information", "what larger pyramids cover" if game.has_secrets else "none"),
        rewards,
        ("measured by", f"{RANDOM_GAMES:,} random games with the seed {SEED}"),
    ]


def measured(game: Game) -> tuple[float, float]:
    """The mean number of acts of a random game, and of legal acts in its positions."""
    batch = Batch(game, RANDOM_GAMES, seed=SEED, autoreset="off", observation=None)
    acts = choices = 0
    while (going := batch.actor >= 0).any():
        acts += int(going.sum())
        choices += int(batch.mask[going].sum())
        batch.step(None, going)
    return acts / RANDOM_GAMES, choices / acts


def picture(info: GameInfo) -> bytes:
    """A position as WebP."""
    from PIL import Image

    found = io.BytesIO()
    Image.fromarray(frame(position(info.load()))).save(found, "WEBP", lossless=False, quality=85)
    return found.getvalue()


def position(game: Game) -> State:
    """A position from a random game."""
    state, rng = game.start(), np.random.default_rng(SEED)
    if not isinstance(game, TurnGame):
        played = lab.run(lab.Plan(game, seats=["expert@1"], blocks=1, seed=SEED)).states
        return next(one for one in next(iter(played)).history() if (one.at or 0) > SHOWN_MS)
    for _ in range(SHOWN_ACTS[game.info.name]):
        state = state.apply(game.random_act(state, rng))
    return state


if __name__ == "__main__":
    main()
