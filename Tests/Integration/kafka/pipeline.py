"""Topics, a group and workers of one test's own, on a broker that all tests share."""

import dataclasses
import json
import subprocess

import confluent_kafka
from confluent_kafka.admin import AdminClient, AlterConfigOpType, ConfigEntry, ConfigResource, ResourceType

from committed import CommandReader, metadata, read_all
from logfile import compare, replay, replayed_lines, write_log
from process import Program, Worker, _clean_environment
from results import check_results
from waiting import LIMIT, free_port, wait_for

# Short: a dead worker's partitions move, and its transaction ends, in a few seconds; and one on a busy machine is
# not taken for dead.
QUICK = {
    "kafka.session.timeout.ms": 6000, "kafka.heartbeat.interval.ms": 300, "kafka.max.poll.interval.ms": 60000,
    "kafka.transaction.timeout.ms": 5000, "kafka.message.timeout.ms": 3000, "kafka.socket.timeout.ms": 3000,
}


@dataclasses.dataclass(frozen=True)
class GroupMember:
    id: str
    instance: str | None
    partitions: frozenset


class Pipeline:
    def __init__(self, binary, broker, name, folder, partitions=4, inputs=("gifts", "wishes")):
        self.binary = binary
        self.broker = broker
        self.name = name
        self.folder = folder
        self.partitions = partitions
        self.inputs = tuple(f"{name}.{topic}" for topic in inputs)
        self.commands = f"{name}.commands"
        self.results = f"{name}.results"
        self.group = name
        self.settings = {
            "kafka.bootstrap.servers": broker.address, "kafka.group.id": self.group,
            "topics.input": ",".join(self.inputs), "topics.commands": self.commands,
            "topics.results": self.results, "topics.helpers": "flyscreen", **QUICK,
        }
        self._admin = AdminClient({"bootstrap.servers": broker.address, "log_level": 2})
        self._committed = None
        self._reader = None
        self._workers = 0

    def flags(self, **more):
        """`gift_lanes=3` is `--gift.lanes 3`."""
        settings = self.settings | {name.replace("_", "."): value for name, value in more.items()}
        return [word for name, value in settings.items() for word in (f"--{name}", str(value))]

    def create_topics(self):
        topics = {name: value for name, value in self.settings.items() if name.startswith("topics.")}
        run = self.run("topics", "create", *self.words(topics | {"topics.partitions": self.partitions}))
        assert run.returncode == 0, run.stderr
        return self

    def run(self, *arguments, limit=LIMIT):
        """Runs a command that ends, with the broker's address."""
        environment = {"KAFKA_GROUP_ID": self.group, "TOPICS_HELPERS": "flyscreen"}
        return subprocess.run(
            [str(self.binary), *map(str, arguments), "--kafka.bootstrap.servers", self.broker.address],
            env=_clean_environment() | environment, capture_output=True, text=True, timeout=limit)

    def program(self, *arguments, name=None):
        return Program(
            self.binary, [*arguments, "--kafka.bootstrap.servers", self.broker.address], name=name or arguments[0])

    def start_worker(self, *arguments, environment=None, port=None, **settings):
        """Starts one, and doesn't wait for it."""
        self._workers += 1
        return Worker(
            self.binary, [*arguments, *self.flags(**settings)], free_port() if port is None else port,
            environment, name=f"worker {self._workers} of {self.name}")

    def worker(self, *arguments, **settings):
        return self.start_worker(*arguments, **settings).wait_ready()

    @staticmethod
    def words(settings):
        return [word for name, value in settings.items() for word in (f"--{name}", str(value))]

    # Questions to the broker.

    def members(self):
        """The members of the group while it is stable; otherwise none."""
        group = self._admin.describe_consumer_groups([self.group], request_timeout=LIMIT)[self.group].result()
        if group.state.name != "STABLE":
            return []
        return [
            GroupMember(
                member.member_id, member.group_instance_id,
                frozenset((p.topic, p.partition) for p in member.assignment.topic_partitions))
            for member in group.members
        ]

    def wait_members(self, count, limit=LIMIT):
        """Waits until `count` members have all partitions."""
        def check():
            members = self.members()
            owned = [p for member in members for p in member.partitions]
            whole = len(owned) == len(set(owned)) == self.partitions * len(self.inputs)
            return members if len(members) == count and whole else None

        return wait_for(lambda: f"{count} members with all partitions: {self.members()}", check, limit)

    def change_topic(self, topic, setting, value):
        resource = ConfigResource(ResourceType.TOPIC, topic)
        resource.add_incremental_config(
            ConfigEntry(setting, value, incremental_operation=AlterConfigOpType.SET))
        self._admin.incremental_alter_configs([resource])[resource].result()
        wait_for(f"{topic} to have {setting}={value}", lambda: self.topic_setting(topic, setting) == value)

    def topic_setting(self, topic, setting):
        resource = ConfigResource(ResourceType.TOPIC, topic)
        return self._admin.describe_configs([resource])[resource].result()[setting].value

    def places(self):
        """The partitions of the input."""
        return [confluent_kafka.TopicPartition(t, p) for t in self.inputs for p in range(self.partitions)]

    def lag(self):
        """Records of the input whose turn has not come, by the group's committed offsets."""
        if self._committed is None:
            self._committed = confluent_kafka.Consumer({
                "bootstrap.servers": self.broker.address, "group.id": self.group, "enable.auto.commit": False,
                "log_level": 2})
        try:
            lag = 0
            for place in self._committed.committed(self.places(), timeout=LIMIT):
                end = self._committed.get_watermark_offsets(place, timeout=LIMIT)[1]
                lag += end - max(0, place.offset)
            return lag
        except confluent_kafka.KafkaException:
            # One that heard of no leader while a broker was away asks again only after minutes.
            self._committed.close()
            self._committed = None
            return None

    def committed_metadata(self, topic, partition=0):
        """The metadata that the worker committed with the partition's offset."""
        self.lag()
        place = confluent_kafka.TopicPartition(topic, partition)
        return json.loads(metadata(self._committed.committed([place], timeout=LIMIT)[0]))

    def wait_caught_up(self, limit=LIMIT):
        wait_for(lambda: f"the lag to be 0: {self.lag()}", lambda: self.lag() == 0, limit, every=0.05)

    def dead_letters(self):
        return [record for topic in self.inputs for record in read_all(self.broker.address, f"{topic}.dlq")]

    # Checks.

    @property
    def reader(self):
        """Reads committed commands from when it is first asked for."""
        if self._reader is None:
            self._reader = CommandReader(self.broker.address, self.commands)
        return self._reader

    def check_against_replay(self):
        """Checks, once all workers have ended, that the committed commands are those that the log and its journal give,
        and that the reader saw just these; and the same of the committed results of grabs."""
        self.reader.wait_all()
        log = write_log(self.broker.address, self.inputs, self.folder / "log.ndjson")
        expected = replay(self.binary, log)
        assert expected, "the log gives no commands"
        compare(self.reader.streams, expected)
        after = {}
        for record in read_all(self.broker.address, self.commands):
            room = record.key().decode()
            after.setdefault(room, []).append(record.value())
        during = {}
        for (room, _, _), lines in self.reader.streams.items():
            during.setdefault(room, []).extend(lines)
        assert {room: sorted(lines) for room, lines in after.items()} == {
            room: sorted(lines) for room, lines in during.items()}
        self.outcomes = check_results(
            read_all(self.broker.address, self.results), replayed_lines(self.binary, log, "--results"), self.partitions)
        return expected

    def close(self):
        if self._reader is not None:
            self._reader.close()
        if self._committed is not None:
            self._committed.close()
