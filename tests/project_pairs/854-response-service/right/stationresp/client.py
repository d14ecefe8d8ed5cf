"""Client side of the inventory."""
import itertools
import time

from .protocol import ReplyTimeout, Request, Tag
from .retry import retry


class InventoryClient:
    def __init__(self, comm, server=0, timeout=0.25):
        self.comm = comm
        self.server = server
        self.timeout = timeout
        self._serial = itertools.count(1)

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        self.comm.send(None, dest=self.server, tag=Tag.DONE)
        return False

    @retry(times=60, on=ReplyTimeout)
    def response(self, network, station):
        """Gain and corner frequency of one station."""
        serial = next(self._serial)
        self.comm.send(Request(serial, network, station),
                       dest=self.server, tag=Tag.REQUEST)
        reply = self._reply(serial)
        return reply.gain, reply.corner

    def _reply(self, serial):
        deadline = time.monotonic() + self.timeout
        while True:
            if self.comm.iprobe(source=self.server, tag=Tag.REPLY):
                reply = self.comm.recv(source=self.server, tag=Tag.REPLY)
                if reply.serial == serial:
                    return reply
            if time.monotonic() > deadline:
                raise ReplyTimeout(f"no answer to request {serial}")
