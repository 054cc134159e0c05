"""The games of a browser: how they came out, as a file, as pictures, and how well one plays."""

from __future__ import annotations

import json
import re
import struct
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from icetable.server.table import fairness
from tests.e2e.ahead import play_ahead
from tests.e2e.axe import complaints, complaints_of_axe
from tests.e2e.conftest import NewPage
from tests.e2e.hands import (
    PHONE,
    SHOWS_ACTS_OR_MORE,
    choose,
    choose_at_the_end,
    quick_start,
    resign,
    status,
    text_of_record,
)
from tests.e2e.server import OPEN, Server, person

YOU = {"seat": 0, "kind": "person", "name": "Ann", "level": None, "colour": "red", "mine": True, "gone": False}
PERSON = person("Ann")
OTHER = {**PERSON, "name": "Ben"}


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """axe is put into the page, which the server's own policy would not let in."""
    return new_page(viewport=PHONE)


def yours(page: Page) -> Locator:
    return page.get_by_role("region", name="Your games")


def saved(page: Page, press: Locator, place: Path) -> bytes:
    """The file that a press of a button saves."""
    with page.expect_download() as download:
        press.click()
    path = place / download.value.suggested_filename
    download.value.save_as(path)
    return path.read_bytes()


def finished(number: int, winner: int, game: str = "icefrogs", title: str = "IceFrogs") -> dict[str, Any]:
    """A game against the computer that no server has, as a browser keeps it, by its keys."""
    name = f"gone{number}"
    about = {"id": name, "game": game, "title": title, "when": 1_700_000_000_000 + number}
    bot = {**YOU, "seat": 1, "kind": "bot", "name": "Computer", "level": "skilled", "mine": False}
    result = {"to_act": [], "over": True, "winners": [winner], "scores": [0, 0], "ended_by": "F-1", "reason": None}
    stands = {"turns": True, "started": True, "hidden": False, "paused": False, "length": 9}
    return {
        f"icetable.table.{name}": {**about, "names": ["Ann", "Computer"], "codes": ["c0de"]},
        f"icetable.summary.{name}": {**about, **stands, **result, "seats": [YOU, bot]},
    }


def keep(page: Page, kept: dict[str, Any]) -> None:
    page.evaluate("kept => Object.entries(kept).forEach(([key, one]) => localStorage[key] = JSON.stringify(one))", kept)


def test_a_game_is_kept_removed_saved_and_brought_back(server: Server, page: Page, tmp_path: Path) -> None:
    quick_start(page, server, "IceFrogs")
    resign(page)
    record = text_of_record(page)
    choose_at_the_end(page, "Another game")
    row = yours(page).get_by_role("listitem")
    expect(row).to_contain_text("Frost (Beginner)")
    expect(row).to_contain_text("Lost: you resigned")
    expect(row).to_contain_text("Look back")
    downloaded = saved(page, row.get_by_role("link", name=re.compile("^Download the record of IceFrogs")), tmp_path)
    assert downloaded.decode() == record
    fairness.verify(record)
    page.get_by_text("Back up or move your games").click()
    content = saved(page, page.get_by_role("button", name="Save all as a file"), tmp_path)
    file = tmp_path / "icetable-games.json"
    assert [game["table"]["game"] for game in json.loads(content)["games"]] == ["icefrogs"]
    assert complaints_of_axe(page) == []

    row.get_by_role("button", name=re.compile("^Remove IceFrogs")).press("Enter")
    undo = row.get_by_role("button", name=re.compile("^Undo"))
    expect(undo).to_be_focused()
    assert complaints_of_axe(page) == []
    undo.press("Enter")
    expect(row.get_by_role("button", name=re.compile("^Remove"))).to_be_focused()
    row.get_by_role("button", name=re.compile("^Remove")).click()
    page.reload()
    upload = page.get_by_label("Open a file")
    expect(upload).to_be_attached()
    expect(yours(page)).to_have_count(0)
    damaged = tmp_path / "damaged.json"
    damaged.write_text(content.decode().replace('"when"', '"what"'))
    for path, said in ((damaged, "Game 1 of this list is damaged"), (Path(__file__), "nor a list of games")):
        upload.set_input_files(path)
        expect(page.get_by_role("alert")).to_contain_text(said)
    assert complaints_of_axe(page) == []
    upload.set_input_files(file)
    expect(row).to_contain_text("Lost: you resigned")
    page.get_by_text("Back up or move your games").click()
    upload.set_input_files(file)
    expect(page.get_by_role("main")).to_contain_text("There is nothing new in this list.")
    row.get_by_role("link").first.click()
    expect(status(page)).to_have_text("You resigned: Frost wins")


