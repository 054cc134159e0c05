"""Games of turns: what every game has follows from its class and a table. With a kernel, positions are the kernel's.

A class says the rules. A `PlainGame` plays by the class itself: its position holds a table. A `CompiledGame`
(`workshop.compiled`) plays by a kernel of the same rules, and makes a table of a position only when somebody asks for
what the class says: refusals, effects, views, drawings, saved positions.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable.core.errors import BadNotation, BadRecord, Fault, GameError
from icetable.core.game import Action, Effect
from icetable.core.options import short_repr
from icetable.core.parts import Pieces
from icetable.core.turns import TurnGame, TurnState
from icetable.kernels import defaults
from icetable.kernels.bits import members
from icetable.kernels.jit import draw
from icetable.kernels.layout import ACTOR, CHANCE, COMMON, ENDED_BY, NOBODY, SEATS, TURN, WINNERS, Words, shares_of
from icetable.workshop.boards import Board
from icetable.workshop.design import Game as Design
from icetable.workshop.design import file_of, place_of
from icetable.workshop.equipment import MAX_PIECES, Pyramid, Token
from icetable.workshop.guard import DesignError, guarded
from icetable.workshop.hiding import Spot, concealed, hidden_from, renamed, shown_effects, shuffled
from icetable.workshop.mistakes import place_setting
from icetable.workshop.saving import table_from_json, table_to_json, to_json, with_sorted_pads
from icetable.workshop.table import Table
from icetable.workshop.view import layout_of
from icetable.workshop.vocabulary import TEXTS, UNLISTED, Vocabulary, has_chance, record_chance, vocabulary_of

if TYPE_CHECKING:
    from icetable.core.game import GameInfo, State
    from icetable.kernels.jit import Floats, Ints
    from icetable.workshop.look import Account

WORDS = Words(COMMON)
ENTRY = WORDS.add("here", "The table, with its game.")

CHOICE_PREFIX = "choose:"
HIDDEN_CHOICE = "chooses"
"""The text of a secret choice until all are revealed."""
ACT_REGEX = re.compile(r"[!\"$-~]{1,1000}(?: [!\"$-~]{1,1000}){0,9}")
"""An act: words of printable characters, except #, which records use."""
MAX_LEGAL_ACTS = 4096
"""The maximum number of legal acts of a position."""
WORTH_SCALE = 4.0
"""The difference of worth at which a seat is taken to win e times as often as another."""
RANDOM_RANGE = 1 << 30
LENGTH_FACTOR = 50
"""The bound on the length of games, as a multiple of the longest sampled one."""
MAX_POINTS = 1_000_000
"""The bound on the score of a game for one player."""
LISTS = {list}
NUMBERS = {int, float}
MAX_LAID_OUT = 64
LAID_OUT: dict[tuple[type, str], tuple[Board, str]] = {}
"""The latest boards, with their layouts as JSON, by `setup`."""


class TableEntry:
    """A table with its game, and the codes of its legal acts once they are known."""

    __slots__ = ("begun", "codes", "game", "table")

    def __init__(self, game: PlainGame, table: Table) -> None:
        self.game, self.table = game, table
        self.codes: list[int] | None = None
        self.begun: list[Iterator[Any]] = []
        """The list of the acts, if its first one was enough so far; whoever needs the others takes it away."""

    def __reduce__(self) -> tuple[Any, ...]:
        return TableEntry, (self.game, self.table)  # acts have other codes in another process


