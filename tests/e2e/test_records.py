"""A record that is opened from a file: watched again, shared, and analysed by nobody."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import icetable
from tests.e2e.axe import complaints_of_axe
from tests.e2e.conftest import NewPage
from tests.e2e.hands import PHONE, status
from tests.e2e.server import Server
from tests.e2e.test_review import finished_game, result


@pytest.fixture
def page(new_page: NewPage) -> Page:
    return new_page(viewport=PHONE)


def open_file(page: Page, server: Server, path: Path) -> None:
    page.goto(server.url)
    page.get_by_label("Open a file").set_input_files(path)


def test_a_record_is_opened_watched_and_shared(server: Server, page: Page, new_page: NewPage, tmp_path: Path) -> None:
    states = list(icetable.load("wrecktangle", players=2).random_game(np.random.default_rng(5)).history())
    text, path = states[14].record(), tmp_path / "game.txt"
    path.write_text(text.replace("\n\n", "\n\nhello\n", 1), encoding="utf-8")
    open_file(page, server, path)
    expect(page.get_by_role("alert")).to_have_text("Line 10: an act is written 'seat act', not 'hello'.")
    path.write_bytes(b"\xff\xfe" + f"```\r\n{text}```\r\n".encode("utf-16-le"))  # as PowerShell writes it
    page.get_by_label("Open a file").set_input_files(path)
    expect(status(page)).to_have_text("The record ends here")
    expect(result(page)).to_contain_text("it is not analysed here")
    expect(result(page).get_by_role("button", name="Review")).to_have_count(0)
    assert complaints_of_axe(page) == []
    result(page).get_by_role("button", name="Close the result").click()
    for _ in range(2):
        page.get_by_role("button", name="Previous move").click()
    expect(page.get_by_text("12 / 14")).to_be_visible()
    expect(page.get_by_role("button", name="Analysis")).to_have_count(0)
    page.get_by_role("button", name="Menu").click()
    for label in ("Review", "Analysis board", "Solved values", "Resign", "Fair play"):
        expect(page.get_by_text(re.compile(f"^{label}"))).to_have_count(0)
    other = new_page(viewport=PHONE)
    other.goto(page.url)
    expect(status(other)).to_have_text("The record ends here")
    page.goto(server.url)
    row = page.get_by_role("region", name="Your games").get_by_role("listitem")
    expect(row).to_contain_text("An unfinished record")
    with page.expect_download() as download:
        row.get_by_role("link", name=re.compile("^Download the record")).click()
    assert Path(download.value.path()).read_text(encoding="utf-8") == text


def test_the_record_of_a_game_of_this_server_leads_back_to_it(server: Server, page: Page, tmp_path: Path) -> None:
    finished_game(page, server, "squad")
    table = page.url.partition("#")[0]
    path = tmp_path / "game.txt"
    path.write_bytes(page.request.get(f"{table.replace('/table/', '/api/tables/')}/record").body())
    page.evaluate("localStorage.clear()")
    open_file(page, server, path)
    page.wait_for_url(table)
    expect(result(page).get_by_role("button", name="Review")).to_be_visible()
