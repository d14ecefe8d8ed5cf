"""Season statistics of the gauges over all ranks."""
from collections import defaultdict

import numpy as np
from mpi4py import MPI


class FlowStatistics:
    def __init__(self, comm, network):
        self.comm = comm
        self.network = network
        self._sum = defaultdict(float)
        self._days = defaultdict(int)
        self._peak = defaultdict(float)

    def add(self, record):
        self._sum[record.gauge] += record.discharge
        self._days[record.gauge] += 1
        self._peak[record.gauge] = max(self._peak[record.gauge], record.discharge)

    def _merge_gauge(self, name):
        part = np.array([self._sum[name], self._days[name]])
        total = np.empty_like(part)
        self.comm.Allreduce(part, total, op=MPI.SUM)
        peak = self.comm.allreduce(self._peak[name], op=MPI.MAX)
        return {"mean": total[0] / total[1], "days": int(total[1]), "peak": peak}

    def merge(self):
        return {name: self._merge_gauge(name) for name in self.network.monitored()}


def basin_means(network, table):
    return {b: sum(table[g]["mean"] for g in network.members(b)) for b in network.basins}
