"""Policies as players of the laboratory: a function of observations and masks, or a program of its own."""

from __future__ import annotations

import contextlib
import json
import shlex
import subprocess
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable.core.errors import GameError
from icetable.core.options import check_whole, is_integer, short_repr
from icetable.core.turns import TurnGame, TurnState
from icetable.envs.batch import check_choice
from icetable.envs.models import Model
from icetable.envs.spaces import space

if TYPE_CHECKING:
    from icetable.core.game import State
    from icetable.envs.batch import Channels
    from icetable.envs.league import Policy
    from icetable.extras.encoding import Bytes

PROTOCOL = 1
"""The version of the lines that a `Program` gets."""
END_SECONDS = 2.0
"""Time for a program to end by itself."""


class Agent:
    """A policy as a player of the laboratory, in batches: `lab.Plan("squad", seats=[Agent(policy), "casual@1"])`.

    `policy` maps observations int8[k, height, width, planes] and masks int8[k, actions] of k positions to k actions,
    each seen by the seat to act, as an opponent of `icetable.envs.gymnasium.Env` does; its third argument is a random
    generator, seeded by `seed` for each agent. With `channels` "first" observations are int8[k, planes, height, width].
    It gets the positions of many games at once.

    Raises GameError if an argument is not allowed and, when it plays, if the policy returns anything but legal actions.

    >>> from icetable import lab
    >>> from icetable.envs import Agent
    >>> def firsts(observations, masks, rng):
    ...     return masks.argmax(axis=1)
    >>> lab.run(lab.Plan("squad", seats=[Agent(firsts), "random"], blocks=10)).rows[0].ended_by
    'SQ-13'
    """

    def __init__(self, policy: Policy, channels: Channels = "last", seed: int = 0) -> None:
        if not callable(policy):
            raise GameError(f"a policy is a function of observations, masks and a generator, not {short_repr(policy)}")
        check_choice("channels", channels, ("last", "first"))
        check_whole("seed", seed, 0)
        self.policy, self.channels = policy, channels
        self.__name__: str = getattr(policy, "__name__", type(policy).__name__)
        self._rng = np.random.default_rng(seed)

    def __call__(self, state: State, seat: int, /) -> str:
        return self.choose_many([state])[0]

    def choose_many(self, states: Sequence[State]) -> list[str]:
        """The acts in some positions of one game, one of the seat to act in each. Raises GameError."""
        if isinstance(self.policy, Model):
            self.policy.check(states[0].game)
        observations, masks = seen_by_actors(states)
        if self.channels == "first":
            observations = np.moveaxis(observations, -1, -3)
        given = np.asarray(self.policy(observations, masks.copy(), self._rng))
        if given.shape != (len(masks),) or not np.issubdtype(given.dtype, np.integer):
            raise GameError(f"{self.__name__} must return {len(masks)} whole numbers, not {short_repr(given)}")
        for action, mask in zip(given.tolist(), masks, strict=True):
            check_action(self.__name__, action, mask)
        spaces = space(states[0].game)
        return [spaces.notation(action) for action in given.tolist()]


