"""Caching by browsers: the built pages, compressed, and the answers that are the same for everybody."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import TYPE_CHECKING

import brotli
import httpx
import pytest

from icetable.server.http import static

from .serving import Running, create_table, person

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAM = b"export {};"
PAGE = '<!doctype html><title>the app</title><meta property="og:image" content="preview.png" />'
CODINGS = ("br", "gzip", "identity")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small front end."""
    folder = tmp_path_factory.mktemp("static")
    program = folder / "assets" / "app-1a2b.js"
    program.parent.mkdir()
    program.write_bytes(PROGRAM)
    program.with_name(f"{program.name}.br").write_bytes(brotli.compress(PROGRAM))
    program.with_name(f"{program.name}.gz").write_bytes(gzip.compress(PROGRAM))
    (folder / "assets" / "tiny-3c4d.css").write_text("a{}")
    (folder / "index.html").write_text(PAGE)
    (folder / "app.webmanifest").write_text('{"name": "the app"}')
    return folder


@pytest.fixture(scope="module")
def url(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with that front end in the place of the built one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(static, "STATIC", folder)
        with Running(tmp_path_factory.mktemp("kept") / "tables.sqlite") as running:
            yield running.url


def get(address: str, **headers: str) -> httpx.Response:
    """The answer to a request with headers, such as `if_none_match`."""
    return httpx.get(address, headers={name.replace("_", "-"): value for name, value in headers.items()})


@pytest.mark.parametrize(
    ("offer", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("br;q=0.5", "br"),
        ("*", "br"),
        ("br;q=0, gzip", "gzip"),
        ("br; q=0.0, GZIP;q=1", "gzip"),
        ("deflate", None),
        ("gzip;q=0", None),
        ("", None),
    ],
)
def test_hashed_files_come_compressed_as_the_client_can_read_them(url: str, offer: str, coding: str | None) -> None:
    address = f"{url}assets/app-1a2b.js"
    response = get(address, accept_encoding=offer)
    assert response.headers.get("content-encoding") == coding
    assert response.content == PROGRAM
    assert response.headers["content-type"] == "text/javascript; charset=utf-8"
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert response.headers["vary"] == "Accept-Encoding"
    head = httpx.head(address, headers={"Accept-Encoding": offer})
    assert (head.headers["content-length"], head.content) == (response.headers["content-length"], b"")
    again = get(address, accept_encoding=offer, if_none_match=response.headers["etag"])
    assert (again.status_code, "content-encoding" in again.headers) == (304, False)


def test_each_coding_has_a_tag_of_its_own_and_no_address(url: str) -> None:
    address = f"{url}assets/app-1a2b.js"
    assert len({get(address, accept_encoding=coding).headers["etag"] for coding in CODINGS}) == 3
    assert [get(address + ending).status_code for ending in (".br", ".gz")] == [404, 404]


def test_a_file_that_is_not_compressed_comes_as_it_is(url: str) -> None:
    response = get(f"{url}assets/tiny-3c4d.css", accept_encoding="br, gzip")
    assert (response.text, "content-encoding" in response.headers) == ("a{}", False)


def test_other_files_are_asked_for_anew(url: str, folder: Path) -> None:
    manifest, address = folder / "app.webmanifest", f"{url}app.webmanifest"
    response = get(address)
    assert response.json() == {"name": "the app"}
    assert response.headers["content-type"] == "application/manifest+json"
    assert response.headers["cache-control"] == "no-cache"
    tag, before = response.headers["etag"], manifest.stat()
    assert get(address, if_none_match=tag).status_code == 304
    manifest.write_text('{"name": "new app"}')  # as long as before, and of the same time
    os.utime(manifest, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert get(address, if_none_match=tag).json() == {"name": "new app"}


def test_an_unknown_path_with_a_file_ending_is_not_a_page(url: str) -> None:
    for path in ("nonsense.webmanifest", "table/some.png", "..%2fsecret.txt", "favicon.ico"):
        response = get(url + path)
        assert (response.status_code, "error" in response.json()) == (404, True)
    assert httpx.post(f"{url}app.webmanifest").status_code == 405


def test_the_page_names_its_picture_by_the_whole_address(url: str) -> None:
    for path in ("", "table/x"):
        assert f'content="{url}preview.png"' in get(url + path).text
    assert "evil" not in get(url, host='"evil').text


def test_answers_that_are_the_same_for_everybody_are_cached_and_compressed(url: str) -> None:
    for path in ("api/games", "api/rules/squad", "api/lessons/squad", "api/puzzles/squad"):
        plain = get(url + path, accept_encoding="identity")
        packed = get(url + path, accept_encoding="gzip, br")
        assert [each.headers.get("content-encoding") for each in (plain, packed)] == [None, "gzip"]
        assert int(packed.headers["content-length"]) < len(plain.content) / 2
        assert packed.json() == plain.json()
        assert packed.headers["etag"] != plain.headers["etag"]
        for response, offer in ((plain, "identity"), (packed, "gzip")):
            assert response.headers["cache-control"] == "no-cache"
            assert response.headers["vary"] == "Accept-Encoding"
            again = get(url + path, accept_encoding=offer, if_none_match=f'"other", W/{response.headers["etag"]}')
            assert (again.status_code, again.content) == (304, b"")


def test_answers_about_tables_are_neither_cached_nor_compressed(url: str) -> None:
    table, _ = create_table(url, *[person("A long name of a player")] * 2, game="squad")
    for path in ("api/tables", f"api/tables/{table}/record"):
        response = get(url + path, accept_encoding="gzip, br")
        assert response.headers["cache-control"] == "no-store"
        assert "content-encoding" not in response.headers
