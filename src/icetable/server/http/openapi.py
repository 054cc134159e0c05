"""The HTTP interface as an OpenAPI document, made from the types of the messages."""

from __future__ import annotations

import functools
from importlib.metadata import version
from typing import Any

import msgspec

from icetable.server import messages

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
    list[messages.GameInfo],
    list[messages.Listing],
    messages.TableRequest,
    messages.NextRequest,
    messages.CopyRequest,
    messages.TableCreated,
    messages.RulesText,
    messages.Lesson,
    messages.Learned,
    messages.ErrorBody,
)


@functools.cache
def document() -> dict[str, Any]:
    """The whole document."""
    schemas, components = msgspec.json.schema_components(TYPES, ref_template=REFERENCE)
    games, listings, table_request, next_request, copy_request, created, rules, lesson, learned, complaint = schemas

    def answers(status: int, what: str, content: dict[str, Any], *errors: int) -> dict[str, Any]:
        refused = {
            str(code): {"description": COMPLAINTS[code], "content": json_of(complaint)}
            for code in sorted({*errors, 429})
        }
        return {"responses": {str(status): {"description": what, "content": content}, **refused}}

    def body(schema: dict[str, Any]) -> dict[str, Any]:
        return {"requestBody": {"required": True, "content": json_of(schema)}}

    table, game, step = named("table", "a table's id"), named("game", "a game's name"), named("step", "a step's name")
    text = {"text/plain": {"schema": {"type": "string"}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "icetable", "version": version("icetable"), "license": {"name": "MIT", "identifier": "MIT"}},
        "paths": {
            "/api/games": {"get": {"summary": "The games", **answers(200, "All games.", json_of(games))}},
            "/api/rules/{game}": {
                **parts(game),
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
                **parts(table),
                "post": {
                    "summary": "Open the next table of a series",
                    **body(next_request),
                    **answers(201, "The table and its seats' codes.", json_of(created), 403, 404, 413, 422, 503),
                },
            },
            "/api/tables/{table}/copy": {
                **parts(table),
                "post": {
                    "summary": "Open a table to try things at, from a position of this one",
                    **body(copy_request),
                    **answers(201, "The table and its seats' codes.", json_of(created), 403, 404, 409, 413, 422, 503),
                },
            },
            "/api/tables/{table}/record": {
                **parts(table),
                "get": {
                    "summary": "A table's record",
                    "parameters": [
                        {
                            "name": "talk",
                            "in": "query",
                            "description": "1: with what people said, as comments at the end",
                            "schema": {"enum": ["0", "1"], "default": "0"},
                        }
                    ],
                    **answers(200, "The record.", text, 404, 409, 422, 503),
                },
            },
            "/api/lessons/{game}": {
                **parts(game),
                "get": {"summary": "A game's lesson", **answers(200, "The lesson.", json_of(lesson), 404)},
            },
            "/api/lessons/{game}/{step}": {
                **parts(game, step),
                "post": {
                    "summary": "Open a table where a step of a lesson begins",
                    **answers(201, "The table and its seats' codes.", json_of(created), 403, 404, 503),
                },
            },
            "/api/lessons/{game}/{step}/{table}": {
                **parts(game, step, table),
                "get": {
                    "summary": "Whether a step was done at a table",
                    **answers(200, "The answer.", json_of(learned), 404, 503),
                },
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


def parts(*parameters: dict[str, Any]) -> dict[str, Any]:
    """What varies in a path."""
    return {"parameters": list(parameters)}


def named(name: str, about: str) -> dict[str, Any]:
    """A part of the path."""
    return {"name": name, "in": "path", "required": True, "description": about, "schema": {"type": "string"}}
