"""The front end's files, and the rules as HTML."""

from __future__ import annotations

import functools
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles

from icetable import games
from icetable.server import messages
from icetable.server.http.security import set_browser_cookie

if TYPE_CHECKING:
    from markdown_it.token import Token
    from starlette.types import Scope

STATIC = Path(__file__).parent / "static"
"""Where the front end is built to."""
HASHED = f"assets{os.sep}"
"""The folder whose files carry a hash of their content in their names."""
FOREVER = "public, max-age=31536000, immutable"
RULE = re.compile(r"[A-Z]{2,}-\d+[a-z]?")
RULE_IN_TEXT = re.compile(rf"\b({RULE.pattern})\b")


NOT_BUILT = "The pages of icetable are not built yet: ./play builds them.\n"


class FrontEnd(StaticFiles):
    """The built files. Every other path answers with the page of the app, which has a router of its own."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC, check_dir=False)

    async def check_config(self) -> None:
        """Nothing to check: the front end may be built while the server runs."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or path.startswith(HASHED):
                raise
            return await self._page(HTTPConnection(scope))
        response.headers["Cache-Control"] = FOREVER if path.startswith(HASHED) else "no-cache"
        return response

    async def _page(self, connection: HTTPConnection) -> Response:
        """The page of the app, with a cookie for a browser that has none; no shared cache may keep it."""
        is_built = (STATIC / "index.html").is_file()
        response = (
            await super().get_response("index.html", connection.scope)
            if is_built
            else PlainTextResponse(NOT_BUILT, 503)
        )
        response.headers["Cache-Control"] = "private, no-cache"
        set_browser_cookie(response, connection)
        return response


@functools.cache
def rules_text(game: str) -> messages.RulesText:
    """The rules of a game. Raises UnknownGame."""
    info = games.info(game)
    return messages.RulesText(info.title, render(info.rules()))


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
