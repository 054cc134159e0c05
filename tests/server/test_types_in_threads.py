"""msgspec works out a type when it is first used, and crashes where two threads do that at the same time."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import httpx

from .fakes import PATIENCE
from .processes import SERVER, Process
from .serving import Client, create_table, person

if TYPE_CHECKING:
    from pathlib import Path

WATCHING = """
import sys, threading

def watch(frame, event, _):
    if event == "call" and frame.f_code.co_filename.endswith(("msgspec/_utils.py", "msgspec\\\\_utils.py")):
        print(frame.f_code.co_name, "in", threading.current_thread().name, file=sys.stderr, flush=True)

threading.setprofile(watch)
"""


class Watched(Process):
    """A server that says on stderr where a thread works out a type."""

    program = WATCHING + SERVER


def test_the_watch_sees_a_type_that_a_thread_works_out(tmp_path: Path) -> None:
    class Careless(Process):
        program = WATCHING + (
            "import msgspec\n"
            "kind = msgspec.defstruct('Kind', [('one', int)])\n"
            "thread = threading.Thread(target=msgspec.json.decode, args=('{\"one\":1}',), kwargs={'type': kind})\n"
            "thread.start()\n"
            "thread.join()\n"
            "print('done', flush=True)\n"
            "threading.Event().wait()\n"
        )

    with Careless(tmp_path) as careless:
        assert "get_class_annotations in Thread-1" in careless.end(signal.SIGTERM)[1]


def test_no_thread_of_a_server_works_out_a_type(tmp_path: Path) -> None:
    with Watched(tmp_path / "tables.sqlite") as server:
        table, codes = create_table(server.url, person(), person(), turn_limit=4)
        assert server.end(signal.SIGTERM)[1] == ""
        server.start()
        with Client(server.url, table, codes) as client:
            client.play_to_the_end()
        record = httpx.get(f"{server.url}api/tables/{table}/record", timeout=PATIENCE).text
        opened = httpx.post(f"{server.url}api/records", json={"record": record}, timeout=PATIENCE)
        assert opened.status_code == 201, opened.text
        with Client(server.url, opened.json()["table"]) as client:
            assert client.frame["view"]["over"]
        wanted = {"codes": codes, "rotate": True}
        following = httpx.post(f"{server.url}api/tables/{table}/next", json=wanted, timeout=PATIENCE)
        assert following.status_code == 201, following.text
        assert server.end(signal.SIGTERM)[1] == ""
