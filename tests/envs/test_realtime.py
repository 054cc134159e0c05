"""A game without turns in ticks: what seats see and may do is what the game says, at the pace that was asked for."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import icetable
from icetable import GameError
from icetable.envs import RealTime, ticks
from icetable.extras.encoding import Feature
from icetable.games.icehouse import drawing, rules
from icetable.games.icehouse.game import IcehouseState
from icetable.games.icehouse.position import read_view
from icetable.kernels import jit

Numbers = npt.NDArray[Any]

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"players": 2, "preset": "friendly"},
    {"players": 8, "gift_time": 1.0},
    {"players": 3, "range": "ray", "length": "height", "width": 12.0, "height": 8.0},
    {"players": 5, "false_call": "free", "call_pause": 1.0},
)
each_options = pytest.mark.parametrize("options", OPTIONS, ids=str)

NOTHING, RETURN, ICEHOUSE, MELTDOWN = range(4)
VERBS = ("nothing", "lift", "return", "stand", "point", "icehouse", "meltdown", "capture", "give")
CALLS = 0.02
"""How often a seat that plays at random looks at all that it may do; else it leaves out what disturbs others."""


def builders(env: RealTime, rng: np.random.Generator) -> list[int]:
    """An entry of each seat's menu: at random, but mostly such that the field fills up."""
    chosen = []
    for mask in env.mask:
        weights = mask.astype(float)
        if rng.random() > CALLS:
            weights[[NOTHING, RETURN]] *= 0.1
            weights[ICEHOUSE : MELTDOWN + env.game.players] = 0
        chosen.append(int(rng.choice(len(mask), p=weights / weights.sum())))
    return chosen


def games(ticks: int, seed: int = 3, **options: Any) -> Iterator[RealTime]:
    """An environment between the ticks of games of builders."""
    env = RealTime("icehouse", seed=seed, **options)
    rng = np.random.default_rng(seed)
    yield env
    for _ in range(ticks):
        env.step(builders(env, rng))
        yield env
        if env.terminated:
            env.reset()


def position(env: RealTime) -> IcehouseState:
    """The position now."""
    state = env.state()
    assert isinstance(state, IcehouseState)
    return state.as_of(round(env.now * 1000))


def entry(env: RealTime, seat: int, act: str) -> int:
    """The entry of an act in a seat's menu."""
    return next(number for number in range(1, env.mask.shape[1]) if written(env, seat, number) == act)


def written(env: RealTime, seat: int, number: int) -> str | None:
    return env.notation(seat, number)


def step(env: RealTime, **acts: str) -> None:
    """A tick in which seat n makes the act `sn`, all others nothing."""
    chosen = [entry(env, seat, acts[f"s{seat}"]) if f"s{seat}" in acts else 0 for seat in range(env.game.players)]
    env.step(chosen)


def wait(env: RealTime, ticks: int) -> None:
    for _ in range(ticks):
        env.step([0] * env.game.players)


def field_of(env: RealTime, name: str) -> tuple[Numbers, list[str]]:
    """A field of the observation, and the names of its features."""
    (field,) = (one for one in env.describe().fields if one.name == name)
    return env.observation[name], [feature.name for feature in field.features]


def by_name(row: Numbers, features: tuple[Feature, ...]) -> dict[str, float]:
    return dict(zip([feature.name for feature in features], row.tolist(), strict=True))


def colour_after(env: RealTime, seat: int, who: str) -> str:
    """The colour that a feature such as "own" or "player +1" tells of."""
    after = 0 if who == "own" else int(who.removeprefix("player +"))
    return env.game.info.colours[(seat + after) % env.game.players]


def told(env: RealTime, seat: int, named: dict[str, float], prefix: str = "") -> str | None:
    """The colour among the features of a row."""
    whose = [name for name in named if name.startswith((f"{prefix}own", f"{prefix}player +")) and named[name] == 1]
    assert len(whose) <= 1
    return colour_after(env, seat, whose[0].removeprefix(prefix)) if whose else None


def told_size(named: dict[str, float]) -> str | None:
    sizes = [letter for letter, word in zip("SML", ("small", "medium", "large"), strict=True) if named[word]]
    assert len(sizes) <= 1
    return sizes[0] if sizes else None


def shown(env: RealTime) -> bytes:
    """All that seats see now."""
    return b"".join(array.tobytes() for array in env.observation.values()) + env.mask.tobytes()


def is_over(env: RealTime) -> bool:
    return env.terminated or env.truncated


