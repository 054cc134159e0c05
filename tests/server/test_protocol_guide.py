"""The guide to the protocol: its client plays, and it leaves no path and no message out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import httpx
import msgspec
import protocol

from icetable.bots.levels import levels
from icetable.server import messages
from icetable.server.http.api.routes import ENDPOINTS

from .serving import Client, Running

if TYPE_CHECKING:
    import pytest

GUIDE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """The first piece of code in a language."""
    found = re.search(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def test_the_client_plays_a_game_and_prints_what_the_guide_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = block("python")
    assert "127.0.0.1:8421" in program
    with Running(tmp_path / "tables.sqlite") as running:
        here = running.url.split("/")[2]
        exec(compile(program.replace("127.0.0.1:8421", here), "docs/protocol.md", "exec"), {})
    assert capsys.readouterr().out == block("text")


def test_every_path_is_named() -> None:
    paths = [f"{endpoint.method} {endpoint.path}" for endpoint in ENDPOINTS]
    assert [path for path in paths if f"`{path}`" not in GUIDE] == []


def test_every_message_is_named() -> None:
    kinds = (*get_args(messages.ClientMessage), *get_args(messages.ServerMessage))
    tags = [kind.__struct_config__.tag for kind in kinds]
    assert [tag for tag in tags if f"`{tag}`" not in GUIDE] == []


def test_the_limits_are_those_of_the_server() -> None:
    assert f"at most {messages.MAX_LENGTH} characters" in GUIDE
    assert f"{messages.MAX_UPLOAD_BYTES:,} for a record" in GUIDE


def test_the_session_of_the_reference_can_be_played(running: Running) -> None:
    """Each message of the page is answered in turn by one of the kinds that the page names."""
    examples = {type(one).__name__: msgspec.to_builtins(one) for one in protocol.CLIENT_MESSAGES}

    def play(client: Client, name: str, kind: str, **other: Any) -> dict[str, Any]:
        client.say(**{**examples[name], **other})
        return client.hear(kind)

    wanted = protocol.EXAMPLES["POST /api/tables"]
    created = httpx.post(f"{running.url}api/tables", content=protocol.pretty(wanted.body)).json()
    assert set(created) == set(msgspec.to_builtins(wanted.answer))
    table, codes, invites = (created[name] for name in ("table", "codes", "invites"))
    with Client(running.url) as anns, Client(running.url) as bobs:
        play(anns, "Join", "welcome", table=table, codes=list(codes.values()))
        play(bobs, "Join", "welcome", table=table, codes=list(invites.values()))
        assert play(bobs, "Sit", "ack")["id"] == examples["Sit"]["id"]
        assert play(anns, "Ping", "pong") == {"type": "pong", "number": examples["Ping"]["number"]}
        anns.say(**examples["Hold"])
        assert bobs.hear("held")["what"] == examples["Hold"]["what"]
        assert play(anns, "Act", "ack") == {"type": "ack", "id": examples["Act"]["id"], "seq": 1}
        line = bobs.hear("frame")["frame"]["line"]
        assert line == msgspec.to_builtins(protocol.LINE)
        assert play(anns, "Look", "past")["frame"]["seq"] == 0
        assert play(anns, "History", "history")["lines"] == [line]
        assert play(bobs, "Say", "said")["remarks"][0]["text"] == examples["Say"]["text"]
        proposal = play(bobs, "Offer", "changed")["table"]["proposal"]
        assert proposal["what"] == examples["Offer"]["what"]
        assert play(anns, "Vote", "over", number=proposal["number"])["ending"]["reason"] == "draw"
        assert play(bobs, "Act", "refused")["fault"]["code"] != ""
    with Client(running.url) as again:
        seats = play(again, "Join", "welcome", table=table, codes=[protocol.BOB])["table"]["seats"]
        assert [seat["mine"] for seat in seats] == [False, True]


def test_the_levels_of_the_reference_are_those_of_its_game() -> None:
    """Else a server refuses the examples."""
    texts = [protocol.pretty(part) for one in protocol.EXAMPLES.values() for part in (one.body, one.answer) if part]
    named = {name for text in texts for name in re.findall(r'"(?:level|plays_like)": "(\w+)"', text)}
    assert named
    assert named <= {level.name for level in levels(protocol.INFO)}
