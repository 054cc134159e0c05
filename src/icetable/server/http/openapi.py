"""The OpenAPI document of the HTTP interface, generated from the endpoints and message types."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from icetable.server import messages
from icetable.version import version

if TYPE_CHECKING:
    from collections.abc import Sequence

    from icetable.server.http.endpoints import Endpoint, Query

REFERENCE = "#/components/schemas/{name}"

ERRORS = {
    403: "The request comes from a page of another site.",
    404: "There is nothing with that name.",
    409: "The game hides its history until it is over, or is not reviewed; or no seat is free.",
    413: "The body is too long.",
    422: "The body can't be read, or asks for something that does not exist.",
    429: "Too many requests from this address; `Retry-After` says how many seconds to wait.",
    503: "The store can't be read or written, a game can't be reviewed now, or there is no network.",
}
PATH_PARAMETERS = {
    "table": "a table's id",
    "seq": "the number of acts before the position",
    "game": "a game's name",
    "step": "a step's name",
    "puzzle": "a puzzle's name",
    "playtest": "a play-test's id",
    "tournament": "the tournament's id",
    "parcel": "the parcel's id",
}

Json = dict[str, Any]


def document(endpoints: Sequence[Endpoint], prefix: str = "") -> Json:
    """Generate the document for a server under a prefix."""
    types: list[Any] = [messages.ErrorBody]
    for endpoint in endpoints:
        own = (endpoint.body, endpoint.answer, endpoint.progress)
        types += [kind for kind in own if kind is not None and kind not in types]
    schemas, components = msgspec.json.schema_components(types, ref_template=REFERENCE)
    content = dict(zip(map(repr, types), map(json_of, schemas), strict=True))
    paths: dict[str, Json] = {}
    for endpoint in endpoints:
        parameters = [path_parameter(name) for name in re.findall(r"{(\w+)}", endpoint.path)]
        path = paths.setdefault(endpoint.path, {"parameters": parameters} if parameters else {})
        path[endpoint.method.lower()] = operation(endpoint, content)
    return {
        "openapi": "3.1.0",
        "info": {"title": "icetable", "version": version(), "license": {"name": "MIT", "identifier": "MIT"}},
        **({"servers": [{"url": prefix}]} if prefix else {}),
        "paths": paths,
        "components": {"schemas": components},
    }


def operation(endpoint: Endpoint, content: dict[str, Json]) -> Json:
    """Describe one method of a path. `content`: the schema of each type by its name."""
    described: Json = {"summary": endpoint.summary}
    if endpoint.query:
        described["parameters"] = [query_parameter(query) for query in endpoint.query]
    if endpoint.body is not None:
        described["requestBody"] = {"required": True, "content": content[repr(endpoint.body)]}
    text = {endpoint.media: {"schema": {"type": "string"}}}
    answer = text if endpoint.answer is str else content[repr(endpoint.answer)]
    success = {str(endpoint.status): {"description": endpoint.about, "content": answer}}
    if endpoint.progress is not None:
        success["202"] = {"description": "The progress so far: ask again.", "content": content[repr(endpoint.progress)]}
    error = content[repr(messages.ErrorBody)]
    errors = {str(status): {"description": ERRORS[status], "content": error} for status in endpoint.statuses}
    return {**described, "responses": {**success, **errors}}


def json_of(schema: Json) -> Json:
    return {"application/json": {"schema": schema}}


def path_parameter(name: str) -> Json:
    about = PATH_PARAMETERS[name]
    return {"name": name, "in": "path", "required": True, "description": about, "schema": {"type": "string"}}


def query_parameter(query: Query) -> Json:
    described: Json = {"name": query.name, "in": "query", "description": query.about}
    if not query.choices:
        return {**described, "required": True, "schema": {"type": "string"}}
    return {**described, "schema": {"enum": list(query.choices), "default": query.choices[0]}}
