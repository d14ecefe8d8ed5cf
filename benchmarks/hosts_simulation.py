"""What judging a job costs on thousands of hosts: the real monitors, with synthetic ledgers and a virtual network.

    python benchmarks/hosts_simulation.py [--ranks 1024 10240 100000] [--plot docs/hosts-scale.svg]

Every host has 32 ranks. The monitors of all hosts run one after the other in this process: each leaf packs its ledger,
each leader unpacks, merges and packs what it leads, the root judges. The time of a step is what it would take on
machines of their own: the processor time on the longest way through the tree, and 0.2 ms for each message. Reading the
ledger on a leaf (about a millisecond) and encryption are not included.

The cases: all ranks in one collective; one rank of the last host with another operator; a ring of receives through all
ranks; a host whose ranks have died; one rank that has not come for an hour.
"""

from __future__ import annotations

import argparse
import gc
import io
import random
import resource
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from sanitizer.snapshots import (
    FakeBook,
    blocked,
    collective,
    communicator,
    job,
    messages,
    rank,
    receive,
    record,
    running,
    signature,
)

from jaxmpi_lint.runtime.hosts.asking import Answers
from jaxmpi_lint.runtime.hosts.joined import JoinedDeaths, JoinedLedger
from jaxmpi_lint.runtime.hosts.meeting import Peer
from jaxmpi_lint.runtime.hosts.root import Answer, Connection, Root
from jaxmpi_lint.runtime.hosts.wire import packed, unpacked
from jaxmpi_lint.runtime.judging.deaths import Death, Deaths
from jaxmpi_lint.runtime.ledger.snapshot import Record, Signature, Snapshot, Thread
from jaxmpi_lint.runtime.monitor.beginning import collect_seldom
from jaxmpi_lint.runtime.monitor.monitor import Monitor
from jaxmpi_lint.runtime.reports.outlet import ReportSink
from jaxmpi_lint.runtime.settings.monitor_options import MonitorOptions

RANKS = 32  # of a host
FAN_OUT = 32
LATENCY = 0.0002  # seconds for a message
JITTER = 0.008  # seconds of processor time from one look to the next in which ranks differ
COUNT = 1000  # collectives that all have entered
SUM = signature("MPI_Allreduce", "float", 8, 4, reduction="MPI_SUM")
MAX = replace(SUM, reduction="MPI_MAX")
CASES = {"all in one collective": "", "another operator": "JS104", "ring of receives": "JS201", "dead host": "JS108",
         "late rank": "JS204"}  # fmt: skip


@dataclass
class Network:
    """The virtual time, and what was sent."""

    case: str
    ranks: int
    now: float = 100.0
    spent: float = 0.0  # processor seconds of the monitors that are at work, one within the other
    to_root: int = 0  # bytes
    to_any: int = 0  # bytes that the busiest leader got for one answer
    asked: int = 0  # questions of the root
    waited: float = 0.0  # seconds for which the root waited for answers


class Ledger(FakeBook):
    """The synthetic ledger of a host."""

    def __init__(self, network: Network, host: int) -> None:
        super().__init__([])
        self._network, self._host = network, host

    def snapshot(self) -> Snapshot:
        begun = time.process_time()
        made = ledger(self._network, self._host)
        self._network.spent -= time.process_time() - begun  # a leaf has its own ledger
        return made

    def history(self, number: int, count: int) -> Sequence[Record]:
        odd = self._network.case == "another operator" and number == self._network.ranks - 1
        return [record(1, number, "Allreduce", ordinal=COUNT - 1, signature=MAX if odd else SUM)]

    def ask_stacks(self, number: int, seconds: float) -> str:
        return f"Thread {3 * number} (most recent call first):\n"

    def local_alive(self) -> int:
        return 0 if self.ended is not None else RANKS


class NoDeaths(Deaths):
    """The kernel reports no death: what is known is in the ledgers."""

    def __init__(self) -> None:
        self.launcher_asks = False

    def launcher_ended(self) -> float | None:
        return None

    def seen(self) -> list[Death]:
        return []

    def ending(self) -> frozenset[int]:
        return frozenset()