class PlainRules:
    """The rules and the evaluation of all games without a kernel, as kernels in plain mode.

    A position is an array of objects: the words that all games share, and a `TableEntry` for all that differs between
    games.
    """

    WORDS = WORDS
    MAX_ACTS = MAX_LEGAL_ACTS

    def legal(self, position: Any, acts: Ints) -> int:
        """Write the legal acts, or the outcomes of chance. Returns their number."""
        codes = codes_at(position)
        acts[: len(codes)] = codes
        return len(codes)

    def pick(self, position: Any, _acts: Ints, rng: Ints) -> int:
        """A random legal act; at a chance node an outcome drawn by its odds."""
        codes = codes_at(position)
        if position[ACTOR] != CHANCE:
            return codes[draw(rng, len(codes))]
        if position[ENTRY].table._several:
            return UNLISTED + (draw(rng, RANDOM_RANGE) * RANDOM_RANGE | draw(rng, RANDOM_RANGE))
        left = draw(rng, RANDOM_RANGE) / RANDOM_RANGE
        for code, odds in zip(codes, position[ENTRY].table._odds.values(), strict=True):
            left -= odds
            if left < 0:
                return code
        return codes[-1]

    def apply(self, position: Any, code: int) -> None:
        """Play a legal act, in place. The acts that are legal then are listed when somebody wants them."""
        entry: TableEntry = position[ENTRY]
        entry.game.write_table(position, entry.game.after(entry.table, entry.game.act_at(position, int(code))))

    def evaluate(self, position: Any, values: Floats) -> None:
        """Write each seat's share, as `PlainGame.estimate`."""
        values[:] = position[ENTRY].game.estimate(position)


PLAIN = PlainRules()


def codes_at(position: Any) -> list[int]:
    """The codes of a position's legal acts."""
    entry: TableEntry = position[ENTRY]
    if entry.codes is None:
        actor = position[ACTOR]
        texts = [] if actor == NOBODY else entry.game.acts_of(entry.table, actor, entry.begun)
        entry.codes = TEXTS.codes(texts)
    return entry.codes


