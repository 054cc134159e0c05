"""The HTTP interface as an OpenAPI document, made from the types of the messages."""

from __future__ import annotations

import functools
from importlib.metadata import version
from typing import Any

import msgspec

from icetable.table import wire

REFERENCE = "#/components/schemas/{name}"

COMPLAINTS = {
    403: "It comes from another site's page.",
    404: "There is nothing of that name.",
    409: "The game hides its history until it is over.",
    413: "The body is too long.",
    422: "The body can't be read, or asks for what there is not.",
    429: "Too much comes from this address; `Retry-After` says for how long to wait.",
    503: "The log can't be read or written.",
}
TYPES = (
    list[wire.GameInfo],
    list[wire.Listing],
    wire.TableRequest,
    wire.NextRequest,
    wire.CopyRequest,
    wire.TableCreated,
    wire.RulesText,
    wire.Complaint,
)


@functools.cache
def document() -> dict[str, Any]:
    """The whole document."""
    schemas, components = msgspec.json.schema_components(TYPES, ref_template=REFERENCE)
    games, listings, table_request, next_request, copy_request, created, rules, complaint = schemas

    def answers(status: int, what: str, content: dict[str, Any], *errors: int) -> dict[str, Any]:
        refused = {
            str(code): {"description": COMPLAINTS[code], "content": json_of(complaint)}
            for code in sorted({*errors, 429})
        }
        return {"responses": {str(status): {"description": what, "content": content}, **refused}}

    def body(schema: dict[str, Any]) -> dict[str, Any]:
        return {"requestBody": {"required": True, "content": json_of(schema)}}

    table = {"parameters": [named("table", "a table's id")]}
    text = {"text/plain": {"schema": {"type": "string"}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "icetable", "version": version("icetable"), "license": {"name": "MIT", "identifier": "MIT"}},
        "paths": {
            "/api/games": {"get": {"summary": "The games", **answers(200, "All games.", json_of(games))}},
            "/api/rules/{game}": {
                "parameters": [named("game", "a game's name")],
                "get": {"summary": "A game's rules as HTML", **answers(200, "The rules.", json_of(rules), 404)},
            },
            "/api/tables": {
                "get": {"summary": "The public tables", **answers(200, "The newest first.", json_of(listings), 503)},
                "post": {
                    "summary": "Open a table",
                    **body(table_request),
                    **answers(201, "The table and its seats' codes.", json_of(created), 403, 413, 422, 503),
                },
            },
            "/api/tables/{table}/next": {
                **table,
                "post": {
                    "summary": "Open the next table of a series",
                    **body(next_request),
                    **answers(201, "The table and its seats' codes.", json_of(created), 403, 404, 413, 422, 503),
                },
            },
            "/api/tables/{table}/copy": {
                **table,
                "post": {
                    "summary": "Open a table to try things at, from a position of this one",
                    **body(copy_request),
                    **answers(201, "The table and its seats' codes.", json_of(created), 403, 404, 409, 413, 422, 503),
                },
            },
            "/api/tables/{table}/record": {
                **table,
                "get": {"summary": "A table's record", **answers(200, "The record.", text, 404, 409, 503)},
            },
            "/api/openapi.json": {
                "get": {
                    "summary": "This document",
                    **answers(200, "An OpenAPI document.", json_of({"type": "object"})),
                }
            },
        },
        "components": {"schemas": components},
    }


def json_of(schema: dict[str, Any]) -> dict[str, Any]:
    """A body in JSON."""
    return {"application/json": {"schema": schema}}


def named(name: str, about: str) -> dict[str, Any]:
    """A part of the path."""
    return {"name": name, "in": "path", "required": True, "description": about, "schema": {"type": "string"}}