def thread(network: Network, number: int) -> Thread:
    """What a rank does."""
    noise = random.Random(number)
    used = {"entered": 99 + noise.random(), "cpu_seconds": network.now + noise.random(), "kernel_id": 3 * number}
    used["cpu_seconds"] += JITTER * random.Random(number + network.now).random()
    odd = number == network.ranks - 1
    if network.case == "ring of receives":
        made = blocked("Recv", receive((number - 1) % network.ranks, ordinal=1))
    elif network.case == "late rank" and odd:
        return running()
    else:
        other: Signature = MAX if odd and network.case == "another operator" else SUM
        made = blocked("Allreduce", collective(COUNT), signed=other)
    late = {"entered": -3600.0} if network.case == "late rank" else {}
    return replace(made, **{**used, **late})  # type: ignore[arg-type]


def numbers_of(network: Network, host: int) -> range:
    """The ranks of a host."""
    return range(host * RANKS, min((host + 1) * RANKS, network.ranks))


def ledger(network: Network, host: int) -> Snapshot:
    """The ledger of a host now."""
    numbers = numbers_of(network, host)
    dead = network.case == "dead host" and host == 1
    behind = {one for one in numbers if dead or (network.case == "late rank" and one == network.ranks - 1)}
    counts = [COUNT - (one in behind) for one in numbers]
    whole = communicator(counts, members=list(numbers))
    odd = {network.ranks - 1} if network.case == "another operator" else set[int]()
    lanes = [replace(lane, fine=1, rolling=1 + (lane.rank in odd)) for lane in whole.lanes]
    ranks = [rank(one, thread(network, one), process=3 * one, local=one - numbers[0]) for one in numbers]
    if dead:
        ranks = [replace(one, alive=False, state="vanished") for one in ranks]
    rings = network.case == "ring of receives"
    sources = [(one, (one - 1) % network.ranks) for one in numbers] if rings else []
    posted = [replace(messages(source, one, posted=1), identity=1) for one, source in sources]
    return job(
        *ranks, world_size=network.ranks, host=f"node{host}", taken=network.now,
        communicators=(replace(whole, size=network.ranks, lanes=tuple(lanes)),), channels=tuple(posted),
    )  # fmt: skip


@dataclass
class Node:
    """The monitor of a host."""

    network: Network
    name: str
    answers: Answers
    seconds: float = 0.0  # of the last answer, on machines of their own

    def answer(self, what: str, arguments: Sequence[Any]) -> bytes:
        """The answer as it is sent."""
        begun, outer = time.process_time(), self.network.spent
        self.network.spent = 0.0
        data = packed({"answer": 1, "value": self.answers.answer(what, list(arguments))})
        elapsed = time.process_time() - begun
        self.seconds = elapsed + self.network.spent
        self.network.spent = outer - elapsed
        return data


@dataclass
class Led:
    """What a leader asks: stands for `Root`, without sockets."""

    network: Network
    nodes: dict[str, Node]
    connections: dict[str, Connection]
    is_root: bool

    def ask(
        self, what: str, *arguments: Any, whom: Iterable[str] | None = None, seconds: float | None = None
    ) -> dict[str, Answer]:
        """All answers."""
        return self.ask_each(what, dict.fromkeys(self.nodes if whom is None else whom, arguments))

    def ask_each(
        self, what: str, arguments: Mapping[str, Sequence[Any]], seconds: float | None = None
    ) -> dict[str, Answer]:
        """All answers; the time is that of the slowest."""
        found, slowest, size = {}, 0.0, 0
        for key, given in arguments.items():
            node = self.nodes[key]
            data = node.answer(what, given)
            slowest, size = max(slowest, node.seconds + 2 * LATENCY), size + len(data)
            found[key] = Answer(unpacked(data)["value"], self.network.now, self.network.now, len(data))
        self.network.to_any = max(self.network.to_any, size)
        if self.is_root:
            self.network.to_root += size
            self.network.asked += bool(arguments)
            self.network.waited += slowest
        else:
            self.network.spent += slowest
        return found

    def tell(self, what: str, *arguments: Any, whom: Iterable[str] | None = None) -> None:
        """Nobody acts on it here."""


