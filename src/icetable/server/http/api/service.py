"""The endpoints of the server itself: its addresses, and the data that browsers leave there for others."""

from __future__ import annotations

import asyncio

from starlette.exceptions import HTTPException
from starlette.requests import Request

from icetable.server import messages, metrics
from icetable.server.http.api.endpoints import Endpoints
from icetable.server.http.security import (
    is_at_this_machine,
    public_origin_of,
)
from icetable.server.http.site import manager_of, site_of
from icetable.server.live.uploads import TRANSFER_MS, TooManyTransfers

endpoints = Endpoints()


# Addresses


@endpoints.get("/api/addresses", "The addresses of the pages for others", "The addresses, the likeliest first.")
async def list_addresses(request: Request) -> messages.Addresses:
    """Only for pages on this machine: elsewhere the page's own address works, and the others are private."""
    public = public_origin_of(request)
    if public is not None:
        return messages.Addresses([f"{public}{site_of(request).settings.prefix}/"])
    if not is_at_this_machine(request):
        return messages.Addresses([])
    local = site_of(request).network
    if local is None:
        return messages.Addresses(await asyncio.to_thread(site_of(request).addresses_for_others))
    choices = await asyncio.to_thread(local.choices)
    return messages.Addresses(
        [address for _, address in choices if address is not None],
        openable=all(address is None for _, address in choices),
        networks=[messages.Network(network.host, network.kind, network.name, address) for network, address in choices],
    )


@endpoints.post(
    "/api/addresses", "Open the server to a local network, or close it", "The addresses, the likeliest first.", (503,)
)
async def open_to_network(request: Request, body: messages.NetworkRequest) -> messages.Addresses:
    """Only for a player at this machine on one of the server's own pages, which always send an Origin."""
    local = site_of(request).network
    if local is None or not is_at_this_machine(request) or "origin" not in request.headers:
        raise HTTPException(403, "Only a page on the machine where 'icetable play' runs can let others in.")
    await (local.open(body.host) if body.open else local.close(body.host))
    return await list_addresses(request)


@endpoints.post(
    "/api/transfers",
    "Leave an encrypted transfer for another browser",
    "How long it is stored.",
    (409, 503),
    max_bytes=messages.MAX_UPLOAD_BYTES,
)
async def leave_transfer(request: Request, body: messages.TransferRequest) -> messages.TransferLeft:
    try:
        return await manager_of(request).transfers.leave(body)
    except TooManyTransfers as error:
        metrics.REJECTED.labels("transfers").inc()
        raise HTTPException(429, str(error), {"Retry-After": str(TRANSFER_MS // 1000)}) from None


@endpoints.post("/api/transfers/{transfer}", "Take a transfer, which works once", "The transfer.", (404, 503))
async def take_transfer(request: Request, transfer: str) -> messages.Transfer:
    return await manager_of(request).transfers.take(transfer)
