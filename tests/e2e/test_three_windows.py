"""Two people and a watcher, each at a browser of their own, play WreckTangle by a link to the end."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from icetable import CHANCE, State, bots
from icetable.server.table import fairness
from tests.e2e.conftest import NewPage
from tests.e2e.hands import (
    DESK,
    PHONE,
    SHOWS_ACTS,
    SHOWS_ACTS_OR_MORE,
    acts_listed,
    acts_made,
    acts_shown,
    choose_game,
    play_together,
    record,
    set_up,
    status,
    text_of_record,
)
from tests.e2e.server import Server
from tests.e2e.test_links import copied, sit, visit
from tests.e2e.test_wrecktangle import TITLE, by_mouse

LEVELS = {0: "beginner", 1: "beginner"}
ANN, BOB = 0, 1
TURNS = 3
"""One that passes while Bob has no network, one of his own, and the last."""


def open_table(page: Page, server: Server) -> None:
    """Ann sets up a table whose other seat is open."""
    choose_game(page, server, TITLE)
    set_up(page)
    page.get_by_label("Name at seat 1").fill("Ann")
    page.get_by_role("radio", name="By link").last.check(force=True)
    page.get_by_text("Game options").click()
    page.get_by_label("Total turns").fill(str(TURNS))
    page.get_by_role("button", name="Create table").click()
    expect(status(page)).to_have_text("Waiting for 1 player")


def turn_of(seat: int) -> Callable[[State], bool]:
    """Whether that seat is to act."""
    return lambda state: state.to_act == {seat}


def settled(page: Page) -> State:
    """The game as it stands when nature has drawn."""
    while CHANCE in (state := record(page)).to_act:
        page.wait_for_timeout(20)
    return state


def squares(page: Page) -> set[str]:
    """The labels of the squares, with what stands there."""
    labels = page.get_by_role("gridcell").evaluate_all("all => all.map((one) => one.ariaLabel)")
    return set(map(str, labels))


def test_to_the_end_with_the_network_lost_in_the_middle(server: Server, new_page: NewPage) -> None:
    ann = visit(new_page, server.url, viewport=DESK)
    open_table(ann, server)
    link, watch = copied(ann, "Share link"), copied(ann, "Link to watch")
    assert link.startswith(f"{watch}#seat=")
    bob, eve = visit(new_page, link, viewport=PHONE), visit(new_page, watch, viewport=DESK)
    expect(bob.get_by_role("heading", name="Take a seat")).to_be_visible()
    assert bob.url == watch  # the code does not stay in the address bar
    expect(eve.get_by_role("button", name="Take this seat")).to_have_count(0)
    sit(bob, "Bob")
    expect(status(eve)).to_have_text("Ann\N{RIGHT SINGLE QUOTATION MARK}s turn")
    windows, players = [ann, bob, eve], {ANN: ann, BOB: bob}
    expect(eve.get_by_role("button", name="Undo")).to_have_count(0)

    # Ann's whole turn passes while Bob has no network.
    play_together(players, by_mouse, LEVELS, turn_of(ANN))
    shown = acts_shown(bob)
    bob.context.set_offline(True)
    expect(status(bob)).to_have_text("Connection lost")
    for page in (ann, eve):
        expect(page.get_by_title("away", exact=True)).to_be_visible()
    play_together(players, by_mouse, LEVELS, turn_of(BOB))
    made = acts_made(settled(ann))
    assert acts_shown(bob) == shown < made
    eve.wait_for_function(SHOWS_ACTS, arg=made)
    bob.context.set_offline(False)
    bob.wait_for_function(SHOWS_ACTS, arg=made)
    expect(status(bob)).to_have_text("Your turn")
    expect(ann.get_by_title("away", exact=True)).to_have_count(0)

    # Bob acts without a network: the act is kept, and counts once.
    bob.context.set_offline(True)
    expect(status(bob)).to_have_text("Connection lost")
    state = settled(ann)
    act = bots.Bot(state.game, LEVELS[BOB], seed=BOB).choose(state, BOB)
    by_mouse(bob, str(act))
    expect(bob.get_by_text("Your move is saved")).to_be_visible()
    assert acts_made(record(ann)) == made
    bob.context.set_offline(False)
    bob.wait_for_function(SHOWS_ACTS_OR_MORE, arg=made + 1)
    expect(bob.get_by_text("Your move is saved")).to_have_count(0)
    assert [str(one.act) for one in record(ann).history()][made + 1] == str(act)

    state = play_together(players, by_mouse, LEVELS)
    acts = [str(one.act) for one in state.history()][1:]
    for page, me in zip(windows, (ANN, BOB, None), strict=True):
        page.wait_for_function(SHOWS_ACTS, arg=len(acts))
        expect(status(page)).to_have_text(result(state, me))
        assert acts_listed(page) == acts
    assert squares(ann) == squares(bob) == squares(eve)
    eve.goto(link)  # which is used up
    expect(status(eve)).to_have_text(result(state, None))
    assert fairness.verify(text_of_record(eve)).drawn == sum(1 for one in state.history() if one.seat == CHANCE)


def result(state: State, me: int | None) -> str:
    """How the game ended, as it is told to a seat or a watcher."""
    if len(state.winners) > 1:
        return "A draw"
    (winner,) = state.winners
    if me is None:
        return f"{('Ann', 'Bob')[winner]} wins"
    return "You win" if winner == me else f"You lose: {('Ann', 'Bob')[winner]} wins"
