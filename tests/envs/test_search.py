"""The tree search of a batch: the same to a visit as a naive one, right where the best play is known, repeatable."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from icetable import GameError
from icetable.core.turns import TurnState
from icetable.envs import Batch, TreeSearch
from icetable.envs.search import Kind
from icetable.envs.search import turns as halving
from icetable.extras.strength import best_acts
from icetable.kernels.layout import NOBODY
from icetable.workshop import Board, Game, Table, squares
from icetable.workshop.examples.divers import Divers
from tests.envs.naive_search import NaiveSearch, Node
from tests.workshop.designs import Hands, Knockout, Race

EACH_KIND = pytest.mark.parametrize("kind", ["puct", "gumbel"])


def blind(seen: Any, masks: Any) -> Any:
    """All acts are as good, and all positions even."""
    return np.zeros(masks.shape), np.zeros(len(masks))


class Whim:
    """Judges by numbers drawn once for all: another answer for each thing that is seen, always the same one."""

    def __init__(self, batch: Batch) -> None:
        rng = np.random.default_rng(1)
        encoding = batch.space.encoding
        self.cells = rng.integers(1000, size=int(np.prod(encoding.shape)))
        self.actions = rng.integers(1000, size=encoding.actions)
        self.seats = rng.integers(1000, size=batch.game.players)

    def __call__(self, seen: Any, masks: Any) -> Any:
        whims = (seen.reshape(len(seen), -1) @ self.cells)[:, np.newaxis] % 1009
        return (whims * self.actions % 41) / 10, (whims * self.seats % 101) / 101 - 0.4


def in_mid_game(batch: Batch, acts: int) -> None:
    for _ in range(acts):
        batch.step(None, batch.actor != NOBODY)


def visits_of(root: Node, actions: int) -> list[int]:
    visits = [0] * actions
    for index, action in enumerate(root.actions):
        visits[action] = root.count(index)
    return visits


@EACH_KIND
@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("squad", {}),
        ("squad", {"players": 3}),
        ("icefrogs", {"turn_limit": 12}),
        ("icefrogs", {"players": 3, "turn_limit": 15}),
    ],
)
def test_visits_and_values_are_those_of_a_naive_search(kind: Kind, game: str, options: dict[str, Any]) -> None:
    batch = Batch(game, 4, seed=3, **options)
    in_mid_game(batch, 6)
    whim = Whim(batch)
    search = TreeSearch(batch, whim, 60, kind, exploration=0.8, considered=5)
    found = search.run()
    naive = NaiveSearch(batch.space, whim, 0.8, [0.0] * batch.space.encoding.actions)
    for row in range(batch.n):
        root = naive.puct(batch.state(row), 60) if kind == "puct" else naive.gumbel(batch.state(row), 60, 5)
        assert found.visits[row].tolist() == visits_of(root, batch.space.encoding.actions)
        assert found.values[row] == pytest.approx([root.mean(seat) for seat in range(batch.game.players)])
        if kind == "gumbel":
            assert found.policy[row, root.actions] == pytest.approx(naive.improved(root))
            best = max(range(len(root.actions)), key=lambda index: (root.count(index), naive.score(root, index)))
            assert found.actions[row] == root.actions[best]


def test_halving_shares_out_all_simulations() -> None:
    table = halving(4, 16)
    assert table[4].tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert table[1].tolist() == list(range(16))
    assert halving(8, 3)[8].tolist() == [0, 0, 0]


@EACH_KIND
def test_it_plays_as_the_solver_where_little_is_left(kind: Kind) -> None:
    """Endings of Squad, whose best acts are known."""
    batch = Batch("squad", 40, seed=5, autoreset="off")
    in_mid_game(batch, 9)
    open_rows = [row for row in range(batch.n) if 1 < len(batch.legal_actions(row)) < 8]
    found = TreeSearch(batch, blind, 400, kind).run()
    assert len(open_rows) > 10
    for row in open_rows:
        best = {batch.space.number(act) for act in best_acts(batch.state(row))}
        assert int(found.actions[row]) in best
    sums = found.values.sum(axis=1)
    assert sums == pytest.approx(np.zeros(batch.n))


def wins_in_two(state: TurnState) -> set[str]:
    """The acts after which the seat wins with its next act, whatever the other one does."""
    seat = state.actor

    def wins(after: Any) -> bool:
        return any(after.apply(act).winners == {seat} for act in after.legal_actions())

    return {
        str(act)
        for act in state.legal_actions()
        if (after := state.apply(act)).winners == {seat}
        or (not after.is_terminal and all(wins(after.apply(reply)) for reply in after.legal_actions()))
    }


@EACH_KIND
def test_it_finds_wins_in_one_and_two(kind: Kind) -> None:
    batch = Batch("squad", 40, seed=8, autoreset="off")
    in_mid_game(batch, 9)
    rows = [row for row in range(batch.n) if 0 < len(batch.legal_actions(row)) < 12]
    wins = {row: acts for row in rows if (acts := wins_in_two(batch.state(row)))}
    which = np.isin(np.arange(batch.n), list(wins))
    found = TreeSearch(batch, blind, 800, kind).run(which)
    one = 0
    for row, acts in wins.items():
        state = batch.state(row)
        one += any(state.apply(act).winners == {state.actor} for act in acts)
        assert batch.space.notation(int(found.actions[row])) in acts
    assert 0 < one < len(wins)
    assert (found.actions[~which] == -1).all()


class Wager(Game):
    """Alone: two points for sure, or ten once in three times, else one.

    **WA-1** Take two points, or wager: one of three faces brings ten, the others one.
    """

    players = 1

    def board(self) -> Board:
        return squares(1, 1)

    def acts(self, table: Table) -> list[str]:
        return ["take", "wager"]

    def play(self, table: Table, act: str) -> None:
        if act == "wager":
            table.roll([10, 1, 1])
            return
        table.gain(2 if act == "take" else int(act[4:]))
        table.end_turn()

    def over(self, table: Table) -> str | None:
        return "WA-1" if table.turn == 1 else None


def test_chance_counts_by_its_odds_and_a_player_alone_by_points() -> None:
    batch = Batch(Wager, 2, seed=1)
    found = TreeSearch(batch, blind, 2000, exploration=0.5, seed=1).run()
    assert {str(batch.space.notation(int(action))) for action in found.actions} == {"wager"}
    parts = found.policy[np.arange(2), found.actions]
    assert (parts > 0.6).all()
    assert found.values.mean() == pytest.approx(parts.mean() * 4 + (1 - parts.mean()) * 2, abs=0.15)


def test_equally_likely_outcomes_come_in_turn() -> None:
    batch = Batch("wrecktangle", 3, seed=4)
    in_mid_game(batch, 10)
    search = TreeSearch(batch, Whim(batch), 300)
    search.run()
    trees, told = search._forest, 0
    for row in range(batch.n):
        for node in range(trees.used[row, 0]):
            first, degree = trees.first[row, node], trees.degree[row, node]
            if trees.positions[row, node, 0] == -1 and degree:
                children = trees.child[row, first : first + degree]
                visits = np.where(children >= 0, trees.visits[row, children], 0)
                assert visits.max() - visits.min() <= 1
                told += visits.min() > 0
    assert told


def test_the_last_deal_of_two_counts_by_all_its_outcomes() -> None:
    """Before the last pyramid of High Rise a blind search knows what each act is worth on average."""
    batch = Batch("highrise", 2, seed=2, autoreset="off", rows=4, cols=4)
    while True:
        before = batch.states()
        batch.step(None, batch.actor != NOBODY)
        if batch.done.any():
            break
    row = int(batch.done.argmax())
    batch.reset()
    batch.set(0, before[row])
    batch.set(1, before[row])
    found = TreeSearch(batch, blind, 200).run(np.array([True, False]))
    state = before[row]
    expected = {}
    for act in state.legal_actions():
        position = state.apply(act).position
        shares = [1 - batch.game.deals.expect(position), batch.game.deals.expect(position)]
        expected[batch.space.number(act)] = 2 * shares[state.actor] - 1
    assert expected[int(found.actions[0])] == max(expected.values())
    worth = sum(found.policy[0, action] * value for action, value in expected.items())
    assert found.values[0, state.actor] == pytest.approx(worth * 200 / 201)
    assert not found.visits[1].any()


def test_each_of_three_plays_for_itself() -> None:
    """Seat 0 throws out one of two, and that decides who wins: here the one that is left, who was not asked."""
    batch = Batch(Knockout, 1)
    batch.step([batch.space.number("out:1")])
    found = TreeSearch(batch, lambda seen, masks: (np.zeros(masks.shape), np.zeros((len(masks), 3))), 20).run()
    assert batch.actor[0] == 2
    assert found.values[0] == pytest.approx(np.array([-0.5, -0.5, 1.0]) * 20 / 21)


@EACH_KIND
def test_a_seed_repeats_a_search_with_noise(kind: Kind) -> None:
    found = []
    for seed in (4, 4, 5):
        batch = Batch("wrecktangle", 5, seed=2)
        search = TreeSearch(batch, Whim(batch), 20, kind, noise=0.5, seed=seed)
        search.run()
        found.append(search.run())
        assert (found[-1].visits.sum(axis=1) == 20).all()
        assert found[-1].policy.sum(axis=1) == pytest.approx(np.ones(5))
    assert all((one == other).all() for one, other in zip(found[0], found[1], strict=True))
    assert (found[0].visits != found[2].visits).any()


def test_observations_and_masks_come_in_the_order_of_the_batch() -> None:
    asked: list[tuple[int, ...]] = []

    def evaluate(seen: Any, masks: Any) -> Any:
        asked.append(seen.shape)
        assert masks.dtype == seen.dtype == np.int8
        assert masks.any(axis=1).all()
        return blind(seen, masks)

    batch = Batch("squad", 3, channels="first")
    TreeSearch(batch, evaluate, 4).run(np.array([True, False, True]))
    assert asked == [(2, 23, 4, 4)] * 5


def test_only_what_the_seat_knows_counts() -> None:
    """Cards in the other hand differ, and are drawn: the same seed finds the same."""
    batch = Batch(Hands, 2, seed=1)
    other = Batch(Hands, 2, seed=1)
    positions = [
        batch.state(0).position,
        batch.game.determinize(batch.state(0).array, None, np.random.default_rng(2)),
    ]
    asked: list[Any] = []

    def evaluate(seen: Any, masks: Any) -> Any:
        asked.append(seen.copy())
        return blind(seen, masks)

    for position in positions:
        other.set(0, TurnState(batch.game, position))
        TreeSearch(other, evaluate, 10, seed=3).run(np.array([True, False]))
    assert len(asked) == 22
    assert all((one == same).all() for one, same in zip(asked[:11], asked[11:], strict=True))


def test_a_forgetful_search_does_not_know_what_was_covered_long_ago() -> None:
    found = []
    for memory in (None, 0):
        batch = Batch("highrise", 30, seed=1)
        in_mid_game(batch, 24)
        search = TreeSearch(batch, blind, 1, memory=memory)
        search.run()
        found.append(search._forest.positions[:, 0] != batch.positions())
    assert not found[0].any()
    assert found[1].any()


def test_dice_and_runners_of_the_workshop() -> None:
    batch = Batch(Race, 2, seed=1)
    for _ in range(6):
        actions = TreeSearch(batch, blind, 60).run().actions
        assert {str(batch.space.notation(int(action))) for action in actions} == {"run"}
        batch.step(actions)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"simulations": 0}, "simulations"),
        ({"kind": "alpha"}, "kind can't be 'alpha'; allowed: 'puct', 'gumbel'"),
        ({"exploration": -1}, "exploration is a number from 0 up, not -1"),
        ({"noise": 2}, "noise is a part from 0 to 1, not 2"),
        ({"considered": 0}, "considered"),
        ({"memory": -1}, "memory"),
    ],
)
def test_an_error_names_a_bad_argument(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        TreeSearch(Batch("squad", 1), blind, **wrong)


def test_games_of_choices_at_the_same_moment_are_refused() -> None:
    with pytest.raises(GameError, match="in Divers seats choose in secret at the same moment"):
        TreeSearch(Batch(Divers, 1), blind)


@pytest.mark.parametrize(
    ("players", "logits", "values", "message"),
    [
        (2, np.zeros((1, 1)), np.zeros(1), r"logits of shape \(3, 64\), not \(1, 1\)"),
        (2, np.zeros((3, 64)), np.zeros(2), r"values of shape \(3, 2\) or \(3,\), not \(2,\)"),
        (3, np.zeros((3, 144)), np.zeros(3), r"values of shape \(3, 3\), not \(3,\)"),
        (2, np.full((3, 64), np.nan), np.zeros(3), "logits that are finite"),
        (2, np.zeros((3, 64)), np.full(3, np.inf), "must return finite values"),
    ],
)
def test_a_bad_answer_of_the_network_is_refused(players: int, logits: Any, values: Any, message: str) -> None:
    with pytest.raises(GameError, match=message):
        TreeSearch(Batch("squad", 3, players=players), lambda seen, masks: (logits, values)).run()


def test_a_prior_of_zero_is_never_tried_and_no_prior_is_an_even_one() -> None:
    batch = Batch("squad", 2)
    first = batch.legal_actions(0)[0]

    def sure(seen: Any, masks: Any) -> Any:
        logits = np.full(masks.shape, -np.inf)
        logits[: len(masks) // 2, first] = 0
        return logits, np.zeros(len(masks))

    found = TreeSearch(batch, sure, 12, exploration=9).run()
    assert found.visits[0, first] == 12
    assert found.visits[1].max() < 12