class WorkshopGame(TurnGame):
    """A game of turns under given options: what follows from its class, `design`, and the table of a position."""

    def __init__(self, info: GameInfo, options: dict[str, Any], design: Design) -> None:
        super().__init__(info, options)
        self.design = design
        self.look = design.look
        self.file = file_of(type(design))
        self.views_are_equal = design.hides is None  # type: ignore[misc]
        self.setup = type(design), repr(self.options)
        """What games with the same boards, layouts and tables share."""
        self.board, self._layout = self._laid_out()

    def _laid_out(self) -> tuple[Board, str]:
        """The board, and the layout as JSON."""
        found = LAID_OUT.get(self.setup)
        if found is None:
            with guarded("board", self.file):
                board: Any = self.design.board()
            if not isinstance(board, Board) or not board.names:
                raise self.misreturned("board", "a board with spaces, such as squares(5, 5)", board)
            layout = layout_of(self.design, board, self.design.acts_rule or self.info.turn_rule)
            found = LAID_OUT[self.setup] = board, json.dumps(layout)
            while len(LAID_OUT) > MAX_LAID_OUT:
                LAID_OUT.pop(next(iter(LAID_OUT)), None)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (self.info, dict(self.options))

    @abstractmethod
    def table_of(self, position: Any) -> Table:
        """The table of a position, which must not be changed."""

    @abstractmethod
    def position_of(self, table: Table) -> Any:
        """The position of a table: whose turn it is, or how the game has ended."""

    @functools.cached_property
    def first_table(self) -> Table:
        """The table before the first act."""
        table = Table(self.board, self.players, self.look)
        with guarded("start", self.file):
            self.design.start(table)
        table.order_sets()
        table._effects = []
        return table

    # The end

    def misreturned(self, method: str, meant: str, value: object) -> DesignError:
        """The error of a method that returns something else than what is meant."""
        missing = "; is `return` missing?" if value is None else ""
        return DesignError(f"{method}{place_of(self.design, method)} returns {meant}, not {short_repr(value)}{missing}")

    def by_seat(self, method: str, table: Table) -> tuple[Any, ...]:
        """The numbers by seat that a method returns. Raises DesignError."""
        with guarded(method, self.file):
            returned = getattr(self.design, method)(table)
            numbers = returned if isinstance(returned, Mapping | str) or not is_iterable(returned) else tuple(returned)
        if (
            type(numbers) is not tuple
            or len(numbers) != self.players
            or not all(type(one) in NUMBERS or isinstance(one, Real) for one in numbers)
        ):
            raise self.misreturned(method, f"a list of {self.players} numbers, one for each seat", numbers)
        return numbers

    def ended_at(self, table: Table) -> str | None:
        """The id of the rule that ends the game at a table; None if it continues."""
        with guarded("over", self.file):
            return None if table._chosen else self.design.over(table)

    def rule_number(self, rule: str, method: str = "over") -> int:
        """The number of a rule. Raises DesignError unless the method returned a rule's id."""
        prefix, _, number = str(rule).partition("-")
        if prefix != self.info.rule_prefix or not number.isdigit():
            what = f"the id of a rule, such as {self.info.turn_rule}" + (" and a sentence" if method == "why" else "")
            raise self.misreturned(method, f"{what}, or None", rule)
        return int(number)

    def winners_of(self, table: Table) -> list[int]:
        if self.design.scores:  # a mistake in it is told as its own
            self.by_seat("scores", table)
        with guarded("winners", self.file):
            returned = self.design.winners(table)
            winners = list(returned) if is_iterable(returned) else None
        if winners is None or any(seat not in table.seats for seat in winners):
            raise self.misreturned("winners", "a list of seats, such as [0]", returned if winners is None else winners)
        return sorted(set(winners))

    def settle(self, position: Any, table: Table, rule: str) -> None:
        """End the game in a position, by a rule."""
        position[ACTOR], position[ENDED_BY] = NOBODY, self.rule_number(rule)
        position[WINNERS] = sum(1 << seat for seat in self.winners_of(table))

    # Acts

    def acts_of(self, table: Table, actor: int, begun: list[Iterator[Any]] | None = None) -> list[str]:
        """The texts of the legal acts at a table, of a list that was `begun`, if any. Raises DesignError."""
        if actor == CHANCE:
            return list(table._odds)
        if table._asked:
            return [f"{CHOICE_PREFIX}{choice}" for choice in table._asked[actor]]
        with guarded("acts", self.file):
            returned = begun.pop() if begun else self.begin_acts(table)
            listed = list(itertools.islice(returned, MAX_LEGAL_ACTS + 1))
        if len(listed) > MAX_LEGAL_ACTS:
            place = place_of(self.design, "acts")
            raise DesignError(f"acts{place} has failed: there are more than {MAX_LEGAL_ACTS} legal acts")
        try:
            texts = set(listed)
        except TypeError:  # a list in place of a text
            raise self._no_act(next(one for one in listed if not isinstance(one, str))) from None
        if not TEXTS.knows(texts):
            for text in sorted(TEXTS.new(texts), key=repr):
                if not isinstance(text, str) or not ACT_REGEX.fullmatch(text):
                    raise self._no_act(text)
        return sorted(texts)  # the order of a set of texts varies between processes

    def begin_acts(self, table: Table) -> Iterator[Any]:
        """What the class lists as legal acts. Raises DesignError."""
        returned: Any = self.design.acts(table)
        if type(returned) is str or not is_iterable(returned):
            raise self.misreturned("acts", "or yields the legal acts, such as ['a1-b2']", returned)
        return iter(returned)

    def _no_act(self, value: object) -> DesignError:
        """The error about a value that `acts` lists and that is no text of an act."""
        mend = ""
        if isinstance(value, str):
            mend = ": it has words of printable characters, but no #, with one space between them"
        elif isinstance(value, tuple | list):
            mend = f"; did you mean '{'-'.join(map(str, value))}'?"
        return DesignError(f"{self.misreturned('acts', 'short texts such as ' + repr('a1-b2'), value)}{mend}")

    def after(self, table: Table, text: str) -> Table:
        """The table after a legal act, or an act of chance. Raises DesignError."""
        table = self.played(table, text)
        table.order_sets()
        return table

    def played(self, table: Table, text: str) -> Table:
        """As `after`, for its effects: its sets may be in any order."""
        table = table.copy()
        if text in table._odds or table._several:
            table._odds, table._several = {}, None
            word, _, outcome = text.partition(":")
            if kind := self.look.chance.get(word, word):
                table._effects.append((kind, (), outcome))
        elif (seat := table.waits_for) is not None:
            chosen = table._chosen | {seat: text.removeprefix(CHOICE_PREFIX)}
            table._chosen = dict(sorted(chosen.items()))  # the seats may have chosen in any order
            table._asked = dict(sorted(table._asked.items()))
            if table.waits_for is None:
                choices, table._asked, table._chosen = table._chosen, {}, {}
                table._effects += [("reveals", (), f"{chooser}:{choice}") for chooser, choice in choices.items()]
                with guarded("reveal", self.file):
                    self.design.reveal(table, choices)
            return table
        with guarded("play", self.file, text):
            self.design.play(table, text)
        return table

    def check_notation(self, text: object) -> None:
        """Raise BadNotation unless a text could be an act, by the game's own `notation`."""
        if not isinstance(text, str) or not ACT_REGEX.fullmatch(text) or not self.is_notation(text):
            shown = [repr(example) if example == "a1-b2" else example for example in self.design.examples]
            raise BadNotation(f"{short_repr(text)} is not an act; acts look like {list_words(shown)}")

    def is_notation(self, text: str) -> bool:
        if not self.design.notation:
            return True
        with guarded("notation", self.file):
            return bool(self.design.notation(text))

    def explain_fault(self, position: Any, text: str) -> Fault:
        table = self.table_of(position)
        reason: Any = None
        if not table._asked:
            with guarded("why", self.file):
                reason = self.design.why(table.copy(), text)
        if isinstance(reason, Fault):
            return reason
        if isinstance(reason, tuple) and len(reason) == 2:
            rule, sentence = reason
            self.rule_number(rule, "why")
            return Fault("not-legal", str(sentence), rule)
        if reason and not isinstance(reason, str):
            raise self.misreturned("why", "a sentence, or the id of a rule and a sentence", reason)
        return Fault("not-legal", reason or "That is not a legal move here.", self.info.turn_rule)

    def allows_unlisted(self, state: TurnState, text: str) -> bool:
        """Whether the class allows the seat to act an act that it does not list."""
        if not self.design.allows or state.actor == CHANCE:
            return False
        table = self.table_of(state.array)
        if table._asked:
            return False
        with guarded("allows", self.file):
            return bool(self.design.allows(table.copy(), text))

    def may_come(self, table: Table, text: str) -> bool:
        """Whether an act of chance is possible."""
        return table._several.is_possible(text) if table._several else text in table._odds

    def list_acts(self, state: TurnState) -> list[Action]:
        if state.actor == CHANCE and (several := self.table_of(state.array)._several):
            raise GameError(
                f"chance has {several.number} outcomes, too many to list; random_act draws one, and apply takes any"
            )
        return super().list_acts(state)

    def effects_of(self, before: Table, played: Table, after: Table, *, is_over: bool) -> tuple[Effect, ...]:
        """The public effects of an act. `played`: the table that it was played on; `after`: one of the same position,
        of which it is known what is hidden.
        """
        if self.design.hides is None or played._sealed or is_over:
            return () if played._sealed else played.recorded()
        return shown_effects(before, played, self.hidden_from(None, before), self.hidden_from(None, after))

    # What is hidden

    def hidden_from(self, seat: int | None, table: Table) -> frozenset[Spot]:
        """The pieces that a seat, or a watcher (None), does not see. Raises DesignError."""
        if self.design.hides is None:
            return frozenset()
        viewer = None if self.views_are_equal else seat
        found: frozenset[Spot] | None = table._unseen.get(viewer)
        if found is None:
            with guarded("hides", self.file):
                found = table._unseen[viewer] = hidden_from(viewer, self.design, table)
        return found

    # Views

    def describe_position(self, position: Any) -> Any:
        return table_to_json(self.table_of(position))

    def read_position(self, described: Any) -> Any:
        table = table_from_json(described, self.first_table)
        try:
            with guarded("unsound", self.file):
                fault = self.design.unsound(table)
            if fault:
                raise BadRecord(fault)
            position = self.position_of(table)
        except DesignError as error:
            raise BadRecord(f"the game can't go on from this position: {error}") from None
        if with_sorted_pads(self.table_of(position)) != with_sorted_pads(table):
            raise BadRecord("this is no position of the game: its entries contradict each other")
        return position

    def scores(self, position: Any) -> tuple[int, ...]:
        table = self.table_of(position)
        if table._scores is None:
            if self.design.scores:
                table._scores = self.by_seat("scores", table)
            else:
                table._scores = tuple(table.score) if any(table.score) else super().scores(position)
        return table._scores

    def tie_points(self, state: State) -> tuple[int, ...]:
        if not self.design.ties:
            return super().tie_points(state)
        assert isinstance(state, TurnState)
        return self.by_seat("ties", self.table_of(state.array))

    @property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        return tuple(map(tuple, self.design.teams)) or super().teams

    def eliminated(self, position: Any) -> list[int]:
        return sorted(self.table_of(position).out)

    def see(self, position: Any, seat: int | None) -> Mapping[str, Any]:
        table, actor, look = self.table_of(position), int(position[ACTOR]), self.look
        shown = table if actor == NOBODY else concealed(table, self.hidden_from(seat, table))
        stacks, piles = shown.stacks, [look.piles_of(pad) for pad in shown.pad]
        view: dict[str, Any] = {"cooperative": True} if self.design.cooperative else {}
        view["stacks"] = {space: look.stack_of(stacks[space]) for space in self.board.names if space in stacks}
        view["turn"] = table.turn
        if any(piles):
            view["pads"] = piles
        if table.out:
            view["out"] = sorted(table.out)
        if table._asked:
            view["asked"] = [chooser for chooser in table._asked if chooser not in table._chosen]
        if own := self._own_of(table):
            view["own"] = own
        if actor == CHANCE:
            view["turn_of"] = table.seat
        elif sentence := self._sentence("reason" if actor == NOBODY else "prompt", table):
            view["reason" if actor == NOBODY else "prompt"] = sentence
        return view | self.parts_of(position, shown, seat)

    def _sentence(self, method: str, table: Table) -> str:
        """What `reason` or `prompt` says. Raises DesignError."""
        if getattr(type(self.design), method) is getattr(Design, method):
            return ""
        with guarded(method, self.file):
            sentence = getattr(self.design, method)(table)
        if not isinstance(sentence, str):
            raise self.misreturned(method, "a sentence, which may be empty", sentence)
        return sentence

    def _own_of(self, table: Table) -> dict[str, Any]:
        """The game's own values in views, as JSON. Raises DesignError."""
        own, named = table.own(), self.look.values_in_views
        if named is None:
            named = [name for name in sorted(own) if name[0] != "_" and name not in self.look.banks]
        return {name: self._shown(name, own[name]) for name in named if name in own}

    def _shown(self, name: str, value: object) -> Any:
        """A value of the table as JSON. Raises DesignError if it can't be part of a position."""
        try:
            return to_json(value, name)
        except GameError as error:
            raise DesignError(f"{error}{place_setting(self.design, name)}") from None

    def parts_of(self, position: Any, table: Table, seat: int | None) -> dict[str, Any]:
        """The entries of a view that only some games have. `table`: as its viewer sees it."""
        parts: dict[str, Any] = {}
        if table._gone:
            parts["gone"] = sorted(table._gone)
        if self.design.marks:
            with guarded("marks", self.file):
                parts["marks"] = {space: str(text) for space, text in self.design.marks(table).items()}
        if self.design.labels and position[ACTOR] >= 0 and (self.views_are_equal or seat == position[ACTOR]):
            with guarded("labels", self.file):
                parts["labels"] = [[act, str(words)] for act, words in self.design.labels(table).items()]
        if self.look.banks:
            parts["banks"] = {name: self.look.piles_of(getattr(table, name)) for name in self.look.banks}
        if self.design.goals:
            with guarded("goals", self.file):
                parts["goals"] = list(self.design.goals(table))
        if self.design.accounts:
            with guarded("accounts", self.file):
                accounts = self.design.accounts(table).items()
                parts["accounts"] = {space: account_seen(account) for space, account in accounts}
        if self.design.pool:
            with guarded("pool", self.file):
                parts["pool"] = list(self.design.pool(table))
        if self.design.turn_parts:
            parts["turn_parts"] = self.turn_parts(position)
        if self.design.threats:
            parts["threats"] = self.threats(position)
        return parts

    def turn_parts(self, position: Any) -> list[dict[str, Any]]:
        """The parts of the turn that is being played."""
        if position[ACTOR] < 0:
            return []
        with guarded("turn_parts", self.file):
            return [
                {"name": name, "now": now, **({"is_apart": True} if is_apart else {})}
                for name, now, is_apart in self.design.turn_parts(self.table_of(position))
            ]

    def threats(self, position: Any) -> list[dict[str, Any]]:
        """What players could do with one act, for learners."""
        if position[ACTOR] == NOBODY:
            return []
        with guarded("threats", self.file):
            return [threat._asdict() for threat in self.design.threats(self.table_of(position))]

    def layout(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._layout)
        return found

    def pieces(self) -> Pieces:
        table = self.first_table
        lying = [piece for pieces in (*table.stacks.values(), *table.pad) for piece in pieces]
        pyramids = sum(isinstance(piece, Pyramid) for piece in lying)
        dice = sum(isinstance(piece, Token) and self.look.kind_of(piece) in self.look.dice for piece in lying)
        forms = [shows.form for shows in self.look.shows.values()]
        is_of_chips = self.board.shape == "circle" and not self.board.lines
        return Pieces(
            pyramids=pyramids,
            dice=dice + forms.count("die") + len(self.board.names) * self.look.covers,
            coins=forms.count("coin"),
            tiles=len(self.board.names) if is_of_chips else 0,
        )

    def _draw(self, view: Mapping[str, Any], touched: Any, paint: Any) -> str:
        from icetable.workshop.drawing import drawn

        return drawn(self.layout(), view, touched, paint)

    def _svg(self, view: Mapping[str, Any]) -> str:
        from icetable.workshop.drawing import svg

        return svg(self.info.title, self.layout(), view, self.info.colours)

    def _thumbnail(self, view: Mapping[str, Any]) -> str:
        from icetable.workshop.drawing import thumbnail

        return thumbnail(self.info.title, self.layout(), view, self.info.colours)


