"""The page in a real browser (Chromium, driven by Selenium), served by a real gateway.

Commands are produced straight to the commands topic, so a test knows what must be on the page; the broker is the one
that librdkafka has for tests, within this process. What the page sends is read from the input topics.
"""

import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
# Programs are run and waited for in the same way everywhere.
sys.path.insert(0, str(HERE.parent / "kafka"))

from phone import Phone  # noqa: E402
from process import end_all  # noqa: E402
from backstage import Gateway, Kafka  # noqa: E402
from sources import Sources  # noqa: E402


def pytest_configure(config):
    config.addinivalue_line("markers", "breaks_the_network: the browser's console will tell of it")


@pytest.fixture(scope="session")
def kafka():
    kafka = Kafka()
    yield kafka
    kafka.close()


@pytest.fixture(scope="module")
def gateway(kafka):
    gateway = Gateway(kafka).wait_ready()
    yield gateway
    gateway.terminate()
    end_all()


@pytest.fixture(scope="package")
def browser():
    phone = Phone.start()
    yield phone
    phone.quit()


@pytest.fixture
def modules(browser):
    """The browser on an empty page beside the page's modules."""
    sources = Sources()
    browser.begin(None)
    browser.driver.get(sources.address)
    yield browser
    browser.leave()
    sources.close()


@pytest.fixture
def phone(browser, gateway, request):
    """A phone of 390 × 844 that a thumb touches. After the test its console must have no error."""
    browser.begin(gateway)
    yield browser
    errors = browser.console_errors()
    # The next test opens a page in this one's place.
    if request.node.get_closest_marker("breaks_the_network"):
        browser.leave()
    else:
        assert errors == []


@pytest.fixture
def room(kafka, request):
    """A room of this test's own."""
    return kafka.room(request.node.name)
