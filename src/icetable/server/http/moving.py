"""The endpoints by which a browser moves what is its own to another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

from icetable.server import messages, metrics
from icetable.server.http.endpoints import Endpoint
from icetable.server.http.lookups import manager_of
from icetable.server.live.parcels import KEPT_FOR, TooManyParcels

if TYPE_CHECKING:
    from starlette.requests import Request


async def leave_parcel(request: Request, wanted: messages.ParcelRequest) -> messages.ParcelLeft:
    try:
        return await manager_of(request).parcels.leave(wanted)
    except TooManyParcels as error:
        metrics.REJECTED.labels("parcels").inc()
        raise HTTPException(429, str(error), {"Retry-After": str(KEPT_FOR // 1000)}) from None


async def take_parcel(request: Request) -> messages.Parcel:
    return await manager_of(request).parcels.take(request.path_params["parcel"])


ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/parcels",
        "Leave a sealed parcel for another browser",
        leave_parcel,
        messages.ParcelLeft,
        "For how long it waits.",
        (503,),
        messages.ParcelRequest,
        messages.LONGEST_UPLOAD,
    ),
    Endpoint(
        "POST",
        "/api/parcels/{parcel}",
        "Take a parcel out, which can be done once",
        take_parcel,
        messages.Parcel,
        "The parcel.",
        (404, 503),
    ),
)
