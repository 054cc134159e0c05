#!/usr/bin/env python3
"""The delay that a slow connection adds to a race in Icehouse: two browsers at one table, one of them with a delay.

Measured, in milliseconds: the time from dropping a piece on the slow connection until it is on the other page; the lag
of the last of many pieces placed at a steady pace; and the time until calls, each right after a refused placement,
leave the page. For calls the figures include how many left within 20 ms, and how many would have without the time that
the page waited for a core, as counted by Linux, because the machine may be shared. The browsers are those of the
end-to-end tests. ./test must have built the pages.
"""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.e2e import browser
from tests.e2e.lines import Line
from tests.e2e.server import Server, people
from tests.e2e.test_icehouse import at, field, get_ready, kind

WATCH = """
() => {
  window.counts = [];
  window.released = [];
  window.waits = [];
  window.answered = 0;
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    if (data.includes('"icehouse"')) {
      window.waits.push(performance.now() - window.event.timeStamp);
      const { id } = JSON.parse(data);
      this.addEventListener('message', (answer) => {
        const told = JSON.parse(answer.data);
        if (told.id === id && ['ack', 'refused'].includes(told.type)) window.answered += 1;
      });
    }
    return send.call(this, data);
  };
  addEventListener('pointerup', () => window.released.push(Date.now()), true);
  let last = '';
  const look = () => {
    const pieces = document.querySelector('[aria-label$=" on the field"]')?.getAttribute('aria-label') ?? '';
    if (pieces !== last) window.counts.push([Date.now(), Number.parseInt(last = pieces)]);
    requestAnimationFrame(look);
  };
  look();
}
"""
CALL_DELAY_SECONDS = 0.03
"""One-way delay during calls: a second call waits for the answer to the first."""
IMMEDIATE_MS = 20
PLACES = [(-9 + 2.2 * column, 8 - 2.2 * row) for row in range(4) for column in range(4)]


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--delay", type=int, default=400, help="one-way delay in milliseconds (%(default)s)")
    parser.add_argument(
        "--pieces", type=int, default=7, help="pieces in the race, and as many at a steady pace (%(default)s)"
    )
    parser.add_argument("--pace", type=float, default=0.8, help="seconds per piece (%(default)s)")
    parser.add_argument("--calls", type=int, default=1000, help="number of calls (%(default)s)")
    chosen = parser.parse_args()
    browser.use_node_of_the_wheel()
    with (
        TemporaryDirectory() as folder,
        Server(Path(folder) / "tables.db") as server,
        Line(server.port, chosen.delay / 1000) as line,
        sync_playwright() as playwright,
    ):
        started = browser.launch(playwright)
        ann, ben = sit_down(started, server, line)
        print(json.dumps({**vars(chosen), **measure(ann, ben, line, chosen)}))
        started.close()


def sit_down(started: Browser, server: Server, line: Line) -> tuple[Page, Page]:
    """Begin a game with Ann on a fast connection and Ben on the slow one."""
    made = server.create_table(
        "icehouse", people("Ann", "Ben"), options={"players": 2, "timer": 0, "false_call": "free"}
    )
    pages = []
    for url, code in zip((server.url, line.url), made.codes, strict=True):
        page = started.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce").new_page()
        page.goto(f"{url}table/{made.table}#seat={code}")
        expect(field(page)).to_be_visible(timeout=60_000)
        pages.append(page)
    ann, ben = pages
    get_ready(ann, ben)
    for page in pages:
        page.evaluate(WATCH)
    return ann, ben


def measure(ann: Page, ben: Page, line: Line, chosen: Namespace) -> dict[str, object]:
    """All measurements, in order."""
    kinds = ["small green", "medium green", "large green"]
    drops: list[int] = []
    for number in range(2 * chosen.pieces):
        start = time.monotonic()
        kind(ben, kinds[number % 3]).click()
        ben.mouse.move(*at(ben, *PLACES[number]))
        ben.mouse.down()
        ben.mouse.up()
        drops.append(ben.evaluate("window.released.at(-1)"))
        pause = chosen.pace if number >= chosen.pieces else 4 * chosen.delay / 1000 + 0.3
        ben.wait_for_timeout(max(0.0, 1000 * (start + pause - time.monotonic())))
    ann.get_by_role("group", name=f"{2 * chosen.pieces} pieces on the field").wait_for()
    arrivals = {count: at for at, count in ann.evaluate("window.counts")}
    delays = [arrivals[number + 1] - released for number, released in enumerate(drops)]
    return {
        "race": median(delays[: chosen.pieces]),
        "race_most": max(delays[: chosen.pieces]),
        "pace_last": delays[-1],
        **calls(ben, line, chosen.calls, page_process(ben)),
    }


def page_process(page: Page) -> int:
    """The process that runs a page, found by its processor time while the page is busy."""
    browser_session = page.context.browser.new_browser_cdp_session()  # type: ignore[union-attr]
    processes = browser_session.send("SystemInfo.getProcessInfo")["processInfo"]
    renderers = [one["id"] for one in processes if one["type"] == "renderer"]
    before = {one: run_time(one) for one in renderers}
    page.evaluate("{ const until = performance.now() + 300; while (performance.now() < until); }")
    return max(renderers, key=lambda one: run_time(one) - before[one])


def run_time(process: int) -> int:
    """The processor time of a process's main thread, in nanoseconds."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0])


def starved(process: int) -> float:
    """The time that a process's main thread was runnable but had no core, in milliseconds."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[1]) / 1e6


def calls(ben: Page, line: Line, trials: int, process: int) -> dict[str, float]:
    """The time until calls leave the page, each right after a refused placement, in milliseconds."""
    line.delay = CALL_DELAY_SECONDS
    ben.mouse.move(*at(ben, 10, -10))
    without_core = []
    for number in range(trials):
        ben.keyboard.press("3")
        if ben.get_by_role("button", name="Lay down", exact=True).is_visible():
            ben.keyboard.press("Space")
        ben.mouse.down()
        ben.mouse.up()
        before = starved(process)
        ben.keyboard.press("Shift+I")
        without_core.append(starved(process) - before)
        ben.wait_for_function("calls => window.answered === calls", arg=number + 1)
    waits = ben.evaluate("window.waits")
    own = [wait - lost for wait, lost in zip(waits, without_core, strict=True)]
    return {
        "calls": len(waits),
        "call": median(waits),
        "call_most": max(waits),
        "at_once": sum(wait <= IMMEDIATE_MS for wait in waits),
        "at_once_with_a_core": sum(wait <= IMMEDIATE_MS for wait in own),
        "most_with_a_core": max(own),
    }


if __name__ == "__main__":
    main()
