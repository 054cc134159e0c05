"""A game in the terminal: one person against bots."""

from __future__ import annotations

import contextlib
import sys
import textwrap
from typing import TYPE_CHECKING

import numpy as np

from icetable import bots
from icetable.cli import rules
from icetable.cli.choosing import game_of
from icetable.cli.files import STANDARD_OUTPUT, new_file
from icetable.cli.screen import counted_from_one, painter, picture, wipe
from icetable.core.daemons import begin, wait_for
from icetable.core.drawing import LINE_WIDTH
from icetable.core.errors import BadNotation, GameError, IllegalAction
from icetable.core.game import CHANCE, Game, State
from icetable.core.options import short_repr
from icetable.core.record import effects_text
from icetable.kernels import jit

if TYPE_CHECKING:
    from argparse import Namespace
    from concurrent.futures import Future

    from icetable.core.game import Action

HELP = """\
Type a move or its number in the list, or one of these:
  ?          every move that you may make now
  undo       take back your last move, and what came after it
  rules      the rules; 'rules {rule}' is one of them
  help       this list
  quit       leave
An empty line shows the board again."""


def play(chosen: Namespace) -> int:
    """Play the game that a command line chooses."""
    if chosen.game is None:
        raise GameError("which game? 'icetable games' lists them")
    game = game_of(chosen)
    if not game.info.turns:
        raise GameError(f"{game.info.title} has no turns, and is not played in the terminal")
    seat = 1 if chosen.seat is None else chosen.seat
    if not 1 <= seat <= game.players:
        raise GameError(f"--seat is a whole number from 1 to {game.players}, not {seat}")
    if chosen.seed is not None and chosen.seed < 0:
        raise GameError(f"--seed is a whole number from 0 up, not {chosen.seed}")
    levels = bots.levels(game.info.name)
    level = chosen.level or levels[len(levels) // 2].name
    players = {
        other: bots.Bot(game, level, None if chosen.seed is None else chosen.seed + other)
        for other in range(game.players)
        if other != seat - 1
    }
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 (from here on `input` knows the arrow keys)
    match = TerminalGame(game, seat - 1, players, np.random.default_rng(chosen.seed), Keeper(chosen.record))
    try:
        match.run()
    except KeyboardInterrupt:
        print()
        raise
    finally:
        match.end()
    return 0


class Keeper:
    """The file of the record, if there is one: none for `-`, as the end prints a record that has no file."""

    def __init__(self, name: str | None) -> None:
        """Raises GameError where the file exists or can't be created."""
        self.path = None if name in (None, STANDARD_OUTPUT) else new_file(name, "record")

    def keep(self, state: State) -> None:
        """Write the record to the file."""
        if self.path is not None:
            try:
                self.path.write_text(state.record(), encoding="utf-8")
            except OSError as error:
                print(f"The record can't be kept in {self.path} any more: {error.strerror}.")
                self.path = None


class TerminalGame:
    """A game between the person at `seat` and bots at the other seats."""

    def __init__(
        self, game: Game, seat: int, players: dict[int, bots.Bot], rng: np.random.Generator, keeper: Keeper
    ) -> None:
        self.game = game
        self.seat = seat
        self.players = players
        self.rng = rng
        self.keeper = keeper
        self.state = game.start()
        self.keep()
        jit.run_plain_until_compiled()
        self.loading: Future[None] = begin(lambda: bots.load(game))
        self.paint = painter(game.info)

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        print(f"{self.game.info.title}: {', '.join(self.name(seat) for seat in range(self.game.players))}.")
        print("'?' lists your moves, 'help' says what else there is.")
        self.show()
        while not self.state.is_terminal:
            if self.seat in self.state.to_act:
                line = self.read_line()
                if line is None or line in ("quit", "exit", "q"):
                    return
                self.obey(line)
            else:
                self.let_another_act()

    @property
    def hides_history(self) -> bool:
        """Whether the person may not look up earlier acts."""
        return not self.game.shows_history(self.state)

    def keep(self) -> None:
        """Write the record, unless it shows what the game hides."""
        if not self.hides_history:
            self.keeper.keep(self.state)

    def end(self) -> None:
        """Print the result and the record. The game is over for the person, so the record may show everything."""
        if self.state.is_terminal:
            print(self.result())
        self.keeper.keep(self.state)
        if self.keeper.path is not None:
            print(f"The record of the game is in {self.keeper.path}.")
        elif self.state.parent is not None:
            print(f"The record of the game:\n\n{self.state.record()}", end="")

    def name(self, seat: int) -> str:
        """A seat with its colour and its player."""
        who = "you" if seat == self.seat else f"bot, {self.players[seat].level.title}"
        return f"{self.paint(f'seat {seat + 1}', seat)} ({self.game.info.colours[seat]}, {who})"

    def result(self) -> str:
        """The winners, and the rule that ended the game."""
        names = [self.name(seat) for seat in sorted(self.state.winners)]
        if len(names) == self.game.players:
            return f"The game is drawn ({self.state.ended_by})."
        return f"Won by {' and '.join(names) or 'nobody'} ({self.state.ended_by})."

    def show(self) -> None:
        """Draw the board."""
        print(f"\n{counted_from_one(picture(self.state, self.seat))}\n")

    def read_line(self) -> str | None:
        """The line that the person types; None at the end of the input."""
        try:
            line = input(f"{self.game.info.colours[self.seat]}> ").strip()
        except EOFError:
            print()
            return None
        if not sys.stdin.isatty():
            print(line)
        return line

    def obey(self, line: str) -> None:
        """Make an act or run a command."""
        word, _, rest = line.partition(" ")
        if not line:
            self.show()
        elif line == "?":
            print(textwrap.fill(self.moves(), LINE_WIDTH, break_on_hyphens=False))
        elif line == "help":
            print(HELP.format(rule=self.game.info.turn_rule))
        elif word == "rules":
            self.show_rules(rest.strip() or None)
        elif line == "undo":
            self.undo()
        else:
            self.try_act(line)

    def moves(self) -> str:
        """Every act that the person may make, each with its number."""
        acts = self.state.legal_actions(self.seat)
        return "  ".join(f"{number}.{act}" for number, act in enumerate(acts, 1))

    def numbered(self, text: str) -> str:
        """The act with that number in the list; any other text stays."""
        acts = self.state.legal_actions(self.seat)
        return acts[int(text) - 1] if text.isdecimal() and 0 < int(text) <= len(acts) else text

    def show_rules(self, rule: str | None) -> None:
        """Print the rules or one rule."""
        try:
            print(rules.page(self.game.info, rule))
        except GameError as error:
            print(f"{error}.")

    def undo(self) -> None:
        """Return to the state before the person's last act."""
        state: State | None = self.state
        while state is not None and state.seat != self.seat:
            state = state.parent
        if state is None or state.parent is None:
            print("You have made no move yet.")
            return
        self.state = state.parent
        self.keep()
        self.show()

    def try_act(self, text: str) -> None:
        """Make an act, or print why it is refused."""
        try:
            after = self.state.apply(self.numbered(text), self.seat)
        except BadNotation:
            example = self.state.legal_actions(self.seat)[0]
            print(f"Not a move: {short_repr(text)}. Type a move such as {example}, or ? for all of them.")
        except IllegalAction as error:
            print(f"{counted_from_one(error.fault.message)} ({error.fault.rule})")
        else:
            if self.hides_history:
                wipe()
            self.follow(after)

    def let_another_act(self) -> None:
        """Let chance or a bot act."""
        seat = min(self.state.to_act)
        if seat == CHANCE:
            self.follow(self.state.apply(self.game.random_act(self.state, self.rng), CHANCE))
            return
        if not self.loading.done():
            print("Preparing the bots: their search is compiled, which takes a while the first time.", flush=True)
            self.loading.result()
        self.follow(self.state.apply(wait_for(lambda: self.think(seat)), seat))

    def think(self, seat: int) -> Action:
        """The act that a bot chooses."""
        return self.players[seat].choose(self.state, seat)

    def follow(self, after: State) -> None:
        """Go on with the state after an act, and print the act."""
        self.state = after
        self.keep()
        actor = "chance" if after.seat == CHANCE else self.name(after.seat or 0)
        effects = counted_from_one(effects_text(after))
        print(f"{actor}: {after.act}" + (f" ({effects})" if effects else ""))
        if self.state.is_terminal or self.seat in self.state.to_act:
            self.show()
