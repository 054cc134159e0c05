"""The endpoints of tables, play-tests and tournaments."""

from __future__ import annotations

import contextlib
import functools

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from icetable.server import messages
from icetable.server.errors import TableNotFound
from icetable.server.http.api.endpoints import Endpoints, Query
from icetable.server.http.responses import SVG, cached_response, json_response
from icetable.server.http.security import (
    browser_of,
    charge,
    quota_of,
)
from icetable.server.http.site import flag_of, manager_of
from icetable.server.table.seats import hash_code

NO_STORE = {"Cache-Control": "no-store"}
MAX_SEQ_DIGITS = 8
MAX_SUMMARIES = 24
"""Maximum number of tables per request."""
endpoints = Endpoints()
CODE_HEADER = "Icetable-Code"
"""The header with a designer's or organizer's code: in a URL it would end up in the logs of proxies."""


# Tables


@endpoints.get("/api/tables", "The public tables", "First those that wait for players, the newest first.", (503,))
async def list_tables(request: Request) -> list[messages.Listing]:
    return await manager_of(request).lobby.listings()


@endpoints.get("/api/tables/{table}", "A table's summary", "The summary.", (404, 503), answer=messages.Summary)
async def summarize(request: Request, table: str) -> Response:
    summary = await manager_of(request).summaries.summary(table, browser_of(request))
    return private_response(request, messages.write(summary), "application/json")


@endpoints.get(
    "/api/summaries",
    "The summaries of several tables",
    "Those that exist, in the order of the request.",
    (422, 503),
    query=(Query("tables", f"the ids of up to {MAX_SUMMARIES} tables, separated by commas"),),
)
async def summarize_all(request: Request) -> list[messages.Summary]:
    """Each table counts as a request."""
    ids = list(dict.fromkeys(filter(None, request.query_params.get("tables", ",").split(","))))
    if "tables" not in request.query_params or len(ids) > MAX_SUMMARIES:
        raise messages.BadMessage(f"Up to {MAX_SUMMARIES} tables are named, as in tables=k7m2pq9x,d4h6j2v7.")
    summaries = []
    for table in ids:
        charge(quota_of(request).requests, "requests")
        with contextlib.suppress(TableNotFound):
            summaries.append(await manager_of(request).summaries.summary(table, browser_of(request)))
    return summaries


@endpoints.get(
    "/api/tables/{table}/picture.svg",
    "A table as a picture",
    "A watcher's view of the newest position, or of the start while the game is hidden.",
    (404, 422, 503),
    media=SVG,
)
async def draw_table(request: Request, table: str) -> Response:
    drawn = await manager_of(request).summaries.picture(table, browser_of(request))
    response = private_response(request, drawn.encode(), SVG)
    response.headers["Content-Disposition"] = "attachment"  # opened as a page, the CSP would block its style sheet
    return response


def private_response(request: Request, content: bytes, media_type: str) -> Response:
    """Respond with content for one browser's cache only, as it depends on the browser's seats."""
    response = cached_response(request, content, media_type)
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = "Accept-Encoding, Cookie"
    return response


@endpoints.post("/api/tables", "Open a table", "The table and its seats' codes.", (503,))
async def create_table(request: Request, body: messages.TableRequest) -> messages.TableCreated:
    return await manager_of(request).tables.create(body)


@endpoints.post(
    "/api/tables/{table}/next", "Open the next table of a series", "The table and its seats' codes.", (404, 503)
)
async def create_next_table(request: Request, body: messages.NextRequest, table: str) -> messages.TableCreated:
    return await manager_of(request).tables.create_next(table, body)


@endpoints.post(
    "/api/tables/{table}/copy",
    "Open a table to explore a position of this one",
    "The table and its seats' codes.",
    (404, 409, 503),
)
async def create_copy(request: Request, body: messages.CopyRequest, table: str) -> messages.TableCreated:
    return await manager_of(request).tables.copy(table, body)


@endpoints.post(
    "/api/records",
    "Open a table from a record",
    "The table, where nobody holds a seat.",
    (503,),
    max_bytes=messages.MAX_UPLOAD_BYTES,
)
async def open_record(request: Request, body: messages.RecordRequest) -> messages.TableCreated:
    """A long record counts as several tables; the first was counted with the request."""
    return await manager_of(request).records.open(
        body.record, lambda tables: charge(quota_of(request).tables, "tables", tables - 1)
    )


@endpoints.get(
    "/api/tables/{table}/record",
    "A table's record",
    "The record.",
    (404, 409, 422, 503),
    query=(Query("talk", "1: with the chat, as comments at the end", ("0", "1")),),
)
async def show_record(request: Request, table: str) -> Response:
    with_talk = flag_of(request, "talk", "The record comes with the talk (talk=1) or without (talk=0).")
    game, record = await manager_of(request).tables.record(table, with_talk)
    headers = {**NO_STORE, "Content-Disposition": f'attachment; filename="{game}-{table}.txt"'}
    return PlainTextResponse(record, headers=headers)


@endpoints.get(
    "/api/tables/{table}/review",
    "The review of a finished game",
    "The review.",
    (404, 409, 503),
    answer=messages.AnyReview,
    progress=messages.ReviewProgress,
)
async def show_review(request: Request, table: str) -> Response:
    """Only a review that is not stored or running yet counts against the limit."""
    admit = functools.partial(charge, quota_of(request).reviews, "reviews")
    review = await manager_of(request).study.reviews.of(table, admit)
    if isinstance(review, messages.ReviewProgress):
        return json_response(review, 202)
    return Response(review, headers=NO_STORE, media_type="application/json")


