"""The endpoints of play-tests."""

from __future__ import annotations

from starlette.requests import Request

from icetable.server import messages
from icetable.server.http.dependencies import flag_of, manager_of
from icetable.server.http.endpoints import Endpoints, Query

CODE_HEADER = "Icetable-Code"
"""The header with a designer's or organizer's code: in a URL it would end up in the logs of proxies."""

endpoints = Endpoints()


@endpoints.post(
    "/api/playtests",
    "Begin a play-test",
    "The play-test and its designer's code. Visitors take the seats of people.",
    (503,),
)
async def create_playtest(request: Request, body: messages.TableRequest) -> messages.PlaytestCreated:
    return await manager_of(request).study.playtests.begin(body)


@endpoints.get("/api/playtests/{playtest}", "A play-test as visitors see it", "The game.", (404, 503))
async def show_playtest(request: Request) -> messages.Playtest:
    return await manager_of(request).study.playtests.about(request.path_params["playtest"])


@endpoints.post(
    "/api/playtests/{playtest}/tables",
    "Join a play-test",
    "A table that waits for players, otherwise a new one.",
    (404, 503),
)
async def visit_playtest(request: Request) -> messages.PlaytestVisit:
    return await manager_of(request).study.playtests.visit(request.path_params["playtest"])


@endpoints.get(
    "/api/playtests/{playtest}/report",
    "A play-test's report for its designer",
    f"The tables that visitors joined; needs the code in the header {CODE_HEADER}.",
    (404, 422, 503),
    query=(Query("records", "1: with the record of each table", ("0", "1")),),
)
async def report_playtest(request: Request) -> messages.PlaytestReport:
    error = "The report comes with the records (records=1) or without (records=0)."
    with_records = flag_of(request, "records", error)
    code = request.headers.get(CODE_HEADER, "")
    return await manager_of(request).study.playtests.report(request.path_params["playtest"], code, with_records)