class Program:
    """A program as a player of the laboratory, a line of JSON each way: a server with a net, or any other language.

    `command` is what a shell would run, without a shell; each process of a run starts it once. It reads from standard
    input a first line,

        {"icetable": 1, "game": "squad", "options": {...}, "version": 0, "shape": [4, 4, 23], "actions": 64}

    with the version and the sizes of the encoding, and then a line for each question, with the positions of one or
    more games where it is to act:

        {"positions": [{"seat": 0, "observation": [...], "legal": [48, 51], "acts": ["C@a1", "C@d1"]}]}

    The observation is flat, in the order of `shape`; `legal` are the numbers of the legal actions and `acts` the same
    in notation. It answers each question with a line, `{"acts": [...]}`, which has for every position an act or the
    number of its action. Standard error is the program's own. It should end when its input does.

    Raises GameError, when it plays, if the program can't start, ends, or answers anything else.
    """

    def __init__(self, command: str) -> None:
        if not shlex.split(command):
            raise GameError("a program is a command, such as 'python serve.py'")
        self.command = command
        self.__name__ = command
        self._process: subprocess.Popen[str] | None = None
        self._game: TurnGame | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Program, (self.command,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Program) and self.command == other.command

    def __hash__(self) -> int:
        return hash(self.command)

    def __call__(self, state: State, seat: int, /) -> str:
        return self.choose_many([state])[0]

    def choose_many(self, states: Sequence[State]) -> list[str]:
        """The acts in some positions of one game, one of the seat to act in each. Raises GameError."""
        game = states[0].game
        assert isinstance(game, TurnGame)
        spaces = space(game)
        observations, masks = seen_by_actors(states)
        legal = [np.flatnonzero(mask).tolist() for mask in masks]
        asked = [
            {
                "seat": state.actor,
                "observation": observation.ravel().tolist(),
                "legal": actions,
                "acts": list(map(spaces.notation, actions)),
            }
            for state, observation, actions in zip(states, observations, legal, strict=True)
            if isinstance(state, TurnState)
        ]
        answer = self._ask(game, {"positions": asked})
        acts = answer.get("acts") if isinstance(answer, dict) else None
        if not isinstance(acts, list) or len(acts) != len(states):
            form = f'{{"acts": [...]}} with {len(states)}'
            raise GameError(f"{self.command} must answer {form}, not {short_repr(answer)}")
        for act, mask in zip(acts, masks, strict=True):
            if is_integer(act):
                check_action(self.command, act, mask)
            elif not isinstance(act, str):
                raise GameError(f"{self.command} must answer acts or numbers of actions, not {short_repr(act)}")
        return [spaces.notation(act) if is_integer(act) else act for act in acts]

    def _ask(self, game: TurnGame, question: dict[str, Any]) -> Any:
        """The answer to a question. Raises GameError."""
        try:
            process = self._started(game)
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(f"{json.dumps(question)}\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError as error:
            raise GameError(f"{self.command} can't be asked: {error.strerror}") from None
        if not line:
            raise GameError(f"{self.command} has ended with {process.wait()} before it answered")
        try:
            return json.loads(line)
        except ValueError:
            raise GameError(f"{self.command} must answer with JSON, not {short_repr(line)}") from None

    def _started(self, game: TurnGame) -> subprocess.Popen[str]:
        """The program, told of the game that it plays."""
        if self._process is None or self._game != game:
            self.close()
            encoding = space(game).encoding
            head = {
                "icetable": PROTOCOL,
                "game": game.info.name,
                "options": dict(game.options),
                "version": encoding.version,
                "shape": list(encoding.shape),
                "actions": encoding.actions,
            }
            command = shlex.split(self.command)
            self._process = subprocess.Popen(  # noqa: S603 (the user names it)
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            self._game, self._end = game, weakref.finalize(self, end, self._process)
            assert self._process.stdin is not None
            self._process.stdin.write(f"{json.dumps(head)}\n")
        return self._process

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            self._end()
            self._process = None


def end(process: subprocess.Popen[str]) -> None:
    """Close a program's input, so that it ends, and kill it if it does not."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):  # what was not written has no reader
                pipe.close()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def seen_by_actors(states: Sequence[State]) -> tuple[Bytes, Bytes]:
    """What the seats to act see, int8[k, height, width, planes], and their masks, int8[k, actions].

    All states are of one game. Raises GameError for a game without an encoding.
    """
    game = states[0].game
    assert isinstance(game, TurnGame)
    spaces = space(game)
    height, width, planes = spaces.encoding.shape
    observations = np.empty((len(states), height * width, planes), np.int8)
    masks = np.zeros((len(states), spaces.encoding.actions), np.int8)
    for state, observation, mask in zip(states, observations, masks, strict=True):
        assert isinstance(state, TurnState)
        spaces.codec.observe(state.array, state.actor, observation)
        for code in state.codes():
            mask[spaces.codec.action_of(state.array, code)] = 1
    return observations.reshape(len(states), height, width, planes), masks


def check_action(name: str, action: int, mask: Bytes) -> None:
    """Raise GameError unless an action is legal by its mask."""
    if not 0 <= action < len(mask) or not mask[action]:
        raise GameError(f"{name} has played an illegal action: {short_repr(action)}")
