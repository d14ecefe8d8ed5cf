"""Monte Carlo volume of a ball.  The workers report progress now and then,
rank 0 computes too and polls for reports between its own batches; a thread
on each rank writes the trace, MPI stays on the main thread."""
import math
import queue
import tempfile
import threading
from pathlib import Path

import mpi4py
mpi4py.rc.thread_level = "funneled"
from mpi4py import MPI
import numpy as np

TAG_PROGRESS, TAG_LAST = 1, 2
DIM, BATCH, BATCHES = 4, 2000, 30


class TraceWriter(threading.Thread):
    """Writes lines to the file of this rank; never calls MPI."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.path, self.lines = path, queue.Queue()

    def run(self):
        with open(self.path, "w") as fh:
            while (line := self.lines.get()) is not None:
                fh.write(line + "\n")

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *exc):
        self.lines.put(None)
        self.join()
        return False


class ReporterMixin:
    """Worker side: at most one progress message under way."""
    _request = None

    def report(self, batch):
        if self._request is not None and not self._request.test()[0]:
            return                      # the last one is not yet taken; skip
        self._request = self.comm.isend(batch, dest=0, tag=TAG_PROGRESS)

    def finish(self):
        if self._request is not None:
            self._request.wait()
        self.comm.send(BATCHES, dest=0, tag=TAG_LAST)


class MonitorMixin:
    """Root side: takes what has come, without waiting, until finish()."""
    def report(self, batch):
        self.progress[0] = batch
        status = MPI.Status()
        while self.comm.iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG, status):
            self._take(status)

    def finish(self):
        self.progress[0] = BATCHES
        status = MPI.Status()
        while self.open:
            self.comm.probe(MPI.ANY_SOURCE, MPI.ANY_TAG, status)
            self._take(status)

    def _take(self, status):
        source, tag = status.Get_source(), status.Get_tag()
        value = self.comm.recv(source=source, tag=tag)
        assert value >= self.progress[source], "progress goes backwards"
        self.progress[source] = value
        if tag == TAG_LAST:
            self.open.discard(source)


class Sampler:
    def __init__(self, comm):
        self.comm = comm
        seq = np.random.SeedSequence(314, spawn_key=(comm.rank,))
        self.rng = np.random.default_rng(seq)
        self.progress = dict.fromkeys(range(comm.size), 0)
        self.open = set(range(1, comm.size))

    def run(self, trace):
        hits = 0
        for b in range(BATCHES):
            pts = self.rng.uniform(-1.0, 1.0, size=(BATCH, DIM))
            hits += int(((pts ** 2).sum(axis=1) <= 1.0).sum())
            trace.lines.put(f"{b} {hits}")
            self.report(b)
        self.finish()
        return hits


class RootSampler(MonitorMixin, Sampler):
    pass


class WorkerSampler(ReporterMixin, Sampler):
    pass


def main():
    if MPI.Query_thread() < MPI.THREAD_FUNNELED:
        raise SystemExit("this MPI library does not tolerate threads")
    comm = MPI.COMM_WORLD
    with tempfile.TemporaryDirectory() as folder:       # one for each rank
        path = Path(folder) / "trace.txt"
        sampler = RootSampler(comm) if comm.rank == 0 else WorkerSampler(comm)
        with TraceWriter(path) as trace:
            hits = sampler.run(trace)
        rows = [tuple(map(int, line.split())) for line in path.read_text().splitlines()]
    assert [b for b, _ in rows] == list(range(BATCHES)) and rows[-1][1] == hits

    total = comm.allreduce(hits)
    volume = 2.0 ** DIM * total / (BATCH * BATCHES * comm.size)
    assert abs(volume - math.pi ** 2 / 2) < 0.1, volume
    if comm.rank == 0:
        assert set(sampler.progress.values()) == {BATCHES}
        print(f"volume {volume:.4f} (exact {math.pi ** 2 / 2:.4f}) on {comm.size} ranks")


if __name__ == "__main__":
    main()
