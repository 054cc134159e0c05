"""An act may be written in several ways. The log has one of them, and records prove themselves whichever they have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pytest

from icetable.core.errors import GameError
from icetable.core.game import CHANCE, State
from icetable.server.table import fairness
from icetable.server.table.fairness import Broken
from icetable.server.table.log import End, Entry, write_event
from icetable.server.table.state import TableState
from tests.conformance.cases import CASES, Case
from tests.conformance.material import material

from .table_states import ANYBODY, Table, drawn, founded, person, views

MAX_ACTS = 40
SIZE = re.compile(r"\b[SML]\b(:[a-z]+)?")
NUMBER = re.compile(r"\d+")


def spellings(state: State, seat: int, act: str, at: float) -> list[str]:
    """Every way to write an act that the game takes for this one, the usual one included."""
    meant = state.apply(act, seat, at)
    return [text for text in {act, *rewritten(state, act)} if same(state, text, seat, at, meant)]


def rewritten(state: State, act: str) -> Iterator[str]:
    """An act as people and programs may write it, sensibly or not."""
    yield from (act.upper(), act.lower(), f" {act}", f"{act} ", act.replace(" ", "  "), act.replace("-", " - "))
    yield from (act.replace(",", ", "), act.replace("@", "-"), "".join(reversed(act)))
    colours = state.game.info.colours
    for size in SIZE.finditer(act):
        for ending in ("", *(f":{colour}" for colour in colours)):
            yield act[: size.start()] + size[0][0] + ending + act[size.end() :]
    for number in NUMBER.finditer(act):
        for other in (f"0{number[0]}", f"+{number[0]}", f"-{number[0]}", f"{number[0]}.0", ",".join(number[0])):
            yield act[: number.start()] + other + act[number.end() :]


def same(state: State, text: str, seat: int, at: float, meant: State) -> bool:
    try:
        return state.apply(text, seat, at) == meant
    except GameError:
        return False


def at_table(case: Case, rng: np.random.Generator) -> TableState:
    """A table whose players write their acts as they like and take some back, until the game is over or resigned."""
    game = case.game
    table_state = Table(game, *(person(f"Ann {seat}") for seat in range(game.players)), opened=0).state
    while not table_state.is_over and table_state.entries < MAX_ACTS:
        before = table_state.position
        made = material(case.name).step(before, rng)
        assert made.seat is not None
        now = 0 if made.at is None else made.at
        if game.info.turns and made.seat == CHANCE:
            table_state.append(drawn(table_state, now))
        elif (bell := table_state.overdue(10**9 if made.seat == CHANCE else now)) is not None:
            table_state.append(bell)
        else:
            ways = sorted(spellings(before, made.seat, str(made.act), now / 1000))
            table_state.append(table_state.entry_for_act(ANYBODY, made.seat, str(rng.choice(ways)), now))
        if game.info.turns and table_state.acts > 1 > 10 * rng.random() and not table_state.position.is_terminal:
            table_state.append(taken_back(table_state))
    if not table_state.is_over:
        table_state.append(resignation(table_state, now))
    return table_state


def taken_back(table_state: TableState) -> Entry:
    return table_state.next_entry(0, f"undo {table_state.acts - 1}", 0)


def resignation(table_state: TableState, now: int) -> Entry:
    return table_state.next_event(0, End("resign", ()), now)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_record_is_sound_however_its_acts_were_written(case: Case) -> None:
    table_state = at_table(case, case.rng())
    sound = fairness.verify(views(table_state).record())
    assert (sound.entries, sound.link) == (len(table_state.log_of_game()), table_state.closing)
    states = list(table_state.replay(table_state.log()))[1:]
    acts = [entry.text for entry in table_state.positions.acts]
    assert acts == [str(state.act) for state in states]


def test_games_that_take_several_spellings_are_among_these() -> None:
    table_state, _ = founded("icehouse", person(), person("Bob"), players=2)
    for seat in (0, 1):
        table_state.append(table_state.entry_for_act(ANYBODY, seat, "ready", 0))
    colour = table_state.game.info.colours[0]
    assert set(spellings(table_state.position, 0, "lift L", 1)) == {"lift L", f"lift L:{colour}"}
    assert table_state.entry_for_act(ANYBODY, 0, f"lift L:{colour}", 0).text == "lift L"


def icehouse_as_it_was_logged(lift: str) -> TableState:
    """A game of Icehouse whose log has acts as they came, as logs had them once."""
    table_state, _ = founded("icehouse", person(), person("Bob"), players=2)
    setup = msgspec.structs.replace(table_state.setup, created=0)
    table_state = TableState(setup, table_state.game)
    acts = [(0, "ready"), (1, "ready"), (0, lift), (0, "place 1000,1000 stand 0.0")]
    acts.append((0, write_event(End("resign", (1,)))))
    for number, (seat, text) in enumerate(acts):
        entry = Entry(table_state.entries + 1, seat, 1000 * number, text)
        table_state.append(table_state.chained(entry))
    return table_state


def test_older_records_whose_log_has_another_spelling_are_sound() -> None:
    colours = founded("icehouse", person(), person("Bob"), players=2)[0].game.info.colours
    table_state = icehouse_as_it_was_logged(f"lift L:{colours[0]}")
    text = views(table_state).record()
    assert f"lift L:{colours[0]}" in text
    assert "@2.000 lift L\n" in text
    assert fairness.verify(text).link == table_state.closing
    with pytest.raises(Broken, match=r"act 3 .* is '0 @2\.000 lift M'; the log says '0 @2\.000 lift L'"):
        fairness.verify(text.replace("@2.000 lift L\n", "@2.000 lift M\n"))


def test_acts_that_were_taken_back_are_verified() -> None:
    rng = np.random.default_rng(3)
    table_state, _ = founded("wrecktangle", person(), person("Bob"))
    while table_state.acts < 4:
        chance = table_state.chance_to_act
        act = drawn(table_state, 0) if chance else chosen(table_state, rng)
        table_state.append(act)
    table_state.append(table_state.next_entry(0, "undo 1", 0))
    table_state.append(chosen(table_state, rng))
    table_state.append(resignation(table_state, 0))
    text = views(table_state).record()
    assert fairness.verify(text).drawn == 1
    undone = next(entry for entry in table_state.log() if entry.seq > 1 and entry.text.startswith("die:"))
    other = next(face for face in ("die:away", "die:toward") if face != undone.text)
    for forged, reason in ((other, "chance drew"), ("die:nonsense", "is against the rules: ")):
        with pytest.raises(Broken, match=rf"entry {undone.seq} of the log.*{reason}"):
            fairness.verify(linked_anew(table_state, undone.seq, forged))
    with pytest.raises(Broken, match="takes back what was not played"):
        fairness.verify(linked_anew(table_state, 5, "undo 7"))


def chosen(table_state: TableState, rng: np.random.Generator) -> Entry:
    act = str(table_state.game.random_act(table_state.position, rng))
    return table_state.entry_for_act(ANYBODY, min(table_state.to_act), act, 0)


def linked_anew(table_state: TableState, seq: int, text: str) -> str:
    """The record with one entry of its log changed, and every link made anew."""
    whole = views(table_state).record()
    before = table_state._root
    for entry in table_state.log():
        said = text if entry.seq == seq else entry.text
        link = fairness.link(before, table_state.setup.id, entry.seq, entry.seat, entry.at, said)
        old = f"log {entry.seq} {entry.seat} {entry.at} {entry.link} {entry.text}"
        whole = whole.replace(old, f"log {entry.seq} {entry.seat} {entry.at} {link} {said}")
        before = link
    return whole


def test_a_record_with_bottomless_json_says_so() -> None:
    table_state = icehouse_as_it_was_logged("lift L")
    deep: Any = "[" * 100_000
    text = views(table_state).record()
    for spoiled in (linked_anew(table_state, 5, f'/{{"type":{deep}'), re.sub("terms .*", f"terms {deep}", text)):
        with pytest.raises(GameError):
            fairness.verify(spoiled)
