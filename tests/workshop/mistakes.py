"""Mistakes that are made in games, each as a sound game with one piece replaced, and what is said of it."""

from __future__ import annotations

from typing import NamedTuple

SOUND = '''\
from icetable.workshop import Game, Pyramid, option, squares


class Fill(Game):
    """Fill the board, beside your own.

    **FI-1** Two have five small pyramids each, beside a board of three by three squares.

    **FI-2** The players take turns. A turn puts a pyramid on an empty square.

    **FI-3** A pyramid beside one of its own colour scores a point. When the board is full the most points win.
    """

    each = option(5, 6, rule="FI-1")
    turn_rule = "FI-2"

    def board(self):
        return squares(3, 3)

    def start(self, table):
        table.last = None
        for seat in self.seats:
            table.pad[seat] = [Pyramid("S", seat)] * self.each

    def acts(self, table):
        for space in table.empty():
            yield f"S@{space}"

    def play(self, table, act):
        space = act[2:]
        piece = Pyramid("S", table.seat)
        table.spend(piece)
        if any(there in table.where(table.seat) for there in table.neighbours(space)):
            table.gain(1)
        table.put(piece, space)
        table.last = space
        table.end_turn()

    def over(self, table):
        return "FI-3" if not table.empty() else None

    def scores(self, table):
        return table.score

    def winners(self, table):
        best = max(table.score)
        return [seat for seat in self.seats if table.score[seat] == best]

    def why(self, table, act):
        return "FI-2", f"That is no empty square, unlike {table.last}."
'''
HERE = "  # here"
"""Marks the line that the sentence names."""


class Slip(NamedTuple):
    """`old` is replaced by `new` in SOUND; then `said` is in what is said."""

    old: str
    new: str
    said: str


BOARD = "        return squares(3, 3)"
CLASS = "    turn_rule ="
LIST = '            yield f"S@{space}"'
ACTS = "def acts(self, table):\n        for space in table.empty():\n" + LIST
LAST = "        table.last = space"
MADE = 'Pyramid("S", table.seat)'
START = "        table.last = None"
TURN = "        table.end_turn()"
OVER = '        return "FI-3" if not table.empty() else None'
OVER_METHOD = "    def over(self, table):"
SCORES = "        return table.score"
WINNERS = "        return [seat for seat in self.seats if table.score[seat] == best]"
WHY = '        return "FI-2", f"That is no empty square, unlike {table.last}."'


def after(line: str, more: str) -> tuple[str, str]:
    """Another line after one, as deep."""
    return line, f"{line}\n{' ' * (len(line) - len(line.lstrip()))}{more}"


def before(line: str, more: str) -> tuple[str, str]:
    """Another line before one, as deep."""
    return line, f"{' ' * (len(line) - len(line.lstrip()))}{more}\n{line}"


