"""The example of AlphaZero: it learns, and what it has learned plays in the lab."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "alphazero.py"

torch = pytest.importorskip("torch", reason="needs torch, which the tests do without")


@pytest.fixture
def alphazero(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The example's module, with little to do."""
    monkeypatch.setenv("ALPHAZERO", str(tmp_path / "alphazero.pt"))
    spec = importlib.util.spec_from_file_location("alphazero", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, value in {
        "GAMES": 8,
        "ACTS": 16,
        "SIMULATIONS": 4,
        "RANDOM_GAMES": 12,
        "BATCH_SIZE": 64,
        "PLAY_SIMULATIONS": 4,
    }.items():
        setattr(module, name, value)
    return module


def test_a_short_training_plays_legal_games(alphazero: Any, capsys: pytest.CaptureFixture[str]) -> None:
    alphazero.train(0.05)
    assert "games" in capsys.readouterr().out
    agent = alphazero.Agent(simulations=4)
    state = alphazero.SPACE.game.start()
    for _ in range(6):
        state = state.apply(agent(state, state.actor))


def test_the_network_sees_both_seats_alike(alphazero: Any) -> None:
    """The image of a position has the image of its policy, and the same value."""
    network = alphazero.Network()
    torch.nn.init.normal_(network.policy.weight, std=0.1)
    torch.nn.init.normal_(network.value.weight, std=0.1)
    batch = alphazero.Batch("icefrogs", 6, seed=1)
    for _ in range(10):
        batch.step(None)
    logits, values = network.evaluate(batch.observation.copy(), batch.mask)
    turned, same = network.evaluate(alphazero.TURN.of_observations(batch.observation), batch.mask)
    assert np.allclose(alphazero.TURN.of_policies(logits), turned, atol=1e-5)
    assert np.allclose(values, same, atol=1e-5)


def test_it_is_short() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) < 200
