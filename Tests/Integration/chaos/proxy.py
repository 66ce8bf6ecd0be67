"""A proxy before brokers, whose connections can be made bad."""

import asyncio
import contextlib
import socket
import struct
import threading

WAYS = ("requests", "answers")


class Link:
    """The way to one broker: a port of the proxy's."""

    def __init__(self, loop, port, target):
        self._loop = loop
        self._target = target
        self._delay = 0
        self._refuses = False
        self._open = {way: asyncio.Event() for way in WAYS}
        for gate in self._open.values():
            gate.set()
        self._writers = set()
        self._server = self._run(asyncio.start_server(self._accept, "127.0.0.1", port))

    def reset(self):
        """Every connection ends with an RST, as when a firewall forgets it."""
        self._run(self._end(abruptly=True))

    @contextlib.contextmanager
    def cut(self):
        """No connection meanwhile."""
        self._refuses = True
        self._run(self._end())
        try:
            yield
        finally:
            self._refuses = False

    @contextlib.contextmanager
    def slow(self, seconds):
        """Every piece takes so much longer."""
        self._delay = seconds
        try:
            yield
        finally:
            self._delay = 0

    @contextlib.contextmanager
    def held(self, *ways):
        """Meanwhile nothing gets through in these ways; it arrives afterwards."""
        for way in ways:
            self._loop.call_soon_threadsafe(self._open[way].clear)
        try:
            yield
        finally:
            for way in ways:
                self._loop.call_soon_threadsafe(self._open[way].set)

    def _run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _end(self, abruptly=False):
        for writer in list(self._writers):
            if abruptly:
                linger = struct.pack("ii", 1, 0)
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            writer.transport.abort()

    async def _accept(self, reader, writer):
        try:
            if self._refuses:
                raise ConnectionError("refused")
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, far_writer}
        pieces = [asyncio.ensure_future(self._pass_on("requests", reader, far_writer)),
                  asyncio.ensure_future(self._pass_on("answers", far_reader, writer))]
        try:
            await asyncio.wait(pieces, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for piece in pieces:
                piece.cancel()
            for end in (writer, far_writer):
                self._writers.discard(end)
                end.close()

    async def _pass_on(self, way, reader, writer):
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                if self._delay:
                    await asyncio.sleep(self._delay)
                await self._open[way].wait()
                writer.write(data)
                await writer.drain()


class Proxy:
    """Links from `first`, `first + 1`, … of this machine to its ports `targets`."""

    def __init__(self, first, targets):
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)
        self._thread.start()
        self.links = [Link(self._loop, first + number, target) for number, target in enumerate(targets)]

    def close(self):
        async def end():
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()

        asyncio.run_coroutine_threadsafe(end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
