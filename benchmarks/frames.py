#!/usr/bin/env python3
"""The frame rate of Icehouse in a browser while bots play and the person at the page aims with a piece.

The browser is that of the end-to-end tests, which renders in software. ./test must have built the pages.
"""

from __future__ import annotations

import json
import math
import sys
from argparse import ArgumentParser, Namespace
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.e2e import browser
from tests.e2e.server import Server, person

COUNT_FRAMES = """
() => {
  const frames = (window.frames_at = []);
  const note = (now) => { frames.push(now); requestAnimationFrame(note); };
  requestAnimationFrame(note);
}
"""
FRAME_SECONDS = 1 / 60


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=8, help="(%(default)s)")
    parser.add_argument("--level", default="merciless", help="level of the bots (%(default)s)")
    parser.add_argument("--seconds", type=float, default=20.0, help="seconds of play to measure (%(default)s)")
    parser.add_argument("--window", default="1440x900", help="size of the window (%(default)s)")
    parser.add_argument("--idle", action="store_true", help="the person only watches")
    chosen = parser.parse_args()
    browser.use_node_of_the_wheel()
    with TemporaryDirectory() as folder, Server(Path(folder) / "tables.db") as server, sync_playwright() as playwright:
        started = browser.launch(playwright)
        width, height = map(int, chosen.window.split("x"))
        page = started.new_page(viewport={"width": width, "height": height})
        sit_down(page, server, chosen)
        print(json.dumps({**vars(chosen), **measure(page, chosen)}))
        started.close()


def sit_down(page: Page, server: Server, chosen: Namespace) -> None:
    """Join a table with bots, and begin to play."""
    bots = [{"kind": "bot", "name": f"Robot {i}", "level": chosen.level} for i in range(1, chosen.players)]
    seats = [person("Ann"), *bots]
    made = server.create_table("icehouse", seats, options={"players": chosen.players, "timer": 0, "crash": "refuse"})
    page.goto(made.link())
    page.get_by_role("button", name="I am ready").click()
    expect(page.get_by_role("button", name="Icehouse!")).to_be_enabled(timeout=240_000)


def measure(page: Page, chosen: Namespace) -> dict[str, Any]:
    """The frames per second, and the median, 95th percentile and maximum of the frame times in milliseconds."""
    if not chosen.idle:
        page.get_by_role("group", name="Your pad").get_by_role("button").last.click()
    page.evaluate(COUNT_FRAMES)
    box = page.get_by_role("application").bounding_box()
    assert box is not None
    for step in range(int(chosen.seconds / FRAME_SECONDS)):
        if not chosen.idle:
            angle = step / 40
            x = box["x"] + box["width"] * (0.5 + 0.3 * math.cos(angle))
            y = box["y"] + box["height"] * (0.5 + 0.3 * math.sin(angle))
            page.mouse.move(x, y)
        if page.evaluate("window.frames_at.at(-1) - window.frames_at[0]") >= 1000 * chosen.seconds:
            break
        page.wait_for_timeout(1000 * FRAME_SECONDS)
    frames: list[float] = page.evaluate("window.frames_at")
    times = sorted(later - before for before, later in pairwise(frames))
    return {
        "pieces": page.get_by_role("img").count(),
        "frames_per_second": round(1000 * len(times) / sum(times), 1),
        "median_ms": round(median(times), 1),
        "slow_ms": round(times[int(0.95 * len(times))], 1),
        "worst_ms": round(times[-1], 1),
    }


if __name__ == "__main__":
    main()