@endpoints.get(
    "/api/tables/{table}/review/{seq}",
    "Judge another act at a position of a finished game",
    "The verdict, with the expected play.",
    (404, 409, 422, 503),
    query=(Query("act", "an act that was legal at the position"),),
)
async def retry_move(request: Request, table: str, seq: str) -> messages.Retried:
    """Counts as an analysis, as it takes the same time."""
    act = request.query_params.get("act", "")
    if not (seq.isdecimal() and len(seq) <= MAX_SEQ_DIGITS):
        raise messages.BadMessage("A position is given by the number of acts before it.")
    charge(quota_of(request).analyses, "analyses")
    return await manager_of(request).study.reviews.judge(table, int(seq), act)


# Seats


@endpoints.post(
    "/api/tables/{table}/join",
    "Take an open seat",
    "The seat; always the same for the same code.",
    (404, 409, 503),
)
async def join_table(request: Request, body: messages.JoinRequest, table: str) -> messages.Seated:
    browser = browser_of(request)
    return await manager_of(request).matchmaking.join(table, body.name, body.code, browser)


@endpoints.post(
    "/api/tables/{table}/hold",
    "Link the seats of these codes to the browser's cookie",
    "The table's summary, as the browser may now see it.",
    (404, 503),
)
async def hold_seats(request: Request, body: messages.HoldRequest, table: str) -> messages.Summary:
    browser = browser_of(request)
    return await manager_of(request).summaries.hold(table, browser, frozenset(map(hash_code, body.codes)))


@endpoints.post(
    "/api/seeks",
    "Look for an opponent",
    "A seat at a waiting table with the same settings, otherwise at a new public one.",
    (503,),
)
async def seek_table(request: Request, body: messages.SeekRequest) -> messages.Seated:
    return await manager_of(request).matchmaking.seek(body.table, body.code, browser_of(request))


@endpoints.get(
    "/api/push",
    "The public key of this server's notices",
    "The key that browsers subscribe with; null if the server sends no notices.",
)
async def show_key(request: Request) -> messages.PushKey:
    return messages.PushKey(manager_of(request).notices.key)


@endpoints.post(
    "/api/tables/{table}/notices",
    "Subscribe to notices about one's seats, or unsubscribe",
    "Whether the browser is subscribed.",
    (404, 503),
)
async def set_notices(request: Request, body: messages.NoticesRequest, table: str) -> messages.Notices:
    manager = manager_of(request)
    await manager.notices.subscribe(table, body, manager.tables.client_bucket())
    return messages.Notices(body.on)


# Play-tests


def code_of(request: Request) -> str:
    """The code of a designer or organizer."""
    return request.headers.get(CODE_HEADER, "")


@endpoints.post(
    "/api/playtests",
    "Begin a play-test",
    "The play-test and its designer's code. Visitors take the seats of people.",
    (503,),
)
async def create_playtest(request: Request, body: messages.TableRequest) -> messages.PlaytestCreated:
    return await manager_of(request).study.playtests.begin(body)


@endpoints.get("/api/playtests/{playtest}", "A play-test as visitors see it", "The game.", (404, 503))
async def show_playtest(request: Request, playtest: str) -> messages.Playtest:
    return await manager_of(request).study.playtests.about(playtest)


@endpoints.post(
    "/api/playtests/{playtest}/tables",
    "Join a play-test",
    "A table that waits for players, otherwise a new one.",
    (404, 503),
)
async def visit_playtest(request: Request, playtest: str) -> messages.PlaytestVisit:
    return await manager_of(request).study.playtests.visit(playtest)


@endpoints.get(
    "/api/playtests/{playtest}/report",
    "A play-test's report for its designer",
    f"The tables that visitors joined; needs the code in the header {CODE_HEADER}.",
    (404, 422, 503),
    query=(Query("records", "1: with the record of each table", ("0", "1")),),
)
async def report_playtest(request: Request, playtest: str) -> messages.PlaytestReport:
    error = "The report comes with the records (records=1) or without (records=0)."
    with_records = flag_of(request, "records", error)
    return await manager_of(request).study.playtests.report(playtest, code_of(request), with_records)


# Tournaments


@endpoints.post("/api/tournaments", "Open a tournament", "The tournament and its organizer's code.", (503,))
async def create_tournament(request: Request, body: messages.TournamentRequest) -> messages.TournamentCreated:
    return await manager_of(request).tournaments.begin(body)


@endpoints.get(
    "/api/tournaments", "The public tournaments", "Those that are open or running, the newest first.", (503,)
)
async def list_tournaments(request: Request) -> list[messages.TournamentListing]:
    return await manager_of(request).tournaments.listed()


@endpoints.get("/api/tournaments/{tournament}", "A tournament", "Its entrants, rounds and standing.", (404, 503))
async def show_tournament(request: Request, tournament: str) -> messages.Tournament:
    return await manager_of(request).tournaments.show(tournament)


@endpoints.post(
    "/api/tournaments/{tournament}/entrants",
    "Enter a tournament",
    f"The entrant's number. Bots need the organizer's code in the header {CODE_HEADER}.",
    (404, 503),
)
async def enter_tournament(request: Request, body: messages.EnterRequest, tournament: str) -> messages.Entered:
    return await manager_of(request).tournaments.enter(tournament, body, code_of(request))


@endpoints.post(
    "/api/tournaments/{tournament}/orders",
    "Run a tournament",
    f"The tournament after the organizer's decision; needs the code in the header {CODE_HEADER}.",
    (404, 503),
)
async def run_tournament(request: Request, body: messages.OrganizerRequest, tournament: str) -> messages.Tournament:
    return await manager_of(request).tournaments.organize(tournament, body, code_of(request))
