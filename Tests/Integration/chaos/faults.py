"""Faults: each of them happens, lasts for a random time, and is mended."""

import contextlib
import json
import time

from proxy import WAYS
from venue import BROKERS, GATEWAYS, WORKERS
from waiting import LIMIT, wait_for

MOST_PARTITIONS = 8


class Faults:
    def __init__(self, venue, pick, folder):
        self._venue = venue
        self._pick = pick
        self._plan = folder / "reassignment.json"
        programs = {
            "worker killed": self._kill_worker, "worker frozen": self._freeze_worker,
            "gateway killed": self._kill_gateway, "gateway frozen": self._freeze_gateway}
        brokers = {
            "broker killed": self._kill_broker, "broker frozen": self._freeze_broker,
            "all brokers killed": self._kill_all_brokers, "leaders moved": self._move_leaders,
            "topic grown": self._grow}
        connections = {
            "connections reset": self._reset, "connections cut": self._cut, "connections slow": self._slow,
            "one way only": self._one_way, "answers held": self._hold_answers}
        if venue.disk.why_not is None:
            brokers["disk full"] = self._fill_disk
        self._places = (programs, brokers, connections)
        self.kinds = programs | brokers | connections

    def rounds(self):
        """What happens, without end: all kinds in a drawn order, and again. Beside half of them one happens in another
        place."""
        while True:
            kinds = sorted(self.kinds)
            self._pick.shuffle(kinds)
            for kind in kinds:
                beside = sorted(other for place in self._places if kind not in place for other in place)
                yield (kind, self._pick.choice(beside)) if self._pick.random() < 0.5 else (kind,)

    def _last(self, least, most):
        time.sleep(self._pick.uniform(least, most))

    # Programs

    def _kill_worker(self):
        name = self._pick.choice(WORKERS[:-1])
        self._venue.workers[name].kill()
        self._last(0, 3)
        self._venue.start_worker(name)

    def _freeze_worker(self):
        self._freeze(self._venue.workers[self._pick.choice(WORKERS)])

    def _kill_gateway(self):
        number = self._pick.randrange(GATEWAYS - 1)
        self._venue.gateways[number].kill()
        self._last(0, 3)
        self._venue.start_gateway(number)

    def _freeze_gateway(self):
        self._freeze(self._pick.choice(self._venue.gateways))

    def _freeze(self, program):
        """Maybe past its session."""
        program.freeze()
        self._last(0.5, 10)
        program.thaw()

    # Brokers

    def _node(self):
        return self._pick.randint(1, BROKERS)

    def _kill_broker(self):
        with self._venue.broker.one_killed(self._node()):
            self._last(0, 6)

    def _freeze_broker(self):
        with self._venue.broker.frozen(self._node()):
            self._last(0.5, 12)

    def _kill_all_brokers(self):
        with self._venue.broker.away("kill"):
            self._last(0, 3)

    def _move_leaders(self):
        """Moves the leader of every partition to another of its replicas, maybe."""
        admin = self._venue.crew.admin
        topics = admin.list_topics(timeout=LIMIT).topics
        partitions = [
            {"topic": name, "partition": partition.id,
             "replicas": self._pick.sample(sorted(partition.replicas), len(partition.replicas))}
            for name, topic in sorted(topics.items()) for partition in topic.partitions.values()]
        self._plan.write_text(json.dumps({"version": 1, "partitions": partitions}))
        broker = self._venue.broker
        broker.tool("reassign.ReassignPartitionsCommand", "--reassignment-json-file", str(self._plan), "--execute")
        # It fails where a replica is still behind; that keeps its leader.
        broker.tool("LeaderElectionCommand", "--election-type", "preferred", "--all-topic-partitions", check=False)

    def _fill_disk(self):
        """The broker ends; it is started once there is room again."""
        broker = self._venue.broker
        self._venue.disk.fill()
        wait_for("the broker without room to end", lambda: not broker.is_up(BROKERS))
        self._last(0, 3)
        self._venue.disk.free()
        broker.resume(BROKERS)

    def _grow(self):
        """Makes a topic grow by a partition, until there are enough."""
        crew = self._venue.crew
        topic = self._pick.choice(crew.inputs)
        size = crew.sizes()[topic] + 1
        if size > MOST_PARTITIONS:
            return
        topics = {name: value for name, value in crew.settings.items() if name.startswith("topics.")}
        run = crew.run("topics", "create", "--grow", f"{topic}={size}", *crew.words(topics))
        assert run.returncode == 0, run.stderr

    # Connections

    def _some_links(self):
        return self._pick.sample(self._venue.proxy.links, self._pick.randint(1, BROKERS))

    def _on_some_links(self, fault, least, most):
        with contextlib.ExitStack() as stack:
            for link in self._some_links():
                stack.enter_context(fault(link))
            self._last(least, most)

    def _reset(self):
        for link in self._some_links():
            link.reset()

    def _cut(self):
        self._on_some_links(lambda link: link.cut(), 0.5, 8)

    def _slow(self):
        seconds = self._pick.uniform(0.05, 0.5)
        self._on_some_links(lambda link: link.slow(seconds), 2, 8)

    def _one_way(self):
        way = self._pick.choice(WAYS)
        self._on_some_links(lambda link: link.held(way), 0.5, 8)

    def _hold_answers(self):
        """Holds answers for longer than a transaction's timeout: the coordinator gives it up, and answers come late."""
        timeout = self._venue.crew.settings["kafka.transaction.timeout.ms"] / 1000
        self._on_some_links(lambda link: link.held("answers"), timeout + 1.5, timeout + 4)