REFUSED = [
    # what a class lacks, or calls by another name
    Slip(
        "def board(self):",
        "def bord(self):",
        "Fill has no `board`: it returns the board, such as squares(5, 5); did you mean that by `bord`",
    ),
    Slip(
        "def play(self",
        "def plays(self",
        "Fill has no `play`: it carries out an act, and ends the turn; did you mean that by `plays`",
    ),
    Slip(
        "def acts(self",
        "def legal_moves(self",
        "Fill has no `acts`: it lists the legal acts of the seat to act, such as 'a1-b2'",
    ),
    # names that are taken
    Slip(
        *before(CLASS, 'def name(self): return "x"  # here'),
        "`name` is a text in every game: give the method another name",
    ),
    Slip(
        *before(CLASS, 'def title(self): return "x"  # here'),
        "`title` is a text in every game: give the method another name",
    ),
    Slip(
        *before(CLASS, "def options(self): return ()  # here"),
        "`options` has a meaning of its own in every game: give the method another name",
    ),
    Slip(
        *before(CLASS, "def players(self): return 2  # here"),
        "`players` is a number, or the smallest and the largest in every game",
    ),
    Slip(*before(CLASS, "seats = option(2, 3)  # here"), "an option can't be called `seats`: give it another name"),
    Slip(*before(CLASS, "name = option(1, 2)  # here"), "an option can't be called `name`"),
    Slip(*before(CLASS, "seats = (0, 1)  # here"), "`seats` has a meaning of its own in every game"),
    Slip(*before(CLASS, "title = 3  # here"), "`title` is a text, not 3"),
    Slip(
        *before(CLASS, 'mechanics = ("Tile placement")  # here'),
        "`mechanics` is a tuple of texts, such as (\"one\",), not 'Tile placement'",
    ),
    Slip(*before(CLASS, 'worth = "pips"  # here'), "`worth` is a method, not 'pips': def worth(self, table)"),
    Slip(*before(CLASS, 'players = "2"  # here'), "`players` is a number, or the smallest and the largest, not '2'"),
    Slip(
        *before(CLASS, "players = (4, 2)"),
        "Fill: players is a number from 1 to 8, or the smallest and the largest such as (2, 4), not (4, 2)",
    ),
    Slip("option(5, 6,", "option([5], 6,", "option each is a number, a word, True or False, not [5]"),
    # methods that can't be called, or don't run
    Slip(
        "def winners(self, table):",
        "def winners(table):  # here",
        "`winners` gets other things: def winners(self, table)",
    ),
    Slip("def over(self, table):", "def over(self):  # here", "`over` gets other things: def over(self, table)"),
    Slip(
        "def play(self, table, act):",
        "def play(self, act, table):  # here",
        "`play` gets other things: def play(self, table, act)",
    ),
    Slip(
        "def why(self, table, act):",
        "def why(self, table):  # here",
        "`why` gets other things: def why(self, table, act)",
    ),
    Slip("def play(self", "async def play(self", "`play` never runs, because of its `async`"),
    Slip(*after(TURN, "yield"), "`play` never runs, because of its `yield`"),
    Slip(
        *before(CLASS, "def __init__(self, players, chosen): self.seats = [0]  # here"),
        "`__init__` calls super().__init__(players, chosen) first",
    ),
    Slip(
        *before(CLASS, "def __init__(self): super().__init__(2, {})  # here"),
        "`__init__` gets other things: def __init__(self, players, chosen)",
    ),
    Slip(TURN, "        table.end_turn  # here", "`table.end_turn` does nothing without parentheses: table.end_turn()"),
    Slip("self):\n" + BOARD, "self):  # here\n        squares(3, 3)", "`board` returns nothing; is `return` missing?"),
    Slip(
        ACTS,
        'def acts(self, table):  # here\n        [f"S@{space}" for space in table.empty()]',
        "`acts` returns nothing; is `return` missing?",
    ),
    Slip("table):\n" + OVER, "table):  # here\n        table.empty()", "`over` returns nothing; is `return` missing?"),
    Slip(
        "table):\n" + SCORES, "table):  # here\n        table.score", "`scores` returns nothing; is `return` missing?"
    ),
    # what is kept elsewhere than on the table
    Slip(
        LAST,
        "        self.last = space  # here",
        "a game keeps what changes on the table, not on itself: table.last in place of self.last",
    ),
    Slip(
        *before(OVER, "self.asked = getattr(self, 'asked', 0) + 1  # here"),
        "a game keeps what changes on the table, not on itself: table.asked in place of self.asked",
    ),
    Slip(
        START, "        self.last, table.last = None, None  # here", "not on itself: table.last in place of self.last"
    ),
    Slip(
        *after(LAST, "type(self).count = 1  # here"),
        "a game keeps what changes on the table, not on its class: table.count",
    ),
    Slip(
        *after(LAST, "Fill.count = 1  # here"), "a game keeps what changes on the table, not on its class: table.count"
    ),
    Slip(
        *after(LAST, "global count; count = 1  # here"),
        "a game keeps what changes on the table: table.count, not a global one",
    ),
    # what every table has
    Slip(
        *after(LAST, "table.turn = 3  # here"),
        "table.turn counts the turns that table.end_turn() ends: keep a number of your own",
    ),
    Slip(
        *after(START, "table.empty = 9  # here"),
        "`empty` is what every table has: give your value another name than table.empty",
    ),
    Slip(*after(START, "table.seats = 2  # here"), "`seats` is what every table has"),
    Slip(
        *after(START, "table._chosen = {}  # here"), "table._chosen is the library's own: give your value another name"
    ),
    # what is another when the game is played again
    Slip(
        *after(START, "import random; random.shuffle(list(table.spaces))  # here"),
        "`random.shuffle` gives something else when the game is played again: draw by table.roll",
    ),
    Slip(
        *before(LIST, "from random import random as chance; space = space if chance() < 1 else 0  # here"),
        "`chance` gives something else when the game is played again",
    ),
    Slip(*after(LAST, "import random; random.Random().random()  # here"), "`random.Random` gives something else"),
    Slip(*after(LAST, "import numpy as np; np.random.randint(2)  # here"), "`np.random.randint` gives something else"),
    Slip(*after(LAST, "input()  # here"), "`input` waits for nobody"),
    # the file itself
    Slip(
        "def over(self, table):",
        "def over(self, table)",
        "the file has failed: SyntaxError: expected ':' (fill.py, line",
    ),
    Slip(
        "import Game, Pyramid",
        "import Game, Pyramids",
        "has failed: there is no Pyramids in icetable.workshop; did you mean `Pyramid`?",
    ),
    Slip("class Fill(Game):", "class Fill:", "fill.py has no class of icetable.workshop.Game"),
    Slip("**FI-3**", "**RU-3**", "Fill: its rules begin with FI-, except for RU-3"),
]
"""Loading the file says it."""

