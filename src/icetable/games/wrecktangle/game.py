"""WreckTangle as a `TurnGame`: notation, faults, effects, views and saved positions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from icetable.core.drawing import Paint
from icetable.core.errors import BadNotation, BadRecord, Fault
from icetable.core.game import GameInfo
from icetable.core.infobox import Pieces
from icetable.core.numbers import is_integer
from icetable.core.options import short_repr
from icetable.core.turns import TurnGame, read_turn
from icetable.games.wrecktangle import drawing, evaluation, features, picture, rules
from icetable.games.wrecktangle.names import COINS, FACES, SIZE_LETTERS, last_of, names_of
from icetable.games.wrecktangle.rules import (
    COIN,
    COPIES,
    DIE,
    DIE_MOVE,
    DIE_SWAP,
    DRONE,
    END,
    FORWARD,
    HEADS,
    HOMES,
    KINDS,
    LAST,
    LOST,
    MAX_FORMED,
    MOVE,
    NAMES,
    NONE,
    OWED,
    OWN,
    PASSABLE,
    PAWN,
    PYRAMIDS,
    ROLL,
    SEAT,
    SQUARES,
    SWAP,
    TAILS,
    UNUSED,
    VERBS,
    WILD,
)
from icetable.games.wrecktangle.threats import threats
from icetable.games.wrecktangle.view import (
    AnyEffect,
    Captures,
    Coin,
    Draw,
    Forms,
    Home,
    Layout,
    Moves,
    Out,
    Removes,
    Square,
    Swaps,
    Turn,
    Verdict,
    View,
    Wins,
)
from icetable.kernels.bits import lowest, popcount
from icetable.kernels.layout import ACTOR, CHANCE, ENDED_BY, TURN, TURN_LIMIT, settle

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from icetable.kernels.jit import Ints

WAYS_TO_MOVE = (
    "A pawn moves exactly 2 squares along a rank or a file.",
    "A drone moves exactly 2 squares along a diagonal.",
    "A queen moves exactly 2 squares along a rank, a file or a diagonal.",
)
SQUARE = "([a-z])([0-9]+)"
ACT_FORM = re.compile(f"(~?){SQUARE}([-*]){SQUARE}")
PYRAMID_FORM = re.compile("([0-3])([PDQ])")
ENTRIES = ("turn", "turn_of", "roll", "normal_owed", "die_unused", "coin", "pieces", "lost", "last")


def make(info: GameInfo, options: dict[str, Any]) -> WreckTangle:
    """Create the game."""
    return WreckTangle(info, options)


class WreckTangle(TurnGame):
    """WreckTangle. Kernel acts are those of `rules`."""

    views_are_equal = True
    rules = rules
    compared_words = LAST
    evaluation = evaluation
    features = features
    exploration = 0.08
    equal_odds = True
    chance_parts = tuple(f"die:{face}" for face in FACES)

    def first_position(self) -> Ints:
        names = "leap", "rectangles", "home_coin", "fallen", "turn_limit"
        return rules.start(self.players, *map(self.options.__getitem__, names))

    # Notation

    def notation(self, code: int) -> str:
        verb, source, target = code & VERBS, code >> 6 & 63, code & 63
        if verb == END:
            return "end"
        if verb == ROLL:
            return f"die:{FACES[target]}"
        if verb == DIE_SWAP:
            return f"~{NAMES[source]}*{NAMES[target]}"
        return f"{'~' if verb == DIE_MOVE else ''}{NAMES[source]}-{NAMES[target]}"

    def code(self, text: str) -> int | None:
        verb, first, second = self._read(text)
        if verb == END:
            return END
        if verb == ROLL:
            return ROLL | FACES.index(first)
        if first not in SQUARES or second not in SQUARES:
            return None
        return verb | SQUARES[first] << 6 | SQUARES[second]

    def _read(self, text: str) -> tuple[int, str, str]:
        """Read the verb and two squares; a face and "" for a roll, twice "" for the end. Raises BadNotation."""
        if isinstance(text, str):
            if text == "end":
                return END, "", ""
            if text.startswith("die:") and text[4:] in FACES:
                return ROLL, text[4:], ""
            if form := ACT_FORM.fullmatch(text):
                tilde, first_file, first_rank, sign, second_file, second_rank = form.groups()
                first, second = first_file + first_rank, second_file + second_rank
                if sign == "-":
                    return DIE_MOVE if tilde else MOVE, first, second
                rising = (first_file, len(first_rank), first_rank) < (second_file, len(second_rank), second_rank)
                if tilde and rising:
                    return DIE_SWAP, first, second
                if tilde:
                    raise BadNotation(
                        f"{short_repr(text)} is not an act; a swap names two squares, the lower one first (WT-8)"
                    )
        raise BadNotation(f"{short_repr(text)} is not an act; acts look like d1-d3, ~d8-d7, ~d1*e8, die:swap, or end")

    # Faults, in the order of the spec

    def judge(self, position: Ints, text: str) -> Fault:
        verb, first, second = self._read(text)
        if fault := self._judge_phase(position, verb):
            return fault
        rule = "WT-6" if verb == MOVE else "WT-7"
        for square in (first, second):
            if square not in SQUARES:
                return Fault("no-such-square", f"The board has no square {short_repr(square)}.", rule, (square,))
        if verb == MOVE:
            return self._judge_normal_move(position, first, second)
        if verb == DIE_SWAP:
            return self._judge_swap(position, first, second)
        return self._judge_die_move(position, first, second)

    def _judge_phase(self, position: Ints, verb: int) -> Fault | None:
        if position[ACTOR] == CHANCE:
            return Fault("not-rolled", "First the die has to be rolled.", "WT-5")
        if verb == ROLL:
            return Fault("rolled", "The die has been rolled for this turn.", "WT-5")
        if verb == END:
            return Fault("move-owed", "You can make your normal move, so you must.", "WT-5")
        if verb == MOVE and not position[OWED]:
            return Fault("moved", "You have made the normal move of this turn.", "WT-5")
        if verb in (DIE_MOVE, DIE_SWAP) and not position[UNUSED]:
            return Fault("die-used", "You have made the die move of this turn.", "WT-5")
        return None

    def _judge_normal_move(self, position: Ints, source: str, target: str) -> Fault:
        start, end = SQUARES[source], SQUARES[target]
        pyramid = self._pyramid(position, start)
        if pyramid is None or pyramid[0] != position[SEAT]:
            return Fault("no-own-pyramid", f"No pyramid of yours stands on {source}.", "WT-6", (source,))
        files, ranks = abs((end >> 3) - (start >> 3)), abs((end & 7) - (start & 7))
        straight, diagonal = {files, ranks} == {0, 2}, files == ranks == 2
        size = pyramid[1]
        if not ((straight and size != DRONE) or (diagonal and size != PAWN)):
            return Fault("wrong-way", WAYS_TO_MOVE[size], "WT-6", (source, target))
        between = (start + end) >> 1
        if self._pyramid(position, between) is not None and not position[PASSABLE]:
            message = f"The way from {source} to {target} is blocked on {NAMES[between]}."
            return Fault("blocked", message, "WT-6", (NAMES[between],))
        return self._is_occupied(target, "WT-6")

    def _judge_die_move(self, position: Ints, source: str, target: str) -> Fault:
        face = FACES[position[DIE]]
        if position[DIE] == SWAP:
            return Fault("wrong-roll", "The die shows swap, so two pyramids change places.", "WT-7", (source, target))
        start, end = SQUARES[source], SQUARES[target]
        pyramid = self._pyramid(position, start)
        if pyramid is None:
            return Fault("no-pyramid", f"No pyramid stands on {source}.", "WT-7", (source,))
        if end not in self._die_targets(position, start, pyramid[0]):
            message = f"The die shows {face}, which takes no pyramid from {source} to {target}."
            return Fault("wrong-way", message, "WT-7", (source, target))
        return self._is_occupied(target, "WT-7")

    def _die_targets(self, position: Ints, square: int, owner: int) -> set[int]:
        """The squares that a pyramid of a colour could reach by the die on an empty board."""
        turns = [turn for turn in range(8) if rules.TURNS[position[DIE]] >> turn & 1]
        ways = [rules.step(1 << square, (int(position[FORWARD + owner]) + turn) & 7) for turn in turns]
        return {lowest(way) for way in ways if way}

    def _judge_swap(self, position: Ints, first: str, second: str) -> Fault:
        if position[DIE] not in (SWAP, WILD):
            message = f"The die shows {FACES[position[DIE]]}, so nothing can be swapped."
            return Fault("wrong-roll", message, "WT-7", (first, second))
        for square in (first, second):
            if self._pyramid(position, SQUARES[square]) is None:
                return Fault("no-pyramid", f"No pyramid stands on {square}.", "WT-7", (square,))
        message = f"The pyramids on {first} and {second} are alike: swapping them would change nothing."
        return Fault("no-change", message, "WT-8", (first, second))

    def _is_occupied(self, target: str, rule: str) -> Fault:
        return Fault("occupied", f"A pyramid already stands on {target}.", rule, (target,))

    def longest(self) -> tuple[int, int] | None:
        """A turn has one roll, and at most two acts: the normal move, and a die move or the end (WT-5, WT-18)."""
        return (2 * limit, limit) if (limit := self.options["turn_limit"]) else None

    # Effects

    def work_out_effects(self, before: Ints, code: int, after: Ints) -> tuple[AnyEffect, ...]:
        effects: list[AnyEffect] = [] if code & VERBS in (ROLL, END) else self._effects_of_move(before, code, after)
        if after[ENDED_BY] == 17:
            effects.append(Wins(int(after[SEAT])))
        elif after[ENDED_BY] == 18:
            effects.append(Draw(self.rule(18)))
        elif after[TURN] != before[TURN]:
            effects.append(Turn(int(after[SEAT])))
        return tuple(effects)

    def _effects_of_move(self, before: Ints, code: int, after: Ints) -> list[AnyEffect]:
        seat = int(before[SEAT])
        source, target = code >> 6 & 63, code & 63
        moved = before.copy()
        rules.exchange(moved, 1 << source | 1 << target)
        effects: list[AnyEffect] = [self._placement_effect(before, code & VERBS, NAMES[source], NAMES[target])]
        prey = 0
        arrival = int(moved[OWN + seat] & ~before[OWN + seat])
        for corners in self._rectangles(moved, arrival):
            effects.append(Forms(tuple(names_of(corners)), self._verdict(moved, corners)))
            if rules.counts(moved, corners):
                prey |= rules.caught(corners, int(before[COIN])) & rules.occupied(moved) & ~moved[OWN + seat]
        effects += [Captures((name,), self._name(moved, name)) for name in names_of(prey)]
        if after[COIN] != before[COIN]:
            effects.append(Coin(COINS[after[COIN]]))
        for other in range(self.players):
            if rules.is_in(before, other) and not rules.is_in(after, other):
                effects.append(Out(other))
                left = names_of(int(moved[OWN + other] & ~prey & ~after[OWN + other]))
                effects += [Removes((name,), self._name(moved, name)) for name in left]
        return effects

    def _placement_effect(self, before: Ints, verb: int, source: str, target: str) -> Moves | Swaps:
        """The move or the swap, with the pyramids, which the act itself does not name."""
        pyramid = self._name(before, source)
        if verb == DIE_SWAP:
            return Swaps((source, target), f"{pyramid} {self._name(before, target)}")
        return Moves((source, target), pyramid)

    def _rectangles(self, position: Ints, arrival: int) -> list[int]:
        """The rectangles with a corner on the square in the set `arrival`, which may be empty."""
        if not arrival:
            return []
        found = (int(rules.rectangle(position, lowest(arrival), index)) for index in range(MAX_FORMED))
        return sorted(filter(None, found), key=names_of)

    def _verdict(self, position: Ints, corners: int) -> Verdict:
        """Whether a rectangle counts, or why it does not."""
        if rules.counts(position, corners):
            return "resolved"
        return "home-row" if corners & position[HOMES] else "repeated"

    # Views

    def pieces(self) -> Pieces:
        return Pieces(pyramids=len(rules.LINE_UP) * self.players, dice=1, coins=1)

    def layout(self) -> Layout:
        rows = [rules.HOME_ROWS[forward] for forward in rules.SEATING[self.players]]
        steps = {rules.UP: (0, 1), rules.RIGHT: (1, 0), rules.DOWN: (0, -1), rules.LEFT: (-1, 0)}
        homes = {name: seat for seat, row in enumerate(rows) for name in row}
        squares: list[Square] = [
            {"name": name, "x": square >> 3, "y": square & 7, "home": homes.get(name)}
            for name, square in SQUARES.items()
        ]
        seats: list[Home] = [
            {"home": list(row), "away": steps[forward]}
            for row, forward in zip(rows, rules.SEATING[self.players], strict=True)
        ]
        return {"squares": squares, "seats": seats}

    def _draw(self, view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> str:
        return drawing.draw(self.layout(), view, touched, paint)

    def _svg(self, view: Mapping[str, Any]) -> str:
        return picture.svg(self.info.colours, self.layout(), view)

    def eliminated(self, position: Ints) -> list[int]:
        """The seats that have lost too many pyramids (WT-16)."""
        return [seat for seat in range(self.players) if not rules.is_in(position, seat)]

    def see(self, position: Ints, seat: int | None) -> View:
        acting = int(position[ACTOR]) >= 0
        view = {
            **self.describe_position(position),
            "normal_possible": acting and bool(position[OWED] and rules.normal_is_possible(position)),
            "out": self.eliminated(position),
            "turn_limit": int(position[TURN_LIMIT]),
            "threats": threats(position),
        }
        return cast("View", view)

    def _pyramid(self, position: Ints, square: int) -> tuple[int, int] | None:
        """Seat and size of the pyramid on a square; None for an empty square."""
        for seat in range(self.players):
            if position[OWN + seat] >> square & 1:
                return seat, next(size for size in range(rules.SIZES) if position[KINDS + size] >> square & 1)
        return None

    def _name(self, position: Ints, name: str) -> str:
        """Seat and size of the pyramid on a square: "1D"."""
        pyramid = self._pyramid(position, SQUARES[name])
        assert pyramid is not None
        return f"{pyramid[0]}{SIZE_LETTERS[pyramid[1]]}"

    # Saved positions

    def describe_position(self, position: Ints) -> dict[str, object]:
        """The position, without the players who are out, the seat to act and the end, which follow from it."""
        return {
            "turn": int(position[TURN]),
            "turn_of": int(position[SEAT]),
            "roll": None if position[DIE] == NONE else FACES[position[DIE]],
            "normal_owed": bool(position[OWED]),
            "die_unused": bool(position[UNUSED]),
            "coin": COINS[position[COIN]],
            "pieces": self._pieces(position),
            "lost": [int(position[LOST + seat]) for seat in range(self.players)],
            "last": [sorted(names_of(corners) for corners in last_of(position, seat)) for seat in range(self.players)],
        }

    def _pieces(self, position: Ints) -> dict[str, str]:
        """Seat and size of the pyramids, by square."""
        own = position[OWN : OWN + self.players].tolist()
        kinds = position[KINDS : KINDS + rules.SIZES].tolist()
        pieces = {
            name: f"{seat}{letter}"
            for seat, squares in enumerate(own)
            for letter, kind in zip(SIZE_LETTERS, kinds, strict=True)
            for name in names_of(squares & kind)
        }
        return {name: pieces[name] for name in names_of(sum(kinds))}

    def same(self, position: Ints, other: Ints) -> bool:
        """Whether the rectangles that captured last are equal, in any order."""
        return all(set(last_of(position, seat)) == set(last_of(other, seat)) for seat in range(self.players))

    def read_position(self, described: Any) -> Ints:
        if not isinstance(described, dict) or set(described) != set(ENTRIES):
            raise BadRecord(f"a position of WreckTangle has the entries {', '.join(ENTRIES[:-1])} and {ENTRIES[-1]}")
        position = self.first_position()
        position[OWN : KINDS + rules.SIZES] = 0
        self._read_phase(position, described)
        self._read_pieces(position, described["pieces"])
        self._read_lost(position, described["lost"])
        self._read_last(position, described["last"])
        self._check_turn(position)
        return position

    def _read_phase(self, position: Ints, described: dict[str, Any]) -> None:
        turn, seat, roll, coin = (described[name] for name in ("turn", "turn_of", "roll", "coin"))
        turn = read_turn(turn, self.options["turn_limit"])
        if not is_integer(seat) or not 0 <= seat < self.players:
            raise BadRecord(f"turn_of is a seat from 0 to {self.players - 1}, not {short_repr(seat)}")
        if roll is not None and not (isinstance(roll, str) and roll in FACES):
            raise BadRecord(f"roll is null or one of {', '.join(FACES)}, not {short_repr(roll)}")
        if not isinstance(coin, str) or coin not in COINS:
            raise BadRecord(f"coin is heads or tails, not {short_repr(coin)}")
        for name in ("normal_owed", "die_unused"):
            if not isinstance(described[name], bool):
                raise BadRecord(f"{name} is true or false, not {short_repr(described[name])}")
        position[TURN], position[SEAT], position[COIN] = turn, seat, COINS.index(coin)
        position[DIE] = NONE if roll is None else FACES.index(roll)
        position[OWED], position[UNUSED] = described["normal_owed"], described["die_unused"]

    def _read_pieces(self, position: Ints, pieces: Any) -> None:
        if not isinstance(pieces, dict):
            raise BadRecord(f"pieces is a table of squares, not {short_repr(pieces)}")
        for square, name in pieces.items():
            if square not in SQUARES:
                raise BadRecord(f"the board has no square {short_repr(square)} (WT-1)")
            form = PYRAMID_FORM.fullmatch(name) if isinstance(name, str) else None
            if form is None or int(form[1]) >= self.players:
                raise BadRecord(f"a pyramid is written as seat and size, such as 0Q, not {short_repr(name)}")
            seat, size = int(form[1]), SIZE_LETTERS.index(form[2])
            if popcount(rules.twins(position, seat, size)) == COPIES:
                raise BadRecord(f"there are more than {COPIES} pyramids {name} (WT-2)")
            rules.put(position, seat, size, SQUARES[square])

    def _read_lost(self, position: Ints, lost: Any) -> None:
        if not isinstance(lost, list) or len(lost) != self.players:
            raise BadRecord(f"lost is a list of {self.players} numbers, not {short_repr(lost)}")
        for seat, count in enumerate(lost):
            if not is_integer(count) or not 0 <= count <= PYRAMIDS:
                raise BadRecord(f"a player has lost from 0 to {PYRAMIDS} pyramids, not {short_repr(count)}")
            position[LOST + seat] = count
            removed = not rules.is_in(position, seat) and not position[rules.STAYS]
            standing = popcount(int(position[OWN + seat]))
            if standing != (0 if removed else PYRAMIDS - count):
                raise BadRecord(f"seat {seat} has lost {count} pyramids and can't have {standing} (WT-15, WT-16)")

    def _read_last(self, position: Ints, last: Any) -> None:
        if not isinstance(last, list) or len(last) != self.players:
            raise BadRecord(f"last has a list of rectangles for each of {self.players} seats, not {short_repr(last)}")
        for seat, described in enumerate(last):
            if not isinstance(described, list) or len(described) > MAX_FORMED:
                raise BadRecord(f"no move forms the rectangles {short_repr(described)} (WT-13)")
            rectangles = [self._read_rectangle(position, corners) for corners in described]
            if len(rectangles) == MAX_FORMED and not can_capture_together(*rectangles):
                raise BadRecord(f"the rectangles {short_repr(described)} can't have captured by one move (WT-13)")
            first = LAST + seat * MAX_FORMED
            position[first : first + len(rectangles)] = rectangles
        self._check_captors(position)

    def _read_rectangle(self, position: Ints, names: Any) -> int:
        """Read a rectangle that can have captured. Raises BadRecord."""
        corners = 0
        if isinstance(names, list) and len(names) == 4:
            corners = sum({1 << SQUARES[name] for name in names if isinstance(name, str) and name in SQUARES})
        if not self._is_rectangle(position, corners):
            raise BadRecord(f"{short_repr(names)} are not the corners of a rectangle (WT-10)")
        if corners & position[HOMES]:
            raise BadRecord(f"the rectangle {' '.join(names)} has a corner in a home row (WT-12)")
        if not rules.caught(corners, HEADS) | rules.caught(corners, TAILS):
            raise BadRecord(f"the rectangle {' '.join(names)} has neither inside nor sides to capture on (WT-10)")
        return corners

    def _is_rectangle(self, position: Ints, corners: int) -> bool:
        if corners.bit_count() != 4:
            return False
        alone = position.copy()
        alone[OWN + position[SEAT]] = corners
        return bool(rules.rectangle(alone, lowest(corners), 0) == corners)

    def _check_captors(self, position: Ints) -> None:
        """Check that every loss has a captor among the other seats, and every captor a loser."""
        captors = {seat for seat in range(self.players) if last_of(position, seat)}
        losers = {seat for seat in range(self.players) if position[LOST + seat]}
        for seats, others in ((captors, losers), (losers, captors)):
            for seat in seats:
                if not others - {seat}:
                    raise BadRecord(f"last and lost contradict each other for seat {seat} (WT-13)")

    def _check_turn(self, position: Ints) -> None:
        """Set the seat to act, and refuse an impossible turn (WT-5, WT-9, WT-16 … WT-18)."""
        seat, turn = int(position[SEAT]), int(position[TURN])
        rolled, owed, unused = position[DIE] != NONE, bool(position[OWED]), bool(position[UNUSED])
        remaining = [other for other in range(self.players) if rules.is_in(position, other)]
        if seat not in remaining:
            raise BadRecord(f"seat {seat} is out of the game and has no turn (WT-16)")
        if (self.players == 2 or len(remaining) == self.players) and seat != turn % self.players:
            raise BadRecord(f"turn {turn} is not seat {seat}'s (WT-4)")
        if not rolled and not (owed and unused):
            raise BadRecord("there are no moves before the roll (WT-5)")
        over = turn == position[TURN_LIMIT] > 0
        if over and rolled:
            raise BadRecord(f"there is no roll after {turn} turns (WT-18)")
        if len(remaining) == 1:
            if owed and unused:
                raise BadRecord("the last player left has won by a move, and none was made (WT-17)")
            settle(position, 1 << seat, 17)
        elif over:
            settle(position, sum(1 << other for other in remaining), 18)
        elif rolled:
            position[ACTOR] = seat
            if not rules.may_act(position):
                raise BadRecord("no act is left in this turn, so it has passed (WT-9)")


def can_capture_together(first: int, second: int) -> bool:
    """Whether two rectangles of at most six pyramids can share a new corner, and capture on one side of the coin."""
    corners = (first | second).bit_count()
    sides = [coin for coin in (HEADS, TAILS) if rules.caught(first, coin) and rules.caught(second, coin)]
    return 4 < corners <= PYRAMIDS and bool(sides)
