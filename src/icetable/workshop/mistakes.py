"""Mistakes that can be read in the source of a game, without playing it: what everybody gets wrong at first.

A certain mistake is refused when the game is loaded; `icetable check` names the others. At the end: errors of a game's
code in words, with the mend where it is clear.
"""

from __future__ import annotations

import ast
import builtins
import datetime as dt
import difflib
import functools
import inspect
import itertools
import os
import random
import re
import sys
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import FunctionType, ModuleType, TracebackType
from typing import Any, NamedTuple, TypeGuard

from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.workshop.design import REQUIRED, TEST_PREFIX, Choice, Game
from icetable.workshop.look import Look
from icetable.workshop.table import STANDARD, Table

Function = ast.FunctionDef | ast.AsyncFunctionDef


ON_TABLE = ("acts", "start", "over", "winners", "prompt", "reason", "unsound", "worth", "goals", "accounts", "pool")


PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "board": (),
    **dict.fromkeys((*ON_TABLE, "ties", "scores", "turn_parts", "threats", "marks", "labels"), ("table",)),
    **dict.fromkeys(("play", "why", "allows"), ("table", "act")),
    "reveal": ("table", "choices"),
    "hides": ("table", "seat"),
    "notation": ("text",),
    "__init__": ("players", "chosen"),
}
"""The methods that the library calls, and what they get after `self`."""


RUN_WHOLE = {"__init__", "board", "start", "play", "reveal", "over", "why", "notation", "allows"}
"""Those that can't be generators."""


RETURNING = {
    "board",
    "acts",
    "over",
    "winners",
    "scores",
    "worth",
    "hides",
    "notation",
    "allows",
    "goals",
    "ties",
    "marks",
    "labels",
}


MEANINGS = {
    **dict.fromkeys(("legal_acts", "legal_actions", "actions", "moves", "legal_moves", "legal", "options"), "acts"),
    **dict.fromkeys(("setup", "set_up", "setup_board", "begin", "init", "initial"), "start"),
    **dict.fromkeys(("apply", "do", "do_act", "move", "make_move", "execute", "perform", "step"), "play"),
    **dict.fromkeys(("is_over", "end", "ended", "finished", "is_finished", "game_over", "terminal", "done"), "over"),
    **dict.fromkeys(("winning", "who_wins", "won", "victors"), "winners"),
    **dict.fromkeys(("points", "result", "results", "get_scores", "scoring"), "scores"),
    **dict.fromkeys(("evaluate", "evaluation", "value", "values", "heuristic", "utility"), "worth"),
    **dict.fromkeys(("reasons", "explain", "refuse", "why_not"), "why"),
    **dict.fromkeys(("hidden", "secrets", "conceal"), "hides"),
    **dict.fromkeys(("player_count", "num_players", "seats"), "players"),
}
"""Other words for what the library calls, by what it is called here."""


TEXTS = {"name", "title", "turn_rule", "acts_rule", "stuck_rule"}


ATTRIBUTES: Mapping[str, tuple[Any, str]] = {
    **dict.fromkeys(TEXTS, (str, "a text")),
    "cooperative": (bool, "True or False"),
    "random_seats": (bool, "True or False"),
    "look": (Look, "a Look"),
    "players": ((int, tuple), "a number, or the smallest and the largest"),
    **dict.fromkeys(("colours", "mechanics", "examples"), (tuple, 'a tuple of texts, such as ("one",)')),
}
"""The attributes of classes that the library reads, with their types."""


RESERVED = {"options", "rules_text", "rule_ids", "seats", "_choices", "_kept", "_lacks"}
"""Other names of `Game` that a class can't use for something else."""


CLOCKS = time.time, time.time_ns, time.monotonic, time.monotonic_ns, time.perf_counter, time.perf_counter_ns


VERBS = {name for name in dir(Table) if not name.startswith("__")} - STANDARD


UNCHANGEABLE = {name for name in STANDARD if name.startswith("_")} | {"board", "players"}
"""Attributes of a table that only the library sets."""


CHANGING = {"append", "extend", "insert", "remove", "pop", "clear", "add", "discard", "update", "setdefault", "sort"}
"""The methods of lists, dicts and sets that change them."""


