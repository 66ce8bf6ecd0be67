"""Requests that schemathesis makes up from Schemas/openapi.yaml: right and wrong ones, the same in every run."""

import pathlib

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import CHECKS

OPENAPI = pathlib.Path(__file__).resolve().parents[3] / "Schemas/openapi.yaml"
# A stream has no end; test_openapi.py reads those.
SCHEMA = schemathesis.openapi.from_path(OPENAPI).exclude(operation_id=["streamRoom", "streamRooms"])
# A schema can't say all that a gateway refuses: an event of another room than its address, 1.0 as an integer.
CHECKED = CHECKS.get_by_names([
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "allow_header_conformance"])
# A method that HTTP's library doesn't know gets 501, as it says. test_openapi.py tries methods.
SCHEMA.config.phases.coverage.unexpected_methods = set()


@pytest.fixture(scope="module")
def gateway(make_shared_gateway):
    return make_shared_gateway(
        "--gateway.events", "on",
        "--gateway.events.kinds", "gift,wish,wishLike,tap,taps,rainStart,rainGrab,spot,pin,goal,score,retract,roomSettings,roomEnd",
        "--gateway.limits.events", 100_000, "--gateway.limits.eventBurst", 100_000)


@SCHEMA.parametrize()
@settings(max_examples=15, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
def test_answers_to_what_is_made_up_are_as_documented(case, gateway):
    case.call_and_validate(base_url=gateway.url(""), checks=CHECKED)