PLAYED = [
    # boards and pieces
    Slip(MADE, 'Pyramid("s", table.seat)  # here', "a pyramid is 'S', 'M' or 'L', not 's'; did you mean 'S'?"),
    Slip(
        MADE, 'Pyramid("medium", table.seat)  # here', "a pyramid is 'S', 'M' or 'L', not 'medium'; did you mean 'M'?"
    ),
    Slip(
        MADE,
        'Pyramid(table.seat, "S")  # here',
        "a pyramid is 'S', 'M' or 'L', not 0; the size comes first: Pyramid('S', 0)",
    ),
    Slip(
        BOARD,
        "        from icetable.workshop import hexagons; return hexagons([3, 3])  # here",
        "rows a and b of hexagons, 3 and 3 long, don't interlock: their lengths differ by an odd number",
    ),
    Slip(BOARD, "        return squares(0, 3)  # here", "a board has 1 to 26 columns and rows, not 0 and 3"),
    Slip(BOARD, "        return squares(30, 3)  # here", "a board has 1 to 26 columns and rows, not 30 and 3"),
    Slip(*after(START, "while True: table.put(Pyramid('S', 0), 'a1')  # here"), "at most 10,000 pieces fit on a1"),
    Slip(*after(START, "table.roll(10**9)  # here"), "a die has 2 to 10,000 sides, not 1,000,000,000"),
    Slip(*after(START, "table.roll(6, dice=10**9)  # here"), "an act of chance has 1 to 1,000 dice, not 1,000,000,000"),
    Slip(*after(START, "table.draw(range(10**9))  # here"), "at most 10,000 faces, cards or choices to choose from"),
    Slip(
        BOARD,
        "        from icetable.workshop import ring; return ring(10**9)  # here",
        "a board has at most 1,000 spaces, not 1,000,000,000",
    ),
    Slip(
        BOARD,
        "        from icetable.workshop import hexagons; return hexagons([10**9])  # here",
        "a board has at most 1,000 spaces, not 1,000,000,000",
    ),
    Slip(
        BOARD,
        '        return squares(3, 3, blocked=["d9"])  # here',
        "blocked names 'd9', which is no space of this board",
    ),
    Slip(
        BOARD, "        return squares(3, 3, zones={0: [4]})  # here", "zones names 4, which is no space of this board"
    ),
    Slip(
        BOARD,
        "        from icetable.workshop import ring; return ring(0)  # here",
        "a ring has at least 2 spaces, not 0",
    ),
    Slip(
        "def board(self):\n        return squares(3, 3)",
        "def board(self):  # here\n        return print()",
        "board (fill.py:{line}) returns a board with spaces, such as squares(5, 5), not None; is `return` missing?",
    ),
    # what methods return
    Slip(
        LIST,
        '            yield "S", space',
        "returns short texts such as 'a1-b2', not ('S', 'a1'); did you mean 'S-a1'?",
    ),
    Slip(
        LIST,
        '            yield f"S@{space}" if space != "a1" else ("S", "a1")',
        "returns short texts such as 'a1-b2', not ('S', 'a1'); did you mean 'S-a1'?",
    ),
    Slip(
        LIST,
        '            yield ["S", space]',
        "returns short texts such as 'a1-b2', not ['S', 'a1']; did you mean 'S-a1'?",
    ),
    Slip(LIST, "            yield 7", "returns short texts such as 'a1-b2', not 7"),
    Slip(LIST, '            yield f"S#{space}"', "has words of printable characters, but no #"),
    Slip(
        LIST,
        "            return print(space)",
        "returns or yields the legal acts, such as ['a1-b2'], not None; is `return` missing?",
    ),
    Slip(LIST, '            return f"S@{space}"', "returns or yields the legal acts, such as ['a1-b2'], not 'S@a1'"),
    Slip(
        LIST, '            yield from (f"S{number}" for number in range(5000))', "there are more than 4096 legal acts"
    ),
    Slip(OVER, "        return not table.empty()", "returns the id of a rule, such as FI-2, or None, not True"),
    Slip(
        OVER,
        '        return None if table.empty() else "FI3"',
        "returns the id of a rule, such as FI-2, or None, not 'FI3'",
    ),
    Slip(SCORES, "        return table.score[table.seat]", "returns a list of 2 numbers, one for each seat, not 0"),
    Slip(SCORES, "        return [1, 2, 3]", "returns a list of 2 numbers, one for each seat, not (1, 2, 3)"),
    Slip(
        SCORES,
        "        return print()",
        "returns a list of 2 numbers, one for each seat, not None; is `return` missing?",
    ),
    Slip(WINNERS, "        return table.score.index(best)", "returns a list of seats, such as [0], not "),
    Slip(WINNERS, "        return print(best)", "returns a list of seats, such as [0], not None; is `return` missing?"),
    Slip(WINNERS, "        return [1, 2]", "returns a list of seats, such as [0], not [1, 2]"),
    Slip(WHY, "        return True", "returns a sentence, or the id of a rule and a sentence, not True"),
    Slip(
        WHY,
        '        return "FI-2", "No.", 3',
        "returns a sentence, or the id of a rule and a sentence, not ('FI-2', 'No.', 3)",
    ),
    Slip(
        WHY,
        '        return "taken", "No."',
        "returns the id of a rule, such as FI-2 and a sentence, or None, not 'taken'",
    ),
    Slip(
        *before(CLASS, "def hides(self, table, seat): return None"), "it returns a list of spaces and seats, not None"
    ),
    Slip(
        *before(CLASS, "def prompt(self, table): return None"),
        "returns a sentence, which may be empty, not None; is `return` missing?",
    ),
    # verbs
    Slip(
        "table.put(piece,",
        "table.put(True,  # here\n            ",
        "True is no piece: pieces are such as Pyramid('M', 0) or Token('stone', 1)",
    ),
    Slip("table.put(piece, space)", 'table.put("S", space)  # here', "'S' is no piece"),
    Slip("table.put(piece, space)", 'table.put(piece, "z9")  # here', "there is no space 'z9'"),
    Slip("table.neighbours(space)", 'table.neighbours("z9")', "there is no space 'z9'"),
    Slip(
        "table.spend(piece)",
        'table.spend(Pyramid("M", table.seat))  # here',
        "there is no 0M on the pad of seat 0, which has 0S, 0S, 0S, 0S, 0S",
    ),
    Slip("table.gain(1)", "table.gain(0.5)  # here", "points are whole numbers, not 0.5"),
    Slip("table.where(table.seat)", 'table.where("S")', "where gets a colour first: where(size='S')"),
    Slip(
        "table.neighbours(space)",
        "table.neighbors(space)",
        "AttributeError: 'Table' object has no attribute 'neighbors'; did you mean `neighbours`?",
    ),
    Slip(
        "table.empty():",
        "table.empty:  # here",
        "TypeError: 'method' object is not iterable; the parentheses of a call are missing",
    ),
    Slip(
        *before(LAST, 'table.top("a1").colour, table.top("c3").colour  # here'),
        "`table.top` and `table.take` give None for an empty space",
    ),
    Slip(TURN, "        table.end_turn(to=2)  # here", "there is no seat 2; seats are 0 to 1"),
    Slip(*before(TURN, "table.eliminate(2)  # here"), "there is no seat 2; seats are 0 to 1"),
    Slip(
        TURN,
        "        table.seat += 1",
        "table.seat is 2: seats are 0 to 1, and table.end_turn() passes the turn to the next one",
    ),
    Slip(
        START,
        "        table.last, table.score = None, 0",
        "table.score is a list of points by seat, such as [0, 0], not 0",
    ),
    Slip(*before(TURN, "table.pad[table.seat] = ()"), "table.pad is a list of pieces for each seat"),
    Slip(*before(TURN, "table.roll(6)"), "there is no space 'e:"),
    Slip(
        *before(TURN, 'table.ask({0: ["stay", "go"]})'),
        "Fill has no `reveal`: it gets the secret choices of the seats that are asked",
    ),
    Slip(
        *before(TURN, 'table.ask({0: "stay"})  # here'),
        "a seat chooses from a list, such as ['rock', 'paper'], not from 'stay'",
    ),
    # names, and values of the table
    Slip(
        *before(LAST, 'setattr(self, "count", 1)  # here'),
        "on the table, not on itself: table.count in place of self.count",
    ),
    Slip(
        "* self.each",
        "* self.eech  # here",
        "AttributeError: 'Fill' object has no attribute 'eech'; did you mean `each`?",
    ),
    Slip(LAST, "        table.last = spcae  # here", "NameError: name 'spcae' is not defined; did you mean `space`?"),
    Slip(MADE, 'Token("stone", table.seat)  # here', "it is imported by `from icetable.workshop import Token`"),
    Slip(LAST, "        table.last = object()  # here", "table.last can't be part of a position: <object object"),
    Slip(
        LAST,
        "        from collections import Counter; table.last = Counter(space)",
        "table.last can't be part of a position: Counter({",
    ),
    Slip(LAST, "        table.last = range(3)", "table.last can't be part of a position: range(0, 3)"),
]
"""Playing says it, and `check`."""

