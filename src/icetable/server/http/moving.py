"""The endpoints by which a browser moves what is its own to another one."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request

from icetable.server import messages, metrics
from icetable.server.http.endpoints import Endpoints
from icetable.server.http.lookups import manager_of
from icetable.server.live.parcels import PARCEL_MS, TooManyParcels

endpoints = Endpoints()


@endpoints.post(
    "/api/parcels",
    "Leave a sealed parcel for another browser",
    "For how long it waits.",
    (503,),
    longest=messages.LONGEST_UPLOAD,
)
async def leave_parcel(request: Request, wanted: messages.ParcelRequest) -> messages.ParcelLeft:
    try:
        return await manager_of(request).parcels.leave(wanted)
    except TooManyParcels as error:
        metrics.REJECTED.labels("parcels").inc()
        raise HTTPException(429, str(error), {"Retry-After": str(PARCEL_MS // 1000)}) from None


@endpoints.post("/api/parcels/{parcel}", "Take a parcel out, which can be done once", "The parcel.", (404, 503))
async def take_parcel(request: Request) -> messages.Parcel:
    return await manager_of(request).parcels.take(request.path_params["parcel"])
