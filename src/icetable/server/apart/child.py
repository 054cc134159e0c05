"""What runs in the process of a file: it loads the file, and answers one question at a time.

Only such a process imports this module, and it imports all that games need, once for all files where processes can be
forked: so a file is there in some hundredths of a second, and shares the memory of what is the same for all.
"""

from __future__ import annotations

import os

os.environ["ICETABLE_JIT"] = "0"
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"  # a process with threads can't be forked
os.environ.pop("ICETABLE_GAMES", None)  # other files have their own processes

import contextlib
import dataclasses
import faulthandler
import gc
import json
import signal
import sys
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec

from icetable import bots
from icetable.analysis.positions import Analyst
from icetable.analysis.reviews import Unit, retry, review, sources_of
from icetable.bots import search as _search  # noqa: F401 (loaded before any file)
from icetable.core.errors import Fault, GameError, IllegalAction
from icetable.core.options import short_repr
from icetable.core.turns import TurnState
from icetable.server.apart import wire
from icetable.server.bot_games import play_bot_game
from icetable.workshop import files, guard
from icetable.workshop.guard import DesignError, line_of
from icetable.workshop.playing import PlainGame

if TYPE_CHECKING:
    import socket

    from icetable.workshop.files import WorkshopInfo

OWN_FIELDS = ("design", "path")
"""What the server has no use for of a game's info."""
MAX_GAMES = 16
MAX_STATES = 1024
"""Maximum numbers of games and positions that are remembered."""
RESERVED = 4
"""Address space that a process may reserve, as a multiple of the memory that it may use."""
NICENESS = 10
"""Priority of all processes of files, below that of the server."""
ENDINGS = (
    "os.kill",
    "os.killpg",
    "os.fork",
    "os.forkpty",
    "os.exec",
    "os.posix_spawn",
    "os.system",
    "subprocess.Popen",
)
"""What a game has no reason to do: it fails there, with its line, and its process goes on."""

gc.freeze()
with contextlib.suppress(AttributeError, OSError):
    os.nice(NICENESS)  # here, so that starting a process is not more urgent than the server either


