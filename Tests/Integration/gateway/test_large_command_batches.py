"""A batch of commands or results that is small as sent and large unpacked: the gateway passes over it, and serves on."""

import json

from large_batches import large_batch, produce
from process import Program
from served import Commands, ServedGateway, command_id, mark
from test_metrics import value
from waiting import free_port, wait_for

# What Deploy/kustomize/gateway.yaml asks for.
MOST = 512 * 1024 * 1024


def bomb(codec, megabytes, room):
    """Three commands with a long member that nobody knows."""
    command = {"roomId": room, "id": "im.gifts/0/999999/0", "atMs": 1, "rainEnd": {"rainId": "a"}}
    return large_batch(codec, megabytes, 3, room.encode(), json.dumps(command)[:-1].encode() + b',"x":"', b'"}')


def peak(gateway):
    """The most bytes that were ever resident."""
    with open(f"/proc/{gateway.pid}/status") as status:
        line, = (line for line in status if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def test_batches_that_are_large_unpacked_are_passed_over(binary, broker):
    settings = ["--kafka.bootstrap.servers", broker.address, "--topics.input", "bombs.events", "--topics.commands",
                "bombs.commands", "--topics.results", "bombs.results", "--topics.partitions", "1"]
    assert Program(binary, ["topics", "create", *settings]).wait() == 0
    commands = Commands(broker.address, "bombs.commands")

    def start():
        return ServedGateway(binary, settings, free_port()).wait_ready()

    gateway = start()
    try:
        stream = gateway.stream("r")
        sent = []
        for codec in ("zstd", "gzip", "lz4"):
            sent += commands.send("r")
            for topic in ("bombs.commands", "bombs.results"):
                produce(broker.address, topic, 0, bomb(codec, 400, "r"))
            sent += commands.send("r")
            text = stream.read_until(mark(sent[-1]))
            assert mark(sent[-2]) in text and "event: snapshot" not in text
        # Three of each topic.
        wait_for("the batches to be counted", lambda: value(
            gateway, "flyscreen_gateway_records_skipped_total", reason="not_understood") == 6)
        lines = [line for line in gateway.said.splitlines() if "kafka.fetch.unpacked.max.bytes" in line]
        assert lines, gateway.said
        assert peak(gateway) < MOST
        assert gateway.ask("/readyz")[0] == 200
        gateway.kill()
        # It meets them again as it reads back.
        gateway = start()
        assert command_id(sent[-1]) in gateway.ask("/rooms/r")[2]
        assert peak(gateway) < MOST
    finally:
        gateway.kill()
