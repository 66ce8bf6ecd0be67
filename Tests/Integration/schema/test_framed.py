"""Records as Confluent's serializers frame them, with a stand-in for their schema registry."""

import http.server
import json
import threading

import pytest
from confluent_kafka.schema_registry import SchemaRegistryClient
from confluent_kafka.schema_registry.json_schema import JSONSerializer
from confluent_kafka.schema_registry.protobuf import ProtobufSerializer
from confluent_kafka.serialization import MessageField, SerializationContext

EVENT = {"eventId": "e1", "roomId": "r1", "gift": {"sender": {"userId": "7"}, "giftId": "rose", "count": 2}}


class Registry(http.server.BaseHTTPRequestHandler):
    """Takes every schema, each time with the same id."""

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        schema = json.loads(self.rfile.read(length))
        answer = json.dumps({"id": 123_456, "version": 1, "subject": "im.gifts-value", **schema}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def registry():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield SchemaRegistryClient({"url": f"http://127.0.0.1:{server.server_port}"})
    server.shutdown()


@pytest.fixture
def place():
    return SerializationContext("im.gifts", MessageField.VALUE)


def framed_json(registry, place):
    return JSONSerializer(json.dumps({"type": "object", "title": "Event"}), registry)(EVENT, place)


def framed_protobuf(registry, place, schema):
    event = schema.Event(event_id="e1", room_id="r1")
    event.gift.sender.user_id = "7"
    event.gift.gift_id = "rose"
    event.gift.count = 2
    return ProtobufSerializer(schema.Event, registry, {"use.deprecated.format": False})(event, place)


def test_json_is_read(registry, place, tool):
    framed = framed_json(registry, place)
    assert framed[:5] == b"\x00\x00\x01\xe2\x40"
    assert tool.event(framed, content_type=None) == tool.event(json.dumps(EVENT))


def test_protobuf_is_read(registry, place, tool, schema):
    framed = framed_protobuf(registry, place, schema)
    assert framed[:5] == b"\x00\x00\x01\xe2\x40"
    assert tool.event(framed, content_type=None) == tool.event(json.dumps(EVENT))


def test_what_a_frame_holds_may_be_broken(registry, place, tool, schema):
    for framed in (framed_json(registry, place), framed_protobuf(registry, place, schema)):
        for end in range(1, len(framed)):
            try:
                tool.event(framed[:end], content_type=None)
            except Exception as refusal:
                assert type(refusal).__name__ == "NotUnderstood"
