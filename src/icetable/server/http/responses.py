"""Responses of the HTTP interface: JSON, with errors as one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from starlette.exceptions import HTTPException
from starlette.responses import Response

from icetable.core.errors import GameError
from icetable.server import messages, metrics
from icetable.server.http.addresses import CannotServe
from icetable.server.live.study.reviews import NoReviewNow
from icetable.server.live.uploads import NoTransfer, TransferTaken
from icetable.server.store.errors import StoreError
from icetable.server.table.errors import Hidden, SeatTaken, TableNotFound, sentence
from icetable.server.table.views import NoReview

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

Content = msgspec.Struct | Sequence[msgspec.Struct]

SVG = "image/svg+xml"

FAILED = "Something went wrong on the server. Nothing at the table has changed."
NOT_FOUND = "Not found."
METHOD_NOT_ALLOWED = "Method not allowed."
CLOSED_NOTICE = "The server was closed. Your game is saved."
RESTART_NOTICE = "The server is restarting. Nothing is lost; come back in a moment."

STATUSES: dict[type[Exception], int] = {
    GameError: 422,
    SeatTaken: 409,
    messages.BadMessage: 422,
    TableNotFound: 404,
    NoTransfer: 404,
    TransferTaken: 409,
    Hidden: 409,
    NoReview: 409,
    StoreError: 503,
    NoReviewNow: 503,
    CannotServe: 503,
}
"""The status of each error that handlers raise."""


def json_response(content: Content, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON response that no cache stores."""
    return Response(
        messages.write(content), status, {"Cache-Control": "no-store", **(headers or {})}, "application/json"
    )


async def error_response(_request: Request, error: Exception) -> Response:
    """The response to a request that raised an error."""
    if isinstance(error, HTTPException):
        return json_response(messages.ErrorBody(error.detail), error.status_code, error.headers)
    status = next((STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES), None)
    if status is None:
        metrics.EXCEPTIONS.inc()
        return json_response(messages.ErrorBody(FAILED), 500)
    message = sentence(error) if isinstance(error, GameError) else str(error)
    return json_response(messages.ErrorBody(message), status)
