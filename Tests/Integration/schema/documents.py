"""The documents for programs, Schemas/*.yaml, as one would use them."""

import json
import pathlib

import jsonschema
import yaml
from referencing import Registry
from referencing.jsonschema import DRAFT202012

SCHEMAS = pathlib.Path(__file__).resolve().parents[3] / "Schemas"


def load(name):
    return yaml.safe_load((SCHEMAS / name).read_text())


FORMS, OPENAPI, ASYNCAPI = load("flyscreen.schema.yaml"), load("openapi.yaml"), load("asyncapi.yaml")
_DOCUMENTS = {"flyscreen.schema.yaml": FORMS, "openapi.yaml": OPENAPI, "asyncapi.yaml": ASYNCAPI}


def closed(schema):
    """The same, with no members but those that it names: what we write has no others."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: closed(item) for name, item in schema.items()}
    is_whole = schema.get("type") == "object" and isinstance(schema.get("properties"), dict)
    return {"additionalProperties": False} | inner if is_whole else inner


def _registry(documents):
    return Registry().with_resources(
        (f"file:///{name}", DRAFT202012.create_resource(document)) for name, document in documents.items())


_OPEN = _registry(_DOCUMENTS)
_CLOSED = _registry(closed(_DOCUMENTS))
_validators = {}


def validator(reference, is_closed=False):
    """A validator of the schema at `document#/pointer`."""
    key = reference, is_closed
    if key not in _validators:
        _validators[key] = jsonschema.Draft202012Validator(
            {"$ref": f"file:///{reference}"}, registry=_CLOSED if is_closed else _OPEN)
    return _validators[key]


def check(reference, value, is_closed=True):
    """Fails with the nearest of what is wrong."""
    if error := jsonschema.exceptions.best_match(validator(reference, is_closed).iter_errors(value)):
        raise AssertionError(f"{json.dumps(value, ensure_ascii=False)[:2000]}\nis not {reference}: {error.message}")


def form(name):
    return f"flyscreen.schema.yaml#/definitions/{name}"


def follow(document, node):
    """The node itself, or what its `$ref` leads to, with where that is."""
    while "$ref" in node:
        name, pointer = node["$ref"].split("#")
        document = name or document
        node = _DOCUMENTS[document]
        for part in pointer.strip("/").split("/"):
            node = node[part.replace("~1", "/").replace("~0", "~")]
    return document, node