def settle(report: socket.socket, memory: int, niceness: int) -> None:
    """Shut this process off from the server: its signals, its output, its memory and its processor time."""
    with contextlib.suppress(AttributeError, OSError):
        os.setpgrp()  # no session of its own: Linux shares processors among sessions, whatever their priorities
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    heard = 2 if os.isatty(2) else nothing  # a designer sees what a game prints; nobody reads it in a server's log
    os.dup2(heard, 1)
    os.dup2(heard, 2)
    faulthandler.enable(report.fileno())
    if hasattr(faulthandler, "register"):
        faulthandler.register(signal.SIGUSR1, report.fileno())
    with contextlib.suppress(AttributeError, OSError):
        os.nice(niceness)
    if sys.platform == "linux":
        import resource

        used = [int(pages) * resource.getpagesize() for pages in Path("/proc/self/statm").read_text("ascii").split()]
        for kind, limit in (
            (resource.RLIMIT_DATA, used[5] + memory),
            (resource.RLIMIT_AS, used[0] + RESERVED * memory),
        ):
            resource.setrlimit(kind, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os._exit = os.abort = _refuse_to_end  # type: ignore[assignment]
    sys.addaudithook(_audit)


def set_alarm(seconds: float) -> None:
    """Let the system end this process after so many seconds, even if the server has been killed; 0: never."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _refuse_to_end(*_: object) -> None:
    raise PermissionError("a game can't end the process that it runs in")


def _audit(event: str, _: object) -> None:
    if event in ENDINGS:
        raise PermissionError(f"a game can't use {event}")


def run(stream: socket.socket, report: socket.socket, memory: int, niceness: int, seconds: float) -> None:
    """Answer questions until the server ends the connection. `seconds`: the processor time of a call into the file."""
    end = os._exit
    settle(report, memory, niceness)
    guard.MAX_SECONDS = seconds
    served = File(stream)
    wire.send(stream, wire.write_answer(wire.Said("ready")))
    try:
        while True:
            served.serve_one(wire.receive(stream, wire.MAX_QUESTION_BYTES))
    finally:
        end(0)  # whatever threads the file has left


class File:
    """A file, with its games and their latest positions."""

    def __init__(self, stream: socket.socket) -> None:
        self._stream = stream
        self._info: WorkshopInfo | None = None
        self._path = ""
        self._games: OrderedDict[bytes, PlainGame] = OrderedDict()
        self._states: OrderedDict[int, TurnState] = OrderedDict()
        self._next = 0
        self._seconds = 0.0

    def serve_one(self, message: bytes) -> None:
        """Answer a question."""
        try:
            asked = wire.read_question(message)
            self._seconds = asked.seconds
            set_alarm(self._seconds)
            answer = self._answer(asked.question)
            written = wire.write_answer(answer)
            if len(written) > wire.MAX_ANSWER_BYTES:
                raise DesignError(
                    f"{Path(self._path).name}: a position with its acts and all that is shown of it takes "
                    f"{len(written) / 2**20:.0f} MB; at most {wire.MAX_ANSWER_BYTES / 2**20:.0f} MB are sent"
                )
        except wire.Closed:
            raise
        except BaseException as error:  # noqa: BLE001 (whatever it is, it is the file's)
            written = wire.write_answer(self._failed(error))
        wire.send(self._stream, written)
        set_alarm(0)

    def _failed(self, error: BaseException) -> wire.Failed:
        if isinstance(error, IllegalAction):
            return wire.Failed("IllegalAction", str(error), _fields_of(error.fault))
        name = Path(self._path).name
        if isinstance(error, DesignError) or type(error) is GameError:
            return wire.Failed("DesignError", str(error) if name in str(error) else f"{name}: {error}")
        if isinstance(error, GameError):
            return wire.Failed(type(error).__name__, str(error))
        where = f"{name}{line_of(error.__traceback__, self._path)}"
        return wire.Failed("DesignError", f"{where} has failed: {type(error).__name__}: {error}"[:1000])

    def _answer(self, question: wire.Question) -> wire.Answer:
        match question:
            case wire.Open():
                return self._open(question)
            case wire.Load(options):
                return self._load(options)
            case wire.Parse(options, text):
                return wire.Said(str(self._game(options).parse(text)))
            case wire.PlayGame(options, seed):
                acts, winners = play_bot_game(self._game(options).start(), seed)
                return wire.Said(json.dumps([acts, sorted(winners)]))
            case wire.ReviewGame(record, simulations):
                found = review(record, simulations, on_progress=self._report_progress, show=self._show)
                return wire.Said(msgspec.json.encode(found).decode())
        state = self._state(question.position)
        if state is None:
            return wire.Lost()
        match question:
            case wire.Read():
                return self._snapshot(state)
            case wire.Apply(_, text, seat):
                return self._snapshot(state.without_history().apply(text, seat))
            case wire.FindFault(_, text, seat):
                fault = state.fault(text, seat)
                return wire.Judged(None if fault is None else _fields_of(fault))
            case wire.Draw(_, seed):
                return wire.Said(str(state.game.random_act(state, Seeded(seed))))  # type: ignore[arg-type]
            case wire.Choose(_, seat, level, seed):
                return wire.Said(str(bots.Bot(state.game, level, seed).choose(state, seat, threads=1)))
            case wire.Analyse(_, number, simulations):
                analysed = Analyst(simulations).analyse(state, number)
                return wire.Said(msgspec.json.encode(analysed).decode())
            case wire.RetryAct(_, act, number, simulations):
                unit = Unit(state, state.game.parse(act), number, Analyst(simulations))
                return wire.Said(msgspec.json.encode(retry(unit.posted(sources_of(state.game.info)))).decode())
        raise AssertionError

    def _open(self, question: wire.Open) -> wire.Described:
        self._path, self._next = question.path, question.first
        texts = {Path(path): text for path, text in question.texts.items()}
        info = self._info = files.load_file(question.path, texts)
        files.REGISTERED[question.path] = info  # analyses and reviews look games up by name
        fields = {
            field.name: getattr(info, field.name) for field in dataclasses.fields(info) if field.name not in OWN_FIELDS
        }
        fields["options"] = [dataclasses.asdict(option) for option in info.options]
        fields["presets"] = {}
        return wire.Described(fields, info.rules(), dict(info.teams()), bool(info.design.worth))

    def _load(self, options: dict[str, Any]) -> wire.Loaded:
        assert self._info is not None
        game = cast("PlainGame", self._info.load(**options))
        written = json.dumps(dict(game.options)).encode()
        self._remember(written, game)
        start = self._snapshot(game.start())
        return wire.Loaded(msgspec.Raw(written), _raw(game.layout()), game.views_are_equal, game.teams, start)

    def _remember(self, written: bytes, game: PlainGame) -> None:
        self._games[written] = game
        while len(self._games) > MAX_GAMES:
            self._games.popitem(last=False)

    def _game(self, options: msgspec.Raw) -> PlainGame:
        written = bytes(options)
        if written not in self._games:
            assert self._info is not None
            self._remember(written, cast("PlainGame", self._info.load(**json.loads(written))))
        self._games.move_to_end(written)
        return self._games[written]

    def _state(self, position: wire.PositionRef) -> TurnState | None:
        """The state of a position; None if it is not known."""
        found = self._states.get(position.number)
        if found is None and bytes(position.saved) != bytes(wire.NOTHING):
            found = self._game(position.options)._set_up(json.loads(bytes(position.saved)))
            if position.number:
                self._keep(position.number, found)
        return found

    def _keep(self, number: int, state: TurnState) -> None:
        self._states[number] = state
        while len(self._states) > MAX_STATES:
            self._states.popitem(last=False)

    def _snapshot(self, state: TurnState) -> wire.Snapshot:
        game = cast("PlainGame", state.game)
        legal = None
        if not game.table_of(state.array)._several:
            legal = {seat: tuple(map(str, state.before(seat).legal_actions())) for seat in state.to_act}
        viewers = [None] if game.views_are_equal else [*range(game.players), None]
        self._next += 1
        snapshot = wire.Snapshot(
            number=self._next,
            saved=_raw(state._position()),
            actor=state.actor,
            to_act=tuple(sorted(state.to_act)),
            ended_by=state.ended_by,
            winners=tuple(sorted(state.winners)),
            scores=_numbers("scores", state.scores, game.players),
            ties=_numbers("ties", game.tie_points(state), game.players),
            act=None if state.act is None else str(state.act),
            shown_act=game.shown_act(state),
            shows_history=game.shows_history(state),
            effects=tuple((str(effect.kind), tuple(map(str, effect.spaces)), effect.value) for effect in state.effects),
            legal=legal,
            views=tuple(_raw(state.view(viewer)) for viewer in viewers),
        )
        self._keep(self._next, state.without_history())
        return snapshot

    def _report_progress(self, done: int, of: int) -> None:
        set_alarm(self._seconds)
        wire.send(self._stream, wire.write_answer(wire.ReviewProgress(done, of)))

    def _show(self, number: int, worth: tuple[float, ...]) -> None:
        wire.send(self._stream, wire.write_answer(wire.ReviewProgress(number, 0, worth)))


class Seeded:
    """A generator of the one number that a random act is drawn from."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def integers(self, _least: int, _most: int) -> int:
        return self._seed


def _raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value, enc_hook=_text_of))


def _text_of(value: object) -> str:
    """Acts are texts of a class of their own. Raises DesignError for what isn't."""
    if not isinstance(value, str):
        raise DesignError(f"what is shown of a position, or kept in it, can't be {short_repr(value)}")
    return str(value)


def _numbers(what: str, values: Any, players: int) -> tuple[Any, ...]:
    found = tuple(values)
    if len(found) != players or not all(isinstance(value, int | float) for value in found):
        raise DesignError(f"{what} returns a number for each seat, not {short_repr(found)}")
    return found


def _fields_of(fault: Fault) -> dict[str, Any]:
    return {"code": fault.code, "message": fault.message, "rule": fault.rule, "where": list(fault.where)}
