"""A game of the workshop as all others are: with states, views, records, refusals, and kernels in plain mode."""

from __future__ import annotations

import functools
import inspect
import itertools
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable.core.acts import Action, Effect
from icetable.core.errors import BadNotation, BadRecord, Fault, GameError
from icetable.core.infobox import Pieces
from icetable.core.options import short_repr
from icetable.core.turns import TurnGame, TurnState
from icetable.kernels import defaults
from icetable.kernels.jit import draw
from icetable.kernels.layout import ACTOR, CHANCE, COMMON, ENDED_BY, NOBODY, SEATS, TURN, WINNERS, Words, shares_of
from icetable.workshop.beside import beside
from icetable.workshop.boards import headings_of
from icetable.workshop.design import Game as Design
from icetable.workshop.design import names_in
from icetable.workshop.guard import DesignError, guarded
from icetable.workshop.hiding import UNSEEN, Spot, hidden_from, shown_effects, shuffled
from icetable.workshop.pieces import Piece, Pyramid, as_seen
from icetable.workshop.saving import read_table, written_table
from icetable.workshop.shown import Shown, shown_by
from icetable.workshop.table import Table
from icetable.workshop.texts import TEXTS, UNLISTED

if TYPE_CHECKING:
    from icetable.core.game import GameInfo
    from icetable.kernels.jit import Floats, Ints

WORDS = Words(COMMON)
HERE = WORDS.add("here", "The table, with the game that is played on it.")

CHOOSE = "choose:"
"""How a secret choice begins."""
SEALED = "chooses"
"""What others see of a secret choice until all are revealed."""
FORM = re.compile(r"[!\"$-~]{1,1000}(?: [!\"$-~]{1,1000}){0,9}")
"""An act: words of printable characters, but for #, which records use."""
CALLS_CHANCE = {"roll", "toss", "draw"}
"""The verbs of a table after which chance acts."""
MAX_LISTED = 4096
"""The most legal acts of a position."""
SCALE = 4.0
"""A seat that is worth so much more than another one is taken to win e times as often."""
FINE = 1 << 30
LONGER = 50
"""No game is taken to be so many times as long as the longest of some random ones."""
MAX_POINTS = 1_000_000
"""Nobody alone is taken to make more points."""


class Here:
    """A table, the game that is played on it, and what is known of it."""

    __slots__ = ("codes", "game", "table")

    def __init__(self, game: WorkshopGame, table: Table) -> None:
        self.game, self.table = game, table
        self.codes: list[int] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Here, (self.game, self.table)  # acts have other numbers in another process


class PlainRules:
    """The rules and the evaluation of any game of the workshop, as kernels in plain mode.

    A position is an array of objects: the words that all games share, and `Here`. All that differs between games is
    reached through it, so one of these serves them all.
    """

    WORDS = WORDS
    MAX_ACTS = MAX_LISTED

    def legal(self, position: Any, acts: Ints) -> int:
        """Write the legal acts, or the outcomes of chance, and return their number."""
        codes = codes_at(position)
        acts[: len(codes)] = codes
        return len(codes)

    def pick(self, position: Any, _acts: Ints, rng: Ints) -> int:
        """A random legal act; at a chance node an outcome by its odds."""
        codes = codes_at(position)
        if position[ACTOR] != CHANCE:
            return codes[draw(rng, len(codes))]
        if position[HERE].table._several:
            return UNLISTED + (draw(rng, FINE) * FINE | draw(rng, FINE))
        left = draw(rng, FINE) / FINE
        for code, odds in zip(codes, position[HERE].table._odds.values(), strict=True):
            left -= odds
            if left < 0:
                return code
        return codes[-1]

    def apply(self, position: Any, code: int) -> None:
        """Play a legal act, in place."""
        here: Here = position[HERE]
        here.game.play(position, int(code), here.game.act_at(position, int(code)))

    def evaluate(self, position: Any, values: Floats) -> None:
        """Write each seat's share: by `Game.worth`, the logarithm of its odds in steps of SCALE."""
        if position[ACTOR] == NOBODY:
            winners = [seat for seat in range(position[SEATS]) if position[WINNERS] >> seat & 1]
            values[:] = shares_of(winners, position[SEATS])
            return
        here: Here = position[HERE]
        worth = here.game.worth_of(here.table)
        strengths = np.exp((worth - worth.max()) / SCALE)
        values[:] = strengths / strengths.sum()