def test_the_level_one_plays_like_from_games_that_the_server_has_no_more(server: Server, page: Page) -> None:
    page.goto(server.url)
    for number, winner in enumerate((1, 0)):
        keep(page, finished(number, winner))
    page.reload()
    row = yours(page).get_by_role("listitem")
    expect(row).to_have_count(2)
    expect(yours(page)).not_to_contain_text("you play like")
    keep(page, finished(2, 1) | finished(3, 0))
    page.reload()
    expect(yours(page)).to_contain_text(re.compile("IceFrogs: you play like Skilled . after 4 games, give or take two"))
    yours(page).get_by_role("button", name="Show all 4").click()
    expect(yours(page).get_by_role("heading", name="Finished")).to_be_visible()
    expect(row.get_by_text("No longer on the server")).to_have_count(4)
    expect(row.get_by_role("link")).to_have_count(0)
    assert row.locator(".state").all_inner_texts() == ["You won", "Lost", "You won", "Lost"]
    assert complaints(page) == []
    for _ in range(2):
        yours(page).get_by_role("button", name=re.compile("^Remove")).first.click()
    expect(yours(page)).not_to_contain_text("you play like")


def test_the_way_to_the_next_game_stays_in_sight(own_server: Server, page: Page) -> None:
    """Where no stranger's table waits, which has the first place."""
    page.goto(own_server.url)
    for number in range(4):
        keep(page, finished(number, number % 2))
    waits = own_server.create_table("wrecktangle", [PERSON, OPEN])
    page.goto(waits.link(0))
    expect(status(page)).to_contain_text("Waiting")
    page.goto(own_server.url)
    expect(yours(page)).to_contain_text("Waiting for 1 player")
    expect(yours(page)).to_contain_text("you play like")
    play = page.get_by_role("button", name="Play against the computer").bounding_box()
    assert play is not None
    assert play["y"] + play["height"] <= PHONE["height"]
    expect(page.get_by_text("Start here")).to_be_visible()  # until games of two kinds are finished
    keep(page, finished(4, 0, "squad", "Who's On The Squad?"))
    page.reload()
    expect(yours(page)).to_contain_text("Show all")
    expect(page.get_by_role("radio", name=re.compile("IceFrogs"))).to_be_attached()
    expect(page.get_by_text("Start here")).to_have_count(0)


@pytest.mark.parametrize("key", ["u", "Analysis board"])
def test_a_game_with_help_is_marked(server: Server, page: Page, key: str) -> None:
    made = server.create_table("squad", [PERSON, OTHER])
    play_ahead(made, 1)
    page.goto(made.link())
    page.wait_for_function(SHOWS_ACTS_OR_MORE, arg=1)
    helped = f"JSON.parse(localStorage['icetable.table.{made.table}']).helped"
    assert page.evaluate(helped) is False
    if len(key) == 1:
        page.keyboard.press(key)
    else:
        choose(page, key)
    page.wait_for_function(f"() => {helped}")


def test_a_file_brings_a_game_under_way_to_another_browser(
    server: Server, page: Page, new_page: NewPage, tmp_path: Path
) -> None:
    made = server.create_table("wrecktangle", [PERSON, OTHER])
    page.goto(made.link(0))
    expect(status(page)).to_have_text("Your turn")
    page.goto(server.url)
    page.get_by_text("Back up or move your games").click()
    saved(page, page.get_by_role("button", name="Save all as a file"), tmp_path)
    other = new_page(viewport=PHONE)
    other.goto(server.url)
    other.get_by_label("Open a file").set_input_files(tmp_path / "icetable-games.json")
    expect(other.get_by_role("main")).to_be_focused()
    yours(other).get_by_role("link", name=re.compile("^WreckTangle with .*Continue")).click()
    expect(status(other)).to_have_text("Your turn")


def test_the_end_is_shared_as_a_picture_and_as_a_drawing(server: Server, page: Page, tmp_path: Path) -> None:
    made = server.create_table("wrecktangle", [PERSON, OTHER])
    page.goto(made.link(0))
    resign(page)
    choose_at_the_end(page, "Share")
    picture = saved(page, page.get_by_role("dialog").get_by_role("button", name="Share picture"), tmp_path)
    assert struct.unpack(">II", picture[16:24]) == (1200, 1200)
    assert len(picture) > 20_000
    expect(page.get_by_text("Picture saved.").first).to_be_visible()
    choose(page, "Share this game")
    assert complaints_of_axe(page) == []
    drawing = saved(page, page.get_by_role("dialog").get_by_role("button", name="Share drawing"), tmp_path)
    assert ET.fromstring(drawing).tag.endswith("svg")
    assert {path.name for path in tmp_path.iterdir()} == {"wrecktangle.png", "wrecktangle.svg"}