CHECKED = [
    # names that nothing knows
    Slip("def scores(self", "def score(self", "nothing calls `score`; did you mean `scores`?"),
    Slip("def winners(self", "def winner(self", "nothing calls `winner`; did you mean `winners`?"),
    Slip("def over(self", "def is_over(self", "nothing calls `is_over`; did you mean `over`?"),
    Slip("def why(self", "def explain(self", "nothing calls `explain`; did you mean `why`?"),
    Slip(*before(CLASS, "def celebrate(self, table): table.gain(1)  # here"), "nothing calls `celebrate`"),
    Slip("turn_rule =", "turnrule =", "nothing reads `turnrule`; did you mean `turn_rule`?"),
    Slip("* self.each", "* 5", "nothing reads the option `each`"),
    Slip(*before(TURN, "if space == '': table.capture_all()  # here"), "the table has no `capture_all`"),
    Slip(*before(TURN, "table.scores = 3  # here"), "nothing reads table.scores; did you mean `score`?"),
    # rules
    Slip(
        OVER,
        '        return "FI-4" if not table.empty() else None  # here',
        "the docstring has no rule FI-4; its rules are FI-1, FI-2, FI-3",
    ),
    Slip('rule="FI-1"', 'rule="FI-7"', "the docstring has no rule FI-7"),
    Slip("**FI-3**", "**FI-2**", "the docstring has rule FI-2 twice"),
    # statements without effect
    Slip(
        TURN,
        "        table.end_turn()\n        table.seat == 1  # here",
        "`table.seat == 1` compares, and does nothing: `=` assigns",
    ),
    Slip(
        OVER,
        '        if not table.empty():\n            "FI-3"  # here\n        return None',
        "a text that stands alone does nothing; is `return` missing?",
    ),
    # turns
    Slip(TURN, "        pass", "no act ends a turn, so that only seat 0 acts: table.end_turn() passes the turn on"),
    Slip(
        *after(TURN, "table.out |= {table.seat}"),
        "is out of the game and is to act: table.end_turn() passes the turn on",
    ),
    # what changes elsewhere
    Slip(
        OVER_METHOD,
        f"    log = []\n\n{OVER_METHOD}\n        self.log.append(1)  # here",
        "playing changes Fill.log: a game keeps what changes on the table",
    ),
    Slip(
        OVER_METHOD,
        f"    own = {{}}\n\n{OVER_METHOD}\n        self.own[0] = table.turn  # here",
        "playing changes Fill.own: a game keeps what changes on the table",
    ),
    Slip(
        OVER_METHOD,
        f"    def __init__(self, *args):\n        super().__init__(*args)\n        self.log = set()\n\n{OVER_METHOD}\n"
        "        self.log.add(table.turn)  # here",
        "playing changes self.log: a game keeps what changes on the table",
    ),
    Slip(*before(LIST, "table.last = space"), "changes the table: only start, play and reveal may"),
    Slip(*before(LIST, 'yield "S@a1"'), "lists an act twice: S@a1"),
    # what its own tests and methods for bots say
    Slip(
        WHY, f"{WHY}\n\n\ndef test_it(start):\n    assert start.is_terminal  # here", "fails: assert start.is_terminal"
    ),
    Slip(
        *before(CLASS, "def worth(self, table): return 1  # here"),
        "returns a list of 2 numbers, one for each seat, not 1",
    ),
    Slip(
        *before(CLASS, "def goals(self, table): return 3"), "goals has failed: TypeError: 'int' object is not iterable"
    ),
    # what is another in another process, or another time
    Slip(
        LAST,
        "        table.last = next(iter({f'{space}{number}' for number in range(99)}))",
        "played again in another process: own last would be other",
    ),
    Slip(LAST, "        table.last = hash(space)  # here", "`hash` gives something else in another process"),
    Slip(
        LAST,
        "        import time; table.last = time.time()  # here",
        "`time.time` gives something else when the game is played again",
    ),
    # what a game puts there by itself
    Slip(
        "table.put(piece, space)",
        'table.put(Pyramid("S", 2), space)',
        "is no piece of this game: colours are words or seats from 0 to 1",
    ),
    Slip("table.put(piece, space)", 'table.put(Pyramid("S", 0, "up"), space)', "headings are n, e, s, w"),
    Slip(*after(LAST, 'table.stacks["z9"] = (piece,)'), "table.stacks has 'z9', which is no space of the board"),
]
"""Only `check` says it: the game can be played."""