def tree(
    network: Network, hosts: Sequence[int], is_root: bool
) -> tuple[JoinedLedger | Ledger, NoDeaths | JoinedDeaths]:
    """The ledger that the monitor of the first of these hosts has, with those of the others."""
    own, deaths = Ledger(network, hosts[0]), NoDeaths()
    if len(hosts) == 1:
        return own, deaths
    size = -(-(len(hosts) - 1) // FAN_OUT)
    groups = [hosts[at : at + size] for at in range(1, len(hosts), size)]
    led = Led(network, {}, {}, is_root)
    for group in groups:
        key = str(group[0])
        book, ends = tree(network, group, is_root=False)
        led.nodes[key] = Node(network, f"node{key}", Answers(book, ends, ""))
        ranks = tuple(
            number for host in group for number in range(host * RANKS, min((host + 1) * RANKS, network.ranks))
        )
        led.connections[key] = Connection(Peer(ranks, None), f"node{key}", b"there", alive=len(ranks))
    joined = JoinedLedger(own, cast(Root, led))
    return joined, JoinedDeaths(deaths, joined)


@dataclass(frozen=True)
class Figures:
    """What one case took."""

    case: str
    ranks: int
    seconds: float  # from the first look to the report, or of one look
    to_root: int
    to_any: int
    asked: int
    memory: float  # MiB


def measured(case: str, ranks: int) -> Figures:
    """Judge one case; SystemExit if the finding is another one."""
    network = Network(case, ranks)
    hosts = range(-(-ranks // RANKS))
    book, deaths = tree(network, hosts, is_root=True)
    output, wishes = io.StringIO(), replace(MonitorOptions.parse(""), log_dir="/dev/null/none")
    monitor = Monitor(book, ReportSink(output, "", wishes), deaths)
    expected, seconds = CASES[case], 0.0
    for _ in range(4 if expected else 1):
        network.spent, network.waited, begun = 0.0, 0.0, time.process_time()
        monitor.look()
        seconds += time.process_time() - begun + network.spent + network.waited
        network.now += 0.3
        if expected and expected in output.getvalue():
            break
    found = {word for word in output.getvalue().split() if word.startswith("JS")}
    if found != ({expected} if expected else set()):
        raise SystemExit(f"{case}, {ranks} ranks: {found or 'nothing'} instead of {expected or 'nothing'}")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Figures(case, ranks, seconds, network.to_root, network.to_any, network.asked, memory)


def rows(given: Sequence[int], cases: Sequence[str]) -> Iterator[Figures]:
    """These cases, printed as they come."""
    print(f"{'case':24} {'ranks':>8} {'seconds':>8} {'KiB to root':>12} {'KiB to one':>11} {'asked':>6} {'MiB':>6}")
    for ranks in given:
        for case in cases:
            gc.collect()
            one = measured(case, ranks)
            sizes = f"{one.to_root / 1024:12.1f} {one.to_any / 1024:11.1f}"
            print(f"{case:24} {ranks:8} {one.seconds:8.2f} {sizes} {one.asked:6} {one.memory:6.0f}", flush=True)
            yield one


def draw(figures: Sequence[Figures], path: str) -> None:
    """Seconds and bytes by the number of ranks."""
    import matplotlib  # noqa: PLC0415 # of the extra `bench`

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "hosts"
    from matplotlib import pyplot  # noqa: PLC0415

    picture, (times, sizes) = pyplot.subplots(1, 2, figsize=(9, 3.6))
    for case in dict.fromkeys(one.case for one in figures):
        points = [one for one in figures if one.case == case]
        counts = [one.ranks for one in points]
        times.loglog(counts, [one.seconds for one in points], marker="o", label=case)
        sizes.loglog(counts, [one.to_root / 1024 for one in points], marker="o", label=case)
    times.set(xlabel="ranks", ylabel="seconds until the report")
    sizes.set(xlabel="ranks", ylabel="KiB that arrive at the root")
    times.legend(fontsize=7)
    for axes in (times, sizes):
        axes.grid(True, which="major", alpha=0.3)
    picture.tight_layout()
    picture.savefig(path, metadata={"Date": None})


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--ranks", type=int, nargs="+", default=[1024, 10_240, 100_000])
    parser.add_argument("--cases", nargs="+", choices=list(CASES), default=list(CASES))
    parser.add_argument("--plot", metavar="FILE", help="draw the figures; needs matplotlib")
    arguments = parser.parse_args()
    collect_seldom()
    figures = list(rows(arguments.ranks, arguments.cases))
    if arguments.plot:
        draw(figures, arguments.plot)


if __name__ == "__main__":
    main()
