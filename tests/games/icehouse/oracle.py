"""The slow twin of Icehouse: the rules played naively, straight from the rule text.

It shares no code with the product and knows no tricks, so that the fast rules can be checked against it.
Rule ids (IH-1 to IH-36) are those of the rule text.

A position is drawn as a list, one piece of the field a line, in the order of their ids::

    red L 12000,8500 stand 45.0
    blue S 12000,10500 point 270.0

`Oracle.laid` reads it.

Where the rule text is silent, this is how it is read here:

- `players` is 4 where nothing is said (IH-1: four is best). The other bounds: `width` and `height` above 0; times,
  `timer` and `tolerance` 0 or more; `timer_spread` 0 to 1. `width`, `height` and `tolerance` are taken as exactly
  what their shortest decimal text says, without rounding to thousandths; lengths of time are rounded as times are.
- An act without a time is made at the time of the last one. No time is before 0, when the table opens (IH-22).
- Before the start `to_act` holds the seats that are not ready yet: nobody else can do anything (IH-6).
- Coordinates may be written as negative numbers; such a place is off the field (IH-5). `-0`, `+5`, `360.0`, `p0`,
  capitals and other spaces than single ones between words are no notation.
- A `bell` from anybody but nature is IH-31, also from an unknown seat: the bell comes first in the order of faults.
- The bell is an act like others: debts that are due are settled before it, the rest lapses.
- The start of a ray belongs to it: a piece on its left and one on its right that both touch the tip seal it there.
  The piece that the ray comes from is not among those it touches, and the edges of the field seal nothing (IH-10).
- With `range=ray` the distance is measured along the direction (C, S) from the rounded tip, exactly.
- Grace and pause void `icehouse` calls only, never `meltdown` (IH-20, IH-22); a grace begins with a call that finds
  somebody. A void call begins no grace and no pause. A length of 0 seconds still covers the same millisecond.
- A meltdown that finds attacking pieces does so whether they are valid or not; hands are left alone (IH-13).
- A debt is settled when an act comes later than its moment plus `gift_time`, and debts of one moment by seats.
- A debt for a crash is for a piece of that size and colour: equal pieces on one pad can't be told apart (IH-30).
- `scores` are those of the field as it lies, from the start on; `winners` is empty until the end. Where everybody
  has 0, those who are not in the icehouse share (IH-34).
- `legal` writes `lift L` for one's own colour and `give L:red green` always in full.
"""

import copy
import math
import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from . import geometry_oracle as geometry

Kind = tuple[str, int]
"""Size and colour of a pyramid; a colour is the number of the seat whose it is."""
Pad = Counter[Kind]

CHANCE = -1
SIZES = "SML"
VALUES = {"S": 1, "M": 2, "L": 3}
COLOURS = ("red", "green", "blue", "yellow", "cyan", "orange", "purple", "white")
OF_A_KIND = 5
STASH_LIMIT = 8
DEFENDERS_FIRST = 2

CHOICES = {
    "length": ("face", "height"),
    "range": ("gap", "ray"),
    "crash": ("penalty", "refuse"),
    "meltdown": ("call", "prevent"),
    "false_call": ("gift", "free"),
}
PRESETS: dict[str, dict[str, Any]] = {
    "classic": {},
    "friendly": {"crash": "refuse", "meltdown": "prevent", "false_call": "free"},
    "tournament": {},
    "first": {"crash": "refuse", "meltdown": "prevent", "false_call": "free", "timer": 180.0},
}

NUMBER = "0|-?[1-9][0-9]*"
COLOUR = "|".join(COLOURS)
PIECE = f"(?P<size>[SML])(?::(?P<colour>{COLOUR}))?"
NOTATIONS = (
    re.compile("(?P<verb>ready|return|icehouse|bell)"),
    re.compile(f"(?P<verb>lift) {PIECE}"),
    re.compile(
        f"(?P<verb>place) (?P<x>{NUMBER}),(?P<y>{NUMBER}) (?P<way>stand|point) "
        "(?P<whole>0|[1-9][0-9]?|[12][0-9][0-9]|3[0-5][0-9])[.](?P<tenth>[0-9])"
    ),
    re.compile(f"(?P<verb>meltdown) (?P<to>{COLOUR})"),
    re.compile("(?P<verb>capture) p(?P<id>[1-9][0-9]*)"),
    re.compile(f"(?P<verb>give) {PIECE} (?P<to>{COLOUR})"),
)


