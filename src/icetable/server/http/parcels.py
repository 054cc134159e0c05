"""The endpoints that move a browser's data to another one."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request

from icetable.server import messages, metrics
from icetable.server.http.dependencies import manager_of
from icetable.server.http.endpoints import Endpoints
from icetable.server.live.uploads import TRANSFER_MS, TooManyTransfers

endpoints = Endpoints()


@endpoints.post(
    "/api/parcels",
    "Leave a sealed parcel for another browser",
    "How long it is stored.",
    (409, 503),
    max_bytes=messages.MAX_UPLOAD_BYTES,
)
async def leave_parcel(request: Request, body: messages.ParcelRequest) -> messages.ParcelLeft:
    try:
        return await manager_of(request).transfers.leave(body)
    except TooManyTransfers as error:
        metrics.REJECTED.labels("parcels").inc()
        raise HTTPException(429, str(error), {"Retry-After": str(TRANSFER_MS // 1000)}) from None


@endpoints.post("/api/parcels/{parcel}", "Take a parcel, which works once", "The parcel.", (404, 503))
async def take_parcel(request: Request) -> messages.Parcel:
    return await manager_of(request).transfers.take(request.path_params["parcel"])
