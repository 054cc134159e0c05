"""A play-test from its link to its report: a designer and two visitors who know nothing of each other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from icetable import games, workshop
from tests.e2e.axe import LOOKS, complaints
from tests.e2e.conftest import NewPage, running
from tests.e2e.hands import DESK, PHONE, SHOWS_ACTS_OR_MORE, choose_game, click_square, set_up, status
from tests.e2e.server import Server

FIRST = Path(workshop.__file__).parent / "examples" / "first.py"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(games.GAMES_VARIABLE, str(FIRST))
        with running(Server(tmp_path_factory.mktemp("playtests") / "tables.db")) as started:
            yield started


def come(page: Page, server: Server, playtest: str, name: str) -> None:
    """Follow the link of a play-test to a seat."""
    page.goto(f"{server.url}try/{playtest}")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_label("Your name").first.fill(name)
    page.keyboard.press("Enter")


def test_from_the_link_to_the_report(server: Server, new_page: NewPage, tmp_path: Path) -> None:
    designer = new_page(viewport=DESK)
    choose_game(designer, server, "First")
    set_up(designer)
    designer.get_by_role("group", name="Seat 2").get_by_role("radio", name="By link").check()
    designer.get_by_role("button", name="Play-test it with others").click()
    expect(designer.get_by_role("heading", name="Play-test of First")).to_be_visible()
    expect(designer.get_by_text("Nobody has come yet.")).to_be_visible()
    found = re.search(r"/playtest/(\w+)#", designer.url)
    assert found is not None
    assert complaints(designer, LOOKS[:1]) == []

    ann, bob = new_page(viewport=PHONE), new_page(viewport=DESK)
    for page, name in ((ann, "Ann"), (bob, "Bob")):
        come(page, server, found[1], name)
    expect(status(ann)).to_have_text(re.compile("Your turn|Bob.s turn"))
    first, second = (ann, bob) if "Your" in status(ann).inner_text() else (bob, ann)
    for number, (page, there) in enumerate(((first, "b2"), (second, "d4"), (first, "b3")), 1):
        click_square(page, there)
        first.wait_for_function(SHOWS_ACTS_OR_MORE, arg=number)
        second.wait_for_function(SHOWS_ACTS_OR_MORE, arg=number)
    ann.get_by_role("button", name="Menu").click()
    ann.get_by_role("button", name="What felt wrong?").click()
    ann.get_by_role("textbox").fill("No choice at all")
    ann.get_by_role("button", name="Save").click()
    expect(ann.get_by_text("Thank you.").first).to_be_visible()

    designer.reload()
    expect(designer.get_by_text("No choice at all")).to_be_visible()
    expect(designer.get_by_text("after move 3")).to_be_visible()
    expect(designer.get_by_role("link", name=re.compile("Ann.*under way"))).to_be_visible()
    with designer.expect_download() as saved:
        designer.get_by_role("button", name="Save all as a file").click()
    saved.value.save_as(tmp_path / "all.json")
    (table,) = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))["tables"]
    assert games.replay(table["record"]).legal_actions()
    assert [one["text"] for one in table["remarks"]] == ["No choice at all"]
    assert complaints(designer) == []

    stranger = new_page()
    stranger.goto(f"{server.url}playtest/{found[1]}#{'0' * 32}")
    expect(stranger.get_by_text("belongs to somebody else")).to_be_visible()
