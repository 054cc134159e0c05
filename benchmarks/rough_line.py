#!/usr/bin/env python3
"""Games of Icehouse over bad connections: two browsers place, return and call at random, while their connections are
slow, stall, break, or lose answers.

At the end of a game the pages must show the server's state, and every act must have one answer, and be in the log once
if it was acknowledged and never if it was refused. No player may crash into a piece that the page had not shown and
that is so new that the server accounts for it on any connection. The browsers are those of the end-to-end tests. ./test
must have built the pages.
"""

from __future__ import annotations

import json
import random
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Browser, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from icetable.server.table.judge import MAX_UNSEEN_MS
from tests.e2e import browser
from tests.e2e.hands import record
from tests.e2e.lines import Line
from tests.e2e.server import Server, Table, people
from tests.e2e.test_icehouse import at, field, get_ready

if TYPE_CHECKING:
    from playwright.sync_api import WebSocket

SIZES = {"S": "small", "M": "medium", "L": "large"}
SYNC_SECONDS = 1.0
"""Time after which pages and server must agree."""
LATER_MS = 10**9
"""A time after all delayed effects."""
RECONNECT_MS = 30_000
"""Maximum time for a page to reconnect."""


class Player:
    """A page, its connection, and the acts and answers sent over it."""

    def __init__(self, started: Browser, server: Server, line: Line, made: Table, seat: int) -> None:
        self.seat, self.line = seat, line
        self.sent: dict[str, dict[str, Any]] = {}
        self.answers: dict[str, str] = {}
        context = started.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        self.page = context.new_page()
        self.page.on("websocket", self._listen)
        self.page.goto(f"{line.url}table/{made.table}#seat={made.codes[seat]}")
        expect(field(self.page)).to_be_visible(timeout=RECONNECT_MS)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda text: self._record_message(json.loads(text)))
        socket.on("framereceived", lambda text: self._record_message(json.loads(text)))

    def _record_message(self, message: dict[str, Any]) -> None:
        if message["type"] == "act":
            self.sent.setdefault(message["id"], message)
        elif message["type"] in ("ack", "refused") and message["id"] in self.sent:
            self.answers[message["id"]] = message["type"]

    def find_corners(self) -> None:
        """Store the corners of the field on the page."""
        (left, top), (right, bottom) = at(self.page, -3.4, 3.4), at(self.page, 3.4, -3.4)
        self.corners = left, top, right, bottom

    def act(self, dice: random.Random) -> None:
        chance, keys = dice.random(), self.page.keyboard
        if chance < 0.08:
            keys.press("Shift+I")
        elif chance < 0.16:
            keys.press("Backspace")
        elif chance < 0.5:
            keys.press(dice.choice("123"))
        else:
            left, top, right, bottom = self.corners
            self.page.mouse.click(dice.uniform(left, right), dice.uniform(top, bottom))

    def disturb_line(self, dice: random.Random) -> None:
        chance, line = dice.random(), self.line
        line.delay = dice.choice((0.0, 0.02, 0.07, 0.2, 0.4)) if chance < 0.05 else line.delay
        if line.is_deaf:
            if chance < 0.3:
                line.cut()
        elif chance > 0.98:
            line.is_deaf = True
        elif chance > 0.96:
            line.cut()
        elif chance > 0.92:
            line.stall(dice.uniform(0.1, 1.5))

    def repair_line(self) -> None:
        if self.line.is_deaf:
            self.line.cut()
        self.line.delay = 0.0

    def faults(self) -> list[str]:
        """The differences of the page and its answers from the server's record."""
        state = record(self.page)
        view = state.as_of(LATER_MS).view()
        acts = [reached for reached in state.history() if reached.seat == self.seat]
        colour = state.game.layout()["colours"][self.seat]
        found = []
        held = self.page.get_by_role("group", name="Your pad").locator("[aria-pressed=true]").count()
        if held != (view["hands"][self.seat] is not None):
            found.append(f"hand: {held} for {view['hands'][self.seat]}")
        for size, word in SIZES.items():
            label = f"{word} {colour}, {view['pads'][self.seat].get(colour, {}).get(size, 0)} left"
            if not label.endswith(" 0 left") and self.page.get_by_role("button", name=label).count() != 1:
                found.append(f"pad: no {label}")
        if self.page.get_by_role("group", name=f"{len(view['field'])} pieces on the field").count() != 1:
            found.append(f"field: not {len(view['field'])} pieces")
        unanswered = self.sent.keys() - self.answers.keys()
        acknowledged = sum(answer == "ack" for answer in self.answers.values())
        if unanswered:
            found.append(f"{len(unanswered)} acts without an answer")
        if acknowledged != len(acts):
            found.append(f"{acknowledged} acts acknowledged, {len(acts)} made")
        return found


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="number of games (%(default)s)")
    parser.add_argument("--minutes", type=float, default=10.0, help="time after which no game begins (%(default)s)")
    parser.add_argument("--steps", type=int, default=80, help="steps of both players together per game (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    browser.use_node_of_the_wheel()
    total, until = Counter[str](), time.monotonic() + 60 * chosen.minutes
    with TemporaryDirectory() as folder, Server(Path(folder) / "tables.db") as server, sync_playwright() as playwright:
        started = browser.launch(playwright)
        for number in range(chosen.games):
            if time.monotonic() > until:
                break
            total.update(play(started, server, random.Random(f"{chosen.seed} {number}"), chosen.steps))
        started.close()
    print(json.dumps({**vars(chosen), **total}))


def play(started: Browser, server: Server, dice: random.Random, steps: int) -> Counter[str]:
    """Play a game, and count its acts and faults."""
    options = {"players": 2, "timer": 0, "width": 7, "height": 7, "false_call": "free", "gift_time": 0.3}
    made = server.create_table("icehouse", people("Ann", "Ben"), options=options)
    with Line(server.port) as first, Line(server.port) as second:
        players = [Player(started, server, line, made, seat) for seat, line in enumerate((first, second))]
        get_ready(*(player.page for player in players))
        for player in players:
            player.find_corners()
        for _ in range(steps):
            player = dice.choice(players)
            player.act(dice)
            player.disturb_line(dice)
            player.page.wait_for_timeout(dice.uniform(0, 120))
        for player in players:
            player.repair_line()
        for player in players:
            expect(player.page.get_by_text("Connection lost", exact=True)).to_have_count(0, timeout=RECONNECT_MS)
        players[0].page.wait_for_timeout(1000 * (SYNC_SECONDS + 0.5))
        found = [fault for player in players for fault in player.faults()]
        total = Counter(games=1, wrong=len(found), **counts_of(players))
        for player in players:
            player.page.context.close()
    for fault in found:
        print(made.table, fault, file=sys.stderr)
    return total


def counts_of(players: list[Player]) -> dict[str, int]:
    """The numbers of acts sent and played, of crashes, and of crashes into pieces that the page had not shown."""
    states = list(record(players[0].page).history())
    placed_by = {
        effect.spaces[0]: number
        for number, one in enumerate(states)
        for effect in one.effects
        if effect.kind == "places"
    }
    crashes = blind = 0
    for player in players:
        # By text, because acts that are sent again after a disconnection may arrive out of order.
        acknowledged = {sent["text"]: sent for name, sent in player.sent.items() if player.answers.get(name) == "ack"}
        for number, one in enumerate(states):
            if one.seat != player.seat or not any(effect.kind == "crashes" for effect in one.effects):
                continue
            crashes += 1
            sent = acknowledged[str(one.act)]
            seen, at_ = sent.get("seen", 0), one.at or 0
            before = states[number - 1]
            overlapped = before.overlapped(before.game.code(sent["text"], player.seat), player.seat)
            new = [placed_by[name] for name in overlapped]
            if all(
                at > seen and states[at].seat != player.seat and at_ - (states[at].at or 0) < MAX_UNSEEN_MS
                for at in new
            ):
                blind += 1
                print(f"crash at {number} into what was not shown: {sent}, placed at {new}", file=sys.stderr)
    sent_acts = sum(len(player.sent) for player in players)
    return {"asked": sent_acts, "made": len(states) - 1, "crashes": crashes, "blind_crashes": blind}


if __name__ == "__main__":
    main()
