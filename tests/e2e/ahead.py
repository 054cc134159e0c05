"""Games that are played before a page opens: a page that is open draws each act, which costs more than all else."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

from websockets.sync.client import connect

from tests.e2e.server import Table

PATIENCE = 60.0
DRAW = {"type": "offer", "id": "last", "what": "draw"}


def resigns(seat: int) -> dict[str, Any]:
    return {"type": "resign", "id": "last", "seat": seat}


def play_ahead(
    made: Table,
    acts: int = 1000,
    texts: Sequence[tuple[int, str]] = (),
    pick: int = 31,
    last: dict[str, Any] | None = None,
) -> int:
    """Bring a table to so many acts, or to its end, with the seats that its codes are for; how many it has then.

    The acts are `texts` alone, each with its seat, or any that are legal: another `pick` makes others. `last`: the
    message that ends the game then, as `DRAW` does where all seats are ours.
    """
    with connect(made.address.replace("http", "ws", 1).rpartition("table/")[0] + "ws", compression=None) as socket:

        def send(**message: object) -> None:
            socket.send(json.dumps(message))

        send(type="join", table=made.table, codes=made.codes)
        seq = 0
        begins: int | None = None
        while (message := json.loads(socket.recv(PATIENCE)))["type"] != "over":
            assert message["type"] != "refused", message
            if "frame" not in message:
                continue
            time.sleep(0.02)  # a socket takes 50 messages a second
            seq, legal = int(message["frame"]["seq"]), message["frame"]["legal"]
            if begins is None:
                begins = seq
                acts = seq + len(texts) if texts else acts
            if message["frame"]["view"]["over"] or seq >= acts:
                if last is None:
                    return seq
                send(**last)
            elif texts:
                seat, text = texts[seq - begins]
                send(type="act", id=f"act {seq}", seat=seat, text=text)
            elif legal:
                own, choices = next(iter(legal.items()))
                send(type="act", id=f"act {seq}", seat=int(own), text=choices[pick * seq % len(choices)])
        return seq
