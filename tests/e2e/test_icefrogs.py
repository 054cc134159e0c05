"""IceFrogs as people play it: in a real browser, against the computer, by mouse and by keyboard alone."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from icetable import State
from tests.e2e import hands
from tests.e2e.ahead import play_ahead
from tests.e2e.conftest import NewPage
from tests.e2e.hands import (
    DESK,
    PHONE,
    SHOWS_ACTS,
    acts_made,
    acts_shown,
    go_to,
    play,
    record,
    space,
    status,
    tab_to,
)
from tests.e2e.server import Server, person

SIZES = {"S": "Small", "M": "Medium", "L": "Large"}


def supply(page: Page, size: str) -> Locator:
    return hands.supply(page, f"{SIZES[size]} pyramid")


def quick_start(page: Page, server: Server, turn_limit: int | None = None) -> None:
    hands.quick_start(page, server, "IceFrogs", turn_limit=turn_limit)


def by_mouse(page: Page, act: str) -> None:
    """Make an act with two clicks."""
    start, target = re.split("[@-]", act)
    (supply(page, start) if start in SIZES else space(page, start)).click()
    space(page, target).click()


def by_key(page: Page, act: str) -> None:
    """Make an act with N, Enter and the letters of the sizes; the focus is on the board."""
    start, target = re.split("[@-]", act)
    if start in SIZES:
        page.keyboard.press(start.lower())
    else:
        go_to(page, start)
        page.keyboard.press("Enter")
    go_to(page, target)
    page.keyboard.press("Enter")


def test_a_whole_game_by_keyboard_alone(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    quick_start(page, server, turn_limit=10)
    expect(page.get_by_role("grid")).to_be_visible()
    tab_to(page, "document.activeElement.getAttribute('role') === 'gridcell'")
    check_the_end(page, play(page, by_key))


def check_the_end(page: Page, state: State) -> None:
    """The page tells seat 0 what the record says."""
    assert state.is_terminal
    words = "A draw" if len(state.winners) > 1 else "You win" if state.winners == {0} else "You lose"
    expect(status(page)).to_have_text(re.compile(f"^{words}"))
    assert acts_shown(page) == acts_made(state)


def test_the_first_turn_by_what_the_page_says(server: Server, new_page: NewPage) -> None:
    """The step is said once, what can be taken is lit and pulses, and a refusal goes as soon as it is untrue."""
    page = new_page(viewport=PHONE, reduced_motion="no-preference")
    made = server.create_table("icefrogs", [person("Ann"), person("Ben")])
    page.goto(made.link(0, 1))
    step = page.locator(".step")
    words = "Take a pyramid from your supply, then choose a marked space."
    words += " Jump over equal or smaller ones, again and again."
    expect(step).to_have_text(words)
    expect(page.get_by_text(words)).to_have_count(2)
    lit = page.locator("button.calling")
    expect(lit).to_have_count(3)
    assert lit.first.evaluate("one => getComputedStyle(one).animationName").endswith("calling")

    refusal = page.get_by_role("note")
    space(page, "e3").click()
    expect(refusal).to_contain_text("Take a pyramid from your supply first. It comes in at a1.")
    expect(refusal.get_by_role("link", name="Rule IF-6")).to_be_visible()
    lit.last.click()
    expect(refusal).to_have_count(0)
    expect(step).to_have_text("Now choose a marked space for the large pyramid.")
    space(page, "a1").click()
    expect(refusal).to_contain_text("It starts at a1 and must move on: choose a marked space.")
    page.get_by_role("gridcell", name=re.compile("legal destination")).first.click()
    expect(refusal).to_have_count(0)
    expect(status(page)).to_have_text("Ben\N{RIGHT SINGLE QUOTATION MARK}s turn")
    assert acts_shown(page) == 1


def test_refresh_and_a_power_cut_in_mid_game_lose_nothing(own_server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    quick_start(page, own_server)
    before = play(page, by_mouse, most=2)
    page.reload()
    page.wait_for_function(SHOWS_ACTS, arg=4)
    assert record(page).record().startswith(before.record().rstrip("\n"))
    play(page, by_mouse, most=1)
    own_server.restart()
    state = play(page, by_mouse, most=1)
    assert state.record().startswith(before.record().rstrip("\n"))


def test_a_refusal_cites_the_rule_and_moves_are_taken_back(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    quick_start(page, server)
    expect(space(page, "e3")).to_be_visible()
    by_mouse(page, "L@e3")
    expect(page.get_by_text("e3 is too far from a1: step once, or jump").first).to_be_visible()
    page.get_by_role("link", name="IF-9").click()
    expect(page.get_by_role("dialog").get_by_text("IF-9").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert acts_shown(page) == 0
    page.keyboard.press("Escape")

    # what is legal is stepped back over and taken back
    played = play(page, by_mouse, most=2)
    expect(status(page)).to_have_text("Your turn")
    page.get_by_role("button", name="Go to start").click()
    expect(page.get_by_role("gridcell", name=re.compile("red large|red medium|red small"))).to_have_count(0)
    page.get_by_role("button", name="Go to latest move").click()
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function(SHOWS_ACTS, arg=2)
    first_acts = [line.split(" # ")[0] for line in played.record().split("\n\n")[1].splitlines()[:2]]
    left = [line.split(" # ")[0] for line in record(page).record().split("\n\n")[1].splitlines()]
    assert left == first_acts


def test_once_it_is_over_things_are_tried_and_not_taken_back(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    seats: list[dict[str, Any]] = [
        person("Ann"),
        {"kind": "bot", "name": "Robot", "level": "beginner"},
    ]
    made = server.create_table("icefrogs", seats, options={"players": 2, "turn_limit": 8})
    play_ahead(made, 4)
    page.goto(made.link(0))
    state = play(page, by_mouse)
    expect(status(page)).to_have_text("A draw")
    page.keyboard.press("u")
    page.keyboard.press("Control+z")
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    assert record(page) == state
    finished = page.url
    page.get_by_role("button", name="Close the result").click()
    page.get_by_role("button", name="Explore").click()
    page.wait_for_url(lambda url: url != finished)
    expect(status(page)).to_have_text(re.compile("^Ann.s turn$"))
    before_the_last = [earlier for earlier in state.history() if 0 in earlier.to_act][-1]
    assert record(page).view() == before_the_last.view()
