"""Trained models: the package's play by their cards, and refuse what they were not trained for."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import results

import icetable
from icetable import lab
from icetable.cli.lab import player_of
from icetable.core.errors import GameError
from icetable.envs import Agent, Batch, TreeSearch, load_model, models, save_model
from icetable.envs.gymnasium import Env
from icetable.envs.policies import FOLDER, WEIGHTS


@pytest.mark.parametrize("card", models(), ids=lambda card: card.name)
def test_a_model_of_the_package_plays(card: Any) -> None:
    model = load_model(card.name)
    played = lab.match(
        lab.Plan(model.game, seats=[Agent(model), *["random"] * (model.game.players - 1)], blocks=50, seed=1)
    )
    assert played.step.player == card.name
    assert played.step.share.value > 0.6
    assert card.strength, "a card tells the strength"
    batch = Batch(model.game, 2, seed=1, autoreset="off")
    assert TreeSearch(batch, model.evaluate, 4).run().actions.shape == (2,)


def test_models_are_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 3_000_000


def test_a_model_is_an_opponent_and_copies_of_it_play_alike() -> None:
    model = load_model("squad-2-ppo")
    observation, info = Env("squad", opponent=model).reset(seed=1)
    seen, mask = np.array(observation)[None], np.array(info["action_mask"])[None]
    action = model(seen, mask)
    assert mask[0, action[0]]
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert other == model
        assert other(seen, mask) == action


def test_a_command_names_a_model() -> None:
    player = player_of("model:squad-2-ppo")
    assert isinstance(player, Agent)
    assert player.policy == load_model("squad-2-ppo")


@pytest.mark.parametrize("options", [{"players": 3}, {"tie": "all"}])
def test_other_options_are_refused(options: dict[str, Any]) -> None:
    model, game = load_model("squad-2-ppo"), icetable.load("squad", **options)
    with pytest.raises(
        GameError, match=r"squad-2-ppo plays squad with players=2, .*no other game and no other options"
    ):
        Env(game, opponent=model)
    with pytest.raises(GameError, match="no other options"):
        Agent(model).choose_many([game.start()])
    with pytest.raises(GameError, match=r"squad-2-ppo sees \[k, 4, 4, 23\]"):
        model.evaluate(np.zeros((1, 2, 2, 3), np.int8), np.zeros((1, 64), np.int8))


def test_files_are_checked(tmp_path: Path) -> None:
    model, path = load_model("squad-2-ppo"), tmp_path / "mine.npz"
    weights = dict(np.load(FOLDER / "squad-2-ppo.npz"))
    save_model(path, model.card, weights)
    assert load_model(path).card == model.card
    save_model(path, dataclasses.replace(model.card, encoding=7), weights)
    with pytest.raises(GameError, match="trained with version 7 of the encoding of squad; this icetable has version 0"):
        load_model(path)
    save_model(path, dataclasses.replace(model.card, options={"players": 3}), weights)
    with pytest.raises(GameError, match="368 inputs and 64 outputs, which are not those of squad"):
        load_model(path)
    save_model(path, model.card, weights)
    np.savez(path, **{name: weights[name] for name in WEIGHTS[1:]})
    with pytest.raises(GameError, match="holds no model"):
        load_model(path)
    path.with_suffix(".json").write_text(json.dumps({"name": "mine"}), encoding="utf-8")
    with pytest.raises(GameError, match="is no card"):
        load_model(path)
    with pytest.raises(GameError, match=r"there is no model 'nobody'; allowed: .*squad-2-ppo"):
        load_model("nobody")


# Results that were handed in


def test_the_page_has_the_table_of_the_records() -> None:
    """Where this fails, run `python tools/results.py table`."""
    found = results.records(results.RECORDS)
    assert results.table(found) in results.PAGE.read_text(encoding="utf-8")
    for record in found:
        assert record["low"] <= record["share"] <= record["high"]


def test_a_record_is_checked_by_its_games(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    share, hashed = 0.7, "abc"
    monkeypatch.setattr(results, "played", lambda _words: {"share": {"value": share}, "hash": hashed})
    record = {**dict.fromkeys(results.PARTS, ""), "hash": "abc", "share": 0.7, "low": 0.6, "high": 0.8}
    record["command"] = "icetable lab match squad greedy casual@1 --blocks 100 --seed 2026"
    assert results.check(record) == 0
    share = 0.5
    assert results.check(record) == 1
    hashed = "other"
    assert results.check(record) == 1
    share = 0.61
    assert results.check(record) == 0
    assert "within the interval" in capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    [
        "rm -r x",
        "icetable lab match squad a b --blocks 100 --seed 1",
        "icetable lab match squad a b --blocks 9 --seed 2026",
    ],
)
def test_a_record_follows_the_protocol(command: str) -> None:
    with pytest.raises(ValueError, match=r"measured by|protocol"):
        results.words(command)