class Act(NamedTuple):
    """An act as it is written; what it does not have is None. Colours are seats, the heading is in tenths."""

    verb: str
    size: str | None = None
    colour: int | None = None
    to: int | None = None
    id: int | None = None
    x: int = 0
    y: int = 0
    tenths: int = 0
    stands: bool = False


class Piece(NamedTuple):
    """A pyramid on the field."""

    id: int
    colour: int
    size: str
    x: int
    y: int
    tenths: int
    stands: bool

    @property
    def value(self) -> int:
        """IH-3."""
        return VALUES[self.size]

    @property
    def kind(self) -> Kind:
        """Size and colour."""
        return self.size, self.colour


class Status(NamedTuple):
    """How a piece on the field fares (IH-10 to IH-15, IH-25)."""

    points_at: int | None
    valid: bool
    attackers: frozenset[int]
    iced: bool
    redundant: bool


class Debt(NamedTuple):
    """A gift owed since a moment, in milliseconds; `crashed` is the piece where a crash is the reason (IH-24)."""

    since: int
    crashed: Kind | None


class Oracle:
    """A position of Icehouse: `apply` gives the next one and leaves this one as it is.

    clock: the time of the last act in milliseconds; ready: the seats that are; field: the pieces in order of placing;
    next_id: the number of the next one; pads: for each seat how many pieces of each size and colour lie there; hands:
    for each seat the piece in hand, or None; debts: for each debtor what it owes; in_icehouse: seats; grace_until:
    until then all icehouse calls are void, None before the first successful one; pause_until: the same for the calls
    of each seat that has made a false one for nothing; ended_by: the rule that ended the game, or None.

    Raises ValueError where an option has a value that the rules do not know.
    """

    def __init__(self, players: int = 4, preset: str = "classic", **options: Any) -> None:
        if players not in range(2, 9):
            raise ValueError(f"players is 2 to 8, not {players}")
        if preset not in PRESETS:
            raise ValueError(f"preset is {' or '.join(PRESETS)}, not {preset}")
        if preset == "tournament" and players != 4:
            raise ValueError(f"a tournament is for exactly four players, not {players}")
        self._choose(**{**PRESETS[preset], **options})
        self.players = players
        self.clock = 0
        self.ready: frozenset[int] = frozenset()
        self.field: tuple[Piece, ...] = ()
        self.next_id = 1
        self.pads: list[Pad] = [Counter({(size, seat): OF_A_KIND for size in VALUES}) for seat in range(players)]
        self.hands: list[Kind | None] = [None] * players
        self.debts: dict[int, Debt] = {}
        self.in_icehouse: frozenset[int] = frozenset()
        self.grace_until: int | None = None
        self.pause_until: dict[int, int] = {}
        self.ended_by: str | None = None

    def _choose(
        self,
        width: float = 24,
        height: float = 24,
        length: str = "face",
        range: str = "gap",  # noqa: A002 (the name of the option)
        crash: str = "penalty",
        tolerance: float = 0.03,
        meltdown: str = "call",
        false_call: str = "gift",
        call_pause: float = 10,
        call_grace: float = 1.5,
        gift_time: float = 10,
        timer: float = 600,
        timer_spread: float = 0.2,
    ) -> None:
        """The options, lengths in thousandths of an inch and times in milliseconds."""
        chosen = {
            "length": length,
            "range": range,
            "crash": crash,
            "meltdown": meltdown,
            "false_call": false_call,
        }
        for name, value in chosen.items():
            if value not in CHOICES[name]:
                raise ValueError(f"{name} is {' or '.join(CHOICES[name])}, not {value}")
        if not (width > 0 and height > 0):
            raise ValueError(f"width and height are above 0, not {width} and {height}")
        if min(tolerance, call_pause, call_grace, gift_time, timer) < 0:
            raise ValueError("tolerance, call_pause, call_grace, gift_time and timer are 0 or more")
        if not 0 <= timer_spread <= 1:
            raise ValueError(f"timer_spread is 0 to 1, not {timer_spread}")
        self.width, self.height, self.tolerance = (exact(value) * 1000 for value in (width, height, tolerance))
        self.length, self.range, self.crash = length, range, crash
        self.meltdown, self.false_call = meltdown, false_call
        self.call_pause, self.call_grace = milliseconds(call_pause), milliseconds(call_grace)
        self.gift_time, self.timer = milliseconds(gift_time), milliseconds(timer)
        self.timer_spread = exact(timer_spread)

    @classmethod
    def laid(
        cls,
        drawing: str,
        *,
        pads: dict[int, str] | None = None,
        hands: dict[int, str] | None = None,
        in_icehouse: Sequence[int] = (),
        **options: Any,
    ) -> "Oracle":
        """A position in play at time 0, with the pieces of a drawing on the field.

        `pads` says what lies on the pads of some seats: "5S 2L 1M:blue" (own colour where none is named); the pad of
        any other seat has what is left of its colour. `hands` says what some seats hold, "L:red". Pieces of a seat
        in `pads` that are named nowhere are not in the game, so that a drawing may show few.

        Raises ValueError where there are more than five of a kind, or where the field could not lie so.
        """
        position = cls(**options)
        position.ready = frozenset(range(position.players))
        for line in filter(None, (line.strip() for line in drawing.splitlines())):
            colour, size, place = line.split(maxsplit=2)
            act = read(f"place {place}", position.players)
            if not act or colour not in COLOURS[: position.players] or size not in VALUES:
                raise ValueError(f"{line}: no piece is written so")
            piece = position.piece(act, (size, COLOURS.index(colour)))
            verdict = position.verdict(piece)
            if verdict in ("off", "crash", "overlap"):
                raise ValueError(f"{line}: {verdict}")
            position.field += (piece,)
            position.next_id += 1
        for seat, text in (hands or {}).items():
            (position.hands[seat],) = read_pad(f"1{text}", seat)
        position.pads = [read_pad((pads or {}).get(seat, ""), seat) for seat in range(position.players)]
        elsewhere = position.census()
        for seat in set(range(position.players)) - set(pads or {}):
            position.pads[seat] = Counter({(size, seat): OF_A_KIND for size in VALUES}) - elsewhere
        total = position.census()
        if total and max(total.values()) > OF_A_KIND:
            raise ValueError(f"more than five of {max(total, key=lambda kind: total[kind])} (IH-3)")
        position.in_icehouse = frozenset(in_icehouse)
        return position

    def __str__(self) -> str:
        """The drawing of the field, which `laid` reads."""
        return "\n".join(
            f"{COLOURS[piece.colour]} {piece.size} {piece.x},{piece.y} {'stand' if piece.stands else 'point'} "
            f"{piece.tenths // 10}.{piece.tenths % 10}"
            for piece in self.field
        )

    def view(self) -> dict[str, Any]:
        """The view of everybody, under the names of the public interface; seats that are keys are written out."""
        statuses = self.statuses()
        return {
            "to_act": sorted(self.to_act),
            "over": self.ended_by is not None,
            "ended_by": self.ended_by,
            "winners": sorted(self.winners),
            "scores": list(self.scores),
            "field": [
                {
                    "id": f"p{piece.id}",
                    "colour": COLOURS[piece.colour],
                    "size": piece.size,
                    "x": piece.x,
                    "y": piece.y,
                    "heading": piece.tenths / 10,
                    "standing": piece.stands,
                    "points_at": None if status.points_at is None else f"p{status.points_at}",
                    "valid": None if piece.stands else status.valid,
                    "iced": status.iced if piece.stands else None,
                    "redundant": None if piece.stands else status.redundant,
                }
                for piece in self.field
                for status in (statuses[piece.id],)
            ],
            "pads": [
                {
                    COLOURS[colour]: {size: pad[size, colour] for size in VALUES if pad[size, colour]}
                    for colour in range(self.players)
                    if any(pad[size, colour] for size in VALUES)
                }
                for pad in self.pads
            ],
            "hands": [kind and write(kind) for kind in self.hands],
            "in_icehouse": sorted(self.in_icehouse),
            "owed": {str(seat): debt.crashed and write(debt.crashed) for seat, debt in sorted(self.debts.items())},
        }

    def key(self) -> tuple[object, ...]:
        """All that makes up the position, as plain values that compare and hash.

        In order: clock, ready, field, number of the next piece, pads (for each seat the kinds that lie there with
        their numbers), hands, debts, icehouse, grace, pauses, the rule that ended the game.
        """
        return (
            self.clock,
            tuple(sorted(self.ready)),
            self.field,
            self.next_id,
            tuple(tuple(sorted((+pad).items())) for pad in self.pads),
            tuple(self.hands),
            tuple(sorted(self.debts.items())),
            tuple(sorted(self.in_icehouse)),
            self.grace_until,
            tuple(sorted(self.pause_until.items())),
            self.ended_by,
        )

    def census(self) -> Pad:
        """How many pieces of each kind there are on the field, on pads and in hands."""
        kinds = [piece.kind for piece in self.field] + [kind for kind in self.hands if kind]
        return sum((+pad for pad in self.pads), Counter(kinds))

    # What is to be done

    @property
    def has_started(self) -> bool:
        """IH-6."""
        return len(self.ready) == self.players

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that may act, and nature (-1) once play has started, unless there is no timer."""
        if self.ended_by:
            return frozenset()
        if not self.has_started:
            return frozenset(range(self.players)) - self.ready
        return frozenset(range(self.players)) | ({CHANCE} if self.timer else set())

    @property
    def bell_bounds(self) -> tuple[Fraction, Fraction]:
        """The earliest and latest moment of the bell, in milliseconds from the last `ready` (IH-31)."""
        return self.timer * (1 - self.timer_spread), self.timer * (1 + self.timer_spread)

    def legal(self, seat: int, at: int | None = None) -> set[str]:
        """The notations of the legal acts of a seat at a time, but for placements, which are too many."""
        now = self.settled(self.clock if at is None else at)
        opponents = [other for other in range(self.players) if other != seat]
        texts = ["ready", "icehouse", "return", "bell"]
        texts += [f"meltdown {COLOURS[colour]}" for colour in range(self.players)]
        texts += [f"lift {size}" if colour == seat else f"lift {write((size, colour))}" for size, colour in self.kinds]
        texts += [f"give {write(kind)} {COLOURS[other]}" for kind in self.kinds for other in opponents]
        texts += [f"capture p{piece.id}" for piece in now.field]
        return {text for text in texts if Oracle.fault(self, text, seat, at) is None}

    @property
    def kinds(self) -> list[Kind]:
        """All sizes and colours of this game."""
        return [(size, colour) for size in VALUES for colour in range(self.players)]

    def fault(self, text: str, seat: int, at: int | None = None) -> str | None:
        """The rule that an act at a time in milliseconds breaks, the first in the order of faults; None when legal.

        "notation" for a text that is no act at all, whatever the position.
        """
        act = read(text, self.players)
        if act is None:
            return "notation"
        if self.ended_by:
            return self.ended_by
        if at is not None and at < self.clock:
            return "IH-22"
        if act.verb == "bell":
            return None if seat == CHANCE and self.has_started and self.timer else "IH-31"
        if seat not in range(self.players):
            return "IH-1"
        if act.verb == "ready":
            return "IH-6" if seat in self.ready else None
        if not self.has_started:
            return "IH-6"
        now = self.settled(self.clock if at is None else at) if self.debts else self
        if seat in now.debts and act.verb != "give":
            return "IH-24"
        return now._own_fault(act, seat)

    def _own_fault(self, act: Act, seat: int) -> str | None:
        """The rule that an act breaks by itself, in a position that is settled."""
        pad, hand = self.pads[seat], self.hands[seat]
        if act.verb == "lift":
            return None if hand is None and pad[kind_of(act, seat)] else "IH-7"
        if act.verb == "return":
            return None if hand else "IH-7"
        if act.verb == "capture":
            return None if act.id in self.catch(seat) else "IH-26"
        if act.verb == "give":
            if seat not in self.debts or act.to == seat:
                return "IH-20"
            if self.debts[seat].crashed not in (None, kind_of(act, seat)):
                return "IH-30"
            return None if pad[kind_of(act, seat)] else "IH-20"
        if act.verb == "place":
            if hand is None:
                return "IH-7"
            verdict = self.verdict(self.piece(act, hand))
            if verdict == "crash" and self.crash == "penalty":
                return None
            rules = {"off": "IH-5", "crash": "IH-5", "overlap": "IH-5", "early": "IH-13", "no attack": "IH-12"}
            return rules.get(verdict)
        return None  # an icehouse or meltdown call

    # The field

    def piece(self, act: Act, kind: Kind) -> Piece:
        """The piece of this kind as a placement would lay it."""
        return Piece(self.next_id, kind[1], kind[0], act.x, act.y, act.tenths, act.stands)

    def verdict(self, piece: Piece) -> str:
        """The verdict on a placement, in the order in which it is judged.

        "off" the field, "crash" (an overlap deeper than the tolerance), "overlap", "early" (an attack that
        `meltdown=prevent` refuses), "no attack" or "lands".
        """
        shape = footprint(piece, self.length)
        depths = [geometry.depth2(shape, footprint(other, self.length)) for other in self.field]
        if not geometry.on_field(shape, self.width, self.height):
            return "off"
        if any(depth > self.tolerance**2 for depth in depths):
            return "crash"
        if any(depths):
            return "overlap"
        if piece.stands:
            return "lands"
        if self.meltdown == "prevent" and self.defenders(piece.colour) < DEFENDERS_FIRST:
            return "early"
        return "lands" if aim(piece, self.field, self.length, self.range)[1] else "no attack"

    def defenders(self, colour: int) -> int:
        """How many pieces of a colour stand, iced or not, whoever played them (IH-13)."""
        return sum(piece.colour == colour and piece.stands for piece in self.field)

    def statuses(self) -> dict[int, Status]:
        """How every piece on the field fares, by id (IH-16)."""
        return examine(self.field, self.length, self.range)

    def is_free_stander(self, piece: Piece) -> bool:
        """IH-15."""
        return piece.stands and not self.statuses()[piece.id].iced

    def catch(self, seat: int) -> set[int]:
        """The ids of the attackers that a seat may capture: redundant ones that attack its colour (IH-26)."""
        colours = {piece.id: piece.colour for piece in self.field}
        return {
            id_
            for id_, status in self.statuses().items()
            if status.redundant and status.points_at is not None and colours[status.points_at] == seat
        }

    def vulnerable(self) -> frozenset[int]:
        """The seats that an icehouse call would find, with what they hold back on their pads (IH-18, IH-21)."""
        return frozenset(
            seat
            for seat in range(self.players)
            if seat not in self.in_icehouse
            and not any(piece.colour == seat and self.is_free_stander(piece) for piece in self.field)
            and self.pads[seat].total() + (self.hands[seat] is not None) < STASH_LIMIT
        )

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of every seat as the field lies (IH-33)."""
        statuses = self.statuses()
        points = [0] * self.players
        for piece in self.field:
            status = statuses[piece.id]
            attacks = status.valid and status.points_at is not None and statuses[status.points_at].iced
            if piece.colour not in self.in_icehouse and (self.is_free_stander(piece) or attacks):
                points[piece.colour] += piece.value
        return tuple(points)

    @property
    def winners(self) -> frozenset[int]:
        """Empty until the end (IH-34)."""
        if not self.ended_by:
            return frozenset()
        outside = set(range(self.players)) - self.in_icehouse
        return frozenset(seat for seat in outside if self.scores[seat] == max(self.scores[other] for other in outside))

    # Acts

    def apply(self, text: str, seat: int, at: int | None = None) -> "Oracle":
        """The position after an act at a time (ms). Raises ValueError, with the rule, where it is refused."""
        fault = self.fault(text, seat, at)
        act = read(text, self.players)
        if fault or not act:
            raise ValueError(f"{text}: {fault}")
        now = self.clock if at is None else at
        after = self.settled(now)
        after.clock = now
        if act.verb == "ready":
            after.ready |= {seat}
        elif act.verb == "lift":
            after.hands[seat] = kind_of(act, seat)
            after.pads[seat][kind_of(act, seat)] -= 1
        elif act.verb == "return":
            after._return(seat)
        elif act.verb == "place":
            after._place(act, seat)
        elif act.verb == "icehouse":
            after._call_icehouse(seat)
        elif act.verb == "meltdown" and act.to is not None:
            after._call_meltdown(act.to)
        elif act.verb == "capture":
            after._take_off([piece for piece in after.field if piece.id == act.id], seat)
        elif act.verb == "give" and act.to is not None:
            after._give(seat, kind_of(act, seat), act.to)
        elif act.verb == "bell":
            for other in range(after.players):
                after._return(other)
            after.debts = {}
            after.ended_by = "IH-31"
        after.debts = {debtor: debt for debtor, debt in after.debts.items() if after.pads[debtor].total()}  # IH-24
        if not any(after.hands) and not any(pad.total() for pad in after.pads):
            after.ended_by = "IH-32"
        return after

    def settled(self, at: int) -> "Oracle":
        """The position that an act at this time meets: gifts that are overdue are given (IH-24)."""
        after = copy.copy(self)
        after.pads = [+pad for pad in self.pads]
        after.hands = list(self.hands)
        after.debts = dict(self.debts)
        after.pause_until = dict(self.pause_until)
        overdue = [(debt.since, debtor) for debtor, debt in self.debts.items() if at > debt.since + self.gift_time]
        for _, debtor in sorted(overdue):
            crashed = after.debts[debtor].crashed
            least = min(+after.pads[debtor], key=lambda kind: (VALUES[kind[0]], (kind[1] - debtor) % self.players))
            after._give(debtor, crashed or least, (debtor + 1) % self.players)
        return after

    def _give(self, debtor: int, kind: Kind, receiver: int) -> None:
        """A debtor gives what it owes (IH-24)."""
        del self.debts[debtor]
        self.pads[debtor][kind] -= 1
        self.pads[receiver][kind] += 1

    def _return(self, seat: int) -> None:
        """Put the piece in a seat's hand back on its pad."""
        kind = self.hands[seat]
        if kind:
            self.hands[seat] = None
            self.pads[seat][kind] += 1

    def _place(self, act: Act, seat: int) -> None:
        """A piece lands on the field, or crashes (IH-30)."""
        kind = self.hands[seat]
        assert kind
        piece = self.piece(act, kind)
        if self.verdict(piece) == "crash":
            self._return(seat)
            self.debts[seat] = Debt(self.clock, kind)
        else:
            self.hands[seat] = None
            self.field += (piece,)
            self.next_id += 1

    def _take_off(self, pieces: Sequence[Piece], seat: int) -> None:
        """Pieces go from the field to the pad of a seat (IH-8)."""
        self.field = tuple(piece for piece in self.field if piece not in pieces)
        self.pads[seat] += Counter(piece.kind for piece in pieces)

    def _call_meltdown(self, colour: int) -> None:
        """IH-13."""
        if self.meltdown == "call" and self.defenders(colour) < DEFENDERS_FIRST:
            self._take_off([piece for piece in self.field if piece.colour == colour and not piece.stands], colour)

    def is_void(self, caller: int) -> bool:
        """Whether an icehouse call of a seat at the time of the clock is void (IH-20, IH-22)."""
        ends = [self.grace_until, self.pause_until.get(caller)]
        return any(end is not None and self.clock <= end for end in ends)

    def _call_icehouse(self, caller: int) -> None:
        """IH-17 to IH-22."""
        if self.is_void(caller):
            return
        for seat in range(self.players):
            self._return(seat)
        found = self.vulnerable()
        if found:
            self.in_icehouse |= found
            self.grace_until = self.clock + self.call_grace
            for seat in found - {caller}:
                self.pads[caller] += self.pads[seat]
                self.pads[seat] = Counter()
        elif self.false_call == "free" or not self.pads[caller].total():
            self.pause_until[caller] = self.clock + self.call_pause
        else:
            self.debts[caller] = Debt(self.clock, None)


