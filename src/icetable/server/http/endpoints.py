"""Endpoints of the HTTP interface, the source of routes and of the OpenAPI document."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_type_hints

from starlette.responses import Response

from icetable.server import messages

if TYPE_CHECKING:
    import msgspec

    from icetable.server.http.responses import Content

Answer = TypeVar("Answer", bound="Callable[..., Awaitable[Content | Response]]")
Errors = tuple[int, ...]


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
    """A method of a path. `handler` gets the request and, if there is a `body` type, the decoded body.

    `errors`: the error statuses of this endpoint, in addition to those of its method and body (see `statuses`).
    """

    method: Literal["GET", "POST"]
    path: str
    summary: str
    handler: Callable[..., Awaitable[Content | Response]]
    answer: Any
    """The type of the JSON response; str for a text of media type `media`."""
    about: str
    """A short description of the response."""
    errors: Errors = ()
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
            self.append(Endpoint(handler=handler, **{"answer": answer, "body": types.get("body"), **fields}))
            return handler

        return declare
