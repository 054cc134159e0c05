"""Games that are played before a page opens: a page that is open draws each act, which costs more than all else."""

from __future__ import annotations

import json
from collections.abc import Sequence

from websockets.sync.client import connect

from tests.e2e.server import Table

PATIENCE = 60.0


def play_ahead(
    made: Table, acts: int = 1000, texts: Sequence[tuple[int, str]] = (), pick: int = 31, draws: bool = False
) -> int:
    """Bring a table to so many acts, or to its end, with the seats of all its people; returns how many it has then.

    The acts are those of `texts`, each with its seat, or any that are legal: another `pick` makes others. If the game
    `draws` then, all agree on that.
    """
    with connect(made.address.replace("http", "ws", 1).rpartition("table/")[0] + "ws", compression=None) as socket:

        def send(**message: object) -> None:
            socket.send(json.dumps(message))

        seq = 0
        send(type="join", table=made.table, codes=made.codes)
        while True:
            message = json.loads(socket.recv(PATIENCE))
            if message["type"] == "over":
                return seq
            if message["type"] not in ("welcome", "frame"):
                continue
            frame = message["frame"]
            seq = int(frame["seq"])
            if frame["view"]["over"] or seq >= acts:
                if not draws:
                    return seq
                send(type="offer", id="draw", what="draw")
            elif texts:
                send(type="act", id=f"act {seq}", seat=texts[seq][0], text=texts[seq][1])
            elif frame["legal"]:
                seat, legal = next(iter(frame["legal"].items()))
                send(type="act", id=f"act {seq}", seat=int(seat), text=legal[pick * seq % len(legal)])