@lru_cache(maxsize=4096)
def footprint(piece: Piece, length: str) -> geometry.Piece:
    """The part of the field that a piece covers (IH-4, IH-5)."""
    size, lengths = SIZES.index(piece.size), geometry.LENGTHS[length]
    return geometry.placed(piece.x, piece.y, piece.tenths, size, piece.stands, lengths)


def aim(piece: Piece, field: Sequence[Piece], length: str, range_: str) -> tuple[int | None, bool]:
    """The piece that a lying piece points at, by id, and whether that is a valid attack (IH-10, IH-11)."""
    own, others = footprint(piece, length), [other for other in field if other.id != piece.id]
    shapes = [footprint(other, length) for other in others]
    number = geometry.aim(own, shapes)
    if number < 0:
        return None, False
    target, reaches = others[number], geometry.within if range_ == "gap" else geometry.ray_within
    return target.id, target.stands and target.colour != piece.colour and reaches(own, shapes[number], own.length)


@lru_cache(maxsize=1024)
def examine(field: tuple[Piece, ...], length: str, range_: str) -> dict[int, Status]:
    """How every piece of a field fares, by id (IH-10 to IH-15, IH-25)."""
    aims = {piece.id: (None, False) if piece.stands else aim(piece, field, length, range_) for piece in field}
    values = {piece.id: piece.value for piece in field}
    attackers = {piece.id: frozenset(id_ for id_, shot in aims.items() if shot == (piece.id, True)) for piece in field}
    force = {id_: sum(values[attacker] for attacker in attackers[id_]) for id_ in values}
    iced = {piece.id: piece.stands and force[piece.id] > piece.value for piece in field}
    redundant = {
        id_: valid and target is not None and force[target] - values[id_] > values[target]
        for id_, (target, valid) in aims.items()
    }
    return {id_: Status(*aims[id_], attackers[id_], iced[id_], redundant[id_]) for id_ in values}


