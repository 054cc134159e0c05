"""The rules of IceFrogs."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Iterator

from icetable.core.errors import Fault
from icetable.core.options import short_repr
from icetable.workshop.boards import SIX, Board, hexagons, star
from icetable.workshop.design import Game, option
from icetable.workshop.equipment import Pyramid
from icetable.workshop.look import ActSays, Look, Says
from icetable.workshop.table import Table

NAMES = {"S": "small", "M": "medium", "L": "large"}
STARTS = {"star": ("a1", "c7", "g7", "i1", "g1", "c1"), "hexagon": ("a1", "a4", "d7", "g4", "g1", "d1")}
"""The six points of each board, counter-clockwise from the bottom."""
PLACES = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 5: (0, 1, 2, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
"""The points where players sit, by number of players."""
FIRST_ROUNDS = (
    "Jump over equal or smaller ones, again and again.",
    "Land on one as large or larger: covered, it can't move.",
    "After jumps you may step onto one beside you.",
)
"""How pyramids move, told round by round."""
MAX_NAMED = 3
"""The number of winning moves that a warning names."""


class IceFrogs(Game):
    """Jump and stack your way across the star: reach an opponent's start space first to win.

    **IF-1** The board is a star of 37 spaces in centred rows: 1, 2, 7, 6, 5, 6, 7, 2, 1. It may be a hexagon as well,
    with rows of 4, 5, 6, 7, 6, 5, 4.

    **IF-2** A space is named by its row, lettered from the bottom, and its number in the row, from the left. Spaces are
    beside each other in six directions.

    **IF-3** Each player has 15 pyramids of one colour, five of each size, in a supply. The board is empty at first.

    **IF-4** Each player has a start space, a point of the star or a corner of the hexagon. Two sit across from each
    other, three at every other point; a point where nobody sits is a plain space.

    **IF-5** Seat 0 begins, and the players take turns.

    **IF-6** A turn moves a pyramid of one's own that is the top of its space; or it takes one from the supply, which
    comes in at the start space and moves on at once.

    **IF-7** Only the topmost pyramid of a stack moves, and it moves alone.

    **IF-8** A step goes to a space beside that is empty, or whose top is as large as the pyramid or larger. It ends the
    turn.

    **IF-9** A jump goes straight over a space beside, whose top is as large or smaller, to the next one, which is empty
    or has a top as large or larger. Anybody's pyramids may be jumped; nothing is captured.

    **IF-10** A landing on a pyramid ends the turn.

    **IF-11** After a jump to an empty space the pyramid may stop, jump on in any direction, or step onto a pyramid
    beside, but not to an empty space.

    **IF-12** What moves is off the board: its space shows what lay beneath.

    **IF-13** A move may not end on one's own start space, though a chain of jumps may touch it.

    **IF-14** A move may not end where it began.

    **IF-15** A move is named by its pyramid and the space where it ends; how it gets there does not matter.

    **IF-16** A pyramid that reaches an opponent's start space, by a step or a jump, goes no further, and wins.

    **IF-17** Only a player who has no move passes. When all have passed in a row, the game is a draw.

    **IF-18** After 400 turns the game is a draw. In a draw all players win.
    """

    name, title = "icefrogs", "IceFrogs"
    players = (2, 6)
    mechanics = ("Jumping", "Stacking")
    random_seats = True
    colours = ("red", "blue", "yellow", "green", "purple", "orange")
    shape = option("star", "hexagon", name="board", rule="IF-1", about="Shape of the board of 37 spaces")
    turn_limit = option(400, most=10**9, rule="IF-18", about="Total turns until the game is a draw; 0 for no limit")
    turn_rule, acts_rule = "IF-5", "IF-6"
    examples = ("L@c3 (S, M or L)", "b2-c3", "pass")
    look = Look(
        goal="Be the first to bring a pyramid to another player's start space (coloured).",
        beside="supplies",
        around=True,
        ground="lilies",
        lands="Landing on a pyramid ends the move.",
        facts=(),
        says={
            "path": Says("<piece> <way>", "<way>", "path", "land"),
            "covers": Says("it covers <piece>", "covers a <piece>", sound="capture", event="landing"),
            "stops": Says(", which ends its jumps"),
            "reaches": Says("it reaches <zone> start space and wins", "wins!", event="home"),
            "draw": Says("the game is drawn"),
        },
        acts={"pass": ActSays("Pass: you have no legal move", "<who> <passes>", "passes")},
    )

    def board(self) -> Board:
        zones = {seat: (home,) for seat, home in enumerate(self.homes)}
        if self.shape == "star":
            return star(zones=zones)
        return hexagons((4, 5, 6, 7, 6, 5, 4), zones=zones, circles=True)

    @functools.cached_property
    def homes(self) -> list[str]:
        """The start spaces by seat (IF-4)."""
        return [STARTS[self.shape][place] for place in PLACES[len(self.seats)]]

    def start(self, table: Table) -> None:
        table.passes = 0
        for seat in self.seats:
            table.pad[seat] = [Pyramid(size, seat) for size in NAMES for _ in range(5)]

    def notation(self, text: str) -> bool:
        return re.fullmatch("pass|[SML]@[a-z][0-9]+|[a-z][0-9]+-[a-z][0-9]+", text) is not None

    def acts(self, table: Table) -> list[str]:
        found = [*self.entries(table), *self.moves(table, table.where(table.seat))]
        return found or ["pass"]

    def entries(self, table: Table) -> Iterator[str]:
        """The moves from the supply (IF-6)."""
        for size in NAMES:
            piece = Pyramid(size, table.seat)
            if piece in table.pad[table.seat]:
                yield from (f"{size}@{way[-1]}" for way in self.ways(table, self.homes[table.seat], piece))

    def moves(self, table: Table, spaces: Iterable[str]) -> Iterator[str]:
        """The moves of the pyramids on these spaces (IF-7, IF-12)."""
        for here in spaces:
            lifted = table.copy()
            piece = lifted.take(here)
            yield from (f"{here}-{way[-1]}" for way in self.ways(lifted, here, piece))

    def ways(self, table: Table, here: str, piece: Pyramid) -> Iterator[tuple[str, ...]]:
        """A shortest way from here to each space where a pyramid, which is off the table, may end (IF-10, IF-11).

        Of several, it is one that ends with a step, then the one whose last spaces come first on the board.
        """
        barred = {here, self.homes[table.seat]}  # IF-14, IF-13; later also where a way has ended
        touched = {here}
        chains: dict[str, tuple[str, ...]] = {here: (here,)}
        while chains:
            for last, chain in chains.items():
                for there in self.steps(table, last, piece):
                    if there not in barred and (len(chain) == 1 or table.top(there)):
                        barred.add(there)
                        yield (*chain, there)
            longer: dict[str, tuple[str, ...]] = {}
            for last, chain in chains.items():
                for there in self.jumps(table, last, piece):
                    if there not in barred:
                        barred.add(there)
                        yield (*chain, there)
                    if there not in touched and self.may_jump_on(table, there):
                        longer.setdefault(there, (*chain, there))
            touched |= longer.keys()
            chains = {space: longer[space] for space in table.spaces if space in longer}

    def ends_by_jump(self, table: Table, way: tuple[str, ...]) -> bool:
        """Whether a way ends by a jump, not by a step (IF-8, IF-9)."""
        return way[-1] not in table.neighbours(way[-2])

    def steps(self, table: Table, here: str, piece: Pyramid) -> Iterator[str]:
        """The steps of a pyramid (IF-8)."""
        return (there for there in table.neighbours(here) if self.carries(table, there, piece))

    def jumps(self, table: Table, here: str, piece: Pyramid) -> Iterator[str]:
        """Where a pyramid may jump (IF-9)."""
        for way in SIX:
            over, *beyond = table.ray(here, way)[:2] or ("",)
            if beyond and self.is_jumped(table, over, piece) and self.carries(table, beyond[0], piece):
                yield beyond[0]

    def is_jumped(self, table: Table, space: str, piece: Pyramid) -> bool:
        """Whether a pyramid may jump over what stands here (IF-9)."""
        return bool((top := table.top(space)) and top.pips <= piece.pips)

    def carries(self, table: Table, space: str, piece: Pyramid) -> bool:
        """Whether a pyramid may land here (IF-8, IF-9)."""
        return not (top := table.top(space)) or bool(top.pips >= piece.pips)

    def may_jump_on(self, table: Table, space: str) -> bool:
        """Whether another jump may follow one that landed here (IF-10, IF-16)."""
        return not table.top(space) and (space == self.homes[table.seat] or space not in self.homes)

    def play(self, table: Table, act: str) -> None:
        table.passes = table.passes + 1 if act == "pass" else 0
        if act != "pass":
            source, there = re.split("[@-]", act)
            if "@" in act:
                here, piece = self.homes[table.seat], Pyramid(source, table.seat)
                table.spend(piece, said="")
            else:
                here, piece = source, table.take(source, said="")
            way = next(way for way in self.ways(table, here, piece) if way[-1] == there)
            covered = table.top(there)
            table.put(piece, there, said="")
            table.say("path", *way, value=table.text_of(piece))
            if covered:
                table.say("covers", there, value=table.text_of(covered))
                if self.ends_by_jump(table, way):
                    table.say("stops", there)
            if there in self.homes:
                table.say("reaches", there)
        table.end_turn()
        rule = self.over(table)
        if rule in ("IF-17", "IF-18"):
            table.say("draw", value=rule)

    def over(self, table: Table) -> str | None:
        if self.reached(table):
            return "IF-16"
        if table.passes == len(self.seats):
            return "IF-17"
        return "IF-18" if table.turn == self.turn_limit > 0 else None

    def reached(self, table: Table) -> list[str]:
        """The start space with a pyramid; between turns these are empty unless somebody has won (IF-16)."""
        return [home for home in self.homes if table.top(home)]

    def winners(self, table: Table) -> list[int]:
        return [table.top(home).colour for home in self.reached(table)] or list(self.seats)

    def goals(self, table: Table) -> Iterable[str]:
        if self.over(table):
            return self.reached(table)
        return [home for seat, home in enumerate(self.homes) if seat != table.seat]

    def prompt(self, table: Table) -> str:
        can_move, can_enter = bool(table.where(table.seat)), bool(table.pad[table.seat])
        if not (can_move or can_enter):
            return ""
        what = "one" if can_move else "a pyramid"
        choices = ["choose a marked pyramid"] * can_move
        choices += [f"take {what} from your supply, then choose a marked space"] * can_enter
        said = [f"{' or '.join(choices).capitalize()}."]
        rounds = table.turn // len(self.seats)
        said += FIRST_ROUNDS[rounds : rounds + 1]
        covered = [
            space
            for space, stack in table.stacks.items()
            if stack[-1].colour != table.seat and any(piece.colour == table.seat for piece in stack)
        ]
        if covered:
            one = len(covered) == 1
            which, are = (f"Yours on {covered[0]}", "it is") if one else (f"{len(covered)} of yours", "they are")
            said.append(f"{which} can't move while {are} covered.")
        others = [seat for seat in self.seats if seat != table.seat]
        return " ".join([*said, *filter(None, (self.warning(table, seat) for seat in others))])

    def warning(self, table: Table, seat: int) -> str:
        """How a seat could win if it were its turn, in a sentence; empty if it could not."""
        wins = list(self.winning_acts(table, seat))
        return f"Careful: <who {seat}> could win with one move, {moves_in_words(wins)}." if wins else ""

    def winning_acts(self, table: Table, seat: int) -> Iterator[str]:
        """The acts by which a seat would reach an opponent's start space if it were its turn (IF-16)."""
        own, others = self.homes[seat], {*self.homes} - {self.homes[seat]}
        near = self.near(table, others)
        sources = [here for here in table.where(seat) if here in near]
        enters = own in near and bool(table.pad[seat])
        if not (sources or enters):
            return
        turn = table.copy()
        turn.seat = seat
        acts = itertools.chain(self.moves(turn, sources), self.entries(turn) if enters else ())
        yield from (act for act in acts if re.split("[@-]", act)[1] in others)

    def near(self, table: Table, spaces: set[str]) -> set[str]:
        """Where a way to one of these spaces might begin: beside it, or a chain of jumps over any pyramids away."""
        found, new = set[str]().union(*map(table.neighbours, spaces)), spaces
        while new:
            rays = (table.ray(space, way)[:2] for space in new for way in SIX)
            new = {ray[1] for ray in rays if len(ray) == 2 and table.top(ray[0])} - found - spaces
            found |= new
        return found

    def why(self, table: Table, act: str) -> Fault:
        if act == "pass":
            return Fault("needless-pass", "You may pass only when you have no legal move.", "IF-17")
        source, there = re.split("[@-]", act)
        for space in (there,) if "@" in act else (source, there):
            if space not in table.spaces:
                return Fault("no-such-space", f"The board has no space {short_repr(space)}.", "IF-2", (space,))
        if "@" in act:
            here, piece = self.homes[table.seat], Pyramid(source, table.seat)
            if piece not in table.pad[table.seat]:
                message = f"You have no {NAMES[source]} pyramid left in your supply."
                return Fault("none-in-supply", message, "IF-6")
        else:
            here, piece = source, table.top(source)
            if not any(one.colour == table.seat for stack in table.stacks.values() for one in stack):
                message = f"Take a pyramid from your supply first. It comes in at {self.homes[table.seat]}."
                return Fault("no-own-pyramid", message, "IF-6", (here,))
            if table.seat not in [one.colour for one in table.stack(here)]:
                message = f"Pick one of your own pyramids first: none stands on {here}."
                return Fault("no-own-pyramid", message, "IF-6", (here,))
            if piece.colour != table.seat:
                message = f"Your pyramid on {here} is covered until the one on it moves. Choose a marked one."
                return Fault("buried", message, "IF-7", (here,))
            if here == there:
                return Fault("no-change", f"A move may not end on {here}, where it began.", "IF-14", (there,))
        if there == self.homes[table.seat]:
            message = f"A move may not end on {there}, your own start space: choose a marked space."
            if "@" in act:
                message = f"It starts at {there} and must move on: choose a marked space."
            return Fault("own-start", message, "IF-13", (there,))
        if there in table.neighbours(here):
            covered = NAMES[table.top(there).size]
            message = (
                f"A {NAMES[piece.size]} pyramid can't cover the {covered} one on {there}, only {no_smaller(piece)}."
            )
            return Fault("covers-smaller", message, "IF-8", (there,))
        return self.why_out_of_reach(table, here, there, piece)

    def why_out_of_reach(self, table: Table, here: str, there: str, piece: Pyramid) -> Fault:
        """Why no way leads between two spaces that are not beside each other (IF-8, IF-9)."""
        size = NAMES[piece.size]
        for way in SIX:
            over, *beyond = table.ray(here, way)[:2] or ("",)
            if there not in beyond:
                continue
            if not table.top(over):
                message = f"There is nothing on {over} to jump over. Go to a space beside {here} instead."
                return Fault("nothing-to-jump", message, "IF-9", (over,))
            if not self.is_jumped(table, over, piece):
                larger = NAMES[table.top(over).size]
                message = f"A {size} pyramid can't jump over the {larger} one on {over}, only over {no_larger(piece)}."
                return Fault("jumps-larger", message, "IF-9", (over,))
        if (top := table.top(there)) and not self.carries(table, there, piece):
            message = (
                f"A {size} pyramid can't land on the {NAMES[top.size]} one on {there}, only on {no_smaller(piece)}."
            )
            return Fault("covers-smaller", message, "IF-9", (there,))
        table.take(here)  # IF-12
        landings = [way[-1] for way in self.ways(table, here, piece) if self.ends_by_jump(table, way)]
        if not table.top(there) and any(there in table.neighbours(space) for space in landings if not table.top(space)):
            message = f"After a jump only a step onto another pyramid may follow, and {there} is empty."
            return Fault("out-of-reach", f"{message} Choose a marked space.", "IF-9", (here, there))
        message = f"{there} is too far from {here}: step once, or jump over pyramids that are no larger."
        return Fault("out-of-reach", message, "IF-9", (here, there))

    def reason(self, table: Table) -> str:
        for home in self.reached(table):
            piece, loser = table.top(home), self.homes.index(home)
            return f"<whose {piece.colour}> {NAMES[piece.size]} pyramid is on <whose {loser}> start space, {home}."
        return "Nobody could move." if self.over(table) == "IF-17" else f"Nobody got home in {table.turn} turns."

    def unsound(self, table: Table) -> str | None:
        if not 0 <= table.passes <= min(table.turn, len(self.seats)):
            return f"passes is a whole number from 0 to {min(table.turn, len(self.seats))} (IF-17)"
        for space in table.stacks:
            if any(lower.pips < upper.pips for lower, upper in itertools.pairwise(table.stack(space))):
                return f"on {space} a pyramid lies on a smaller one (IF-8)"
        last = (table.seat - 1) % len(self.seats)
        if any(table.top(home).colour != last or home == self.homes[last] for home in self.reached(table)):
            return "only a pyramid that has just won stands on a start space (IF-13, IF-16)"
        return None


def no_smaller(piece: Pyramid) -> str:
    """What a pyramid may cover (IF-8), in words; a small one may cover all."""
    return {"M": "medium and large ones", "L": "large ones"}[piece.size]


def no_larger(piece: Pyramid) -> str:
    """What a pyramid may jump over (IF-9), in words; a large one may jump over all."""
    return {"S": "small ones", "M": "small and medium ones"}[piece.size]


def moves_in_words(acts: list[str]) -> str:
    """Describe another player's acts.

    >>> moves_in_words(["b1-a1", "c4-a1", "S@i1"])
    'b1–a1, c4–a1 or a small pyramid from the supply'
    """
    words = [act.replace("-", "–") for act in acts if "-" in act]
    if sizes := {act[0] for act in acts if "@" in act}:
        size = f"{NAMES[min(sizes)]} " if len(sizes) == 1 else ""
        words.append(f"a {size}pyramid from the supply")
    if len(words) > MAX_NAMED:
        words[MAX_NAMED:] = [f"{len(words) - MAX_NAMED} more"]
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