class Mistake(NamedTuple):
    """A mistake at a line of a file."""

    file: str
    line: int
    what: str
    is_certain: bool

    def __str__(self) -> str:
        return f"{Path(self.file).name}:{self.line}: {self.what}"


class Source(NamedTuple):
    """A class with the tree of its file."""

    design: type[Game]
    file: str
    tree: ast.Module
    node: ast.ClassDef


def mistakes_in(design: type[Game]) -> list[Mistake]:
    """The mistakes in the source of a class and its parents, by file and line; none if there is no source."""
    sources = list(_sources(design))
    if not sources:
        return []
    names = _Names([source.tree for source in sources])
    found = set(itertools.chain.from_iterable(_members(source, names) for source in sources))
    if any(RESERVED & set(vars(source.design)) - {"_kept"} for source in sources):
        return sorted(found)  # the class can't be asked for its rules
    found |= {*_missing(design, sources[0]), *_rules(design, sources)}
    for file, tree in {source.file: source.tree for source in sources}.items():
        for owner, function in _functions(tree, sources):
            found.update(_Body(file, owner, function, names, design).mistakes())
    return sorted(found)


def ends_turns(design: type[Game]) -> bool:
    """Whether the source of a class says `end_turn` or sets `seat` anywhere; True if there is no source."""
    sources = list(_sources(design))
    names = _Names([source.tree for source in sources])
    return not sources or "end_turn" in names.read or "seat" in names.set


def place_setting(design: type[Game] | Game, name: str) -> str:
    """Where a value outside tables, or one of a table, is set or changed, as " (canals.py:31)"; empty if unknown."""
    found: list[str] = []
    for source in _sources(design if isinstance(design, type) else type(design)):
        for _, function in _functions(source.tree, [source]):
            nodes = list(ast.walk(function)) if function.name != "__init__" else []
            constant = {
                target
                for node in nodes
                if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
                for target in node.targets
            }
            found += [
                f" ({Path(source.file).name}:{node.lineno})"  # type: ignore[attr-defined]
                for node in nodes
                if name in _changed_by(node) and node not in constant
            ]
    return found[0] if found else ""


def _changed_by(node: ast.AST) -> set[str]:
    """The names of attributes and variables that a node sets, or whose value it changes."""
    changed: list[ast.AST] = []
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
        changed.append(node.func.value)
    elif isinstance(node, ast.Subscript | ast.Attribute | ast.Name) and not isinstance(node.ctx, ast.Load):
        changed += [node, node.value] if isinstance(node, ast.Subscript) else [node]
    return {
        one.attr if isinstance(one, ast.Attribute) else one.id
        for one in changed
        if isinstance(one, ast.Attribute | ast.Name)
    }


def _sources(design: type[Game]) -> Iterator[Source]:
    """The sources of a class and its parents, the nearest first."""
    for base in design.__mro__:
        if issubclass(base, Game) and base is not Game:
            try:
                file = inspect.getsourcefile(base) or ""
                tree = _parsed(inspect.getsource(sys.modules[base.__module__]))
            except (KeyError, OSError, SyntaxError, TypeError):
                return
            node = _class_node(tree, base.__qualname__)
            if node is None:
                return
            yield Source(base, file, tree, node)


@functools.lru_cache(32)
def _parsed(source: str) -> ast.Module:
    return ast.parse(source)


def _class_node(tree: ast.Module, qualname: str) -> ast.ClassDef | None:
    """The class of a qualified name, the last one if there are several."""
    nodes: list[ast.AST] = [tree]
    for name in qualname.replace(".<locals>", "").split("."):
        nodes = [
            inner
            for node in nodes
            for inner in ast.walk(node)
            if isinstance(inner, ast.ClassDef | Function) and inner.name == name
        ]
    return next((node for node in reversed(nodes) if isinstance(node, ast.ClassDef)), None)


