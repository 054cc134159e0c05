"""Endpoints of the HTTP interface: the source of its routes, of the limits of bodies and of the OpenAPI document."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_type_hints

import msgspec
from starlette.responses import Response

from icetable.server import messages
from icetable.version import version

if TYPE_CHECKING:
    from collections.abc import Sequence

    from icetable.server.http.responses import Content

Answer = TypeVar("Answer", bound="Callable[..., Awaitable[Content | Response]]")
Errors = tuple[int, ...]
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
    "transfer": "the transfer's id",
}
Json = dict[str, Any]


def body_too_long(max_bytes: int) -> str:
    """The error message for a request with a longer body."""
    return f"A request has at most {max_bytes} bytes."


@dataclass(frozen=True)
class Query:
    """A query parameter: one of `choices`, the first by default, or any text if there are none."""

    name: str
    about: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Endpoint:
    """A method of a path."""

    method: Literal["GET", "POST"]
    path: str
    summary: str
    handler: Callable[..., Awaitable[Content | Response]]
    """It gets the request, the decoded body and the parameters of the path, as far as it names them."""
    parameters: frozenset[str]
    """The names of the handler's parameters."""
    answer: Any
    """The type of the JSON response; str for a text of media type `media`."""
    about: str
    """A short description of the response."""
    errors: Errors = ()
    """The error statuses of this endpoint, in addition to those of its method and body (see `statuses`)."""
    body: type[msgspec.Struct] | None = None
    max_bytes: int = messages.MAX_LENGTH
    """Maximum size of the body."""
    query: tuple[Query, ...] = ()
    media: str = "text/plain"
    progress: type[msgspec.Struct] | None = None
    """The type of the response with status 202 while the answer is being computed."""
    is_cacheable: bool = False
    """Whether the response changes only with the server's version, so that browsers may cache it."""

    @property
    def status(self) -> int:
        """The status of success: each POST creates something."""
        return 201 if self.method == "POST" else 200

    @property
    def statuses(self) -> list[int]:
        """All error statuses."""
        posting = (403,) if self.method == "POST" else ()
        reading = (413, 422) if self.body is not None else ()
        return sorted({*self.errors, *posting, *reading, 429})


class Endpoints(list[Endpoint]):
    """The endpoints of a module, in order. Each is declared at its handler, whose annotations give the body and answer.

    `more`: more fields of an Endpoint. A handler that returns a Response answers with a text unless `answer` is given.
    """

    def get(self, path: str, summary: str, about: str, errors: Errors = (), **more: Any) -> Callable[[Answer], Answer]:
        """Declare the handler of a GET."""
        return self._declare(method="GET", path=path, summary=summary, about=about, errors=errors, **more)

    def post(self, path: str, summary: str, about: str, errors: Errors = (), **more: Any) -> Callable[[Answer], Answer]:
        """Declare the handler of a POST."""
        return self._declare(method="POST", path=path, summary=summary, about=about, errors=errors, **more)

    def _declare(self, **fields: Any) -> Callable[[Answer], Answer]:
        def declare(handler: Answer) -> Answer:
            types = get_type_hints(handler)
            answer = str if types["return"] is Response else types["return"]
            own = {"answer": answer, "body": types.get("body"), **fields}
            self.append(Endpoint(handler=handler, parameters=frozenset(types), **own))
            return handler

        return declare


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
