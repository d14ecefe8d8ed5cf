import logging
import time
from functools import wraps

from mpi4py import MPI

from kmers import KmerTable
from reads import ParseError, parse

log = logging.getLogger("kmer")


def timed(fn):
    @wraps(fn)
    def inner(self, *args, **kwargs):
        t0 = time.perf_counter()
        try:
            return fn(self, *args, **kwargs)
        finally:
            self.timings[fn.__name__] = time.perf_counter() - t0
    return inner


class Pipeline:
    def __init__(self, comm, cfg):
        self.comm = comm
        self.cfg = cfg
        self.timings = {}
        self.skipped = 0

    @timed
    def distribute(self, lines):
        chunks = None
        if self.comm.rank == 0:
            n = len(lines) // 4
            cuts = [4 * (n * r // self.comm.size) for r in range(self.comm.size + 1)]
            chunks = [lines[a:b] for a, b in zip(cuts, cuts[1:])]
        return self.comm.scatter(chunks, root=0)

    def count_lane(self, lines):
        table = KmerTable(self.cfg["k"])
        for name, seq, qual in parse(lines):
            table.add(seq)
        return table

    @timed
    def combine(self, table):
        op = MPI.Op.Create(lambda a, b, _dt: a.merge(b), commute=True)
        try:
            return self.comm.reduce(table, op=op, root=0)
        finally:
            op.Free()

    def process_lane(self, lane, lines):
        mine = self.distribute(lines)
        try:
            table = self.count_lane(mine)
        except ParseError as exc:
            log.warning("lane %s: %s", lane, exc)
            self.skipped += 1
            return None
        return self.combine(table)
