"""Lessons as people take them: in a real browser, by mouse on a phone and by keyboard alone."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from icetable import games
from icetable.extras import exercises
from tests.e2e.conftest import NewPage
from tests.e2e.hands import DESK, PHONE, click_square, go_to, space, supply, tab_to
from tests.e2e.server import Server
from tests.e2e.test_icehouse import stand

SIZES = {"S": "Small", "M": "Medium", "L": "Large"}


def steps(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Steps of the tutorial").get_by_role("button")


def bring_in(page: Page, act: str) -> None:
    size, target = act.split("@")
    supply(page, f"{SIZES[size]} pyramid").click()
    space(page, target).click()


def test_a_whole_lesson_by_mouse(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    page.goto(server.url)
    page.get_by_role("radio", name=re.compile("^IceFrogs")).check()
    page.get_by_role("link", name="Tutorial").click()

    told = page.get_by_role("region", name="Out of the supply")
    bring_in(page, "S@b2")  # the goal is another size
    expect(told.get_by_text("Not quite")).to_be_visible()
    told.get_by_role("button", name="Try again").click()
    bring_in(page, "L@b2")
    for act in ("S@c3", "M@e3"):
        page.get_by_role("button", name="Next").click()
        bring_in(page, act)
    page.get_by_role("button", name="Next").click()
    space(page, "e3").click()
    space(page, "f3").click()
    page.get_by_role("button", name="Next").click()
    bring_in(page, "L@i1")
    expect(page.get_by_text("You have won.").first).to_be_visible()
    page.get_by_role("link", name="Play a game").click()
    expect(page.get_by_role("radio", name=re.compile("^IceFrogs"))).to_be_checked()
    expect(page.get_by_role("heading", name="Your games")).to_have_count(0)

    page.goto(f"{server.url}learn/icefrogs")
    expect(steps(page)).to_have_count(len(exercises.steps(games.info("icefrogs"))))
    for button in steps(page).all():
        expect(button).to_have_accessible_name(re.compile(", done$"))


def test_by_keyboard_alone(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    page.goto(f"{server.url}learn/wrecktangle")
    expect(steps(page).first).to_be_visible()
    tab_to(page, "document.activeElement.getAttribute('aria-label')?.includes('Heads')")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Heads: what is inside")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_text("The fourth is g5").first).to_be_visible()
    expect(space(page, "e3")).to_have_accessible_name(re.compile("can move"))
    tab_to(page, "document.activeElement.getAttribute('role') === 'gridcell'")
    go_to(page, "e3", "can move")
    page.keyboard.press("Enter")
    go_to(page, "g5", "legal destination")
    page.keyboard.press("Enter")
    expect(page.get_by_text("the next rectangle works the other way").first).to_be_visible()
    tab_to(page, "document.activeElement.textContent.trim() === 'Next'")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Tails: what is on the sides")).to_be_visible()


def test_a_step_is_made_of_several_acts(server: Server, new_page: NewPage) -> None:
    """An act that is not asked for does not end the try as long as the turn goes on."""
    page = new_page(viewport=DESK)
    page.goto(f"{server.url}learn/wrecktangle")
    steps(page).nth(1).click()
    for square in ("c1", "e3"):
        click_square(page, square)
    expect(space(page, "e3")).to_have_accessible_name(re.compile("red drone"))
    expect(page.get_by_text("Not quite")).to_have_count(0)
    for square in ("b8", "b7"):
        click_square(page, square)
    expect(page.get_by_text("Pulling a pyramid out of its row").first).to_be_visible()


def test_icehouse_by_hand_and_by_call(server: Server, new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, reduced_motion="reduce")
    page.goto(f"{server.url}learn/icehouse")
    stand(page, "small red", 0, 0)
    expect(page.get_by_text("Well done: it defends.").first).to_be_visible()

    steps(page).filter(has_text="9").click()
    page.get_by_role("button", name="Icehouse!", exact=True).click()
    expect(page.get_by_text("Green is out of the scoring").first).to_be_visible()
    expect(steps(page).nth(8)).to_have_accessible_name("9: The icehouse, done")
