#!/usr/bin/env python3
"""What a slow line adds to a race in Icehouse: two browsers at one table, one of them behind a line that delays.

Measured, in milliseconds: from letting a piece go on the slow line until it lies on the other page; how far the last of
many pieces lags behind, one after another at a steady pace; and from calls, each right after a placement that is
refused, until they leave the page. Of these it is told how many left within 20 ms, and how many would have if the page
had not had to wait for a core meanwhile, as Linux counts it: others may use the machine. The browsers are those of the
end-to-end tests. ./test has to have built the pages.
"""

from __future__ import annotations

import json
import re
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
CALLS_DELAY = 0.03
"""One way, in seconds: a second call waits for the answer to the first."""
AT_ONCE = 20
"""In milliseconds."""
PLACES = [(-9 + 2.2 * column, 8 - 2.2 * row) for row in range(4) for column in range(4)]


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--delay", type=int, default=400, help="one way, in milliseconds (%(default)s)")
    parser.add_argument("--pieces", type=int, default=7, help="that race, and as many at a pace (%(default)s)")
    parser.add_argument("--pace", type=float, default=0.8, help="seconds for a piece (%(default)s)")
    parser.add_argument("--calls", type=int, default=1000, help="that are made (%(default)s)")
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
    """Ann beside the server and Ben on the slow line, in a game that has begun."""
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
        page.get_by_role("button", name=re.compile("The whole field|What is in play")).click()
        page.evaluate(WATCH)
    return ann, ben


def measure(ann: Page, ben: Page, line: Line, chosen: Namespace) -> dict[str, object]:
    """All that is measured, in order."""
    kinds = ["small green", "medium green", "large green"]
    ways: list[int] = []
    for number in range(2 * chosen.pieces):
        began = time.monotonic()
        kind(ben, kinds[number % 3]).click()
        ben.mouse.move(*at(ben, *PLACES[number]))
        ben.mouse.down()
        ben.mouse.up()
        ways.append(ben.evaluate("window.released.at(-1)"))
        pause = chosen.pace if number >= chosen.pieces else 4 * chosen.delay / 1000 + 0.3
        ben.wait_for_timeout(max(0.0, 1000 * (began + pause - time.monotonic())))
    ann.get_by_role("group", name=f"{2 * chosen.pieces} pieces on the field").wait_for()
    arrivals = {count: at for at, count in ann.evaluate("window.counts")}
    delays = [arrivals[number + 1] - released for number, released in enumerate(ways)]
    return {
        "race": median(delays[: chosen.pieces]),
        "race_most": max(delays[: chosen.pieces]),
        "pace_last": delays[-1],
        **calls(ben, line, chosen.calls, page_process(ben)),
    }


def page_process(page: Page) -> int:
    """The process that runs a page: the one that works while the page does."""
    browser_session = page.context.browser.new_browser_cdp_session()  # type: ignore[union-attr]
    processes = browser_session.send("SystemInfo.getProcessInfo")["processInfo"]
    renderers = [one["id"] for one in processes if one["type"] == "renderer"]
    before = {one: run_time(one) for one in renderers}
    page.evaluate("{ const until = performance.now() + 300; while (performance.now() < until); }")
    return max(renderers, key=lambda one: run_time(one) - before[one])


def run_time(process: int) -> int:
    """How long the main thread of a process has run, in nanoseconds."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0])


def starved(process: int) -> float:
    """How long the main thread of a process was ready but had no core, in milliseconds."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[1]) / 1e6


def calls(ben: Page, line: Line, trials: int, process: int) -> dict[str, float]:
    """How long calls take to leave the page, each right behind a placement that is refused, in milliseconds."""
    line.delay = CALLS_DELAY
    ben.mouse.move(*at(ben, 10, -10))
    without_core = []
    for number in range(trials):
        ben.keyboard.press("3")
        if ben.get_by_role("button", name="Lay down").is_visible():
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
        "at_once": sum(wait <= AT_ONCE for wait in waits),
        "at_once_with_a_core": sum(wait <= AT_ONCE for wait in own),
        "most_with_a_core": max(own),
    }


if __name__ == "__main__":
    main()