class _Names:
    """The names that files use: attributes that are read, and those that are set, of whatever object."""

    def __init__(self, trees: list[ast.Module]) -> None:
        self.read: set[str] = set()
        self.called: set[str] = set()
        """Those that are read of anything but a table."""
        self.set: set[str] = set()
        self.sets_by_name = False
        """Whether attributes are set by names that can't be read here."""
        nodes = list(itertools.chain.from_iterable(map(ast.walk, trees)))
        tables = {"table"}.union(*(_tables_of(node) for node in nodes if isinstance(node, Function)))
        for node in nodes:
            if isinstance(node, ast.Attribute):
                (self.read if isinstance(node.ctx, ast.Load) else self.set).add(node.attr)
                if not isinstance(node.value, ast.Name) or node.value.id not in tables:
                    self.called.add(node.attr)
            elif isinstance(node, ast.Name):
                self.sets_by_name |= node.id in ("setattr", "vars")
                if isinstance(node.ctx, ast.Load):
                    self.read.add(node.id)
                    self.called.add(node.id)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                self.read.add(node.value)  # for getattr
                self.called.add(node.value)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute):
                self.read.add(node.target.attr)


def _tables_of(function: Function) -> set[str]:
    """The parameter of a method of games that is the table, by its name in the file."""
    takes_table = PARAMETERS.get(function.name, ())[:1] == ("table",)
    return {one.arg for one in [*function.args.posonlyargs, *function.args.args][1:2] if takes_table}


def _functions(tree: ast.Module, sources: list[Source]) -> Iterator[tuple[Source | None, Function]]:
    """The functions of a file's own level, and the methods of its classes of games; not its tests."""
    bodies: list[tuple[Source | None, list[ast.stmt]]] = [(None, tree.body)]
    bodies += [(source, source.node.body) for source in sources if source.tree is tree]
    for owner, body in bodies:
        for node in body:
            if isinstance(node, Function) and not node.name.startswith(TEST_PREFIX):
                yield owner, node


def _missing(design: type[Game], source: Source) -> Iterator[Mistake]:
    """The required methods that a class lacks."""
    has = {name for name in REQUIRED if getattr(design, name) is not getattr(Game, name)}
    needed = {"board"} if "reveal" in has else {"board", "acts", "play"}
    for name in sorted(needed - has):
        defined = {node.name: node.lineno for node in source.node.body if isinstance(node, Function)}
        near = [other for other in defined if _suggested(other, {name}) and other not in PARAMETERS]
        mend = f"; did you mean that by `{near[0]}` in line {defined[near[0]]}?" if near else ""
        what = f"{design.__name__} has no `{name}`: {REQUIRED[name]}{mend}"
        yield Mistake(source.file, source.node.lineno, what, is_certain=True)


def _suggested(name: str, known: set[str]) -> str:
    """The name that was meant by another, as "; did you mean `scores`?"; empty if that is not clear."""
    word = MEANINGS.get(name)
    return f"; did you mean `{word}`?" if word in known else meant(name, sorted(known))


def _rules(design: type[Game], sources: list[Source]) -> Iterator[Mistake]:
    """Ids of rules that the docstring lacks or has twice."""
    ids = design.rule_ids()
    if not ids:
        return
    for twice in sorted({rule for rule in ids if ids.count(rule) > 1}):
        yield Mistake(
            sources[0].file, sources[0].node.lineno, f"the docstring has rule {twice} twice", is_certain=False
        )
    form = re.compile(rf"{ids[0].partition('-')[0]}-\d{{1,3}}")
    for source in sources:
        for node in ast.walk(source.node):
            named = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
            if form.fullmatch(named) and named not in ids:
                what = f"the docstring has no rule {named}; its rules are {', '.join(ids)}"
                yield Mistake(source.file, node.lineno, what, is_certain=False)  # type: ignore[attr-defined]


