"""The front end's files, and the rules as HTML."""

from __future__ import annotations

import asyncio
import functools
import html
import os
import re
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles

from icetable import games
from icetable.server import messages
from icetable.server.http.kept import accepts, kept_response
from icetable.server.http.security import public_origin_of, set_browser_cookie

if TYPE_CHECKING:
    from markdown_it.token import Token
    from starlette.types import Scope

    from icetable.core.game import GameInfo

STATIC = Path(__file__).parent / "static"
"""Where the front end is built to."""
INDEX = "index.html"
"""The page of the app."""
HASHED = f"assets{os.sep}"
"""The folder whose files carry a hash of their content in their names."""
FOREVER = "public, max-age=31536000, immutable"
PACKED = {"br": ".br", "gzip": ".gz"}
"""What the build adds to the name of a hashed file for its compressed copies; the shortest first."""
PICTURE = b'content="/preview.png"'
"""Where the page names the picture that other sites show beside a link to it: they want the whole address."""
RULE = re.compile(r"[A-Z]{2,}-\d+[a-z]?")
RULE_IN_TEXT = re.compile(rf"\b({RULE.pattern})\b")


NOT_BUILT = "The pages of icetable are not built yet: ./play builds them.\n"


class FrontEnd(StaticFiles):
    """The built files. Every path without an ending answers with the page of the app, which has a router of its own."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC, check_dir=False)

    async def check_config(self) -> None:
        """Nothing to check: the front end may be built while the server runs."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        connection = HTTPConnection(scope)
        if path.startswith(HASHED):
            return await self._hashed(path, connection)
        if path == INDEX or not PurePath(path).suffix:
            return await self._page(connection)
        content, media_type = await self._read(path, scope)
        return kept_response(connection, content, media_type)

    async def _hashed(self, path: str, connection: HTTPConnection) -> Response:
        """A file that never changes under its name, compressed as the client can read it."""
        if path.endswith(tuple(PACKED.values())):
            raise HTTPException(404)
        response, coding = await self._packed(path, connection)
        response.headers["Cache-Control"] = FOREVER
        response.headers["Vary"] = "Accept-Encoding"
        if coding is not None and response.status_code == 200:
            response.headers["Content-Encoding"] = coding
        return response

    async def _packed(self, path: str, connection: HTTPConnection) -> tuple[Response, str | None]:
        """A file, and how it is compressed."""
        for coding, ending in PACKED.items():
            if accepts(connection, coding):
                try:
                    return await super().get_response(path + ending, connection.scope), coding
                except HTTPException as error:
                    if error.status_code != 404:
                        raise
        return await super().get_response(path, connection.scope), None

    async def _page(self, connection: HTTPConnection) -> Response:
        """The page of the app, with a cookie for a browser that has none; no shared cache may keep it."""
        try:
            content, media_type = await self._read(INDEX, connection.scope)
        except HTTPException as error:
            if error.status_code != 404:
                raise
            response: Response = PlainTextResponse(NOT_BUILT, 503)
        else:
            own = public_origin_of(connection)
            base = connection.base_url if own is None else f"{own}/"
            address = html.escape(f"{base}preview.png").encode()
            response = kept_response(connection, content.replace(PICTURE, b'content="%b"' % address), media_type)
        response.headers["Cache-Control"] = "private, no-cache"
        set_browser_cookie(response, connection)
        return response

    async def _read(self, path: str, scope: Scope) -> tuple[bytes, str]:
        """A file's content and media type. Raises HTTPException."""
        response = await super().get_response(path, without_conditions(scope))
        assert isinstance(response, FileResponse)
        return await asyncio.to_thread(Path(response.path).read_bytes), response.headers["content-type"]


def without_conditions(scope: Scope) -> Scope:
    """A request that nothing is known of at the client: dates of files say too little to spare an answer."""
    conditions = (b"if-none-match", b"if-modified-since")
    return {**scope, "headers": [header for header in scope["headers"] if header[0] not in conditions]}


@functools.cache
def rules_text(game: str) -> messages.RulesText:
    """The rules of a game. Raises UnknownGame."""
    info = games.info(game)
    return messages.RulesText(info.title, render(info.rules() + measured_text(info)), info.colours[: info.players[1]])


def measured_text(info: GameInfo) -> str:
    """What games between bots have shown, in Markdown: a box for the usual number of players, and a line for others."""
    by_players = info.measured()
    if not by_players:
        return ""
    usual = info.default_players if info.default_players in by_players else min(by_players)
    box = by_players[usual]
    lines = [
        "",
        "## What games have shown",
        "",
        "In games between equal bots; the intervals at 95 % are in brackets. People may play otherwise.",
        "",
        f"| Measured | {count_of(usual)} |",
        "|---|---|",
        *(f"| **{cell.name}** | {cell.text} |" for cell in box.cells),
        "",
        *(f"- **{count_of(players)}.** {one.said}" for players, one in by_players.items() if players != usual),
        "",
        "Where words stand for numbers:",
        "",
        *(f"- {cell.name}: {cell.scale}." for cell in box.cells if cell.scale),
        "",
        f"`{box.command}` measures it again.",
        "",
    ]
    return "\n".join(lines)


def count_of(players: int) -> str:
    """A number of players in words."""
    return "1 player" if players == 1 else f"{players} players"


def render(text: str) -> str:
    """Markdown as HTML. A paragraph or list item that begins with a rule's id in bold gets it as its HTML id.

    All other mentions of such an id become links to it.
    """
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    named: set[str] = set()
    for number, token in enumerate(tokens):
        rule = _rule_at_start(token)
        if rule and rule not in named:
            named.add(rule)
            paragraph, before = tokens[number - 1], tokens[number - 2]
            (before if paragraph.hidden else paragraph).attrSet("id", rule)
    for token in tokens:
        if token.children:
            token.children = [part for child in token.children for part in _linked(child, named)]
    return str(markdown.renderer.render(tokens, markdown.options, {}))


def _rule_at_start(token: Token) -> str:
    """The id of the rule that a text begins with, or an empty text."""
    start = [child for child in (token.children or []) if child.type != "text" or child.content][:2]
    if token.type != "inline" or [child.type for child in start] != ["strong_open", "text"]:
        return ""
    return start[1].content if RULE.fullmatch(start[1].content) else ""


def _linked(child: Token, named: set[str]) -> list[Token]:
    """A piece of text with the rule ids in it as links. A piece that is only a rule id stays as it is."""
    from markdown_it.token import Token

    if child.type != "text" or child.content in named:
        return [child]
    parts = []
    for number, text in enumerate(RULE_IN_TEXT.split(child.content)):
        piece = Token("text", "", 0, content=text)
        if number % 2 and text in named:
            parts += [Token("link_open", "a", 1, attrs={"href": f"#{text}"}), piece, Token("link_close", "a", -1)]
        else:
            parts.append(piece)
    return parts