# What seats see


@each_options
def test_entities_are_the_pieces_of_the_view(options: dict[str, Any]) -> None:
    seen = 0
    for env in itertools.islice(games(240, hands="free", **options), 0, None, 60):
        view, layout = position(env).view(0), env.game.layout()
        (features,) = (one.features for one in env.describe().fields if one.name == "entities")
        rows = {piece["id"]: row for row, piece in enumerate(view["field"])}
        for seat in range(env.game.players):
            assert env.observation["entity_mask"][seat].sum() == len(view["field"])
            assert not env.observation["entities"][seat, len(view["field"]) :].any()
            for row, piece in enumerate(view["field"]):
                seen += 1
                named = by_name(env.observation["entities"][seat, row], features)
                assert (told(env, seat, named), told_size(named)) == (piece["colour"], piece["size"])
                assert named["x"] * layout["width"] == pytest.approx(piece["x"], abs=0.01)
                assert named["y"] * layout["height"] == pytest.approx(piece["y"], abs=0.01)
                heading = np.degrees(np.arctan2(named["sine"], named["cosine"])) % 360
                assert abs((heading - piece["heading"] + 180) % 360 - 180) < 0.01
                assert named["standing"] == piece["standing"]
                for state in ("valid", "iced", "redundant"):
                    assert named[state] == bool(piece[state])
                assert named["points at"] == (-1 if piece["points_at"] is None else rows[piece["points_at"]])
                assert 0 <= named["age"] * 60 <= env.now + 1e-6
    assert seen > 100


@each_options
def test_pads_hands_and_debts_are_those_of_the_view(options: dict[str, Any]) -> None:
    for env in itertools.islice(games(200, seed=8, **options), 0, None, 40):
        view, colours, players = position(env).view(0), env.game.info.colours, env.game.players
        for seat, after in itertools.product(range(players), repeat=2):
            other = (seat + after) % players
            pad = {
                (colour, size): count for colour, sizes in view["pads"][other].items() for size, count in sizes.items()
            }
            held, owed = view["hands"][other], view["owed"].get(str(other), "nothing")
            assert env.observation["icehouse"][seat, after] == (other in view["in_icehouse"])
            for number, (letter, ahead) in enumerate(itertools.product("SML", range(players))):
                size, colour = number // players, colours[(seat + ahead) % players]
                at = (seat, after, ahead, size)
                assert env.observation["pads"][at] == pad.get((colour, letter), 0)
                assert env.observation["hands"][at] == (held == f"{letter}:{colour}")
                may_give = (colour, letter) in pad and owed in (None, f"{letter}:{colour}")
                assert env.observation["debts"][at] == may_give


def test_observations_agree_with_the_view() -> None:
    """Observations and menus are made from the table that `read` makes of a view, and from the field."""
    for env in itertools.islice(games(300, gift_time=2.0), 0, None, 50):
        first = env.game.start().table  # type: ignore[attr-defined]
        table, field = read_view(first, env.game.info.colours[: env.game.players], position(env).view(0))
        assert (table == env._world.seen).all()
        rows = slice(table[rules.COUNT])
        assert (field[rows] == env._world.field[rows, : field.shape[1]]).all()


def test_times_and_pauses() -> None:
    env = RealTime("icehouse", players=2, false_call="gift", gift_time=5.0)
    pauses, names = field_of(env, "pauses")
    assert names == ["false call", "true call", "debt"]
    step(env, s0="icehouse")
    wait(env, 9)
    assert env.observation["time"][:, 0] * 60 == pytest.approx([1, 1])
    assert env.observation["pauses"].tolist() == pytest.approx(np.array([[0, 0, 4.001], [0, 0, 0]]))
    wait(env, 40)
    assert env.observation["pauses"][0, 2] == pytest.approx(0.001)
    assert env.observation["debts"][0, 0].sum() == 3
    wait(env, 1)
    assert not env.observation["debts"].any()
    assert env.observation["pads"][1, 0, 1].tolist() == [1, 0, 0]
    free = RealTime("icehouse", players=2, false_call="free", call_pause=3.0)
    step(free, s1="icehouse")
    assert free.observation["pauses"].tolist() == pytest.approx(np.array([[0, 0, 0], [2.901, 0, 0]]))
    assert pauses.shape == (2, 3)


