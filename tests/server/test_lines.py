"""The line to a player over real sockets: what the server knows of it decides what a player could have seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from .serving import Client, Running, create_table, person

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SPOT = "place 12000,12000 stand 0.0"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("lines")
    with Running(folder / "tables.sqlite") as running:
        yield running.url


def race(url: str) -> tuple[Client, Client, str, list[str]]:
    """Ann and Ben, each with a large piece in hand; neither answers pings."""
    table, codes = create_table(url, person("Ann"), person("Ben"), game="icehouse", timer=0)
    ann, ben = (Client(url, table, [code]) for code in codes)
    for text in ("ready", "lift L"):
        for seat, client in enumerate((ann, ben)):
            assert client.act(seat, text)["type"] == "ack"
    ben.wait_for(4)
    return ann, ben, table, codes


def place(client: Client, seat: int, seen: int, **more: Any) -> str:
    answer = client.ask(type="act", seat=seat, text=SPOT, seen=seen, **more)
    return "ack" if answer["type"] == "ack" else answer["fault"]["code"]


def test_a_piece_that_a_page_was_not_known_to_have_costs_nothing_also_after_a_cut(url: str) -> None:
    ann, ben, table, codes = race(url)
    seen = ben.frame["entry"]
    assert place(ann, 0, seen) == "ack"
    assert place(ben, 1, seen) == "was-first"
    ben.close()
    with Client(url, table, codes[1:]) as again:
        assert place(again, 1, seen) == "was-first"
        assert place(again, 1, again.frame["entry"]) == "ack"  # a crash: this page had shown it
        assert [effect["kind"] for effect in again.frame["line"]["effects"]] == ["crashes"]
    ann.close()


def test_an_act_that_was_on_its_way_for_too_long_lapses(url: str) -> None:
    ann, ben, *_ = race(url)
    ben.say(type="ping", number=1)
    ben.say(type="pong", number=1)
    assert ben.hear("pong")
    assert place(ben, 1, 0, made=[1, -5000]) == "lapsed"
    assert place(ben, 1, 0, made=[1, 0]) == "ack"
    for client in (ann, ben):
        client.close()


def test_the_hand_of_a_program_is_too_quick_but_among_programs(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icetable.server.table.judge.HAND_MS", 60_000)  # also for a program on a busy machine
    for scripts, expected in ((False, [*["ack"] * 3, "too-quick"]), (True, ["ack"] * 4)):
        table, codes = create_table(
            url, person("Ann"), person("Ben"), game="icehouse", terms={"scripts": scripts}, timer=0
        )
        with Client(url, table, codes) as both:
            for seat in range(2):
                both.act(seat, "ready")
            found = []
            for column in range(4):
                both.act(0, "lift S")
                answer = both.act(0, f"place {2000 + 2000 * column},2000 stand 0.0")
                found.append("ack" if answer["type"] == "ack" else answer["fault"]["code"])
        assert found == expected


def test_no_table_of_strangers_is_for_programs(url: str) -> None:
    with pytest.raises(AssertionError, match="quick as a program"):
        create_table(url, person("Ann"), person("Ben"), game="icehouse", terms={"scripts": True, "public": True})
