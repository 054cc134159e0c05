"""The rules of WreckTangle."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import combinations
from typing import Literal

from icetable.core.errors import Fault
from icetable.core.options import short_repr
from icetable.workshop.boards import ALL_EIGHT, DIAGONALS, OPPOSITE, ORTHOGONALS, Board, squares
from icetable.workshop.design import Game, option
from icetable.workshop.equipment import Pyramid
from icetable.workshop.look import ActSays, Apart, Area, Face, Help, Look, Says, Shape, Shows, Tally, Threat, TurnPart
from icetable.workshop.table import Table

HOME_ROWS = {  # by the direction that leads away from it
    "n": [f"{column}1" for column in "bcdefg"],
    "e": [f"a{row}" for row in range(2, 8)],
    "s": [f"{column}8" for column in "bcdefg"],
    "w": [f"h{row}" for row in range(2, 8)],
}
SIDES = {2: "ns", 3: "nes", 4: "nesw"}
LINE_UP = "SMLLMS"
WAYS = {"S": ORTHOGONALS, "M": DIAGONALS, "L": ALL_EIGHT}
WAYS_TO_MOVE = {
    "S": "A pawn moves exactly 2 squares along its row or its column.",
    "M": "A drone moves exactly 2 squares diagonally.",
    "L": "A queen moves exactly 2 squares along its row, along its column or diagonally.",
}
NAMES = {"S": "pawn", "M": "drone", "L": "queen"}
STEPS = ("away", "toward", "diag-away", "diag-toward")
FACE_WAYS = {
    "away": "away from its home row",
    "toward": "toward its home row",
    "diag-away": "diagonally away from its home row",
    "diag-toward": "diagonally toward its home row",
    "wild": "toward or away from its home row, but not sideways",
}
FACES = (*STEPS, "swap", "wild")
BONUS = {
    **{face: f"move any player's pyramid one square {FACE_WAYS[face]}" for face in STEPS},
    "swap": "swap any two pyramids",
    "wild": "swap any two pyramids, or move any player's pyramid one square, but not sideways",
}
"""What a face of the die allows (WT-7, WT-8)."""
COINS = ("heads", "tails")
LOST_WHEN_OUT = 3
NUMBERS = {3: "three", 4: "four", 5: "five", 6: "six"}
SQUARE = "[a-z][0-9]+"


def formed(what: str, lit: Mapping[str, Area]) -> Says:
    """The words for a rectangle that is formed, and what is lit up for each side of the coin."""
    return Says(f"rectangle <corners> {what}", sound="reveal", event="rectangle", shape=Shape("coin", lit))


def die_face(face: str, words: str, sign: str) -> Face:
    return Face(words, sign, f"Die: {words}", f"Die, before or after your move: {BONUS[face]}.")


def coin_face(words: str, sign: str, caption: str, where: str, after: str) -> Face:
    about = f"Coin, {words}: a new rectangle captures opponents {where} and turns the coin. Next: {after}."
    return Face(words, sign, f"Coin: {caption}", about)


class WreckTangle(Game):
    """Trap your opponents' pyramids in rectangles. A die and a coin add luck; the last player left wins.

    **WT-1** The board has eight by eight squares, without the four in its corners.

    **WT-2** Each has a home row in the middle of an edge: pawns (small) outside, drones, queens (large) in the middle.

    **WT-3** Two play from row 1 and row 8, three from row 1, column a and row 8, four from all edges, clockwise.

    **WT-4** A coin lies heads up. Seat 0 begins.

    **WT-5** A turn begins with a roll. Then one normal move has to be made; before or after it one die move may be.

    **WT-6** A normal move goes two squares on, both empty: pawns straight, drones diagonally, queens either way.

    **WT-7** A die move takes any pyramid one step: straight or diagonally, away from its home row or toward it.

    **WT-8** Or it lets two pyramids change places that are not of one colour and size. Wild is any face one likes.

    **WT-9** The turn passes by itself when no move is possible. Without a normal move to make, a player may end it.

    **WT-10** A rectangle has own pyramids at its corners, and upright sides; tilted ones have sides along diagonals.

    **WT-11** A move forms the rectangles of the player who makes it that were not there before.

    **WT-12** A rectangle with a corner in anybody's home row captures nothing and turns no coin.

    **WT-13** Nor does one on the squares of that player's last that captured, until another one has captured.

    **WT-14** All others capture what is inside, or with tails on their sides. Then the coin is turned over once.

    **WT-15** What is captured is out of the game.

    **WT-16** A player who has lost three pyramids is out, and the others of that colour leave the board.

    **WT-17** The last player in the game wins at once.

    **WT-18** After 400 turns the game is a draw of all who are still in it.
    """

    name, title = "wrecktangle", "WreckTangle"
    players = (2, 4)
    mechanics = ("Dice", "Movement on a grid", "Capture by enclosure", "Elimination")
    leap = option(False, rule="WT-6", about="Normal moves can pass over a pyramid")
    shape = option(
        "upright",
        "tilted",
        name="rectangles",
        rule="WT-10",
        about="Which rectangles count",
        labels=("upright ones only", "tilted ones, too"),
    )
    home_coin = option(
        "stays",
        "turns",
        rule="WT-12",
        about="What the coin does when a rectangle has a corner in a home row",
        labels=("it stays as it is", "it turns"),
        before="stays",
    )
    fallen = option(
        "removed",
        "stay",
        rule="WT-16",
        about="What happens to the pyramids of a player who is out",
        labels=("they are removed", "they stay on the board"),
    )
    turn_limit = option(400, most=10**9, rule="WT-18", about="Total turns until the game is a draw; 0 for no limit")
    turn_rule = "WT-5"
    random_seats = True
    colours = ("red", "blue", "yellow", "green")
    examples = ("d1-d3", "~d8-d7", "~d1*e8", "die:swap", "end")
    look = Look(
        goal=(
            "Put four of yours at a rectangle's corners, off the home rows, to capture what it frames. Lose three and "
            "you are out."
        ),
        drawing=("1..1", ".x..", "1..1"),
        letters="PDQ",
        names={"P": "pawn", "D": "drone", "Q": "queen"},
        beside="points",
        facts=(),
        shows={
            "face": Shows(
                "die",
                {
                    face: die_face(face, words, sign)
                    for face, words, sign in (
                        ("away", "away", "bar up"),
                        ("toward", "toward", "bar down"),
                        ("diag-away", "diagonally away", "bar up-left up-right"),
                        ("diag-toward", "diagonally toward", "bar down-left down-right"),
                        ("swap", "swap", "swap"),
                        ("wild", "wild", "star"),
                    )
                },
            ),
            "coin": Shows(
                "coin",
                {
                    "heads": coin_face("heads", "frame inside", "inside", "inside it", "on its edges"),
                    "tails": coin_face("tails", "edges", "edges", "on its edges", "inside it"),
                },
            ),
        },
        apart=Apart("~", "by the die", "die"),
        tally=Tally("lost", LOST_WHEN_OUT),
        zone="home row",
        help=Help(
            "rectangle",
            "show rectangles that are one move away",
            "No single move captures now. Make three corners of a rectangle, then the fourth.",
        ),
        chance={"die": ""},
        says={
            "die": Says("the die shows <value>", sound="roll"),
            "moves": Says("<piece> <moves|move> from <0> to <1><apart>", "<apart><0>–<1>", "move", "land"),
            "swaps": Says("<pieces> change places<apart>", "swaps <0> and <1>", "swap", "land"),
            "forms": formed("<captures|capture> <all captures>", {"heads": "inside", "tails": "edges"}),
            "forms:home-row": formed("has a corner in a home row and captures nothing", {}),
            "forms:repeated": formed("made the last capture and does not count again", {}),
            "captures": Says(
                "<piece> on <0> <is|are> captured", "captures <all captures>", "throw", "capture", "capture"
            ),
            "coin": Says("the coin turns to <value>", "", "", "coin"),
            "out": Says("<seat> <is> out", "<seat> <is> out", "", "", "out"),
            "removes": Says("", "", "throw", "capture"),
            "turn": Says(),
            "chance:turn": Says("nothing can move, and it is <seat's> turn", "no move"),
            "wins": Says(),
            "draw": Says("the game is drawn"),
        },
        acts={"end": ActSays("End turn", "<who> <ends> the turn", "", "e")},
    )

    def board(self) -> Board:
        sides = SIDES[len(self.seats)]
        homes = {seat: HOME_ROWS[side] for seat, side in enumerate(sides)}
        return squares(8, 8, blocked=("a1", "a8", "h1", "h8"), zones=homes, forward=dict(enumerate(sides)))

    def start(self, table: Table) -> None:
        table.coin, table.lost, table.last = "heads", [0 for _ in self.seats], [set() for _ in self.seats]
        for seat, side in enumerate(SIDES[table.players]):
            for space, size in zip(HOME_ROWS[side], LINE_UP, strict=True):
                table.put(Pyramid(size, seat), space)
        self.begin_turn(table)

    def begin_turn(self, table: Table) -> None:
        table.face, table.left = "", {"move", "die"}
        table.roll(FACES)

    def notation(self, text: str) -> bool:
        if swap := re.fullmatch("~([a-z])([0-9]+)[*]([a-z])([0-9]+)", text):
            (one, other) = ((file, len(rank), rank) for file, rank in (swap.groups()[:2], swap.groups()[2:]))
            return one < other
        return re.fullmatch(f"die:({'|'.join(FACES)})|~?{SQUARE}-{SQUARE}|end", text) is not None

    # Moves

    def acts(self, table: Table) -> list[str]:
        normal = list(self.normal_moves(table)) if "move" in table.left else []
        return [*(self.die_moves(table) if "die" in table.left else []), *(normal or ["end"])]

    def may_move(self, table: Table) -> bool:
        """Whether a move is left in the turn (WT-9)."""
        normal = "move" in table.left and any(self.normal_moves(table))
        return normal or ("die" in table.left and any(self.die_moves(table)))

    def normal_moves(self, table: Table) -> Iterator[str]:
        for here in table.where(table.seat):
            for way in WAYS[table.top(here).size]:
                path = table.ray(here, way)[:2]
                if len(path) == 2 and not table.top(path[1]) and (self.leap or not table.top(path[0])):
                    yield f"{here}-{path[1]}"

    def die_moves(self, table: Table) -> Iterator[str]:
        for here in table.where():
            steps = table.steps(here, self.die_ways(table.face, table.top(here).colour))
            yield from (f"~{here}-{there}" for there in steps if not table.top(there))
        if table.face in ("swap", "wild"):
            for one, other in combinations(sorted(table.where()), 2):
                if table.top(one) != table.top(other):
                    yield f"~{one}*{other}"

    def die_ways(self, face: str, seat: int) -> list[str]:
        """The directions in which a face moves a pyramid of a seat (WT-7)."""
        return ways_of(face, SIDES[len(self.seats)][seat])

    def play(self, table: Table, act: str) -> None:
        if act.startswith("die:"):
            table.face = act[4:]
        elif act != "end":
            own = set(table.where(table.seat))
            here, there = re.findall(SQUARE, act)
            if "*" in act:
                table.swap(here, there, said="swaps")
            else:
                table.move(here, there)
            table.left = table.left - {"die" if "~" in act else "move"}
            self.count(table, self.formed(table, own))
        if self.over(table):
            table.say("wins", value=table.seat)
        elif act == "end" or not self.may_move(table):
            self.pass_turn(table)

    def pass_turn(self, table: Table) -> None:
        table.end_turn()
        if rule := self.over(table):
            table.face, table.left = "", {"move", "die"}
            table.say("draw", value=rule)
        else:
            table.say("turn", value=table.seat)
            self.begin_turn(table)

    # Rectangles

    def formed(self, table: Table, before: set[str]) -> list[tuple[str, ...]]:
        """The new rectangles of the seat whose turn it is, by their corners. `before`: its squares before its move."""
        own = table.where(table.seat)
        return sorted({corners for corner in {*own} - before for corners in self.rectangles_with(corner, own)})

    def rectangles_with(self, corner: str, own: Iterable[str]) -> Iterator[tuple[str, ...]]:
        """The rectangles that a square makes with three others of a player, by their corners (WT-10)."""
        for three in combinations(sorted({*own} - {corner}), 3):
            if self.is_rectangle(corners := tuple(sorted((corner, *three)))):
                yield corners

    def is_rectangle(self, corners: tuple[str, ...]) -> bool:
        """Whether four squares are the corners of a rectangle (WT-10)."""
        return are_corners(corners, False) or (self.shape == "tilted" and are_corners(corners, True))

    def count(self, table: Table, formed: Iterable[tuple[str, ...]]) -> None:
        """Apply the effects of the rectangles that a move has formed (WT-12 to WT-16)."""
        prey, turns_coin = {}, False
        for corners in formed:
            verdict = self.verdict(table, corners)
            table.say("forms", *corners, value=verdict)
            turns_coin |= verdict == "resolved" or (verdict == "home-row" and self.home_coin == "turns")
            if verdict == "resolved" and (found := set(self.prey(table, table.seat, corners))):
                prey[corners] = found
        if prey:
            table.last[table.seat] = set(prey)
        for space in sorted(set().union(*prey.values())):
            table.lost[table.take(space, said="captures").colour] += 1
        if turns_coin:
            table.coin = "tails" if table.coin == "heads" else "heads"
            table.say("coin", value=table.coin)
        for seat in self.seats:
            if seat not in table.out and table.lost[seat] >= LOST_WHEN_OUT:
                self.drop_out(table, seat)

    def verdict(self, table: Table, corners: tuple[str, ...]) -> str:
        """Whether a rectangle of the seat whose turn it is counts, or why it does not."""
        if self.is_at_home(corners):
            return "home-row"
        return "repeated" if corners in table.last[table.seat] else "resolved"

    def is_at_home(self, corners: Iterable[str]) -> bool:
        """Whether a corner is in somebody's home row (WT-12)."""
        return any(corner in HOME_ROWS[side] for side in SIDES[len(self.seats)] for corner in corners)

    def prey(self, table: Table, seat: int, corners: tuple[str, ...]) -> Iterator[str]:
        """The squares where a seat's rectangle captures: inside with heads, on its sides with tails (WT-14)."""
        is_tilted = len(lines(corners, False)[0]) > 2
        (low, high), (left, right) = lines(corners, is_tilted)
        for space in table.where():
            ((one,), (other,)) = lines((space,), is_tilted)
            is_within = low <= one <= high and left <= other <= right and table.top(space).colour != seat
            if is_within and (low < one < high and left < other < right) == (table.coin == "heads"):
                yield space

    def drop_out(self, table: Table, seat: int) -> None:
        """Take a seat out of the game (WT-16)."""
        table.eliminate(seat, said="out")
        if self.fallen == "removed":
            for space in sorted(table.where(seat)):
                table.take(space, said="removes")

    # The end

    def over(self, table: Table) -> str | None:
        if len(table.out) == len(self.seats) - 1:
            return "WT-17"
        return "WT-18" if table.turn == self.turn_limit > 0 else None

    def winners(self, table: Table) -> list[int]:
        return [seat for seat in self.seats if seat not in table.out]

    def reason(self, table: Table) -> str:
        if self.over(table) == "WT-18":
            return f"Nobody won in {table.turn} {'turn' if table.turn == 1 else 'turns'}."
        seats = " ".join(map(str, sorted(table.out)))
        if len(table.out) > 1:
            return f"<who {seats}> <has {seats}> lost three pyramids or more each."
        (out,) = table.out
        rest = "; the rest leave the board" if self.fallen == "removed" and table.lost[out] < len(LINE_UP) else ""
        return f"<who {out}> <has {out}> lost {NUMBERS[table.lost[out]]} pyramids{rest}."

    # Refusals

    def why(self, table: Table, act: str) -> Fault:
        if fault := self.why_not_now(table, act):
            return fault
        here, there = re.findall(SQUARE, act)
        rule = "WT-7" if "~" in act else "WT-6"
        for space in (here, there):
            if space not in table.spaces:
                return Fault("no-such-square", f"The board has no square {short_repr(space)}.", rule, (space,))
        if "*" in act:
            return self.why_no_swap(table, here, there)
        return self.why_no_die_move(table, here, there) if "~" in act else self.why_no_move(table, here, there)

    def why_not_now(self, table: Table, act: str) -> Fault | None:
        """Why a kind of act has no place in the turn as it is (WT-5)."""
        if not table.face:
            return Fault("not-rolled", "First the die has to be rolled.", "WT-5")
        if act.startswith("die:"):
            return Fault("rolled", "The die has been rolled for this turn.", "WT-5")
        if act == "end":
            return Fault("move-owed", "You can make your normal move, so you must.", "WT-5")
        if "~" not in act and "move" not in table.left:
            return Fault("moved", "You have made the normal move of this turn.", "WT-5")
        if "~" in act and "die" not in table.left:
            return Fault("die-used", "You have made the die move of this turn.", "WT-5")
        return None

    def why_no_move(self, table: Table, here: str, there: str) -> Fault:
        piece = table.top(here)
        if not piece or piece.colour != table.seat:
            message = f"Pick one of your own pyramids first: none stands on {here}."
            return Fault("no-own-pyramid", message, "WT-6", (here,))
        way = next((way for way in WAYS[piece.size] if there in table.ray(here, way)[1:2]), None)
        if way is None:
            message = WAYS_TO_MOVE[piece.size]
            if not any(act.startswith(f"{here}-") for act in self.normal_moves(table)):
                message += f" Every way from {here} is blocked or leads off the board."
            if "die" in table.left and table.face != "swap" and there in table.neighbours(here):
                message += f" The die moves it one square {FACE_WAYS[table.face]}."
            return Fault("wrong-way", message, "WT-6", (here, there))
        between = table.ray(here, way)[0]
        if table.top(between) and not self.leap:
            return Fault("blocked", f"The way from {here} to {there} is blocked on {between}.", "WT-6", (between,))
        return Fault("occupied", f"A pyramid already stands on {there}.", "WT-6", (there,))

    def why_no_die_move(self, table: Table, here: str, there: str) -> Fault:
        if table.face == "swap":
            return Fault("wrong-roll", "The die shows swap, so two pyramids change places.", "WT-7", (here, there))
        piece = table.top(here)
        if not piece:
            return Fault("no-pyramid", f"No pyramid stands on {here}.", "WT-7", (here,))
        if not any(act.startswith(f"~{here}-") for act in self.die_moves(table)):
            message = (
                f"The die moves a pyramid one square {FACE_WAYS[table.face]}, and the one on {here} can't go there."
            )
            return Fault("wrong-way", message, "WT-7", (here,))
        if there not in table.steps(here, self.die_ways(table.face, piece.colour)):
            message = f"The die moves a pyramid one square {FACE_WAYS[table.face]}, and not from {here} to {there}."
            return Fault("wrong-way", message, "WT-7", (here, there))
        return Fault("occupied", f"A pyramid already stands on {there}.", "WT-7", (there,))

    def why_no_swap(self, table: Table, one: str, other: str) -> Fault:
        if table.face not in ("swap", "wild"):
            message = f"The die shows {self.look.shows['face'].faces[table.face].words}, so nothing can be swapped."
            return Fault("wrong-roll", message, "WT-7", (one, other))
        for space in (one, other):
            if not table.top(space):
                return Fault("no-pyramid", f"No pyramid stands on {space}.", "WT-7", (space,))
        message = f"The pyramids on {one} and {other} are alike: swapping them would change nothing."
        return Fault("no-change", message, "WT-8", (one, other))

    # The page

    def turn_parts(self, table: Table) -> list[TurnPart]:
        move: Literal["to do", "done", "not possible"] = "done"
        if "move" in table.left:
            move = "to do" if any(self.normal_moves(table)) else "not possible"
        return [
            TurnPart(f"<your {table.seat}>move", move),
            TurnPart("bonus move", "optional" if "die" in table.left else "done", is_apart=True),
        ]

    def prompt(self, table: Table) -> str:
        bonus = f"{BONUS[table.face]} (dashed)" if table.face else ""
        if "move" not in table.left:
            return f"If you like, {bonus}. Or end your turn."
        if "die" in table.left and not any(self.normal_moves(table)):
            return f"None of yours can move two squares. If you like, {bonus}. Or end your turn."
        return "Move two squares: small pawns straight, medium drones diagonally, large queens any way."

    def threats(self, table: Table) -> Iterator[Threat]:
        """The rectangles that a seat could complete with one move, in this turn or else in its next one."""
        for seat in self.winners(table):
            own = sorted(table.where(seat))
            for missing in sorted(set(table.spaces) - {*own}):
                for corners in self.rectangles_with(missing, own):
                    if not self.is_at_home(corners) and corners not in table.last[seat]:
                        movers = [space for space in own if space not in corners]
                        if ways := list(self.ways_to(table, seat, missing, movers)):
                            prey = sorted(self.prey(table, seat, corners))
                            yield self.threat(table, seat, corners, missing, ways, prey)

    def ways_to(self, table: Table, seat: int, there: str, movers: Collection[str]) -> Iterator[str]:
        """The ways to bring one of a seat's pyramids to a square with one move: "move", or faces of the die."""
        acts = bool(table.face) and seat == table.seat
        if not acts or "move" in table.left:
            turn = table.copy()
            turn.seat = seat
            if {f"{here}-{there}" for here in movers} & {*self.normal_moves(turn)}:
                yield "move"
        for face in ([table.face] if "die" in table.left else []) if acts else FACES:
            if table.top(there):
                reaches = face in ("swap", "wild") and bool(movers)
            else:
                reaches = any(there in table.steps(here, self.die_ways(face, seat)) for here in movers)
            if reaches:
                yield face

    def threat(
        self,
        table: Table,
        seat: int,
        corners: tuple[str, ...],
        missing: str,
        ways: Collection[str],
        prey: list[str],
    ) -> Threat:
        """A threat in words: "A pyramid on f3 (+) captures a queen, by a move"."""
        sizes = tuple(table.top(space).size for space in prey)
        words = threat_in_words(corners, missing, tuple(ways), sizes, is_swap=bool(table.top(missing)))
        return Threat(seat, [*corners], missing, prey, *words)

    def unsound(self, table: Table) -> str | None:
        if stacked := [space for space in table.where() if len(table.stack(space)) > 1]:
            return f"more than one pyramid stands on {stacked[0]} (WT-6)"
        for seat in self.seats:
            lost, standing = table.lost[seat], len(table.where(seat))
            is_out = lost >= LOST_WHEN_OUT
            if standing != (0 if is_out and self.fallen == "removed" else 6 - lost) or is_out != (seat in table.out):
                return f"seat {seat} has lost {short_repr(lost)} pyramids and can't have {standing} (WT-15, WT-16)"
        if table.seat in table.out:
            return f"seat {table.seat} is out of the game and has no turn (WT-16)"
        if table.coin not in COINS or table.face not in ("", *FACES) or not table.left <= {"move", "die"}:
            return "the coin, the die or the moves left in the turn are none of the game's (WT-4, WT-5)"
        if not table.face and len(table.left) < 2:
            return "there are no moves before the roll (WT-5)"
        if table.face and not self.over(table) and not self.may_move(table):
            return "no act is left in this turn, so it has passed (WT-9)"
        for corners in {one for rectangles in table.last for one in rectangles}:
            if len({*corners} & {*table.spaces}) != 4 or not self.is_rectangle(corners):
                return f"{corners} are not the corners of a rectangle (WT-10)"
        if len(table.last) != len(self.seats) or max(map(len, table.last)) > 2:
            return "a seat has at most two rectangles that captured last (WT-13)"
        return None


