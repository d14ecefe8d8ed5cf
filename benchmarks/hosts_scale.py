"""What one monitor needs to judge the ranks of many hosts, with synthetic ledgers behind real sockets.

    python benchmarks/hosts_scale.py [--hosts 32] [--ranks 32]

A second process plays all leaves: it answers each question with the ledger of a host, made once. The root is the
monitor itself. The figures are for one machine without latency between hosts: time per look while all ranks wait in one
collective, time until a mismatch is reported of which the last host knows, and the bytes that arrive at the root.
"""

from __future__ import annotations

import argparse
import io
import multiprocessing
import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import zmq
from sanitizer.snapshots import FakeBook, blocked, collective, communicator, job, rank, record, signature

from jaxmpi_lint.runtime.hosts import portable
from jaxmpi_lint.runtime.hosts.events import Events
from jaxmpi_lint.runtime.hosts.joined import JoinedLedger
from jaxmpi_lint.runtime.hosts.meeting import Offer, Peer
from jaxmpi_lint.runtime.hosts.root import Root
from jaxmpi_lint.runtime.hosts.sockets import Client, Keys, Server
from jaxmpi_lint.runtime.hosts.wire import packed, unpacked
from jaxmpi_lint.runtime.ledger.snapshot import Record, Snapshot
from jaxmpi_lint.runtime.monitor.monitor import Monitor
from jaxmpi_lint.runtime.reports.outlet import ReportSink
from jaxmpi_lint.runtime.settings.monitor_options import MonitorOptions

SUM = signature("MPI_Allreduce", "float", 8, 4, reduction="MPI_SUM")
COUNT = 1000  # collectives that all have entered
LOOKS = 5


def ledger(number: int, ranks: int, world: int, odd: bool = False) -> Snapshot:
    """A host whose ranks all wait in one Allreduce; on an ``odd`` one the last rank reduces with another operator."""
    numbers = range(number * ranks, (number + 1) * ranks)
    signatures = [replace(SUM, reduction="MPI_MAX") if odd and one == numbers[-1] else SUM for one in numbers]
    threads = [blocked("Allreduce", collective(COUNT), signed=one, cpu_seconds=time.monotonic()) for one in signatures]
    made = communicator([COUNT] * ranks, members=list(numbers))
    lanes = [replace(lane, fine=0, rolling=1) for lane in made.lanes]
    if odd:
        lanes[-1] = replace(lanes[-1], rolling=2)
    whole = replace(made, size=world, lanes=tuple(lanes))
    everyone = [rank(one, thread) for one, thread in zip(numbers, threads, strict=True)]
    return job(*everyone, world_size=world, host=f"node{number}", communicators=(whole,), taken=time.monotonic())


def last_call(number: int, odd: bool) -> Record:
    """The record of the call in which a rank waits."""
    used = replace(SUM, reduction="MPI_MAX") if odd else SUM
    return record(1, number, "Allreduce", ordinal=COUNT - 1, signature=used)


@dataclass
class Played:
    """A leaf."""

    client: Client
    ledger: Snapshot


def play(pipe: Connection, key: str, address: str, hosts: int, ranks: int) -> None:
    """All leaves, in one process; the last one turns odd when the pipe says so."""
    keys = [Keys() for _ in range(hosts - 1)]
    pipe.send([one.name for one in keys])
    pipe.recv()
    world = hosts * ranks
    leaves = [Played(Client(one, key, [address]), ledger(at + 1, ranks, world)) for at, one in enumerate(keys)]
    poller = zmq.Poller()
    for leaf in leaves:
        leaf.client.send(packed({"hello": leaf.ledger.host, "alive": ranks}))
        poller.register(leaf.client.socket, zmq.POLLIN)
    by_socket = {leaf.client.socket: leaf for leaf in leaves}
    while True:
        for socket, _ in poller.poll(10):
            leaf = by_socket[socket]
            for data in leaf.client.receive():
                if (message := unpacked(data)).get("bye"):
                    return
                if "ask" in message:
                    leaf.client.send(packed({"answer": message["ask"], "value": answer(leaf, message)}))
        if pipe.poll():
            pipe.recv()
            leaves[-1].ledger = ledger(hosts - 1, ranks, world, odd=True)
            leaves[-1].client.send(packed({"event": 1, "alive": ranks}))


def answer(leaf: Played, message: dict[str, Any]) -> Any:
    """What a host answers."""
    if message["what"] == "snapshot":
        packed = portable.packed_snapshot(replace(leaf.ledger, taken=time.monotonic()))
        return {"snapshot": packed, "deaths": [], "ending": []}
    if message["what"] == "history":
        number = message["arguments"][0]
        odd = any(lane.rank == number and lane.rolling == 2 for lane in leaf.ledger.communicators[0].lanes)
        return portable.packed_records([last_call(number, odd)])
    return "" if message["what"] == "stacks" else None


class Book(FakeBook):
    """The ledger of the root's host, in which nothing happens."""

    def wait(self, seconds: float) -> str:
        time.sleep(seconds)
        return "timeout"


class Counting(Server):
    """Counts the bytes that arrive."""

    arrived = 0

    def receive(self) -> Any:
        for name, address, data in super().receive():
            self.arrived += len(data)
            yield name, address, data


def root_of(hosts: int, ranks: int) -> tuple[Monitor, Root, Counting, Connection, io.StringIO]:
    """The monitor of the first host, once all leaves are there."""
    keys, world = Keys(), hosts * ranks
    server = Counting(keys, "lo")
    own, other = multiprocessing.Pipe()
    address = f"127.0.0.1:{server.port}"
    multiprocessing.Process(target=play, args=(other, keys.name, address, hosts, ranks), daemon=True).start()
    names = own.recv()
    peers = [
        Peer(tuple(range(at * ranks, (at + 1) * ranks)), Offer(name, (), "", "")) for at, name in enumerate(names, 1)
    ]
    book = Book([ledger(0, ranks, world)], histories={one: [last_call(one, False)] for one in range(ranks)})
    root = Root(server, peers, Events(book), print)
    own.send("admitted")
    if reason := root.meet(120):
        raise SystemExit(reason)
    output = io.StringIO()
    wishes = replace(MonitorOptions.parse(""), log_dir="/dev/null/none")
    return Monitor(JoinedLedger(book, root), ReportSink(output, "", wishes)), root, server, own, output


def main(arguments: Sequence[str]) -> int:
    """Measure; 1 if the mismatch is not reported."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--hosts", type=int, default=32)
    parser.add_argument("--ranks", type=int, default=32, help="of each host")
    given = parser.parse_args(arguments)
    monitor, root, server, pipe, output = root_of(given.hosts, given.ranks)
    server.arrived, begun, used = 0, time.monotonic(), time.process_time()
    for _ in range(LOOKS):
        monitor.look()
    each, spent = (time.monotonic() - begun) / LOOKS, (time.process_time() - used) / LOOKS
    per_look = server.arrived / LOOKS
    server.arrived, begun = 0, time.monotonic()
    pipe.send("odd")
    while not monitor.outlet.errors and time.monotonic() < begun + 120:
        monitor.wait()
        monitor.look()
    found = time.monotonic() - begun
    root.bye()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{given.hosts} hosts with {given.ranks} ranks each, {given.hosts * given.ranks} ranks")
    print(f"a look: {each:.3f} s ({spent:.3f} s of the root's processor), {per_look / 1024:.0f} KiB arrive")
    print(f"a mismatch on the last host: reported after {found:.3f} s, {server.arrived / 1024:.0f} KiB arrived")
    print(f"memory of the root: {memory:.0f} MiB")
    return 0 if "JS104" in output.getvalue() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