def _members(source: Source, names: _Names) -> Iterator[Mistake]:
    """Mistakes in the names, the parameters and the types of what a class defines."""

    def mistake(node: ast.stmt, what: str, *, is_certain: bool = True) -> Mistake:
        return Mistake(source.file, node.lineno, what, is_certain)

    inherited = set(dir(source.design.__mro__[1]))
    known = inherited - set(vars(source.design)) - RESERVED | (set(PARAMETERS) - set(vars(source.design)))
    for node in source.node.body:
        if isinstance(node, Function):
            yield from (mistake(node, what) for what in _method_mistakes(node))
            is_new = node.name not in inherited and not node.name.startswith(("_", TEST_PREFIX))
            if is_new and node.name not in names.called and node.name not in ATTRIBUTES:
                mend = _suggested(node.name, known)
                yield mistake(node, f"nothing calls `{node.name}`{mend}", is_certain=False)
        for name in _assigned(node):
            value = vars(source.design).get(name)
            if isinstance(value, Choice):
                if name in PARAMETERS or name in ATTRIBUTES or name in RESERVED or value.name in ("players", "preset"):
                    yield mistake(node, f"an option can't be called `{name}`: give it another name")
                elif name not in names.read and name not in inherited:
                    yield mistake(node, f"nothing reads the option `{name}`", is_certain=False)
            elif name in PARAMETERS and value is not None and not callable(value):
                yield mistake(node, f"`{name}` is a method, not {short_repr(value)}: def {_written(name)}")
            elif name in ATTRIBUTES and not isinstance(value, ATTRIBUTES[name][0]):
                yield mistake(node, f"`{name}` is {ATTRIBUTES[name][1]}, not {short_repr(value)}")
            elif name in RESERVED:
                yield mistake(node, f"`{name}` has a meaning of its own in every game: give it another name")
            elif name not in names.read and name not in inherited and (mend := _suggested(name, known)):
                yield mistake(node, f"nothing reads `{name}`{mend}", is_certain=False)


def _assigned(node: ast.stmt) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]


def _written(method: str) -> str:
    return f"{method}({', '.join(('self', *PARAMETERS[method]))})"


def _method_mistakes(node: Function) -> Iterator[str]:
    """What is wrong with the name, the parameters and the form of a method."""
    name = node.name
    if name in ATTRIBUTES or name in RESERVED:
        what = (
            f"is {ATTRIBUTES[name][1]} in every game"
            if name in ATTRIBUTES
            else "has a meaning of its own in every game"
        )
        yield f"`{name}` {what}: give the method another name"
    if name not in PARAMETERS or node.decorator_list:
        return
    given = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    expected = len(PARAMETERS[name]) + 1
    fits = len(given) - len(node.args.defaults) <= expected <= len(given) or (
        node.args.vararg and len(given) <= expected
    )
    is_swapped = "table" in given and "table" in PARAMETERS[name] and given.index("table") != 1
    if not fits or is_swapped:
        yield f"`{name}` gets other things: def {_written(name)}"
    own = list(_own_nodes(node))
    yields = any(isinstance(one, ast.Yield | ast.YieldFrom) for one in own)
    if isinstance(node, ast.AsyncFunctionDef) or (yields and name in RUN_WHOLE):
        yield f"`{name}` never runs, because of its `{'yield' if yields else 'async'}`"
    returns = any(isinstance(one, ast.Return) and one.value is not None for one in own)
    is_stub = all(isinstance(getattr(one, "value", one), ast.Pass | ast.Constant) for one in node.body)
    if name in RETURNING and not (yields or returns or (is_stub and name == "over") or _raises(node)):
        yield f"`{name}` returns nothing; is `return` missing?"
    calls = {one.attr for one in own if isinstance(one, ast.Attribute)}
    if name == "__init__" and "__init__" not in calls:
        yield "`__init__` calls super().__init__(players, chosen) first"


def _raises(node: Function) -> bool:
    return isinstance(node.body[-1], ast.Raise)


