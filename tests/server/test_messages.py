"""The messages themselves: how they are read, and that the browser has the same idea of them."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import protocol
import pytest
import wire_types

from icetable.server import messages
from icetable.server.http.api.routes import ENDPOINTS


def test_the_browser_has_the_same_types() -> None:
    """Where this fails, run `python tools/wire_types.py`."""
    for path, text in wire_types.files().items():
        assert path.read_text(encoding="utf-8") == text, path.name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"type":"join","table":"k7","codes":["a","b"]}', messages.Join("k7", ["a", "b"])),
        ('{"type":"act","id":"1","seat":0,"text":"S@b1"}', messages.Act("1", 0, "S@b1")),
        ('{"type":"undo","id":"1","to":6}', messages.Undo("1", 6)),
        ('{"type":"look","seq":0}', messages.Look(0)),
        ('{"type":"solve","seq":3}', messages.Solve(3)),
        ('{"type":"analyse","seq":3}', messages.Analyse(3)),
        ('{"type":"analyse","seq":null}', messages.Analyse(None)),
    ],
)
def test_messages_that_are_read(text: str, message: messages.ClientMessage) -> None:
    assert messages.read_message(text) == message


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "truncated"),
        ("hello", "malformed"),
        ('{"type":"look","seq":0} ', None),
        ('{"type":"look","seq":0}{}', "trailing"),
        ('{"seq":0}', "missing required field `type`"),
        ('{"type":"dance"}', "Invalid value 'dance'"),
        ('{"type":"look"}', "missing required field `seq`"),
        ('{"type":"look","seq":0,"extra":1}', "unknown field `extra`"),
        ('{"type":"look","seq":"0"}', "Expected `int`, got `str` - at `$.seq`"),
        ('{"type":"look","seq":true}', "Expected `int`, got `bool`"),
        ('{"type":"look","seq":-1}', "Expected `int` >= 0"),
        ('{"type":"look","seq":1000000001}', "Expected `int` <= 1000000000"),
        ('{"type":"act","id":"","seat":0,"text":""}', "length >= 1 - at `$.id`"),
        ('{"type":"act","id":"' + "x" * 65 + '","seat":0,"text":""}', "length <= 64 - at `$.id`"),
        ('{"type":"act","id":"x","seat":0,"text":"' + "x" * 201 + '"}', "length <= 200 - at `$.text`"),
        ('{"type":"join","table":"x","codes":' + str(["x"] * 17).replace("'", '"') + "}", "length <= 16"),
        ('{"type":"join","table":null,"codes":[]}', "Expected `str`, got `null` - at `$.table`"),
        ('["type","look"]', "Expected `object`, got `array`"),
        ('{"type":"' + "x" * 5000 + '"}', "Invalid value 'xxx"),
    ],
)
def test_messages_that_are_not(text: str, complaint: str | None) -> None:
    if complaint is None:
        assert messages.read_message(text) == messages.Look(0)
        return
    with pytest.raises(messages.BadMessage) as caught:
        messages.read_message(text)
    said = str(caught.value)
    assert said.startswith("The message can't be read: ")
    assert complaint in said
    assert len(said) < 250


def test_unset_fields_are_left_out_and_the_tag_comes_first() -> None:
    spec: dict[str, Any] = {
        "name": "a",
        "kind": "bool",
        "default": True,
        "help": "h",
        "rule": None,
        "recommended": True,
    }
    assert (
        messages.write(messages.OptionSpec(**spec))
        == b'{"name":"a","kind":"bool","default":true,"help":"h","rule":null,"recommended":true}'
    )
    assert messages.write(messages.Ack("x", 1)) == b'{"type":"ack","id":"x","seq":1}'


# The protocol reference


def test_the_protocol_reference_is_up_to_date() -> None:
    """Where this fails, run `python tools/protocol.py`."""
    assert protocol.FILE.read_text(encoding="utf-8") == protocol.generate()


def test_every_message_and_endpoint_has_an_example() -> None:
    for kinds, examples in (
        (messages.ClientMessage, protocol.CLIENT_MESSAGES),
        (messages.ServerMessage, protocol.SERVER_MESSAGES),
    ):
        assert [type(example) for example in examples] == list(get_args(kinds))
    assert set(protocol.EXAMPLES) == {f"{endpoint.method} {endpoint.path}" for endpoint in ENDPOINTS}


@pytest.mark.parametrize("example", protocol.CLIENT_MESSAGES, ids=lambda example: type(example).__name__)
def test_the_examples_of_a_client_are_read(example: messages.ClientMessage) -> None:
    assert messages.read_message(protocol.pretty(example)) == example


@pytest.mark.parametrize("example", protocol.SERVER_MESSAGES, ids=lambda example: type(example).__name__)
def test_the_examples_of_a_server_are_messages(example: messages.ServerMessage) -> None:
    read = msgspec.json.decode(protocol.pretty(example), type=messages.ServerMessage)
    assert shared(read) == shared(example)


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: f"{endpoint.method} {endpoint.path}")
def test_the_examples_of_endpoints_are_what_they_take_and_answer(endpoint: Any) -> None:
    example = protocol.EXAMPLES[f"{endpoint.method} {endpoint.path}"]
    assert (example.body is None) == (endpoint.body is None)
    if endpoint.body is not None:
        assert messages.request_reader(endpoint.body)(protocol.pretty(example.body).encode()) == example.body
    if endpoint.answer is not str:
        assert msgspec.json.decode(protocol.pretty(example.answer), type=endpoint.answer) == example.answer


def shared(value: Any) -> Any:
    """A message as plain values; of a view what all games share, since the type names no more."""
    if isinstance(value, msgspec.Struct):
        value = msgspec.to_builtins(value)
    if isinstance(value, list):
        return [shared(one) for one in value]
    if isinstance(value, dict):
        keys = [key for key in messages.View.__annotations__ if key in value] if "to_act" in value else value
        return {key: shared(value[key]) for key in keys}
    return value
