"""Messages and frames that no browser sends."""

from __future__ import annotations

import json
import random
import string
from typing import Any

ODD_VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1,
    2,
    99,
    2**31,
    2**63,
    -(2**64),
    1.5,
    1e308,
    "",
    " ",
    "0",
    "S@b1",
    "pass",
    "undo 0",
    "L@c3; DROP TABLE acts",
    "../../etc/passwd",
    "\x00",
    "\u202e",
    "'\"\\",
    "é" * 70,
    "x" * 65,
    "x" * 201,
    "x" * 5000,
    [],
    [[]],
    ["x"] * 17,
    {},
    {"type": "act"},
    {"": None},
]


def mutated(message: dict[str, Any], dice: random.Random) -> str:
    """The message with something wrong about it, most of the time."""
    message = dict(message)
    field = dice.choice(list(message))
    way = dice.randrange(7)
    if way == 0:
        del message[field]
    elif way == 1:
        message[dice.choice(["admin", "code", "seq", "seen", "Type", "__proto__", "to"])] = dice.choice(ODD_VALUES)
    elif way in (2, 3):
        message[field] = dice.choice(ODD_VALUES)
    text = json.dumps(message, ensure_ascii=dice.random() < 0.5)
    if way == 4:
        text = text[: dice.randrange(len(text))]
    elif way == 5:
        place = dice.randrange(len(text))
        text = text[:place] + dice.choice(string.printable) * dice.choice([1, 3, 9000]) + text[place + 1 :]
    return text


def junk(dice: random.Random) -> str | bytes:
    """No message at all."""
    choices: list[str | bytes] = [
        dice.randbytes(dice.randrange(200)),
        "".join(chr(dice.randrange(1, 0xD800)) for _ in range(dice.randrange(200))),
        json.dumps(dice.choice(ODD_VALUES)),
        "[" * dice.randrange(1, 9000),
        '{"type":' * dice.randrange(1, 900),
        '{"type":"look","seq":' + "9" * dice.randrange(1, 8000) + "}",
        '{"type":"look","seq":1e' + str(dice.randrange(400)) + "}",
        '{"type":"act","type":"undo","id":"x","to":0}',
        '{"type":"join","table":"\\ud800","codes":[]}',
        "NaN",
        " " * dice.randrange(20_000),
    ]
    return dice.choice(choices)


def frame_of(opcode: int, payload: bytes, first_bits: int = 0x80, length: int | None = None) -> bytes:
    """A masked frame as it goes over the wire."""
    size = len(payload) if length is None else length
    head = bytes([first_bits | opcode])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 2**16:
        head += bytes([0xFE]) + size.to_bytes(2, "big")
    else:
        head += bytes([0xFF]) + size.to_bytes(8, "big")
    return head + bytes(4) + payload


HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