def test_planes_show_what_covers_the_middle_of_a_cell() -> None:
    *_, env = games(80, planes=16, players=3, width=8.0, height=6.0, hands="free")
    view, layout = position(env).view(0), env.game.layout()
    planes, names = field_of(env, "planes")
    assert planes.shape == (3, 16, 16, len(names))
    wanted = np.zeros_like(planes)
    for piece in view["field"]:
        outline = drawing.corners(layout, piece)  # type: ignore[arg-type]
        for seat, row, column in itertools.product(range(3), range(16), range(16)):
            x, y = ((2 * cell + 1) * layout[side] // 32 for cell, side in ((column, "width"), (row, "height")))
            if drawing.covers(outline, x, y):
                stance = "standing" if piece["standing"] else "lying"
                after = (layout["colours"].index(piece["colour"]) - seat) % 3
                who = f"player +{after}" if after else "own"
                wanted[seat, row, column] = 0
                wanted[seat, row, column, names.index(f"{stance} {who}")] = ("SML".index(piece["size"]) + 1) / 3
                for state in ("iced", "valid", "redundant"):
                    wanted[seat, row, column, names.index(state)] = bool(piece[state])
    assert wanted.any(axis=(0, 1, 2)).sum() >= 6
    # Pieces may overlap within the tolerance; here none does at the middle of a cell.
    assert planes == pytest.approx(wanted)


def test_fields_stay_within_their_bounds() -> None:
    for env in itertools.islice(games(120, planes=8, latency=1), 0, None, 10):
        for field in env.describe().fields:
            values = env.observation[field.name]
            assert values.shape == (env.game.players, *field.shape)
            assert values.dtype == np.float32
            assert values.min() >= field.least
            assert values.max() <= field.most
            assert len(field.features) in (0, field.shape[-1])


# What they may do


@each_options
def test_menus_list_what_the_rules_allow(options: dict[str, Any]) -> None:
    placements = 0
    for env in itertools.islice(games(200, seed=4, hands="free", **options), 0, None, 50):
        state = position(env)
        for seat in range(env.game.players):
            acts = {number: act for number in range(1, 65) if (act := env.notation(seat, number)) is not None}
            for number, act in acts.items():
                assert (state.fault(act, seat, env.now) is None) == env.mask[seat, number], act
            allowed = [act for number, act in acts.items() if env.mask[seat, number]]
            usual = {act for act in allowed if not act.startswith("place")}
            placements += len(allowed) - len(usual)
            legal = set(state.legal_actions(seat))
            assert usual == legal or (len(legal) > 40 and usual < legal)
            assert env.mask[seat, 0]
            assert not env.mask[seat, [number for number in range(1, 65) if number not in acts]].any()
    assert placements > 50


def test_placements_stay_in_the_menu_until_they_are_no_longer_legal() -> None:
    env = RealTime("icehouse", hands="free", seed=2)
    step(env, s0="lift S")
    before = [env.notation(0, number) for number in range(41, 65)]
    assert len({act for act in before if act is not None}) == 12
    step(env, s1="lift L")
    assert [env.notation(0, number) for number in range(41, 65)] == before
    step(env, s1=next(act for number in range(41, 65) if (act := env.notation(1, number))))
    after = [env.notation(0, number) for number in range(41, 65)]
    assert after[:12] != before[12:]
    assert sum(one == other for one, other in zip(before[:12], after[:12], strict=True)) >= 10
    assert all(act is not None for act in after)


@each_options
def test_menu_features_tell_what_the_notation_says(options: dict[str, Any]) -> None:
    kinds = set()
    for env in itertools.islice(games(180, seed=6, hands="free", **options), 0, None, 45):
        state, layout = position(env), env.game.layout()
        view = state.view(0)
        for seat in range(env.game.players):
            for number in range(1, 65):
                row = env.observation["menu"][seat, number - 1]
                act = env.notation(seat, number)
                if act is None:
                    assert not row.any()
                    continue
                named = by_name(row, env.describe().act)
                words = act.split()
                verb = words[2] if words[0] == "place" else words[0]
                kinds.add(verb)
                assert [one for one in VERBS[1:] if named[one]] == [verb]
                colour, size, whom = told(env, seat, named), told_size(named), told(env, seat, named, "to ")
                if verb in ("lift", "give"):
                    letter, _, other = words[1].partition(":")
                    assert (size, colour) == (letter, other or layout["colours"][seat])
                    assert whom == (words[2] if verb == "give" else None)
                elif verb == "meltdown":
                    assert (colour, size, whom) == (words[1], None, None)
                elif verb in ("stand", "point", "return"):
                    assert (f"{size}:{colour}" if size else None) == state.hand(seat)
                if verb in ("stand", "point"):
                    x, y = (int(number) for number in words[1].split(","))
                    assert named["x"] * layout["width"] == pytest.approx(x, abs=0.01)
                    assert named["y"] * layout["height"] == pytest.approx(y, abs=0.01)
                    assert named["cosine"] == pytest.approx(np.cos(np.radians(float(words[3]))), abs=1e-5)
                    assert named["sine"] == pytest.approx(np.sin(np.radians(float(words[3]))), abs=1e-5)
                if verb == "point" and env.mask[seat, number]:
                    placed = state.apply(act, seat, env.now).view(0)["field"]
                    target = next(piece for piece in placed if piece["id"] == placed[-1]["points_at"])
                    assert view["field"][int(named["piece"])]["id"] == target["id"]
                    assert (whom, bool(named["ices"])) == (target["colour"], target["iced"])
                if verb == "capture":
                    assert view["field"][int(named["piece"])]["id"] == words[1]
    assert kinds >= {"lift", "return", "icehouse", "meltdown", "stand", "point"}


def test_a_debtor_with_many_kinds_is_offered_as_many_gifts_as_there_is_room_for() -> None:
    """And what else there is to capture or to give takes the room of placements."""
    env = RealTime("icehouse", players=8, hands="free", gift_time=3600.0)
    for seat in range(1, 8):
        for size in "SML":
            step(env, **{f"s{seat}": "icehouse"})
            step(env, **{f"s{seat}": f"give {size} red"})
    step(env, s0="icehouse")
    gifts = [act for number in range(1, 65) if (act := env.notation(0, number)) and act.startswith("give")]
    legal = {act for act in position(env).legal_actions(0) if act.startswith("give")}
    assert len(legal) == 24 * 7
    assert len(set(gifts)) == len(gifts) == 30
    assert set(gifts) < legal
    assert env.notation(0, 64) in gifts


@each_options
def test_masks_of_the_grid_are_exact(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(1)
    tried = 0
    grid = RealTime("icehouse", seed=5, hands="free", action="grid", **options)
    for tick in range(60):
        actions = []
        for seat in range(grid.game.players):
            verb = int(rng.choice(np.flatnonzero(grid.mask[seat])))
            if verb in (5, 6) and rng.random() > CALLS:
                verb = 0
            masks = grid.mask_for(seat, verb)
            actions.append([int(rng.choice(np.flatnonzero(mask))) for mask in masks])
        if tick % 15 == 0:
            state = position(grid)
            counts = [count for _, count in grid.describe().arguments]
            for seat, verb in itertools.product(range(grid.game.players), range(1, 9)):
                masks = grid.mask_for(seat, verb)
                assert [len(mask) for mask in masks] == counts
                assert np.flatnonzero(masks[0]).tolist() == [verb]
                fits = []
                for _ in range(3):
                    action = [int(rng.choice(np.flatnonzero(mask))) for mask in masks]
                    act = grid.notation(seat, action)
                    assert act is not None
                    fits.append(state.fault(act, seat, grid.now))
                if not grid.mask[seat, verb]:
                    assert all(fits)
                elif verb not in (3, 4):
                    tried += 1
                    assert not any(fits)
                else:
                    assert all(fault is None or fault.rule in ("IH-5", "IH-12", "IH-13") for fault in fits)
                if grid.mask[seat, verb] and verb in (1, 6, 7):
                    argument = {1: 1, 6: 5, 7: 6}[verb]
                    for value in np.flatnonzero(masks[argument] == 0).tolist():
                        act = grid.notation(seat, [*action[:argument], value, *action[argument + 1 :]])
                        assert act is not None
                        assert state.fault(act, seat, grid.now) is not None
        grid.step(actions)
        if grid.terminated:
            grid.reset()
    assert tried > 20


def test_places_are_what_the_numbers_say() -> None:
    env = RealTime("icehouse", players=2, hands="free", action="place", width=24.0, height=12.0)
    env.step([[1, 2, 0, 0, 0, 0, 0], [1, 3, 0, 0, 0, 0, 0]])
    assert [position(env).hand(seat) for seat in (0, 1)] == ["L:red", None]
    assert env.fault(1).rule == "IH-7"  # type: ignore[union-attr]
    assert env.notation(0, [3, 0, 0, 0.5, 0.25, 0, -1]) == "place 12000,3000 stand 270.0"
    assert env.notation(0, [4, 0, 0, 0.5, 0.25, 0, 0]) == "place 12000,3000 point 0.0"
    assert env.notation(1, [8, 4, 3, 0, 0, 0, 0]) == "give M:red red"
    assert env.notation(1, [6, 0, 7, 0, 0, 0, 0]) == "meltdown red"
    assert env.notation(0, [0, 5, 9, 1, 1, 1, 1]) is None
    env.step(np.array([[3, 0, 0, 0.5, 0.25, 1, 1], [2, 0, 0, 0, 0, 0, 0]]))
    assert [(piece["x"], piece["y"], piece["heading"]) for piece in env.state().view()["field"]] == [(12000, 3000, 45)]
    assert env.fault(1).message.startswith("You have nothing in hand")  # type: ignore[union-attr]
    env.step([[7, 0, 0, 0, 0, 0, 0], [7, 0, 29, 0, 0, 0, 0]])
    assert [env.fault(seat).code for seat in (0, 1)] == ["no-attacker", "no-such-piece"]  # type: ignore[union-attr]


# What comes of it


@each_options
def test_the_fold_of_a_record_is_the_state(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(2)
    env = RealTime("icehouse", seed=9, hands="free", **options)
    refused = 0
    for _ in range(150):
        before, count = env.state(), env._world.clock[ticks.LOGGED]
        env.step(rng.integers(65, size=env.game.players) if rng.random() < 0.5 else builders(env, rng))
        faults = [env.fault(seat) for seat in range(env.game.players)]
        refused += sum(fault is not None for fault in faults)
        if env._world.clock[ticks.LOGGED] == count:
            assert env.state() == before
        for fault in faults:
            assert fault is None or fault.rule.startswith("IH-") or fault.rule == "action"
        if env.terminated:
            break
    assert icetable.replay(env.record()) == env.state()
    assert refused > 20


def test_a_fault_is_what_the_rules_said_when_the_act_was_judged() -> None:
    """Though other acts of the same tick came before and after it."""
    env = RealTime("icehouse", players=2, hands="free", action="place")
    lift, place = [1, 0, 0, 0, 0, 0, 0], [3, 0, 0, 0.5, 0.5, 1, 0]
    env.step([lift, lift])
    env.step([place, place])
    first, second = (line.split()[0] for line in env.record().splitlines()[-2:])
    assert first != second
    assert env.fault(int(first)) is None
    assert env.fault(int(second)) is None  # a crash is accepted
    refusing = RealTime("icehouse", players=2, hands="free", action="place", crash="refuse")
    refusing.step([lift, lift])
    refusing.step([place, place])
    (loser,) = (seat for seat in (0, 1) if refusing.fault(seat))
    fault = refusing.fault(loser)
    assert fault is not None
    assert (fault.rule, fault.where) == ("IH-5", ("p1",))
    assert fault.message.endswith(" piece: move it aside.")


def test_acts_of_a_tick_have_milliseconds_of_their_own_in_a_drawn_order() -> None:
    env = RealTime("icehouse", seed=1, tick=0.25)
    firsts = set()
    for _ in range(40):
        step(env, **{f"s{seat}": "meltdown red" for seat in range(4)})
        last = [line.split()[:2] for line in env.record().splitlines()[-4:]]
        start = round(env.now * 1000) - 250
        assert [time for _, time in last] == [f"@{(start + n) // 1000}.{(start + n) % 1000:03d}" for n in range(4)]
        firsts.add(last[0][0])
    assert firsts == {"0", "1", "2", "3"}


def test_the_same_seed_gives_the_same_game() -> None:
    def trace(seed: int, again: bool = False) -> list[bytes]:
        env = RealTime("icehouse", seed=7 if again else seed, players=3, hands="free")
        if again:
            wait(env, 3)
            env.reset(seed)
        rng, seen = np.random.default_rng(0), []
        for _ in range(25):
            env.step(env.pick() if rng.random() < 0.5 else builders(env, rng))
            seen.append(shown(env))
        return [*seen, env.record().encode()]

    assert trace(5) == trace(5) == trace(5, again=True)
    assert trace(5)[-1] != trace(6)[-1]


def test_a_reset_without_a_seed_goes_on_with_other_chance() -> None:
    env = RealTime("icehouse", seed=1)
    orders = set()
    for _ in range(4):
        env.reset()
        step(env, **{f"s{seat}": "meltdown red" for seat in range(4)})
        orders.add(tuple(line.split()[0] for line in env.record().splitlines()[-4:]))
    assert len(orders) > 1


def test_both_modes_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def trace() -> list[bytes]:
        env = RealTime("icehouse", seed=3, players=2, hands="free", planes=4, latency=1, width=5.0, height=5.0)
        rng, seen = np.random.default_rng(0), []
        for _ in range(24):
            env.step(builders(env, rng))
            seen.append(shown(env) + env.overview().tobytes())
        return [*seen, env.record().encode()]

    compiled = trace()
    monkeypatch.setattr(jit, "ALWAYS_PLAIN", True)
    assert trace() == compiled


# The bell


def test_nothing_tells_of_the_bell_before_it_rings() -> None:
    hidden, fixed = (
        RealTime("icehouse", seed=4, timer=3.0, timer_spread=0.5, bell=bell, planes=8, hands="free")
        for bell in ("hidden", "fixed")
    )
    assert hidden._world.clock[ticks.BELL_AT] != fixed._world.clock[ticks.BELL_AT] == 3000
    rng = np.random.default_rng(0)
    rounds = 0
    while not hidden.terminated and not fixed.terminated:
        assert list(hidden.observation) == list(fixed.observation)
        for name in hidden.observation:
            assert (hidden.observation[name] == fixed.observation[name]).all(), name
        assert (hidden.mask == fixed.mask).all()
        assert (hidden.overview() == fixed.overview()).all()
        assert [hidden.fault(seat) for seat in range(4)] == [fixed.fault(seat) for seat in range(4)]
        actions = builders(hidden, rng)
        for env in (hidden, fixed):
            env.step(actions)
        rounds += 1
    assert 15 <= rounds <= 30


def test_the_bell_ends_the_game_at_its_moment() -> None:
    env = RealTime("icehouse", players=2, timer=1.0, bell="fixed", tick=0.3)
    wait(env, 3)
    assert not is_over(env)
    step(env, s0="meltdown red", s1="meltdown red")
    assert env.terminated
    assert env.record().splitlines()[-2:] == [
        "* @1.000 bell # rings, ends red green IH-31",
        "end IH-31 winners 0 1 scores 0 0",
    ]
    assert env.reward.tolist() == [0, 0]
    assert env.mask.sum() == 2
    with pytest.raises(GameError, match="begin a new one with reset"):
        wait(env, 1)
    env.reset()
    assert not is_over(env)
    late = RealTime("icehouse", players=2, timer=0.001, bell="fixed", tick=0.3, timer_spread=0.0)
    step(late, s0="meltdown red", s1="meltdown red")
    faults = [late.fault(seat) for seat in (0, 1)]
    assert [fault and fault.rule for fault in faults].count("IH-31") == 1
    assert icetable.replay(late.record()) == late.state()


def test_rewards_are_the_share_of_the_game_or_its_points() -> None:
    results = set()
    for seed in range(6):
        share = RealTime("icehouse", seed=seed, hands="free", timer=4.0, players=3)
        points = RealTime("icehouse", seed=seed, hands="free", timer=4.0, players=3, rewards="points")
        rng = np.random.default_rng(seed)
        while not share.terminated:
            assert not share.reward.any()
            actions = builders(share, rng)
            share.step(actions)
            points.step(actions)
        state = share.state()
        wanted = [(3 * (seat in state.winners) / len(state.winners) - 1) / 2 for seat in range(3)]
        assert share.reward.tolist() == pytest.approx(wanted)
        assert points.reward.tolist() == list(state.scores)
        results.add(tuple(wanted))
    assert len(results) > 1


def test_max_cycles_breaks_off() -> None:
    env = RealTime("icehouse", players=2, timer=0.0, max_cycles=3, rewards="points")
    wait(env, 2)
    assert not is_over(env)
    wait(env, 1)
    assert (env.terminated, env.truncated) == (False, True)
    assert not env.reward.any()
    with pytest.raises(GameError, match="begin a new one with reset"):
        wait(env, 1)


# Hands and latency


def test_human_hands_take_their_time() -> None:
    env = RealTime("icehouse", players=2)
    step(env, s0="lift S")
    place = next(act for number in range(41, 65) if (act := env.notation(0, number)))
    for _ in range(8):
        assert not env.mask[0, entry(env, 0, place)]
        assert not env.mask[0, RETURN]
        step(env, s0=place)
        fault = env.fault(0)
        assert fault is not None
        assert (fault.code, fault.rule) == ("hand-busy", "hands")
        assert fault.message == "The hand is busy until 0.900 seconds after the start."
    assert env.now == 0.9
    assert env.observation["hand"][0].tolist() == pytest.approx([2.1, 0, 0])
    assert env.mask[0, entry(env, 0, place)]
    step(env, s0=place)
    assert env.fault(0) is None
    while env.now < 3:
        assert not env.mask[0, entry(env, 0, "lift S")]
        assert env.mask[0, ICEHOUSE]
        wait(env, 1)
    step(env, s0="lift S")
    assert env.fault(0) is None
    assert [line.split(" #")[0] for line in env.record().splitlines()[-3:]] == [
        "0 @0.000 lift S",
        f"0 @0.900 {place}",
        "0 @3.000 lift S",
    ]


def test_a_quick_move_keeps_the_hand_busy() -> None:
    env = RealTime("icehouse", players=2)
    step(env, s0="icehouse")
    step(env, s0="give S green")
    assert env.observation["hand"][0].tolist() == pytest.approx([0.3, 0.3, 0.3])
    step(env, s0="lift L")
    assert env.fault(0) is not None
    wait(env, 2)
    step(env, s0="lift L")
    assert env.fault(0) is None


def test_free_hands_make_an_act_in_each_tick() -> None:
    env = RealTime("icehouse", players=2, hands="free")
    step(env, s0="lift S")
    place = next(act for number in range(41, 65) if (act := env.notation(0, number)))
    step(env, s0=place)
    step(env, s0="lift S")
    assert [line.split(" #")[0] for line in env.record().splitlines()[-3:]] == [
        "0 @0.000 lift S",
        f"0 @0.100 {place}",
        "0 @0.200 lift S",
    ]
    assert not env.observation["hand"].any()


def test_with_latency_seats_see_what_was() -> None:
    now, late = (RealTime("icehouse", players=2, hands="free", action="place", latency=lag, seed=1) for lag in (0, 3))
    rng, seen = np.random.default_rng(5), [{name: array.copy() for name, array in now.observation.items()}]
    masks = [now.mask.copy()]
    for _ in range(40):
        verbs = [int(rng.choice([verb for verb in np.flatnonzero(mask) if verb not in (5, 7)])) for mask in now.mask]
        actions: list[list[float]] = [
            [verb, *rng.integers((6, 30)), *rng.random(2), *rng.uniform(-1, 1, 2)] for verb in verbs
        ]
        asked = [now.notation(seat, action) for seat, action in enumerate(actions)]
        now.step(actions)
        late.step(actions)
        seen.append({name: array.copy() for name, array in now.observation.items()})
        masks.append(now.mask.copy())
        then = seen[max(0, len(seen) - 4)]
        assert all((late.observation[name] == then[name]).all() for name in then)
        assert (late.mask == masks[max(0, len(seen) - 4)]).all()
        newest = [by_name(row, late.describe().act) for row in late.observation["recent"][:, 0]]
        for seat, (act, verb) in enumerate(zip(asked, verbs, strict=True)):
            assert [one for one in VERBS[1:] if newest[seat][one]] == ([] if act is None else [VERBS[verb]])
    assert late.record() == now.record()
    assert len(now.state().view()["field"]) >= 5


def test_with_latency_an_entry_means_what_was_shown() -> None:
    env = RealTime("icehouse", players=2, hands="free", latency=2)
    step(env, s0="lift S")
    assert env.mask[0, entry(env, 0, "lift S")]
    assert not env.observation["hands"].any()
    step(env, s0="lift S")
    assert env.fault(0).code == "hand-full"  # type: ignore[union-attr]
    wait(env, 1)
    assert env.observation["hands"][0, 0, 0].tolist() == [1, 0, 0]
    assert not env.mask[0, entry(env, 0, "lift S")]
    place = next(act for number in range(41, 65) if (act := env.notation(0, number)))
    step(env, s0=place)
    assert str(env.state().view()["field"][0]["x"]) in place


# Wrong use


def test_an_empty_entry_is_refused() -> None:
    env = RealTime("icehouse", players=2)
    before = env.state()
    env.step([64, 0])
    fault = env.fault(0)
    assert fault is not None
    assert (fault.code, fault.rule) == ("empty-entry", "action")
    assert env.state() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "squad"}, "Who's On The Squad\\? is played in turns"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"players": 9}, "players can't be 9"),
        ({"tick": 0.001}, "tick is a number of seconds from 0.01 to 10.0, not 0.001"),
        ({"tick": "x"}, "tick is a number"),
        ({"tick": True}, "tick is a number"),
        ({"latency": -1}, "latency is a whole number from 0 up"),
        ({"latency": 0.5}, "latency is a whole number"),
        ({"planes": 0}, "planes is a whole number from 1"),
        ({"planes": 10_000}, "planes is a whole number from 1 to 256"),
        ({"max_cycles": 0}, "max_cycles is a whole number from 1"),
        ({"seed": -1}, "seed is a whole number from 0"),
        ({"hands": "quick"}, "hands can't be 'quick'; allowed: 'human', 'free'"),
        ({"action": "x"}, "'menu', 'grid', 'place'"),
        ({"bell": "x"}, "'hidden', 'fixed'"),
        ({"rewards": "gold"}, "'share', 'points'"),
        ({"timer": 0.0}, "may never end: give max_cycles"),
        ({"hand": "free"}, "there is no option 'hand'; .*; did you mean 'hands'[?]"),
    ],
    ids=str,
)
def test_wrong_arguments_are_refused_with_what_is_allowed(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        RealTime(**{"game": "icehouse", **arguments})


@pytest.mark.parametrize(
    ("action", "actions", "message"),
    [
        ("menu", [0, 0, 0], "2 whole numbers"),
        ("menu", [0.0, 0.0], "2 whole numbers"),
        ("menu", [0, 65], "from 0 to 64"),
        ("menu", [0, -1], "from 0 to 64"),
        ("menu", ["a", "b"], "2 whole numbers"),
        ("grid", [0, 0], "7 whole numbers for each of 2 seats"),
        ("grid", [[0.0] * 7] * 2, "7 whole numbers for each of 2 seats"),
        ("grid", [[0] * 7, [9, 0, 0, 0, 0, 0, 0]], "verb 0 to 8, kind 0 to 5, x 0 to 95"),
        ("place", [[0] * 6] * 2, "7 numbers for each of 2 seats"),
        ("place", [[0.0] * 7, [3, 0, 0, 1.5, 0, 0, 1]], "x 0 to 1, y 0 to 1, cosine -1 to 1"),
        ("place", [[0.0] * 7, [3, 0, 0, float("nan"), 0, 0, 1]], "out of range"),
        ("place", [[0.0] * 7, [0.5, 0, 0, 0, 0, 0, 1]], "verb, kind and target are whole numbers"),
    ],
)
def test_wrong_actions_are_refused_and_change_nothing(action: Any, actions: Any, message: str) -> None:
    env = RealTime("icehouse", players=2, action=action)
    with pytest.raises(GameError, match=message):
        env.step(actions)
    assert env.now == 0


def test_wrong_questions_are_refused() -> None:
    env = RealTime("icehouse", players=2, action="grid")
    for wrong in (2, -1, 0.0, "0"):
        with pytest.raises(GameError, match="a seat is a whole number from 0 to 1"):
            env.fault(wrong)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="a verb is a whole number from 0 to 8"):
        env.mask_for(0, 9)
    with pytest.raises(GameError, match="pick draws from menus"):
        env.pick()
    with pytest.raises(GameError, match="7 whole numbers"):
        env.notation(0, 3)
    with pytest.raises(ValueError, match="read-only"):
        env.mask[0, 0] = 0
    with pytest.raises(ValueError, match="read-only"):
        env.observation["time"][0, 0] = 1


def test_long_games_are_kept() -> None:
    env = RealTime("icehouse", players=8, hands="free", seed=1)
    for _ in range(40):
        step(env, **{f"s{seat}": "meltdown red" for seat in range(8)})
    assert icetable.replay(env.record()) == env.state()
    assert env.record().count("meltdown red") == 320


def test_the_description_fits_the_numbers() -> None:
    for action in ("menu", "grid", "place"):
        env = RealTime("icehouse", players=3, action=action, latency=2, planes=4)
        encoding = env.describe()
        assert [verb.name for verb in encoding.verbs] == list(VERBS)
        assert [field.name for field in encoding.fields] == list(env.observation)
        assert env.mask.shape == (3, encoding.entries if action == "menu" else len(VERBS))
        names = {name for name, _ in encoding.arguments}
        assert {name for verb in encoding.verbs for name in verb.arguments} <= names
        assert all(field.about for field in encoding.fields)