PLAIN = PlainRules()


def codes_at(position: Any) -> list[int]:
    """The legal acts of a position by number."""
    here: Here = position[HERE]
    if here.codes is None:
        actor = position[ACTOR]
        texts = [] if actor == NOBODY else here.game.acts_of(here.table, actor)
        here.codes = TEXTS.codes(texts)
    return here.codes


class WorkshopGame(TurnGame):
    """A game of the workshop with chosen options: the adapter of its class."""

    rules = PLAIN

    def __init__(self, info: GameInfo, options: dict[str, Any], design: Design) -> None:
        super().__init__(info, options)
        self.design = design
        self.file = inspect.getsourcefile(type(design)) or ""
        self.evaluation = PLAIN if design.worth else defaults
        self.views_are_equal = design.hides is None  # type: ignore[misc]
        with guarded("board", self.file):
            self.board = design.board()
        self._first: Table | None = None

    @functools.cached_property
    def shown(self) -> Shown:
        """What some random games show. Raises GameError."""
        return shown_by(self)

    def table_of(self, position: Any) -> Table:
        """The table of a position."""
        here: Here = position[HERE]
        return here.table

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (self.info, dict(self.options))

    @property
    def has_chance(self) -> bool:
        return bool(CALLS_CHANCE & names_in(type(self.design)))

    # Positions

    def first_position(self) -> Any:
        if self._first is None:
            table = Table(self.board, self.players)
            with guarded("start", self.file):
                self.design.start(table)
            table._effects = []
            self._first = table
        return self.position_of(self._first)

    def position_of(self, table: Table) -> Any:
        """The position of a table."""
        position = np.empty(WORDS.length, object)
        position[:] = 0
        position[SEATS] = self.players
        self.enter(position, table)
        return position

    def enter(self, position: Any, table: Table) -> None:
        """Write a table into a position, with who is to act, or how the game has ended."""
        here = position[HERE] = Here(self, table)
        position[TURN], position[WINNERS], position[ENDED_BY] = table.turn, 0, 0
        with guarded("over", self.file):
            rule = None if table._chosen else self.design.over(table)
        position[ACTOR] = NOBODY if rule else actor_of(table)
        if not rule and not table._several and not codes_at(position):
            rule = self.design.stuck_rule or self.info.turn_rule
        if rule:
            position[ACTOR], position[ENDED_BY], here.codes = NOBODY, self.number_of(rule), []
            position[WINNERS] = sum(1 << seat for seat in self.winners_of(table))

    def number_of(self, rule: str) -> int:
        """The number of a rule. Raises DesignError where `over` gives anything but a rule's id."""
        prefix, _, number = str(rule).partition("-")
        if prefix != self.info.rule_prefix or not number.isdigit():
            raise DesignError(
                f"{self.info.name}: over gives the id of the rule that ends the game, such as {self.info.turn_rule}, "
                f"or None, not {short_repr(rule)}"
            )
        return int(number)

    def winners_of(self, table: Table) -> list[int]:
        """The winners of a game that is over."""
        with guarded("winners", self.file):
            winners = sorted(set(self.design.winners(table)))
        if not set(winners) <= set(range(self.players)):
            raise DesignError(f"{self.info.name}: winners gives seats, not {short_repr(winners)}")
        return winners

    def worth_of(self, table: Table) -> Any:
        """What a table is worth to each seat, by the game's own measure."""
        with guarded("worth", self.file):
            worth = np.array(list(self.design.worth(table)), float)
        if worth.shape != (self.players,) or not np.isfinite(worth).all():
            raise DesignError(f"{self.info.name}: worth gives a number for each seat, not {short_repr(worth.tolist())}")
        return worth

    # Acts

    def acts_of(self, table: Table, actor: int) -> list[str]:
        """The legal acts at a table, as texts. Raises DesignError."""
        if actor == CHANCE:
            return list(table._odds)
        if table._asked:
            return [f"{CHOOSE}{choice}" for choice in table._asked[actor]]
        with guarded("acts", self.file):
            listed = list(itertools.islice(self.design.acts(table), MAX_LISTED + 1))
            if len(listed) > MAX_LISTED:
                raise GameError(f"there are more than {MAX_LISTED} legal acts")
        texts = set(listed)
        for text in TEXTS.new(texts):
            if not FORM.fullmatch(str(text)):
                raise DesignError(f"{self.info.name}: acts gives short texts such as 'a1-b2', not {short_repr(text)}")
        return sorted(texts)  # a set of texts has another order in each process

    def after(self, table: Table, text: str) -> Table:
        """The table after a legal act, or after what chance has drawn. Raises DesignError."""
        table = table.copy()
        if text in table._odds or table._several:
            table._odds, table._several = {}, None
            table._effects.append(Effect(text.partition(":")[0], (), text.partition(":")[2]))
        elif (seat := table.waits_for) is not None:
            table._chosen[seat] = text.removeprefix(CHOOSE)
            if table.waits_for is None:
                choices, table._asked, table._chosen = table._chosen, {}, {}
                table._effects += [Effect("reveals", (), f"{one}:{choice}") for one, choice in choices.items()]
                with guarded("reveal", self.file):
                    self.design.reveal(table, choices)
            return table
        with guarded("play", self.file):
            self.design.play(table, text)
        return table

    def notation(self, code: int) -> str:
        return TEXTS.text(code)

    def act_at(self, position: Any, code: int) -> Action:
        several = position[HERE].table._several
        return Action(several.drawn_by(code - UNLISTED) if several else TEXTS.text(code))

    def code(self, text: str) -> int:
        if not isinstance(text, str) or not FORM.fullmatch(text) or not self.is_written_right(text):  # type: ignore[redundant-expr]
            raise BadNotation(f"an act is a short text such as 'a1-b2', not {short_repr(text)}")
        return TEXTS.known(text)

    def is_written_right(self, text: str) -> bool:
        """Whether a text could be an act, by the game's own word."""
        if not self.design.notation:
            return True
        with guarded("notation", self.file):
            return bool(self.design.notation(text))

    def read(self, text: str) -> int:
        return self.code(text)  # what is no act yet may be one later, so nothing is remembered

    def list_acts(self, state: TurnState) -> list[Action]:
        if several := state.array[HERE].table._several:
            raise GameError(f"chance has {several.number} outcomes, too many to list; random_act draws one")
        return super().list_acts(state)

    def allows(self, state: TurnState, code: int, text: str) -> bool:
        here: Here = state.array[HERE]
        if here.table._several:
            return here.table._several.can_be(text)
        if code in codes_at(state.array):
            return True
        if not self.design.allows or state.actor == CHANCE or here.table._asked:
            return False
        with guarded("allows", self.file):
            return bool(self.design.allows(here.table.copy(), text))

    def play(self, position: Any, code: int, text: str) -> Action:
        here: Here = position[HERE]
        self.enter(position, self.after(here.table, text))
        return Action(text)

    def judge(self, position: Ints, text: str) -> Fault:
        here: Here = position[HERE]
        reason = None
        if not here.table._asked:
            with guarded("why", self.file):
                reason = self.design.why(here.table.copy(), text)
        if isinstance(reason, tuple):
            rule, sentence = reason
            self.number_of(rule)
            return Fault("not-legal", str(sentence), rule)
        return Fault("not-legal", reason or "That is not a legal move here.", self.info.turn_rule)

    def is_legal(self, position: Ints, code: int) -> bool:
        return code in codes_at(position)

    def work_out_effects(self, before: Ints, code: int, after: Ints) -> tuple[Effect, ...]:
        table: Table = after[HERE].table
        if self.design.hides is None or table._sealed or after[ACTOR] == NOBODY:
            return () if table._sealed else tuple(table._effects)
        with guarded("hides", self.file):
            return shown_effects(self.design, before[HERE].table, table)

    def outcomes(self, state: TurnState) -> list[tuple[Action, float]]:
        here: Here = state.array[HERE]
        return [(act, here.table._odds[act]) for act in state.legal_actions()]

    @property
    def chance_parts(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(sorted(self.shown.drawn))

    def part_odds(self, position: Ints, drawn: Sequence[int]) -> list[float]:
        here: Here = position[HERE]
        odds, parts = here.table._odds, self.chance_parts
        if strangers := set(odds) - set(parts):
            raise GameError(f"{self.info.title}: no number stands for {', '.join(sorted(strangers))}")
        return [odds.get(part, 0.0) for part in parts]

    def longest(self) -> tuple[int, int]:
        most = LONGER * self.shown.longest
        return most, most if self.chance_parts else 0

    def max_solo_score(self) -> int | None:
        return MAX_POINTS if self.players == 1 else None

    # What is hidden

    @property
    def has_secrets(self) -> bool:
        return self.design.hides is not None or type(self.design).reveal is not Design.reveal

    def hidden_from(self, seat: int | None, table: Table) -> frozenset[Spot]:
        """The pieces that a seat, or a watcher, does not see. Raises DesignError."""
        if self.design.hides is None:
            return frozenset()
        with guarded("hides", self.file):
            return hidden_from(seat, self.design, table)

    def shows_history(self, state: Any) -> bool:
        return self.design.hides is None and not state.array[HERE].table._chosen

    def shown_act(self, state: Any) -> str:
        table: Table = state.array[HERE].table
        return SEALED if table._chosen else table._sealed or str(state.act)

    def determinize(self, position: Ints, memory: int | None, rng: np.random.Generator) -> Any:
        """The position with other choices in place of the secret ones, each as likely as any other, and what the seat
        to act does not see in another order.
        """
        here: Here = position[HERE]
        table = here.table.copy()
        if self.design.hides is not None and position[ACTOR] >= 0:
            with guarded("hides", self.file):
                table = shuffled(self.design, table, int(position[ACTOR]), rng)
        for seat in table._chosen:
            table._chosen[seat] = table._asked[seat][int(rng.integers(len(table._asked[seat])))]
        return self.position_of(table)

    # What is shown

    def describe_position(self, position: Ints) -> Any:
        here: Here = position[HERE]
        return written_table(here.table)

    def read_position(self, described: Any) -> Any:
        table = read_table(described, self.board, self.players)
        try:
            return self.position_of(table)
        except DesignError as error:
            raise BadRecord(f"the game can't go on from this position: {error}") from None

    def key(self, position: Ints) -> bytes:
        described = self.describe_position(position) | {"turn": int(position[TURN])}
        return json.dumps(described, sort_keys=True).encode()

    def scores(self, position: Ints) -> tuple[int, ...]:
        here: Here = position[HERE]
        if self.design.scores:
            with guarded("scores", self.file):
                return tuple(self.design.scores(here.table))
        return tuple(here.table.score) if any(here.table.score) else super().scores(position)

    def out(self, position: Ints) -> list[int]:
        here: Here = position[HERE]
        return sorted(here.table.out)

    def see(self, position: Ints, seat: int | None) -> Mapping[str, Any]:
        here: Here = position[HERE]
        table = here.table
        own = {name: value for name, value in written_table(table)["own"].items() if not name.startswith("_")}
        unseen = frozenset() if position[ACTOR] == NOBODY else self.hidden_from(seat, table)

        def seen(place: str | int, pieces: Iterable[Piece]) -> list[dict[str, Any]]:
            return [as_seen(UNSEEN if (place, at) in unseen else piece) for at, piece in enumerate(pieces)]

        return {
            "cooperative": self.design.cooperative,
            "stacks": {space: seen(space, pieces) for space, pieces in table.stacks.items()},
            "pads": [seen(of, pad) for of, pad in enumerate(table.pad)],
            "turn": table.turn,
            "out": sorted(table.out),
            "asked": [one for one in table._asked if one not in table._chosen],
            "own": own,
        }

    def layout(self) -> dict[str, Any]:
        return {
            "workshop": True,
            "shape": self.board.shape,
            "spaces": [
                {"name": name, "x": x, "y": y, "zone": zone, "colour": colour}
                for name, (x, y, zone, colour) in self.board.places.items()
            ],
            "lines": [list(line) for line in self.board.lines],
            "headings": headings_of(self.board),
            "beside": beside(self.design),
        }

    def pieces(self) -> Pieces:
        table: Table = self.first_position()[HERE].table
        lying = [*table.stacks.values(), *map(tuple, table.pad)]
        return Pieces(pyramids=sum(isinstance(piece, Pyramid) for pieces in lying for piece in pieces))

    def _draw(self, view: Mapping[str, Any], touched: Any, paint: Any) -> str:
        from icetable.workshop.drawing import drawn

        return drawn(self.layout(), view, touched, paint)

    def _svg(self, view: Mapping[str, Any]) -> str:
        from icetable.workshop.drawing import svg

        return svg(self.info.title, self.layout(), view, self.info.colours)


def _loaded(info: GameInfo, options: Mapping[str, Any]) -> Any:
    return info.load(None, **options)


def actor_of(table: Table) -> int:
    """Who is to act at a table of a game that goes on."""
    if table._odds or table._several:
        return CHANCE
    waits = table.waits_for
    return table.seat if waits is None else waits