class PlainGame(WorkshopGame):
    """A game that is played by its class alone. A position holds a table; acts are numbered as they are met."""

    rules = PLAIN

    def __init__(self, info: GameInfo, options: dict[str, Any], design: Design) -> None:
        super().__init__(info, options, design)
        self.evaluation = PLAIN if design.worth else defaults

    @functools.cached_property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the game, sampled from random games. Raises GameError."""
        return vocabulary_of(self)

    @property
    def has_chance(self) -> bool:
        return has_chance(self)

    # Positions

    def table_of(self, position: Any) -> Table:
        entry: TableEntry = position[ENTRY]
        return entry.table

    def first_position(self) -> Any:
        return self.position_of(self.first_table)

    def position_of(self, table: Table) -> Any:
        position = np.empty(WORDS.length, object)
        position[:] = 0
        position[SEATS] = self.players
        self.write_listed(position, table)
        return position

    def write_listed(self, position: Any, table: Table) -> None:
        """Write a table into a position, with its legal acts, so that their faults are told at once."""
        self.write_table(position, table)
        if not table._several:
            codes_at(position)

    def write_table(self, position: Any, table: Table) -> None:
        """Write a table into a position, with the seat to act, or the result of the game."""
        entry = position[ENTRY] = TableEntry(self, table)
        check_shape(table)
        record_chance(self.design, table)
        position[TURN], position[WINNERS], position[ENDED_BY] = table.turn, 0, 0
        rule = self.ended_at(table)
        position[ACTOR] = NOBODY if rule else actor_of(table)
        if not rule and not self.can_act(entry):
            rule = self.design.stuck_rule or self.info.turn_rule
        if rule:
            entry.codes = []
            self.settle(position, table, rule)

    def can_act(self, entry: TableEntry) -> bool:
        """Whether the seat to act has a legal act, or chance acts. Raises DesignError."""
        table = entry.table
        if table._asked or table._odds or table._several:
            return True
        with guarded("acts", self.file):
            acts = self.begin_acts(table)
            for first in acts:
                entry.begun.append(itertools.chain((first,), acts))
                return True
        return False

    def worth_of(self, table: Table) -> list[float]:
        """The worth of a table to each seat, by the game's own `worth`. Raises DesignError."""
        worth = list(map(float, self.by_seat("worth", table)))
        if not all(map(math.isfinite, worth)):
            raise self.misreturned("worth", "finite numbers", worth)
        return worth

    def key(self, position: Any) -> bytes:
        described = self.describe_position(position) | {"turn": int(position[TURN])}
        return json.dumps(described, sort_keys=True).encode()

    def determinize(self, position: Any, memory: int | None, rng: np.random.Generator) -> Any:
        """A position that looks the same to the seat to act: with random secret choices, and the pieces that it does
        not see in random order.
        """
        table = self._imagined(self.table_of(position).copy(), int(position[ACTOR]), rng)
        for seat in table._chosen:
            table._chosen[seat] = table._asked[seat][int(rng.integers(len(table._asked[seat])))]
        return self.position_of(table)

    def imagined(self, position: Any, seat: int, rng: np.random.Generator) -> Any:
        """A position that looks the same to a seat, with the pieces that it does not see in random order."""
        return self.position_of(self._imagined(self.table_of(position), seat, rng))

    def _imagined(self, table: Table, seat: int, rng: np.random.Generator) -> Table:
        if self.design.hides is None or seat < 0:
            return table
        with guarded("hides", self.file):
            imagined = shuffled(self.design, table, seat, rng)
        if table._asked:
            imagined._asked = {
                one: renamed(choices, table.pad[one], imagined.pad[one]) for one, choices in table._asked.items()
            }
        return imagined

    # Secret choices

    def seats_to_act(self, state: TurnState) -> frozenset[int]:
        if state.actor >= 0 and self.has_secret_choices:
            table = self.table_of(state.array)
            if table._asked:
                return frozenset(table._asked.keys() - table._chosen)
        return super().seats_to_act(state)

    @property
    def has_secret_choices(self) -> bool:
        return type(self.design).reveal is not Design.reveal

    def turned_to(self, position: Any, seat: int) -> Any:
        table = self.table_of(position).copy()
        table._asked = {seat: table._asked[seat], **table._asked}
        return self.position_of(table)

    def choices(self, position: Any) -> dict[int, list[int]]:
        """What several seats may choose in secret at the same moment, as acts by seat; empty unless several do."""
        table = self.table_of(position)
        if len(table._asked) < 2 or table._odds or table._several:
            return {}
        texts = {seat: [f"{CHOICE_PREFIX}{choice}" for choice in of] for seat, of in table._asked.items()}
        return {seat: TEXTS.codes(of) for seat, of in texts.items()}

    def before_choices(self, position: Any) -> Any:
        """The position before anybody has chosen at this moment."""
        table = self.table_of(position)
        if not table._chosen:
            return position
        table = table.copy()
        table._chosen = {}
        return self.position_of(table)

    # Results

    def estimate(self, position: Any) -> list[float]:
        """Each seat's share of a finished game; before the end by a softmax of `worth`.

        Without `worth`, half of the game is shared by those who lead by points, and half by all.
        """
        if position[ACTOR] == NOBODY:
            return shares_of(members(position[WINNERS]), self.players)
        if not self.design.worth:
            ahead = shares_of(self.leaders(position), self.players)
            return [(share + 1 / self.players) / 2 for share in ahead]
        worth = self.worth_of(self.table_of(position))
        most = max(worth)
        strengths = [math.exp((one - most) / WORTH_SCALE) for one in worth]
        total = sum(strengths)
        return [strength / total for strength in strengths]

    def leaders(self, position: Any) -> Sequence[int]:
        """The seats with the most points in a running game; all where points don't decide, or nobody leads."""
        return self.winners_of(self.table_of(position)) if self.is_decided_by_points else range(self.players)

    @property
    def is_decided_by_points(self) -> bool:
        """Whether the most points win, as by default."""
        return type(self.design).winners is Design.winners

    def can_estimate(self, position: Any) -> bool:
        """Whether `estimate` tells the seats apart."""
        return position[ACTOR] == NOBODY or bool(self.design.worth) or len(self.leaders(position)) < self.players

    def is_won(self, position: Any, seat: int) -> bool:
        """Whether a seat has won, with nobody but its team, or together with all others in a cooperative game."""
        if position[ACTOR] != NOBODY or not position[WINNERS] >> seat & 1:
            return False
        winners = set(members(position[WINNERS]))
        return self.design.cooperative or any(winners <= set(team) for team in self.teams)

    @property
    def has_secrets(self) -> bool:
        return self.design.hides is not None or self.has_secret_choices

    def shows_history(self, state: Any) -> bool:
        return self.design.hides is None and not self.table_of(state.array)._chosen

    def shown_act(self, state: Any) -> str:
        table = self.table_of(state.array)
        return HIDDEN_CHOICE if table._chosen else table._sealed or str(state.act)

    # Acts

    def notation(self, code: int) -> str:
        return TEXTS.text(code)

    def act_at(self, position: Any, code: int) -> Action:
        entry: TableEntry = position[ENTRY]
        several = entry.table._several
        return Action(several.drawn_from(code - UNLISTED) if several else TEXTS.text(code))

    def code(self, text: str) -> int:
        self.check_notation(text)
        return TEXTS.known(text)

    def read(self, text: str) -> int:
        return self.code(text)  # not cached: an unknown text may become an act later

    def allows(self, state: TurnState, code: int, text: str) -> bool:
        if state.actor == CHANCE:
            return self.may_come(self.table_of(state.array), text)
        listed = codes_at(state.array)  # it may give the text its code
        return TEXTS.known(text) in listed or self.allows_unlisted(state, text)

    def play(self, position: Any, code: int, text: str) -> Action:
        self.write_listed(position, self.after(self.table_of(position), text))
        return Action(text)

    def is_legal(self, position: Any, code: int) -> bool:
        return code in codes_at(position)

    def work_out_effects(self, before: Any, code: int, after: Any) -> tuple[Effect, ...]:
        table = self.table_of(after)
        return self.effects_of(self.table_of(before), table, table, is_over=after[ACTOR] == NOBODY)

    def outcomes(self, state: TurnState) -> list[tuple[Action, float]]:
        odds = self.table_of(state.array)._odds
        return [(act, odds[act]) for act in state.legal_actions()]

    @property
    def chance_parts(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(sorted(self.vocabulary.outcomes))

    def part_odds(self, position: Any, drawn: Sequence[int]) -> list[float]:
        odds, parts = self.table_of(position)._odds, self.chance_parts
        if unknown := set(odds) - set(parts):
            raise GameError(f"{self.info.title}: no number is assigned to {', '.join(sorted(unknown))}")
        return [odds.get(part, 0.0) for part in parts]

    def longest(self) -> tuple[int, int]:
        most = LENGTH_FACTOR * self.vocabulary.longest
        return most, most if self.chance_parts else 0

    def max_solo_score(self) -> int | None:
        return MAX_POINTS if self.players == 1 else None


def account_seen(account: Account) -> dict[str, Any]:
    """An account in views."""
    counts, owner, points, number = account
    seen: dict[str, Any] = {"counts": list(counts)}
    if owner is not None:
        seen["owner"], seen["points"] = owner, points
    if number is not None:
        seen["number"] = number
    return seen


def _loaded(info: GameInfo, options: Mapping[str, Any]) -> Any:
    return info.load(None, **options)


def check_shape(table: Table) -> None:
    """Raise DesignError if a game has assigned a value to the table that it can't have."""
    if table.seat not in table.seats:
        raise DesignError(
            f"table.seat is {short_repr(table.seat)}: seats are 0 to {table.players - 1}, and table.end_turn() passes "
            "the turn to the next one"
        )
    if type(table.score) is not list or len(table.score) != table.players:
        raise DesignError(f"table.score is a list of points by seat, such as [0, 0], not {short_repr(table.score)}")
    if len(table.pad) != table.players or set(map(type, table.pad)) != LISTS:
        raise DesignError(f"table.pad is a list of pieces for each seat, not {short_repr(table.pad)}")
    if (most := max(map(len, table.pad))) > MAX_PIECES:
        raise DesignError(f"at most {MAX_PIECES:,} pieces fit on a pad, not {most:,}")


def actor_of(table: Table) -> int:
    """The seat to act, or CHANCE, while the game is running."""
    if table._odds or table._several:
        return CHANCE
    waits = table.waits_for if table._asked else None
    return table.seat if waits is None else waits


def is_iterable(value: object) -> bool:
    """Whether a method's return value can be listed."""
    return hasattr(type(value), "__iter__")


def list_words(words: Sequence[str]) -> str:
    """ "a, b or c"."""
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last
