"""A quick game of each kind on a telephone, from the first move to the rematch: nothing goes wrong unseen."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from icetable import State
from tests.e2e import test_icefrogs, test_squad, test_wrecktangle
from tests.e2e.ahead import play_ahead
from tests.e2e.conftest import NewPage
from tests.e2e.hands import (
    OUR_TURN_OR_END,
    PHONE,
    SHOWS_ACTS_OR_MORE,
    Do,
    acts_shown,
    click_square,
    play,
    status,
)
from tests.e2e.server import Server, person
from tests.e2e.test_highrise import SQUARES
from tests.e2e.test_icehouse import ENDED, stand
from tests.e2e.test_settings import HEARD

GAMES_COMPILING = 120_000


def place_the_rest(page: Page) -> None:
    """End a game of High Rise: any pyramid may go on any square."""
    while True:
        expect(status(page)).to_have_text(OUR_TURN_OR_END, timeout=60_000)
        if status(page).inner_text() != "Your turn":
            return
        seen = acts_shown(page)
        left = page.get_by_role("button", name=re.compile(r"^\w+ pyramid, [1-9]\d* left")).first
        if left.get_attribute("aria-pressed") == "false":  # the size placed last stays in hand
            left.click()
        click_square(page, SQUARES[seen % 9])
        page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=seen + 1)


TURNS: dict[str, tuple[Do, Callable[[Page, State], None], dict[str, Any]]] = {
    "icefrogs": (test_icefrogs.by_mouse, test_icefrogs.check_the_end, {"turn_limit": 8}),
    "squad": (test_squad.by_mouse, test_squad.check_the_end, {"formation": "up-to"}),
    "wrecktangle": (test_wrecktangle.by_mouse, test_wrecktangle.check_the_end, {"turn_limit": test_wrecktangle.TURNS}),
}
"""How each game of turns is played, what its end is like, and how to make it short."""
AHEAD = {"icefrogs": 4, "squad": 8, "wrecktangle": 1, "highrise": 47, "icehouse": 0}
"""How many acts have been made when the page opens."""


@pytest.mark.parametrize("game", [*TURNS, "highrise", "icehouse"])
def test_a_game_and_its_rematch(server: Server, new_page: NewPage, game: str) -> None:
    page = new_page(viewport=PHONE, reduced_motion="reduce")
    page.add_init_script(HEARD)
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    short = {"icehouse": {"timer": 5, "timer_spread": 0, "crash": "refuse"}}
    do, check_the_end, options = TURNS.get(game, (None, None, short.get(game, {})))
    seats: list[dict[str, Any]] = [
        person("Ann"),
        {"kind": "bot", "name": "Robot", "level": "beginner"},
    ]
    made = server.create_table(game, seats, options={"players": 2, **options})
    play_ahead(made, AHEAD[game])
    page.goto(made.link(0))
    page.get_by_role("button", name="Turn sound on").click()
    if do and check_the_end:
        check_the_end(page, play(page, do))
    elif game == "highrise":
        place_the_rest(page)
    else:
        page.get_by_role("button", name="I am ready").click()
        expect(page.get_by_role("button", name="Icehouse!")).to_be_enabled(timeout=GAMES_COMPILING)
        stand(page, "large red", 0, 0)
        expect(status(page)).to_have_text(ENDED, timeout=60_000)
    page.wait_for_function("() => heard > 0")

    result = page.get_by_role("region", name="Result", exact=True)
    result.get_by_role("button", name="Rematch").click()
    page.wait_for_url(re.compile(rf"/table/(?!{made.table})"))
    page.set_viewport_size({"width": 1440, "height": 900})  # Icehouse lists its seats where there is room
    expect(page.get_by_role("region", name="Seats").get_by_role("listitem").first).to_contain_text("Robot")
    assert complaints == []
