"""Measures programs that have run from the beginning: at the end they must be as in the first minutes."""

import statistics
import threading
import time

EVERY_SECONDS = 2
# The most growth from the first minutes to the end: a factor, and an amount beside it.
MORE = {"MB": (1.5, 64), "files": (1.5, 32), "threads": (1.5, 8), "delay ms": (3, 500)}


class Vitals:
    """Samples of memory, open files and threads of each program, and of the delay of commands."""

    def __init__(self, programs, delay):
        """programs: by name; delay: the ms from a command's `atMs` to its reading, of the commands read last."""
        self._programs = programs
        self._delay = delay
        self._samples = {}
        self._began = time.monotonic()
        self._enough = threading.Event()
        self._thread = threading.Thread(target=self._run, name="vitals")
        self._thread.start()

    def _run(self):
        while not self._enough.wait(EVERY_SECONDS):
            for name, program in self._programs.items():
                self._keep(name, "MB", program.memory() / 1e6)
                self._keep(name, "files", program.files())
                self._keep(name, "threads", program.threads())
            if (delay := self._delay()) is not None:
                self._keep("commands", "delay ms", delay)

    def _keep(self, name, what, value):
        self._samples.setdefault((name, what), []).append((time.monotonic() - self._began, value))

    def stop(self):
        self._enough.set()
        self._thread.join()
        self._whole = time.monotonic() - self._began

    def rows(self):
        """(name, what, median of the first window, median of the last): of two minutes, or a third of the run. The first
        ten seconds don't count."""
        whole, window = self._whole, min(120, self._whole / 3)

        def median(samples, least, most):
            return statistics.median([value for at, value in samples if least <= at <= most] or [0])

        return [(*key, median(samples, min(10, window / 2), window), median(samples, whole - window, whole))
                for key, samples in sorted(self._samples.items())]


def has_grown(what, first, last):
    share, beside = MORE[what]
    return last > first * share + beside