@lru_cache(maxsize=4096)
def read(text: str, players: int) -> Act | None:
    """The act that a text is, None where no act of a game of so many players is written so."""
    for notation in NOTATIONS:
        found = notation.fullmatch(text)
        if found:
            parts = found.groupdict()
            colour, to = (COLOURS.index(parts[name]) if parts.get(name) else None for name in ("colour", "to"))
            if max(colour or 0, to or 0) >= players:
                return None
            if parts["verb"] == "place":
                tenths = int(parts["whole"] + parts["tenth"])
                x, y = int(parts["x"]), int(parts["y"])
                return Act("place", x=x, y=y, tenths=tenths, stands=parts["way"] == "stand")
            return Act(parts["verb"], parts.get("size"), colour, to, int(parts["id"]) if parts.get("id") else None)
    return None


def kind_of(act: Act, seat: int) -> Kind:
    """The piece that an act of a seat names: of its own colour where none is written."""
    assert act.size
    return act.size, seat if act.colour is None else act.colour


def write(kind: Kind) -> str:
    """A kind as it is written, "L:red"."""
    return f"{kind[0]}:{COLOURS[kind[1]]}"


def spelled_out(text: str, seat: int) -> str:
    """An act of a seat with the colour of its piece written, so that two ways of writing it compare."""
    return re.sub("^(lift|give) ([SML])(?!:)", rf"\1 \2:{COLOURS[seat]}", text)


