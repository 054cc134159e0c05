"""The HTTP interface keeps to its OpenAPI document, whatever is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings, strategies

from icetable.server.http.api.endpoints import document
from icetable.server.http.api.routes import ENDPOINTS

from .serving import Running, create_table, person

if TYPE_CHECKING:
    from collections.abc import Iterator

OPERATIONS = [
    (method, path)
    for path, methods in document(ENDPOINTS)["paths"].items()
    for method in methods
    if method != "parameters"
]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("openapi") / "tables.sqlite") as running:
        yield running


@pytest.fixture(scope="module")
def schema() -> Any:
    """The document as Schemathesis reads it. Each process that collects tests would import it for a second."""
    import schemathesis
    import schemathesis.specs.openapi.object_authorization  # by itself it would come too deep for the parser

    return schemathesis.openapi.from_dict(document(ENDPOINTS))


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_answer_is_as_the_document_says(method: str, path: str, schema: Any, running: Running) -> None:
    """A well-formed request may be refused (there is no such game), which no schema can say; and 413 is a refusal."""
    from schemathesis import GenerationMode
    from schemathesis.checks import CHECKS

    accepts_whatever_fits = CHECKS.get_one("positive_data_acceptance")
    refuses_what_does_not = CHECKS.get_one("negative_data_rejection")

    @settings(max_examples=15, suppress_health_check=list(HealthCheck), database=None)
    @given(case=strategies.one_of([schema[path][method].as_strategy(mode) for mode in GenerationMode]))
    def check(case: Any) -> None:
        response = case.call(base_url=running.url)
        excluded = [accepts_whatever_fits] + [refuses_what_does_not] * (response.status_code == 413)
        case.validate_response(response, excluded_checks=excluded)

    check()


def test_the_document_is_served_and_names_every_path(running: Running) -> None:
    served = httpx.get(f"{running.url}api/openapi.json").json()
    assert served == document(ENDPOINTS)
    routes = {route.path for route in running.app.routes if route.path.startswith("/api/")}  # type: ignore[attr-defined]
    assert set(served["paths"]) == routes - {"/api/{path:path}"}


def test_the_example_of_the_document_is_a_valid_request(running: Running) -> None:
    wanted: dict[str, Any] = served_example()
    assert httpx.post(f"{running.url}api/tables", json=wanted).status_code == 201
    table, _ = create_table(running.url, person(), person())
    assert httpx.get(f"{running.url}api/tables/{table}/record").headers["content-type"].startswith("text/plain")


def served_example() -> dict[str, Any]:
    """A request for a table with what the document requires and nothing else."""
    schemas = document(ENDPOINTS)["components"]["schemas"]
    seat = dict.fromkeys(schemas["SeatRequest"]["required"], "Ann") | {"kind": "person", "level": None}
    return {"game": "icefrogs", "options": {}, "seats": [seat, seat]} | {
        name: {} for name in set(schemas["TableRequest"]["required"]) - {"game", "options", "seats"}
    }