def _own_nodes(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function's body, without those of functions inside it."""
    nodes: list[ast.AST] = list(function.body)
    while nodes:
        node = nodes.pop()
        yield node
        if not isinstance(node, Function | ast.Lambda | ast.ClassDef):
            nodes.extend(ast.iter_child_nodes(node))


class _Body:
    """The statements of a function, which is a method if it has an owner."""

    def __init__(self, file: str, owner: Source | None, function: Function, names: _Names, design: type[Game]) -> None:
        self.file, self.owner, self.function, self.names, self.design = file, owner, function, names, design
        given = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        self.itself = given[0] if owner and given else ""
        self.tables = {name for name in given if name == "table"} | (_tables_of(function) if owner else set())
        self.namespace = vars(sys.modules[owner.design.__module__ if owner else design.__module__]) | dict(
            self._imports()
        )
        self.called_by_init = owner is not None and any(
            isinstance(node, Function)
            and node.name == "__init__"
            and function.name in {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}
            for node in owner.node.body
        )

    def mistakes(self) -> Iterator[Mistake]:
        for node in ast.walk(self.function):
            for what, is_certain in self._judge(node):
                line = node.lineno  # type: ignore[attr-defined]
                yield Mistake(self.file, line, what, is_certain)

    def _judge(self, node: ast.AST) -> Iterator[tuple[str, bool]]:
        """The mistakes of a node, and whether each is certain."""
        if isinstance(node, ast.Attribute):
            yield from self._judge_attribute(node)
        elif isinstance(node, ast.Assign) or (isinstance(node, ast.AugAssign) and not isinstance(node.op, ast.Add)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in itertools.chain.from_iterable(map(ast.walk, targets)):
                if isinstance(target, ast.expr) and self._is_of_table(target) and target.attr == "turn":
                    yield "table.turn counts the turns that table.end_turn() ends: keep a number of your own", True
        elif isinstance(node, ast.Global):
            yield f"a game keeps what changes on the table: table.{node.names[0]}, not a global one", True
        elif isinstance(node, ast.Call) and self.function.name != "worth":
            yield from self._judge_call(node)
        elif isinstance(node, ast.Expr):
            yield from self._judge_statement(node.value)

    def _judge_attribute(self, node: ast.Attribute) -> Iterator[tuple[str, bool]]:
        name, is_set = node.attr, not isinstance(node.ctx, ast.Load)
        if self._is_of_table(node):
            if is_set and name in VERBS:
                yield f"`{name}` is what every table has: give your value another name than table.{name}", True
            elif is_set and name in UNCHANGEABLE:
                yield f"table.{name} is the library's own: give your value another name", True
            elif is_set and name not in STANDARD and name not in self.names.read:
                standard = [one for one in STANDARD if not one.startswith("_")]
                if mend := meant(name, standard):
                    yield f"nothing reads table.{name}{mend}", False
            known = {*VERBS, *STANDARD, *self.names.set}
            if not is_set and name not in known and not name.startswith("__") and not self.names.sets_by_name:
                yield f"the table has no `{name}`{meant(name, known)}", False
        elif is_set and self.owner and self._is_class(node.value):
            yield f"a game keeps what changes on the table, not on its class: table.{name}", True
        elif is_set and isinstance(node.value, ast.Name) and node.value.id == self.itself != "":
            is_setter = any(isinstance(one, ast.Attribute) for one in self.function.decorator_list)
            if self.function.name != "__init__" and not self.called_by_init and not is_setter:
                yield (
                    f"a game keeps what changes on the table, not on itself: table.{name} in place of self.{name}",
                    True,
                )

    def _judge_statement(self, value: ast.expr) -> Iterator[tuple[str, bool]]:
        """What an expression that stands alone should have been."""
        if isinstance(value, ast.Attribute):
            is_method = (self._is_of_table(value) and value.attr in VERBS) or (
                isinstance(value.value, ast.Name)
                and value.value.id == self.itself != ""
                and isinstance(getattr(self.design, value.attr, None), FunctionType)
            )
            if is_method:
                yield f"`{ast.unparse(value)}` does nothing without parentheses: {ast.unparse(value)}()", True
        elif isinstance(value, ast.Compare) and isinstance(value.ops[0], ast.Eq):
            yield f"`{ast.unparse(value)}` compares, and does nothing: `=` assigns", False
        elif isinstance(value, ast.JoinedStr) or (
            isinstance(value, ast.Constant) and value.value in self.design.rule_ids()
        ):
            mend = "yield" if self.function.name == "acts" else "return"
            yield f"a text that stands alone does nothing; is `{mend}` missing?", False

    def _judge_call(self, node: ast.Call) -> Iterator[tuple[str, bool]]:
        """Calls whose result is another one when the game is played again."""
        called = self._resolved(node.func)
        bound, module = getattr(called, "__self__", None), getattr(called, "__module__", None)
        is_unseeded = not node.args and not node.keywords
        is_random = isinstance(bound, random.Random)
        is_random |= type(bound).__module__.startswith("numpy.random") or module == "secrets"
        is_random |= called in (os.urandom, uuid.uuid1, uuid.uuid4, random.SystemRandom)
        is_random |= is_unseeded and (called is random.Random or getattr(called, "__name__", "") == "default_rng")
        written = ast.unparse(node.func)
        if is_random:
            mend = "draw by table.roll, table.draw or table.deal, or by random.Random(number) with a number drawn"
            yield f"`{written}` gives something else when the game is played again: {mend}", True
        elif called in CLOCKS or (bound in (dt.datetime, dt.date) and called.__name__ in ("now", "today")):
            yield f"`{written}` gives something else when the game is played again", False
        elif called is hash or called is id:
            yield f"`{written}` gives something else in another process", False
        elif called is input:
            yield "`input` waits for nobody: a game asks through its acts", True

    def _is_of_table(self, node: ast.expr) -> TypeGuard[ast.Attribute]:
        return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in self.tables

    def _is_class(self, node: ast.expr) -> bool:
        """Whether an expression is the class of the game."""
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id == "type"
        if isinstance(node, ast.Attribute):
            return node.attr == "__class__"
        found = self.namespace.get(node.id) if isinstance(node, ast.Name) else None
        return isinstance(found, type) and issubclass(found, Game)

    def _resolved(self, node: ast.expr) -> Any:
        """What a dotted name of modules and classes means; None for anything else."""
        if isinstance(node, ast.Name):
            return self.namespace.get(node.id, getattr(sys.modules["builtins"], node.id, None))
        if isinstance(node, ast.Attribute):
            owner = self._resolved(node.value)
            is_known = isinstance(owner, ModuleType | type | random.Random)
            return getattr(owner, node.attr, None) if is_known else None
        return None

    def _imports(self) -> Iterator[tuple[str, Any]]:
        """What the function imports itself, from modules that are loaded."""
        for node in ast.walk(self.function):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield alias.asname or alias.name.partition(".")[0], sys.modules.get(alias.name)
            elif isinstance(node, ast.ImportFrom) and node.module in sys.modules:
                for alias in node.names:
                    yield alias.asname or alias.name, getattr(sys.modules[node.module], alias.name, None)


UNIMPORTABLE = re.compile(r"cannot import name '(\w+)' from '(icetable[\w.]*)'")


def describe_error(error: Exception) -> str:
    """What an error says, and what was meant or is missing if that is clear."""
    if isinstance(error, GameError):
        return str(error)
    if found := UNIMPORTABLE.match(str(error)):
        name, module = found.groups()
        return f"there is no {name} in {module}{meant(name, dir(sys.modules[module]))}"
    return f"{type(error).__name__}: {error}{_mend(error)}"


def meant(name: str, known: Iterable[str]) -> str:
    """A suggestion for a misspelt name, such as "; did you mean `scores`?"; empty if nothing is near."""
    near = difflib.get_close_matches(name, [one for one in known if not one.startswith("_")], 1, 0.7)
    return f"; did you mean `{near[0]}`?" if near else ""


def _mend(error: Exception) -> str:
    if isinstance(error, AttributeError) and error.name:
        return meant(error.name, dir(error.obj)) or _none_lacks(error.obj)
    if isinstance(error, NameError) and error.name:
        workshop = sys.modules["icetable.workshop"]
        if error.name in workshop.__all__:
            return f"; it is imported by `from icetable.workshop import {error.name}`"
        return meant(error.name, _names_in(error.__traceback__))
    if "'method' object" in str(error):
        return "; the parentheses of a call are missing"
    return ""


def _none_lacks(value: object) -> str:
    return "; `table.top` and `table.take` give None for an empty space" if value is None else ""


def _names_in(trace: TracebackType | None) -> set[str]:
    """The names that can be used where an error was raised."""
    names = set(dir(builtins))
    while trace is not None:
        if trace.tb_next is None:
            names |= {*trace.tb_frame.f_locals, *trace.tb_frame.f_globals}
        trace = trace.tb_next
    return names