def read_pad(text: str, seat: int) -> Pad:
    """The pieces of a text such as "5S 2L 1M:blue", of a seat's own colour where none is named."""
    pad: Pad = Counter()
    for word in text.split():
        found = re.fullmatch(f"([1-9])([SML])(?::({COLOUR}))?", word)
        if not found:
            raise ValueError(f"{word}: pieces on a pad are written 5S or 1M:blue")
        pad[found[2], COLOURS.index(found[3]) if found[3] else seat] += int(found[1])
    return pad


def exact(number: float) -> Fraction:
    """The value of the shortest decimal text of a number."""
    return Fraction(repr(number))


def milliseconds(seconds: float) -> int:
    """A time in whole milliseconds, halves of the shortest decimal text rounded up."""
    return math.floor(exact(seconds) * 1000 + Fraction(1, 2))


def match_scores(games: Sequence[Oracle]) -> tuple[int, ...]:
    """The scores of the games of a match, added up (IH-35)."""
    return tuple(map(sum, zip(*(game.scores for game in games), strict=True)))


def ratings(games: Sequence[Oracle]) -> tuple[Fraction, ...]:
    """The tournament rating of every seat over the games of a match (IH-36)."""
    wins = [
        sum((Fraction(seat in game.winners, len(game.winners) or 1) for game in games), Fraction(0))
        for seat in range(games[0].players)
    ]
    return tuple(score * (won + 1) for score, won in zip(match_scores(games), wins, strict=True))
