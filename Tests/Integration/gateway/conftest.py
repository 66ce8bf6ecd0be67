"""Gateways on a broker that all tests share, and the commands that they serve."""

import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
# The documents that answers are held against.
sys.path.insert(0, str(HERE.parent / "schema"))

from certificates import make_certificate
from process import Program
from proxied import run_nginx
from served import Commands, ServedGateway
from waiting import free_port

TOPICS = ("gateway.events", "gateway.commands", "gateway.results")


@pytest.fixture(scope="session")
def topic_settings(binary, broker):
    """Topics of all tests of gateways; each test has rooms of its own."""
    events, commands, results = TOPICS
    settings = [
        "--kafka.bootstrap.servers", broker.address, "--topics.input", events, "--topics.commands", commands,
        "--topics.results", results, "--topics.partitions", "4",
    ]
    produce = [word for kind in ("gift", "wish", "wishLike", "tap", "taps", "rainStart", "rainGrab", "spot", "pin", "goal", "score")
               for word in (f"--topics.produce.{kind}", events)]
    assert Program(binary, ["topics", "create", *settings]).wait() == 0
    return settings + produce


@pytest.fixture(scope="session")
def commands(broker, topic_settings):
    return Commands(broker.address, TOPICS[1])


def gateways(binary, topic_settings):
    made = []

    def make(*settings, trusted=None):
        made.append(ServedGateway(binary, [*topic_settings, *settings], free_port(), trusted))
        return made[-1].wait_ready()

    yield make
    for gateway in made:
        gateway.kill()
        print(f"---- {gateway.name} had said:\n{gateway.said[-20000:]}")


@pytest.fixture
def make_gateway(binary, topic_settings):
    """Starts gateways for one test; with `trusted`, a certificate, by TLS."""
    yield from gateways(binary, topic_settings)


@pytest.fixture(scope="module")
def make_shared_gateway(binary, topic_settings):
    """The same, for the tests of a file."""
    yield from gateways(binary, topic_settings)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A folder with cert.pem and key.pem."""
    folder = tmp_path_factory.mktemp("tls")
    make_certificate(folder)
    return folder


@pytest.fixture(scope="module")
def make_site(certificate, tmp_path_factory):
    """nginx as it is deployed before some gateways."""
    running = []

    def make(gateways, partitions=None):
        nginx, site = run_nginx(tmp_path_factory.mktemp("nginx"), certificate, gateways, partitions)
        running.append(nginx)
        return site

    yield make
    for nginx in running:
        nginx.kill()
