"""An invitation that arrives, the lesson before the seat, and the way from the address to the first move."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.axe import complaints_of_axe
from tests.e2e.conftest import NewPage, running
from tests.e2e.hands import SHOWS_ACTS_OR_MORE, choose, choose_game, choose_level, set_up, space, status, supply
from tests.e2e.server import Server
from tests.e2e.test_links import copied, play_turn, shown, visit

SMALL_PHONE = {"width": 360, "height": 740}
CUT = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"
BY_FINGER = {"viewport": SMALL_PHONE, "has_touch": True, "is_mobile": True}


def open_for_somebody(page: Page, server: Server, turn_limit: int) -> None:
    """A table of WreckTangle, drawn after so many turns, whose second seat is open."""
    choose_game(page, server, "WreckTangle")
    set_up(page)
    page.get_by_label("Name at seat 1").fill("Ann")
    page.get_by_role("radio", name="By link").last.check(force=True)
    page.get_by_text("Game options").click()
    page.get_by_label("Total turns").fill(str(turn_limit))
    page.get_by_role("button", name="Create table").click()
    expect(page.get_by_role("heading", name="Invite the others")).to_be_visible()


def test_others_come_by_the_address_that_the_page_offers(tmp_path: Path, new_page: NewPage) -> None:
    with running(Server(tmp_path / "tables.db", program="tests.e2e.own_network")) as server:
        ann = visit(new_page, server.url)
        open_for_somebody(ann, server, turn_limit=1)
        told = ann.locator(".invitation")
        expect(told).to_contain_text("Nobody outside this computer can open this link yet.")
        expect(told.get_by_role("radio")).to_have_count(2)
        expect(told.get_by_role("radio", name="Wi-Fi, 127.0.0.2")).to_be_checked()
        told.get_by_role("button", name="Let my network in").press("Enter")
        expect(ann.get_by_role("img", name="QR code of the link")).to_be_visible()
        expect(told.locator("[tabindex]")).to_be_focused()
        assert f"On other machines: http://127.0.0.2:{server.port}/\n" in server.output
        link = ann.locator(".invitation .link").inner_text()
        assert link.startswith(f"http://127.0.0.2:{server.port}/table/")
        assert copied(ann, "Share link") == link
        assert complaints_of_axe(ann) == []

        bob = visit(new_page, link, **BY_FINGER)  # the first tap
        expect(bob.get_by_text("Ann invites you to play WreckTangle.")).to_be_visible()
        assert complaints_of_axe(bob) == []
        bob.get_by_role("link", name="New to this? One-minute lesson").tap()
        expect(bob.get_by_role("navigation", name="Steps of the tutorial").get_by_role("button")).to_have_count(3)
        bob.get_by_role("link", name="To your seat").tap()
        bob.get_by_role("button", name="Take this seat").tap()  # the second, without the lesson
        expect(status(bob)).to_have_text("Ann\N{RIGHT SINGLE QUOTATION MARK}s turn")

        play_turn(ann)
        for page in (ann, bob):
            expect(status(page)).to_have_text("A draw")
        choose(ann, "Seats and links")
        portable = copied(ann, "Continue on another device")
        assert portable.startswith(f"http://127.0.0.2:{server.port}/table/")
        expect(ann.get_by_role("img", name="QR code of the link")).to_be_visible()
        told.get_by_role("button", name="Close it again").press("Enter")
        expect(told).to_contain_text("Nobody outside this computer can open this link yet.")
        expect(told.locator(".link")).to_contain_text(server.url)
        expect(status(bob)).to_contain_text("Connection lost", timeout=30_000)


def test_a_server_for_one_machine_says_so_and_names_the_way(tmp_path: Path, new_page: NewPage) -> None:
    with running(Server(tmp_path / "tables.db", "--host", "127.0.0.1")) as server:
        ann = visit(new_page, server.url, viewport=SMALL_PHONE)
        open_for_somebody(ann, server, turn_limit=1)
        told = ann.locator(".invitation")
        expect(told).to_contain_text("Nobody outside this computer can open this link yet.")
        expect(told).to_contain_text("./play --lan")
        expect(told.get_by_role("img")).to_have_count(0)
        expect(told.get_by_role("button")).to_have_count(0)
        assert copied(ann, "Share link").startswith(server.url)
        expect(shown(ann, "Link copied. Only this machine can open it.").first).to_be_visible()


def test_three_taps_lead_to_the_first_move(own_server: Server, new_page: NewPage) -> None:
    """Where nobody else waits for somebody to play with."""
    page = new_page(**{**BY_FINGER, "viewport": {"width": 320, "height": 640}})
    page.goto(own_server.url)
    play = page.get_by_role("button", name="Play against the computer")
    expect(play).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("radio", name="IceFrogs")).to_be_checked()
    expect(page.get_by_role("radio", name="Beginner")).to_be_checked()
    expect(page.get_by_role("link", name="Puzzles", exact=True)).to_be_in_viewport(ratio=1)  # after all games
    play.tap()
    supply(page, "Small pyramid").tap()
    assert page.locator("h1, .about .words").evaluate_all(CUT) == []
    space(page, "b2").tap()
    page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=1)


def test_few_of_many_levels_are_offered_at_first_and_the_last_is_remembered(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(server.url)
    levels = page.get_by_role("group", name="Level of the computer").get_by_role("radio")
    expect(levels).to_have_count(3)
    page.get_by_role("button", name="All levels").press("Enter")
    expect(levels).to_have_count(9)
    expect(levels.first).to_be_focused()
    levels.last.check(force=True)
    page.reload()
    expect(levels).to_have_count(3)
    expect(levels.last).to_be_checked()

    choose_game(page, server, "High Rise")
    choose_level(page, "Expert")
    expect(page.get_by_role("checkbox", name="Play two games, swapping seats")).to_be_checked()
    expect(page.get_by_text("The second seat wins")).to_be_hidden()
    page.get_by_text("Is it fair?").click()
    expect(page.get_by_text("The second seat wins")).to_be_visible()
    page.reload()
    expect(page.get_by_role("radio", name="High Rise")).to_be_checked()
    expect(page.get_by_role("radio", name="Expert")).to_be_checked()
    page.get_by_role("button", name="Pass and play on one screen").click()
    page.wait_for_url("**/table/*")
    choose(page, "End the game in a draw")
    expect(page.get_by_role("button", name="Play game 2")).to_be_visible()
