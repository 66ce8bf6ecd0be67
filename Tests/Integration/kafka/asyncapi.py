"""Records, held against Schemas/asyncapi.yaml."""

import json
import pathlib
import sys

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "schema"))

from documents import ASYNCAPI, check, follow


def check_records(channel, records):
    """Each is one of the messages of this channel: by its headers, its key, and its value if it is JSON."""
    messages = [follow("asyncapi.yaml", message)[1] for message in ASYNCAPI["channels"][channel]["messages"].values()]
    for record in records:
        headers = {name: value.decode("utf-8", "replace") for name, value in record.headers() or []}
        fitting = [message for message in messages if jsonschema.Draft7Validator(message["headers"]).is_valid(headers)]
        assert len(fitting) == 1, f"{channel}: of the headers {headers} are {[message['title'] for message in fitting]}"
        message, = fitting
        if "bindings" in message:
            jsonschema.validate(record.key().decode(), message["bindings"]["kafka"]["key"])
        elif channel == "journal":
            assert record.key() is None
        if message["contentType"] == "application/json":
            is_ours = channel not in ("gifts", "wishes")
            check(message["payload"]["$ref"], json.loads(record.value()), is_closed=is_ours)
