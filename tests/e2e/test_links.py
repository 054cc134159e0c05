"""People at browsers of their own, who play by a link."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.e2e.ahead import play_ahead
from tests.e2e.conftest import NewPage
from tests.e2e.hands import (
    PHONE,
    SHOWS_ACTS_OR_MORE,
    acts_shown,
    choose,
    click_square,
    quick_start,
    space,
    status,
    supply,
)
from tests.e2e.server import Server, people

S = "\N{RIGHT SINGLE QUOTATION MARK}s"
GAMES_COMPILING = 60_000
"""How many milliseconds a bot may take at first, while its kernels are made."""
WINDOW = {"width": 1000, "height": 700}
"""A window that is large enough for a list beside the board."""
SPOKEN = "[aria-live=polite]"
CLIPBOARD = "navigator.clipboard.writeText = async (text) => { window.copied = text; }"


def visit(new_page: NewPage, url: str, **options: Any) -> Page:
    """A browser of its own at an address."""
    page = new_page(**options)
    page.add_init_script(CLIPBOARD)
    page.goto(url)
    return page


def copied(page: Page, button: str) -> str:
    """The link that a button of the page copies."""
    page.evaluate("window.copied = ''")
    page.get_by_role("button", name=button).click()
    page.wait_for_function("window.copied")
    return str(page.evaluate("window.copied"))


def sit(page: Page, name: str) -> None:
    page.get_by_role("textbox", name="Your name").fill(name)
    page.keyboard.press("Enter")


def act(page: Page, target: str) -> None:
    supply(page, "Small pyramid").click()
    space(page, target).click()


def shown(page: Page, words: str) -> Locator:
    """Words on the page itself: what is only spoken stands elsewhere."""
    return page.get_by_role("main").get_by_text(words)


def open_by_link(new_page: NewPage, server: Server, name: str = "", **options: Any) -> Page:
    """The host of a new table whose other seat waits for somebody."""
    page = visit(new_page, server.url, **options)
    page.get_by_role("radio", name="High Rise").check()
    if name:
        page.get_by_role("textbox", name="Your name").fill(name)
    page.get_by_role("button", name="Invite others by link").click()
    expect(status(page)).to_have_text("Waiting for 1 player")
    return page


def ann_and_bob(new_page: NewPage, server: Server, acts: int = 1) -> tuple[Page, Page]:
    """Two people at a table of High Rise after so many acts, of which the roll is the first."""
    made = server.create_table("highrise", people("Ann", "Bob"))
    play_ahead(made, acts)
    ann, bob = (visit(new_page, made.link(seat), viewport=WINDOW) for seat in (0, 1))
    for page in (ann, bob):
        page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=acts)
    return ann, bob


def test_acts_are_taken_back_by_consent_and_a_seat_is_handed_over(server: Server, new_page: NewPage) -> None:
    ann, bob = ann_and_bob(new_page, server, 2)
    undo = ann.get_by_role("button", name="Ask to take back")

    undo.click()
    expect(shown(ann, "You asked to take back a move")).to_be_visible()
    ann.get_by_role("button", name="Cancel request").click()
    expect(bob.get_by_role("button", name="Accept")).to_have_count(0)

    undo.click()
    bob.get_by_role("button", name="Decline").click()
    expect(ann.get_by_role("button", name="Cancel request")).to_have_count(0)
    expect(shown(ann, "Bob declined to take back a move.")).to_be_visible()
    assert acts_shown(ann) == acts_shown(bob) == 2  # the roll comes first

    undo.click()
    expect(shown(bob, "Ann asks to take back a move")).to_be_visible()
    bob.get_by_role("button", name="Accept").press("Enter")
    bob.wait_for_function("() => document.activeElement.getAttribute('role') === 'gridcell'")  # the button is gone
    expect(status(ann)).to_have_text("Your turn")
    assert acts_shown(ann) == 1
    act(ann, "b2")
    expect(status(bob)).to_have_text("Your turn")

    # and Bob hands over his seat
    choose(bob, "Seats and links")
    cem = visit(new_page, copied(bob, "Hand over"), viewport=PHONE)
    expect(status(ann)).to_have_text("Waiting for 1 player")
    sit(cem, "Cem")
    expect(status(cem)).to_have_text("Your turn")
    expect(status(ann)).to_have_text(f"Cem{S} turn")
    expect(status(bob)).to_have_text(f"Cem{S} turn")


def test_a_seat_moves_to_another_device_and_outlives_the_first(server: Server, new_page: NewPage) -> None:
    ann, bob = ann_and_bob(new_page, server)
    choose(ann, "Seats and links")
    portable = copied(ann, "Continue on another device")
    phone = visit(new_page, portable, viewport=PHONE)
    expect(status(phone)).to_have_text("Your turn")
    assert "#" not in phone.url  # the code does not stay in the address bar

    ann.evaluate("localStorage.clear()")
    ann.context.clear_cookies()
    ann.reload()
    expect(status(ann)).to_have_text(f"Ann{S} turn")  # that browser has forgotten the seat
    act(phone, "b1")
    expect(status(bob)).to_have_text("Your turn")
    act(bob, "b2")
    ann.goto(portable)
    expect(status(ann)).to_have_text("Your turn")


def test_somebody_leaves_comes_back_and_is_replaced_by_the_computer(server: Server, new_page: NewPage) -> None:
    ann = open_by_link(new_page, server, "Ann", viewport=WINDOW)
    bob = visit(new_page, copied(ann, "Share link"), viewport=WINDOW)
    sit(bob, "Bob")
    expect(status(ann)).to_have_text("Your turn")
    choose(bob, "Seats and links")
    bob.get_by_role("button", name="Leave").click()
    expect(shown(ann, "has left")).to_be_visible()
    bob.get_by_role("button", name="Return").click()
    expect(shown(ann, "has left")).to_have_count(0)
    act(ann, "b1")
    expect(status(bob)).to_have_text("Your turn")

    bob.get_by_role("button", name="Leave").click()
    bob.keyboard.press("Escape")
    choose(ann, "Seats and links")
    ann.get_by_role("button", name="Replace with a bot").click()
    ann.keyboard.press("Escape")
    expect(status(ann)).to_have_text("Your turn", timeout=GAMES_COMPILING)
    assert acts_shown(ann) == 3
    choose(bob, "Seats and links")
    expect(bob.get_by_role("button", name="Return")).to_have_count(0)


def test_the_host_lets_the_computer_play(server: Server, new_page: NewPage) -> None:
    ann = open_by_link(new_page, server, viewport=PHONE)
    ann.get_by_role("button", name="Add a bot").click()
    expect(status(ann)).to_have_text("Your turn")
    act(ann, "b1")
    ann.wait_for_function(SHOWS_ACTS_OR_MORE, arg=3, timeout=GAMES_COMPILING)  # after the roll and Ann's act


def test_two_people_play_again_and_their_scores_add_up(server: Server, new_page: NewPage) -> None:
    made = server.create_table("wrecktangle", people("Ann", "Bob"), options={"players": 2, "turn_limit": 1})
    ann, bob = (visit(new_page, made.link(seat), viewport=WINDOW) for seat in (0, 1))
    play_turn(ann)
    for page in (ann, bob):
        expect(status(page)).to_have_text("A draw")
    bob.get_by_role("button", name="Close the result").press("Enter")
    bob.wait_for_function("() => document.activeElement.getAttribute('role') === 'gridcell'")
    ann.get_by_role("button", name="Rematch").click()
    expect(bob.get_by_role("region", name="Result").get_by_text("Ann has started the next game.")).to_be_visible()
    bob.get_by_role("button", name="Next game").click()
    expect(status(bob)).to_have_text("Your turn")  # the sides change
    assert bob.url == ann.url
    play_turn(bob)
    expect(shown(ann, "After 2 games \N{EN DASH} Bob: 2, You: 2")).to_be_visible()
    expect(shown(bob, "After 2 games \N{EN DASH} You: 2, Ann: 2")).to_be_visible()


def play_turn(page: Page) -> None:
    """A turn of WreckTangle, whatever the die shows."""
    expect(status(page)).to_have_text("Your turn")
    for square, words in (("b1", "can move"), ("b3", "legal destination")):  # not before the roll
        expect(space(page, square)).to_have_accessible_name(re.compile(words))
        click_square(page, square)
    page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=2)
    end = page.get_by_role("button", name="End turn")
    expect(end.or_(page.get_by_text("A draw", exact=True)).first).to_be_visible()
    if end.is_visible():
        end.click()


def test_the_page_says_why_the_server_closed_the_line_and_comes_back(server: Server, new_page: NewPage) -> None:
    """The lobby has a socket. Of the table's the first is closed as the server does it, the second gets no answer."""
    page, sockets = new_page(viewport=PHONE), list[WebSocketRoute]()
    why = "Too many messages came at once."

    def open_socket(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        if len(sockets) != 3:
            socket.connect_to_server()

    page.route_web_socket(re.compile("/ws$"), open_socket)
    quick_start(page, server, "IceFrogs")
    expect(status(page)).to_have_text("Your turn", timeout=GAMES_COMPILING)
    sockets[1].close(code=1008, reason=why)
    expect(shown(page, why)).to_be_visible()
    page.get_by_role("button", name="Try now").click()
    expect(page.locator(SPOKEN)).to_contain_text(f"Connection lost. {why} Reconnecting.")
    expect(shown(page, why)).to_be_visible()
    sockets[2].close()
    expect(status(page)).to_have_text("Your turn", timeout=60_000)  # the pause has grown
    assert len(sockets) == 4


def test_a_blocked_socket_is_told_from_a_server_that_is_away(own_server: Server, new_page: NewPage) -> None:
    """A proxy on the way closes each socket at once; one day it lets them through."""
    page, is_blocked = new_page(viewport=PHONE), True

    def open_socket(socket: WebSocketRoute) -> None:
        if is_blocked:
            socket.close()
        else:
            socket.connect_to_server()

    page.route_web_socket(re.compile("/ws$"), open_socket)
    made = own_server.create_table("squad", people("Ann", "Bob"))
    page.goto(made.link(0))
    told = page.get_by_role("main").get_by_text(re.compile(r"WebSocket to /ws\) is blocked: by a proxy or firewall"))
    expect(told).to_be_visible()
    expect(page.locator(SPOKEN)).to_contain_text("is blocked")
    is_blocked = False
    page.get_by_role("button", name="Try now").click()
    expect(status(page)).to_have_text("Your turn")
    expect(told).to_have_count(0)
    own_server.kill()
    expect(shown(page, "Connection lost")).to_be_visible()
    own_server.start()
    expect(status(page)).to_have_text("Your turn", timeout=60_000)
