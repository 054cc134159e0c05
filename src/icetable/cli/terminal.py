"""A game in the terminal: one person against bots."""

from __future__ import annotations

import contextlib
import sys
import textwrap
from typing import TYPE_CHECKING

import numpy as np

from icetable import bots
from icetable.cli import games
from icetable.cli.options import game_of
from icetable.cli.output import STANDARD_OUTPUT, counted_from_one, new_file, painter, picture, wipe
from icetable.core.errors import BadNotation, GameError, IllegalAction
from icetable.core.game import CHANCE, LINE_WIDTH, Game, State
from icetable.core.options import short_repr
from icetable.core.record import effects_text
from icetable.kernels import jit
from icetable.workers import begin, wait_for

if TYPE_CHECKING:
    from argparse import Namespace
    from concurrent.futures import Future

    from icetable.core.game import Action

HELP = """\
Type a move or its number in the list, or a command:
  ?          list your legal moves
  undo       take back your last move and all moves after it
  rules      show the rules; 'rules {rule}' shows one of them
  help       show this list
  quit       leave the game
An empty line shows the board again."""


def play(args: Namespace) -> int:
    """Play the game of a command line."""
    if args.game is None:
        raise GameError("which game? 'icetable games' lists them")
    game = game_of(args)
    if not game.info.turns:
        raise GameError(f"{game.info.title} has no turns, and is not played in the terminal")
    seat = 1 if args.seat is None else args.seat
    if not 1 <= seat <= game.players:
        raise GameError(f"--seat is a whole number from 1 to {game.players}, not {seat}")
    if args.seed is not None and args.seed < 0:
        raise GameError(f"--seed is a whole number from 0 up, not {args.seed}")
    levels = bots.levels(game)
    level = args.level or levels[len(levels) // 2].name
    players = {
        other: bots.Bot(game, level, None if args.seed is None else args.seed + other)
        for other in range(game.players)
        if other != seat - 1
    }
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 (enables line editing in `input`)
    match = TerminalGame(game, seat - 1, players, np.random.default_rng(args.seed), RecordFile(args.record))
    try:
        match.run()
    except KeyboardInterrupt:
        print()
        raise
    finally:
        match.end()
    return 0


class RecordFile:
    """The file of the record; none for `-`, as the record is then printed at the end."""

    def __init__(self, name: str | None) -> None:
        """Create the file. Raises GameError if it exists or can't be created."""
        self.path = None if name in (None, STANDARD_OUTPUT) else new_file(name, "record")

    def write(self, state: State) -> None:
        if self.path is not None:
            try:
                self.path.write_text(state.record(), encoding="utf-8")
            except OSError as error:
                print(f"The record can no longer be written to {self.path}: {error.strerror}.")
                self.path = None


class TerminalGame:
    """A game of a person at `seat` against bots."""

    def __init__(
        self, game: Game, seat: int, players: dict[int, bots.Bot], rng: np.random.Generator, record_file: RecordFile
    ) -> None:
        self.game = game
        self.seat = seat
        self.players = players
        self.rng = rng
        self.record_file = record_file
        self.state = game.start()
        self.save()
        jit.run_plain_until_compiled()
        self.loading: Future[None] = begin(lambda: bots.load(game))
        self.paint = painter(game.info)

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        print(f"{self.game.info.title}: {', '.join(self.name(seat) for seat in range(self.game.players))}.")
        print("'?' lists your moves, 'help' the commands.")
        self.show()
        while not self.state.is_terminal:
            if self.seat in self.state.to_act:
                line = self.read_line()
                if line is None or line in ("quit", "exit", "q"):
                    return
                self.handle(line)
            else:
                self.play_other()

    @property
    def hides_history(self) -> bool:
        """Whether the game hides earlier acts from the person."""
        return not self.game.shows_history(self.state)

    def save(self) -> None:
        """Write the record, unless the game hides its history."""
        if not self.hides_history:
            self.record_file.write(self.state)

    def end(self) -> None:
        """Print the result and the record, which may now show everything."""
        if self.state.is_terminal:
            print(self.result())
        self.record_file.write(self.state)
        if self.record_file.path is not None:
            print(f"The record of the game is in {self.record_file.path}.")
        elif self.state.parent is not None:
            print(f"The record of the game:\n\n{self.state.record()}", end="")

    def name(self, seat: int) -> str:
        """Format a seat with its colour and player."""
        player = "you" if seat == self.seat else f"bot, {self.players[seat].level.title}"
        return f"{self.paint(f'seat {seat + 1}', seat)} ({self.game.info.colours[seat]}, {player})"

    def result(self) -> str:
        names = [self.name(seat) for seat in sorted(self.state.winners)]
        if len(names) == self.game.players:
            return f"The game is drawn ({self.state.ended_by})."
        return f"Won by {' and '.join(names) or 'nobody'} ({self.state.ended_by})."

    def show(self) -> None:
        print(f"\n{counted_from_one(picture(self.state, self.seat))}\n")

    def read_line(self) -> str | None:
        """Read a line of input; None at its end."""
        try:
            line = input(f"{self.game.info.colours[self.seat]}> ").strip()
        except EOFError:
            print()
            return None
        if not sys.stdin.isatty():
            print(line)
        return line

    def handle(self, line: str) -> None:
        """Play an act or run a command."""
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
        """The person's legal acts with their numbers."""
        acts = self.state.legal_actions(self.seat)
        return "  ".join(f"{number}.{act}" for number, act in enumerate(acts, 1))

    def numbered(self, text: str) -> str:
        """Replace the number of a legal act by the act; return any other text unchanged."""
        acts = self.state.legal_actions(self.seat)
        return acts[int(text) - 1] if text.isdecimal() and 0 < int(text) <= len(acts) else text

    def show_rules(self, rule: str | None) -> None:
        try:
            print(games.rules_page(self.game.info, rule))
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
        self.save()
        self.show()

    def try_act(self, text: str) -> None:
        """Play an act, or print why it is refused."""
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

    def play_other(self) -> None:
        """Play an act of chance or of a bot."""
        seat = min(self.state.to_act)
        if seat == CHANCE:
            self.follow(self.state.apply(self.game.random_act(self.state, self.rng), CHANCE))
            return
        if not self.loading.done():
            print("Preparing the bots: their search is compiled, which takes a while the first time.", flush=True)
            self.loading.result()
        self.follow(self.state.apply(wait_for(lambda: self.think(seat)), seat))

    def think(self, seat: int) -> Action:
        return self.players[seat].choose(self.state, seat)

    def follow(self, after: State) -> None:
        """Continue from the state after an act, and print the act."""
        self.state = after
        self.save()
        actor = "chance" if after.seat == CHANCE else self.name(after.seat or 0)
        effects = counted_from_one(effects_text(after))
        print(f"{actor}: {after.act}" + (f" ({effects})" if effects else ""))
        if self.state.is_terminal or self.seat in self.state.to_act:
            self.show()
