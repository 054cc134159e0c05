"""What a browser fetches that is no message: the front end, and the rules as HTML."""

from __future__ import annotations

import functools
import os
import re
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles

from icetable import games
from icetable.server import messages
from icetable.server.table.seats import hash_code

if TYPE_CHECKING:
    from markdown_it.token import Token
    from starlette.types import Scope

STATIC = Path(__file__).parent / "static"
"""Where the front end is built to."""
HASHED = f"assets{os.sep}"
"""The folder whose files carry a hash of their content in their names."""
FOR_GOOD = "public, max-age=31536000, immutable"
RULE = re.compile(r"[A-Z]{2,}-\d+[a-z]?")
RULE_IN_TEXT = re.compile(rf"\b({RULE.pattern})\b")


NOT_BUILT = "The pages of icetable are not built yet: ./play builds them.\n"
COOKIE = "icetable"
COOKIE_SECONDS = 400 * 24 * 60 * 60
SECRET = re.compile(r"[0-9a-f]{32}")
"""What a browser's cookie is: 128 bits, known to it and to nobody else, not even to the scripts of a page."""


def browser_of(connection: HTTPConnection) -> str | None:
    """The SHA-256 of a browser's cookie; None where it has none."""
    cookie = connection.cookies.get(cookie_name(connection), "")
    return hash_code(cookie) if SECRET.fullmatch(cookie) else None


def cookie_name(connection: HTTPConnection) -> str:
    """Over TLS a name that browsers take from this very host alone, and not from its neighbours under one domain."""
    return f"__Host-{COOKIE}" if is_secure(connection) else COOKIE


def is_secure(connection: HTTPConnection) -> bool:
    """Whether it comes over TLS, at least as far as the proxy."""
    return connection.scope["scheme"] in ("https", "wss")


class FrontEnd(StaticFiles):
    """The built files; every other path is a page of the app, which finds its way by itself."""

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
            return await self._app(HTTPConnection(scope))
        response.headers["Cache-Control"] = FOR_GOOD if path.startswith(HASHED) else "no-cache"
        return response

    async def _app(self, visit: HTTPConnection) -> Response:
        """The page of the app, with a cookie for a browser that has none; nobody else may be sent that answer."""
        is_built = (STATIC / "index.html").is_file()
        response = (
            await super().get_response("index.html", visit.scope) if is_built else PlainTextResponse(NOT_BUILT, 503)
        )
        response.headers["Cache-Control"] = "private, no-cache"
        if browser_of(visit) is None:
            name, secret = cookie_name(visit), secrets.token_hex(16)
            response.set_cookie(name, secret, COOKIE_SECONDS, secure=is_secure(visit), httponly=True, samesite="lax")
        return response


@functools.cache
def rules_text(game: str) -> messages.RulesText:
    """The rules of a game. Raises UnknownGame."""
    info = games.info(game)
    return messages.RulesText(info.title, render(info.rules()))


def render(text: str) -> str:
    """Markdown as HTML. A paragraph or list item that begins with a rule's id in bold has it as its id.

    Wherever else such an id is named, it leads there.
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
    """The rule that a text begins with, or nothing."""
    start = [child for child in (token.children or []) if child.type != "text" or child.content][:2]
    if token.type != "inline" or [child.type for child in start] != ["strong_open", "text"]:
        return ""
    return start[1].content if RULE.fullmatch(start[1].content) else ""


def _linked(child: Token, named: set[str]) -> list[Token]:
    """A piece of text with the rules that it names as links; one that is nothing but a rule's name stays."""
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
