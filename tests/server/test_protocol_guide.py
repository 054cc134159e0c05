"""The guide to the protocol: its client plays, and it leaves no path and no message out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from icetable.server import messages
from icetable.server.http.routes import ENDPOINTS

from .serving import Running

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
    assert f"at most {messages.LONGEST} characters" in GUIDE
    assert f"{messages.LONGEST_UPLOAD:,} where a record is opened" in GUIDE
