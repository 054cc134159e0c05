"""Who's On The Squad? as a `TurnGame`: notation, faults, effects, views and saved positions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, get_args

from icetable.core.drawing import Paint
from icetable.core.errors import BadNotation, BadRecord, Fault
from icetable.core.game import GameInfo, State
from icetable.core.infobox import Pieces
from icetable.core.numbers import is_integer
from icetable.core.options import short_repr
from icetable.core.turns import TurnGame, TurnState, counts_by_size
from icetable.games.squad import drawing, evaluation, picture, rules
from icetable.games.squad.rules import (
    CAPTAIN,
    CAPTAIN_KIND,
    CORNERS,
    FACE,
    FIRST,
    FRIENDS,
    OF_SIZE,
    PYRAMIDS,
    SIZES,
    SUPPLY,
)
from icetable.games.squad.view import AnyEffect, CaptainPlaced, End, Fall, Formation, Kind, Layout, Square, Stunt, View
from icetable.kernels.bits import bit, has, popcount
from icetable.kernels.layout import ACTOR, NOBODY, TURN

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from icetable.kernels.boards import Space
    from icetable.kernels.jit import Ints

SIZE_LETTERS: tuple[Kind, ...] = get_args(Kind)
KIND_LETTERS = "FSJC"
SIZE_WORDS = ("freshman", "sophomore", "junior")
ACT_FORM = re.compile("([FSJC])@([a-z][0-9]+)")
FRIEND_FORM = re.compile("([0-3])([FSJ])")
BEST_SOLO_SCORES = {(2, "exact"): 1, (3, "exact"): 12, (2, "up-to"): 13}
"""The best possible score of a single player, by trios and formation (SQ-16; found by `solve`)."""


def make(info: GameInfo, options: dict[str, Any]) -> Squad:
    """Create the game, and complete the options that depend on the number of players."""
    if options["board"] is None:
        options["board"] = rules.default_board(options["players"])
    if options["trios"] is None:
        options["trios"] = rules.default_trios(options["players"])
    return Squad(info, options)


class Squad(TurnGame):
    """Who's On The Squad? Kernel acts are those of `rules`."""

    views_are_equal = True

    rules = rules
    compared_words = rules.WORDS.length
    evaluation = evaluation

    def __init__(self, info: GameInfo, options: dict[str, Any]) -> None:
        super().__init__(info, options)
        self.board = rules.BOARDS[options["board"]]

    def first_position(self) -> Ints:
        return rules.start(**self.options)

    # Notation

    def notation(self, code: int) -> str:
        return f"{KIND_LETTERS[code >> 6]}@{self.board.names[code & 63]}"

    def code(self, text: str) -> int | None:
        kind, square = self._read(text)
        if square not in self.board.by_name:
            return None
        return KIND_LETTERS.index(kind) << 6 | self.board.by_name[square].square

    def _read(self, text: str) -> tuple[str, str]:
        """Read the letter of the piece and the square. Raises BadNotation."""
        if isinstance(text, str):  # noqa: SIM102
            if act := ACT_FORM.fullmatch(text):
                return act[1], act[2]
        raise BadNotation(f"{short_repr(text)} is not an act; acts look like C@a1, F@b1, S@b2 or J@c3")

    # Faults, in the order of the spec

    def judge(self, position: Ints, text: str) -> Fault:
        kind, square = self._read(text)
        if square not in self.board.by_name:
            return Fault("no-such-square", f"The board has no square {short_repr(square)}.", "SQ-1", (square,))
        placed = position[CAPTAIN + position[ACTOR]] != 0
        if kind == "C" and placed:
            return Fault("captain-placed", "Your captain is already on the board.", "SQ-4")
        if kind == "C":
            where = "square on the rim" if self.players == 3 else "corner"
            return Fault("captain-site", f"A captain begins on an empty {where}, not on {square}.", "SQ-4", (square,))
        if not placed:
            return Fault("captains-first", "All captains have to be placed before the first friend.", "SQ-4")
        return self._judge_friend(position, SIZE_LETTERS.index(kind), self.board.by_name[square])

    def _judge_friend(self, position: Ints, size: int, space: Space) -> Fault:
        seat = int(position[ACTOR])
        if position[SUPPLY + seat * SIZES + size] == 0:
            return Fault("none-left", f"You have no {SIZE_WORDS[size]} left to place.", "SQ-2")
        if has(position[FRIENDS], space.square):
            return Fault("occupied", f"{space.name} is taken.", "SQ-6", (space.name,))
        needed = f"1 to {size + 1}" if size and self.options["formation"] == "up-to" else str(size + 1)
        friends = ("friends" if size else "friend") + (" of its colour" if self.options["friends"] == "own" else "")
        beside = popcount(rules.around(bit(space.square)) & rules.friends_of(position, seat))
        message = f"A {SIZE_WORDS[size]} needs {needed} {friends} beside it; on {space.name} it would have {beside}."
        return Fault("wrong-formation", message, "SQ-7", (space.name,))

    def longest(self) -> tuple[int, int]:
        """All captains, and the friends until the first seat has placed its last one (SQ-4, SQ-5, SQ-13)."""
        friends = self.options["trios"] * SIZES
        return self.players + (friends - 1) * self.players + 1, 0

    def max_solo_score(self) -> int | None:
        return int(evaluation.max_score(self.first_position())) if self.players == 1 else None

    # Effects

    def work_out_effects(self, before: Ints, code: int, after: Ints) -> tuple[AnyEffect, ...]:
        """The formation, then the stunts by seat with the faces of the captains ("1C3"), then the falls by square."""
        kind, square = code >> 6, self.board.names[code & 63]
        piece = f"{before[ACTOR]}{KIND_LETTERS[kind]}"
        if kind == CAPTAIN_KIND:
            return (CaptainPlaced((square,), piece),)
        moves = [(self._captain(before, seat), self._captain(after, seat), seat) for seat in range(self.players)]
        stunts = [
            Stunt((first, square, last), f"{seat}{KIND_LETTERS[CAPTAIN_KIND]}{after[FACE + seat]}")
            for first, last, seat in moves
            if first is not None and last is not None and first != last
        ]
        stood, standing = {**self._friends(before), square: piece}, self._friends(after)
        falls = [Fall((name,), stood[name]) for name in self.board.by_name if name in stood and name not in standing]
        return (Formation((square,), piece), *stunts, *falls)

    # Views

    def pieces(self) -> Pieces:
        return Pieces(pyramids=SIZES * self.options["trios"] * self.players, dice=self.players)

    def layout(self) -> Layout:
        sites = self._sites()
        squares: list[Square] = [
            {"name": space.name, "x": space.x, "y": space.y, "captains": space in sites} for space in self.board.spaces
        ]
        return {
            "players": self.players,
            "board": self.options["board"],
            "squares": squares,
            "best_alone": self._best_solo_score(),
        }

    def _best_solo_score(self) -> int | None:
        """The best possible score of a single player; None for several players or if it is unknown."""
        if self.players > 1:
            return None
        return BEST_SOLO_SCORES.get((self.options["trios"], self.options["formation"]))

    def _draw(self, view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> str:
        return drawing.draw(self.layout(), view, touched, paint)

    def _svg(self, view: Mapping[str, Any]) -> str:
        return picture.svg(self.info.colours, self.layout(), view)

    def see(self, position: Ints, seat: int | None) -> View:
        return {
            "friends": self._friends(position),
            "captains": [
                {"seat": other, "square": self._captain(position, other), "face": int(position[FACE + other])}
                for other in range(self.players)
            ],
            "supply": counts_by_size(position, SUPPLY, self.players, SIZE_LETTERS),
            "turn": int(position[TURN]),
            "end": self._end(position),
        }

    def _end(self, position: Ints) -> End | None:
        """What ended the game; None if it is not over (SQ-13)."""
        if position[ACTOR] != NOBODY:
            return None
        for seat, supply in enumerate(counts_by_size(position, SUPPLY, self.players, SIZE_LETTERS)):
            if not any(supply.values()):
                return {"seat": seat, "kind": "last-friend"}
        mover = int(position[FIRST] + position[TURN]) % self.players
        seats = [(mover + later) % self.players for later in range(self.players)]
        stuck = next(seat for seat in seats if rules.find_open(position.copy(), seat) == 0)
        return {"seat": stuck, "kind": "no-square"}

    def scores(self, position: Ints) -> tuple[int, ...]:
        return tuple(int(rules.score(position, seat)) for seat in range(self.players))

    def tie_points(self, state: State) -> tuple[int, ...]:
        """The friends of each seat on the board (SQ-16)."""
        assert isinstance(state, TurnState)
        return tuple(int(popcount(int(state.array[PYRAMIDS + seat]))) for seat in range(self.players))

    def _captain(self, position: Ints, seat: int) -> str | None:
        """The square of a seat's captain; None before it is placed."""
        square = int(position[CAPTAIN + seat])
        return self.board.names[square.bit_length() - 1] if square else None

    def _friends(self, position: Ints) -> dict[str, str]:
        """The pyramids by square, each as seat and size: "1S"."""
        friends = {}
        own = position[PYRAMIDS : PYRAMIDS + self.players].tolist()
        sizes = position[OF_SIZE : OF_SIZE + SIZES].tolist()
        for seat, pyramids in enumerate(own):
            for size, letter in zip(sizes, SIZE_LETTERS, strict=True):
                left = pyramids & size
                while left > 0:  # an invalid position may be negative, and would loop forever
                    square = left & -left
                    friends[square] = f"{seat}{letter}"
                    left -= square
        squares = ((space.name, 1 << space.square) for space in self.board.spaces)
        return {name: friends[square] for name, square in squares if square in friends}

    # Saved positions

    def describe_position(self, position: Ints) -> dict[str, Any]:
        """The board, the supplies, and the seat that began, once a friend is placed and if it is not seat 0 (SQ-4).

        Turns, falls and the end follow from them.
        """
        began = {"first": int(position[FIRST])} if position[TURN] and position[FIRST] else {}
        return {
            "captains": [self._captain(position, seat) for seat in range(self.players)],
            "faces": [int(position[FACE + seat]) for seat in range(self.players)],
            "friends": self._friends(position),
            "supply": counts_by_size(position, SUPPLY, self.players, SIZE_LETTERS),
            **began,
        }

    def read_position(self, described: Any) -> Ints:
        position = self.first_position()
        entries = {"captains", "faces", "friends", "supply"}
        optional = {"first"} if position[CORNERS] else set[str]()
        if not isinstance(described, dict) or not entries <= set(described) <= entries | optional:
            raise BadRecord("a position of Who's On The Squad? has the entries captains, faces, friends and supply")
        if "first" in described:
            self._read_first(position, described["first"])
        self._read_supply(position, described["supply"])
        if "first" in described and position[TURN] == 0:
            raise BadRecord("there is no entry first before a friend is placed: the captains decide who begins (SQ-4)")
        self._read_friends(position, described["friends"])
        self._read_captains(position, described["captains"])
        self._read_faces(position, described["faces"])
        self._check_captains(position)
        placed = int((position[CAPTAIN : CAPTAIN + self.players] != 0).sum())
        if placed == self.players and not position[TURN]:
            position[FIRST] = rules.starting_seat(position)
        if placed:
            position[ACTOR] = last = (placed + position[FIRST] + position[TURN] - 1) % self.players
            if position[TURN] and not position[PYRAMIDS + last]:
                raise BadRecord(f"the friend placed last still stands, but seat {last} has none on the board (SQ-11)")
            rules.pass_turn(position)
        return position

    def _read_first(self, position: Ints, first: Any) -> None:
        """Read the seat that began, if it was not seat 0 (SQ-4)."""
        if not is_integer(first) or not 0 < first < self.players:
            seats = f"from 1 to {self.players - 1}"
            raise BadRecord(f"first is the seat that began if it was not seat 0, {seats}, not {short_repr(first)}")
        position[FIRST] = first

    def _read_supply(self, position: Ints, supply: Any) -> None:
        """Read the friends not yet placed. The number of turns follows from them (SQ-2, SQ-5)."""
        trios = self.options["trios"]
        if not isinstance(supply, list) or len(supply) != self.players:
            raise BadRecord(
                f"supply is a list with an entry for each of {self.players} seats, not {short_repr(supply)}"
            )
        for seat, counts in enumerate(supply):
            if not isinstance(counts, dict) or set(counts) != set(SIZE_LETTERS):
                raise BadRecord(f"the supply of a seat has the entries F, S and J, not {short_repr(counts)}")
            for size, letter in enumerate(SIZE_LETTERS):
                if not is_integer(counts[letter]) or not 0 <= counts[letter] <= trios:
                    raise BadRecord(
                        f"a supply is a whole number from 0 to {trios}, not {short_repr(counts[letter])} (SQ-2)"
                    )
                position[SUPPLY + seat * SIZES + size] = counts[letter]
        played = [trios * SIZES - sum(counts.values()) for counts in supply]
        position[TURN] = turn = sum(played)
        later = [(seat - int(position[FIRST])) % self.players for seat in range(self.players)]
        if played != [(turn - after + self.players - 1) // self.players for after in later]:
            raise BadRecord(f"seats take turns, so they can't have placed {short_repr(played)} friends (SQ-5)")
        if turn > (trios * SIZES - 1) * self.players + 1:
            raise BadRecord("the game ends when a seat has placed its last friend; here a second one has (SQ-13)")

    def _read_friends(self, position: Ints, friends: Any) -> None:
        if not isinstance(friends, dict):
            raise BadRecord(f"friends is a table of squares, not {short_repr(friends)}")
        for name, friend in friends.items():
            square = bit(self._space(name).square)
            form = FRIEND_FORM.fullmatch(friend) if isinstance(friend, str) else None
            if form is None or int(form[1]) >= self.players:
                raise BadRecord(f"a friend is written as seat and size, such as 0F, not {short_repr(friend)}")
            position[PYRAMIDS + int(form[1])] |= square
            position[OF_SIZE + SIZE_LETTERS.index(form[2])] |= square
            position[FRIENDS] |= square
        for seat in range(self.players):
            for size, letter in enumerate(SIZE_LETTERS):
                placed = self.options["trios"] - position[SUPPLY + seat * SIZES + size]
                if popcount(position[PYRAMIDS + seat] & position[OF_SIZE + size]) > placed:
                    raise BadRecord(f"more friends {seat}{letter} stand on the board than were placed (SQ-2)")

    def _read_captains(self, position: Ints, captains: Any) -> None:
        if not isinstance(captains, list) or len(captains) != self.players:
            raise BadRecord(
                f"captains is a list with an entry for each of {self.players} seats, not {short_repr(captains)}"
            )
        for seat, name in enumerate(captains):
            if name is None:
                continue
            if None in captains[:seat]:
                raise BadRecord("captains are placed in the order of the seats (SQ-4)")
            square = bit(self._space(name).square)
            if position[FRIENDS] & square:
                raise BadRecord(f"two pieces stand on {name} (SQ-6)")
            position[CAPTAIN + seat] = square
            position[FRIENDS] |= square
        if None in captains and position[TURN]:
            raise BadRecord("all captains are placed before the first friend (SQ-4)")

    def _read_faces(self, position: Ints, faces: Any) -> None:
        if not isinstance(faces, list) or len(faces) != self.players:
            raise BadRecord(f"faces is a list with an entry for each of {self.players} seats, not {short_repr(faces)}")
        for seat, face in enumerate(faces):
            if not is_integer(face) or not 0 <= face <= 4:
                raise BadRecord(f"a face is a whole number from 0 to 4, not {short_repr(face)} (SQ-3)")
            position[FACE + seat] = face

    def _space(self, name: Any) -> Space:
        """The square with a name. Raises BadRecord."""
        if not isinstance(name, str) or name not in self.board.by_name:
            raise BadRecord(f"the board has no square {short_repr(name)} (SQ-1)")
        return self.board.by_name[name]

    def _check_captains(self, position: Ints) -> None:
        """Check that each captain can have reached its square and its face by stunts."""
        turn, corners = int(position[TURN]), set()
        for seat in range(self.players):
            name, face = self._captain(position, seat), int(position[FACE + seat])
            fresh = face == self.options["captain_start"]
            if name is None:
                if not fresh:
                    raise BadRecord(f"the captain of seat {seat} is not placed and can't show {face} (SQ-3)")
                continue
            space = self.board.by_name[name]
            fewest = self._fewest_stunts(space, fresh, self._sites_of(position, seat))
            if fewest > turn:
                raise BadRecord(f"the captain of seat {seat} can't have come to {name} and show {face} so soon (SQ-8)")
            least, most = self._faces_after_stunt(space)
            if not least <= face <= most and fewest:
                raise BadRecord(f"after a stunt to {name} a captain shows {least} to {most}, not {face} (SQ-10)")
            corners.add((space.x % 2, space.y % 2))
            if self.players != 3 and len(corners) <= seat:
                raise BadRecord(f"the captain of seat {seat} would have begun where another did (SQ-4, SQ-8)")

    def _fewest_stunts(self, space: Space, fresh: bool, sites: list[Space]) -> int:
        """The minimum number of stunts that take a captain from one of `sites` to `space`.

        `fresh`: it still shows its first face. Each stunt is two squares long, so a captain stays on every other column
        and row.
        """
        ways = [
            (abs(site.x - space.x) + abs(site.y - space.y)) // 2 or (0 if fresh else 2)
            for site in sites
            if (site.x - space.x) % 2 == (site.y - space.y) % 2 == 0
        ]
        return min(ways)

    def _faces_after_stunt(self, space: Space) -> tuple[int, int]:
        """The minimum and maximum face of a captain after a landing on a square."""
        neighbours = rules.around(bit(space.square)) & self.board.mask
        return 0 if self.options["friends"] == "own" else 1, popcount(neighbours)

    def _sites(self) -> list[Space]:
        """The squares on which captains may begin."""
        return self._spaces(rules.sites(self.players, self.options["board"]))

    def _sites_of(self, position: Ints, seat: int) -> list[Space]:
        """The squares on which a seat's captain can have begun, given the seat that played first (SQ-4)."""
        first, corners = int(position[FIRST]), int(position[CORNERS])
        if first and seat == first:
            return self._spaces(corners)
        return [space for space in self._sites() if seat > first or not first or not has(corners, space.square)]

    def _spaces(self, squares: int) -> list[Space]:
        return [space for space in self.board.spaces if has(squares, space.square)]
