"""The endpoints of play-tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.server import messages
from icetable.server.http.endpoints import Endpoint, Query
from icetable.server.http.lookups import manager_of

if TYPE_CHECKING:
    from starlette.requests import Request

CODE_HEADER = "Icetable-Code"
"""The header with the code of a play-test's designer: in an address it would stand in the logs of proxies."""


async def create_playtest(request: Request, wanted: messages.TableRequest) -> messages.PlaytestCreated:
    return await manager_of(request).playtests.begin(wanted)


async def show_playtest(request: Request) -> messages.Playtest:
    return await manager_of(request).playtests.about(request.path_params["playtest"])


async def visit_playtest(request: Request) -> messages.PlaytestVisit:
    return await manager_of(request).playtests.visit(request.path_params["playtest"])


async def report_playtest(request: Request) -> messages.PlaytestReport:
    wanted = request.query_params.get("records", "0")
    if wanted not in ("0", "1"):
        raise messages.BadMessage("The report comes with the records (records=1) or without (records=0).")
    code = request.headers.get(CODE_HEADER, "")
    return await manager_of(request).playtests.report(request.path_params["playtest"], code, wanted == "1")


ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/playtests",
        "Begin a play-test",
        create_playtest,
        messages.PlaytestCreated,
        "The play-test and its designer's code. Visitors take the seats of people.",
        (503,),
        messages.TableRequest,
    ),
    Endpoint(
        "GET",
        "/api/playtests/{playtest}",
        "A play-test as visitors meet it",
        show_playtest,
        messages.Playtest,
        "The game.",
        (404, 503),
    ),
    Endpoint(
        "POST",
        "/api/playtests/{playtest}/tables",
        "Come to a play-test",
        visit_playtest,
        messages.PlaytestVisit,
        "A table that waits for players, else a new one.",
        (404, 503),
    ),
    Endpoint(
        "GET",
        "/api/playtests/{playtest}/report",
        "What the designer of a play-test learns",
        report_playtest,
        messages.PlaytestReport,
        f"The tables that somebody came to, for whoever sends the code in the header {CODE_HEADER}.",
        (404, 422, 503),
        query=(Query("records", "1: with the record of each table", ("0", "1")),),
    ),
)
