"""What an endpoint of the HTTP interface is. Its route and its entry in the OpenAPI document are made from this."""

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


def too_long(longest: int) -> str:
    """What is said of a request with a longer body."""
    return f"A request has at most {longest} bytes."


@dataclass(frozen=True)
class Query:
    """A parameter behind the question mark, one of `choices`, of which the first is the default; without any a text."""

    name: str
    about: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Endpoint:
    """A method of a path. `handler` gets the request and, if there is a `body` type, the decoded body.

    `errors`: the statuses with an ErrorBody that this endpoint may answer with, besides those that the method and the
    body bring with them (`statuses`).
    """

    method: Literal["GET", "POST"]
    path: str
    summary: str
    handler: Callable[..., Awaitable[Content | Response]]
    answer: Any
    """The type of the JSON that it answers with; str for a text of the type `media`."""
    about: str
    """What the answer is, in a few words."""
    errors: Errors = ()
    body: type[msgspec.Struct] | None = None
    longest: int = messages.LONGEST
    """The greatest length of the body, in bytes."""
    query: tuple[Query, ...] = ()
    media: str = "text/plain"
    progress: type[msgspec.Struct] | None = None
    """What it answers with, and the status 202, as long as its answer is worked out."""
    is_kept: bool = False
    """Whether the answer stays the same until the server is updated, so that browsers keep it."""

    @property
    def status(self) -> int:
        """The status of success: each POST opens something."""
        return 201 if self.method == "POST" else 200

    @property
    def statuses(self) -> list[int]:
        """All statuses of errors."""
        posting = (403,) if self.method == "POST" else ()
        reading = (413, 422) if self.body is not None else ()
        return sorted({*self.errors, *posting, *reading, 429})


class Endpoints(list[Endpoint]):
    """The endpoints of a module, in order. Each is declared at its handler, whose types say what it reads and answers.

    `more` are fields of an Endpoint. A handler that makes its own Response answers with a text, or with `answer`.
    """

    def get(self, path: str, summary: str, about: str, errors: Errors = (), **more: Any) -> Callable[[Answer], Answer]:
        """What declares the handler of a GET."""
        return self._declare(method="GET", path=path, summary=summary, about=about, errors=errors, **more)

    def post(self, path: str, summary: str, about: str, errors: Errors = (), **more: Any) -> Callable[[Answer], Answer]:
        """What declares the handler of a POST."""
        return self._declare(method="POST", path=path, summary=summary, about=about, errors=errors, **more)

    def _declare(self, **fields: Any) -> Callable[[Answer], Answer]:
        def declare(handler: Answer) -> Answer:
            types = get_type_hints(handler)
            answer = str if types["return"] is Response else types["return"]
            self.append(Endpoint(handler=handler, **{"answer": answer, "body": types.get("wanted"), **fields}))
            return handler

        return declare