@lru_cache(10_000)
def threat_in_words(
    corners: tuple[str, ...], missing: str, ways: tuple[str, ...], prey: tuple[str, ...], *, is_swap: bool
) -> tuple[str, str, str]:
    """A chance, a few words about the missing corner, and the means. `prey`: the sizes of what is captured.

    A swap may bring one more pyramid into the rectangle.
    """
    first, second, *_, last = corners
    name = f"{first}–{last}" if first[0] == second[0] else " ".join(corners)
    faces = [WreckTangle.look.shows["face"].faces[way].words for way in ways if way != "move"]
    means = " or ".join(
        [*(["by a move"] if "move" in ways else []), *([f"by the die ({', '.join(faces)})"] if faces else [])]
    )
    empty = "completes a rectangle" if is_swap else "only turns the coin"
    captures = f"captures {in_words(prey)}" if prey else empty
    return f"A pyramid on {missing} (+) {captures}, {means}.", f"completes rectangle {name}", means


def in_words(sizes: Iterable[str]) -> str:
    """ "a queen, 2 drones and a pawn"."""
    counts = Counter(sizes)
    words = [
        f"a {NAMES[size]}" if counts[size] == 1 else f"{counts[size]} {NAMES[size]}s" for size in "LMS" if counts[size]
    ]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


@cache
def ways_of(face: str, away: str) -> list[str]:
    """The directions in which a face moves a pyramid, by the direction that leads away from its home row."""
    if face == "wild":
        return [way for step in STEPS for way in ways_of(step, away)]
    way = OPPOSITE[away] if face.endswith("toward") else away
    ways = DIAGONALS if face.startswith("diag") else ORTHOGONALS if face in STEPS else ()
    return [direction for direction in ways if way in direction]


def are_corners(corners: tuple[str, ...], is_tilted: bool) -> bool:
    """Whether four squares are in two lines, and two that cross these (WT-10)."""
    one, other = lines(corners, is_tilted)
    return len(one) == len(other) == 2


def lines(corners: Iterable[str], is_tilted: bool) -> list[list[int]]:
    """The columns and rows of squares, or the diagonals: two and two for the corners of a rectangle."""
    columns, rows, rising, falling = zip(*map(lines_of, corners), strict=True)
    return [sorted({*rising}), sorted({*falling})] if is_tilted else [sorted({*columns}), sorted({*rows})]


@cache
def lines_of(space: str) -> tuple[int, int, int, int]:
    """The column, the row and the two diagonals of a square."""
    column, row = ord(space[0]), int(space[1:])
    return column, row, column + row, column - row
