"""Forty games whose files do what a file must not: by carelessness, by mistake, and on purpose."""

from __future__ import annotations

from typing import NamedTuple

SOUND = '''import ctypes, os, re, signal, subprocess, sys, threading, time

from icetable.workshop import Game, Pyramid, squares


class {name}(Game):
    """A game of two kinds of moves.

    **HO-1** The players take turns to go, or to be bad.
    """

    def board(self):
        return squares(3, 3)

    def start(self, table):
        table.put(Pyramid("S", 0), "a1")
        table.bad = False

    def acts(self, table):
        return ["bad", "go"]

    def play(self, table, act):
        if act == "bad":
            table.bad = True
            self.be_bad(table)
        table.end_turn()

    def be_bad(self, table):
        {body}
'''

IN_PLAY = {
    "Loop": "while True: pass",
    "Swallow": """while True:
            try:
                while True: pass
            except BaseException: pass""",
    "Twice": """for _ in range(2):
            try:
                while True: pass
            except: pass""",
    "Exit": "sys.exit(3)",
    "SystemEnd": "os._exit(3)",
    "Abort": "os.abort()",
    "Sleep": "time.sleep(1000)",
    "Pattern": "re.match('(a+)+$', 'a' * 40 + 'b')",
    "Wait": "threading.Event().wait()",
    "Memory": "bytearray(2 * 2**30)",
    "Hoard": "table.hoard = ['x' * 2**24 for _ in range(1000)]",
    "Deep": "self.be_bad(table)",
    "Deeper": "sys.setrecursionlimit(10**9); (lambda f: f(f))(lambda f: [f(f)])",
    "Kill": "os.kill(os.getpid(), 9)",
    "Raise": "signal.raise_signal(9)",
    "Segfault": "ctypes.string_at(0)",
    "Interrupt": "raise KeyboardInterrupt",
    "Deaf": "[signal.signal(one, signal.SIG_IGN) for one in (2, 10, 14, 15)]; time.sleep(1000)",
    "Shutter": "os.closerange(0, 100)",
    "Children": "subprocess.Popen(['sleep', '1000'])",
    "Fork": "os.fork() or time.sleep(1000)",
    "Huge": "table.huge = 'x' * 10**7",
    "Odd": "table.odd = object()",
    "Missing": "undefined",
    "Cap": "table.take('z9')",
}
"""The statement of a move, by the name of the class."""
HARMLESS = {
    "Prints": "print('x' * 5 * 10**6)",
    "Threads": "[threading.Thread(target=time.sleep, args=(1000,)).start() for _ in range(20)]",
}
"""Statements of a move that do no harm."""
IN_METHODS = {
    "BadActs": "def acts(self, table): return ['bad', 1 // (not table.bad) and 'go']",
    "SlowActs": "def acts(self, table): return ['bad', 'go'] if not table.bad else time.sleep(1000)",
    "BadOver": "def over(self, table): return 'XY-1' if table.bad else None",
    "BadWinners": """def over(self, table): return 'HO-1' if table.bad else None

    def winners(self, table): return [7]""",
    "BadScores": "def scores(self, table): return 3 if table.bad else [0, 0]",
    "WordyScores": "def scores(self, table): return ['a', 'b'] if table.bad else [0, 0]",
    "BadPrompt": "def prompt(self, table): return table.none if table.bad else ''",
    "BadHides": "def hides(self, table, seat): return 1 // (not table.bad) and []",
}
"""A method that fails after a bad move, by the name of the class."""
SAVED = {
    "ImportExit": "sys.exit(1)",
    "ImportLoop": "while True: pass",
    "ImportSleep": "time.sleep(1000)",
    "ImportFault": "9999 // 0",
    "ImportSyntax": "class",
}
"""Statements that are added to the file while its table is open, by the name of the class."""


class Careless(NamedTuple):
    """A file: the name of its game, its text, and the text that it is saved with later, if any."""

    name: str
    text: str
    saved: str | None = None


def written(name: str) -> Careless:
    """The file of a name above."""
    body = IN_PLAY.get(name) or HARMLESS.get(name) or "pass"
    text = SOUND.format(name=name, body=body)
    if name in IN_METHODS:
        text += f"\n    {IN_METHODS[name]}\n"
    return Careless(name.lower(), text, f"{text}\n\n{SAVED[name]}\n" if name in SAVED else None)


ALL = [written(name) for name in (*IN_PLAY, *HARMLESS, *IN_METHODS, *SAVED)]
