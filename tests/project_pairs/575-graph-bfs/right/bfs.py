import logging

import numpy as np
from mpi4py import MPI

log = logging.getLogger("bfs")


class BreadthFirst:
    def __init__(self, comm, graph, layout, exchange):
        self.comm = comm
        self.graph = graph
        self.layout = layout
        self.exchange = exchange
        self.level = np.full(graph.hi - graph.lo, -1, dtype=np.int32)

    def _claim(self, candidates, depth):
        index = candidates - self.graph.lo
        fresh = candidates[self.level[index] < 0]
        self.level[fresh - self.graph.lo] = depth
        return fresh

    def run(self, root):
        mine = self.layout.owner(root) == self.comm.rank
        frontier = np.array([root] if mine else [], dtype=np.int64)
        self._claim(frontier, 0)
        depth = 0
        while self.comm.allreduce(frontier.size, op=MPI.SUM) > 0:
            depth += 1
            candidates = self.exchange.deliver(self.graph.neighbours(frontier))
            frontier = self._claim(candidates, depth)
            if self.comm.rank == 0:
                log.info("depth %d: %d new on rank 0", depth, frontier.size)
        return depth - 1

    def histogram(self):
        deepest = self.comm.allreduce(int(self.level.max()), op=MPI.MAX)
        counts = np.bincount(self.level[self.level >= 0], minlength=deepest + 1)
        total = np.empty_like(counts)
        self.comm.Allreduce(counts, total, op=MPI.SUM)
        return total
