"""Viewers: clients of streams that we did not write (httpx, sseclient), each with the events that it got."""

import json
import random
import threading
import time

import httpx
import sseclient

from waiting import LIMIT


def events(response):
    """The events of a stream as they come."""
    return sseclient.SSEClient(response.iter_bytes()).events()


class Viewer(threading.Thread):
    """Follows a room, and goes now and then, of its own will or not, to another of the gateways; as an EventSource it
    says then what it has come to."""

    def __init__(self, room, urls, seed, patience=LIMIT):
        """patience: seconds without a word after which it takes a stream for broken."""
        super().__init__(daemon=True)
        self.room = room
        self.urls = urls
        self.random = random.Random(seed)
        self.patience = patience
        self.ids = []
        self.snapshots = 0
        self.stays = 0
        self.last_event_id = None
        self.opened = None  # when the stream was, until its first event
        self.failure = None
        self.done = threading.Event()
        self.start()

    def end(self):
        self.done.set()
        if self.failure:
            raise self.failure

    def run(self):
        try:
            with httpx.Client(timeout=httpx.Timeout(self.patience)) as client:
                while not self.done.is_set():
                    self._stay(client, self.random.choice(self.urls), self.random.randint(1, 60))
        except Exception as error:  # told by the test, on its own thread
            self.failure = error

    def _stay(self, client, url, count):
        headers = {"Last-Event-ID": self.last_event_id} if self.last_event_id else {}
        self.opened = time.monotonic()
        try:
            with client.stream("GET", f"{url}/rooms/{self.room}/commands", headers=headers) as response:
                if response.status_code != 200:
                    time.sleep(0.05)
                    return
                self.stays += 1
                for event in events(response):
                    self._take(event)
                    self.opened = None
                    count -= 1
                    if count == 0 or self.done.is_set():
                        return
        except httpx.TransportError:
            time.sleep(0.05)

    def _take(self, event):
        data = json.loads(event.data)
        if event.event == "pace":
            return
        if event.event == "snapshot":
            self.snapshots += 1
        else:
            self.ids.append(data["id"])
        self.last_event_id = event.id
