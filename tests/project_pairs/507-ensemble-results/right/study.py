import itertools
import logging

import numpy as np

from model import Member
from results import ResultTable

log = logging.getLogger("study")


class Study:
    def __init__(self, comm, config):
        self.comm = comm
        self.config = config
        self.table = ResultTable(config["output"]["table"])

    def grid(self):
        spec = self.config["grid"]
        axes = [np.linspace(*spec[name]) for name in ("alpha", "beta")]
        return list(itertools.product(*axes))

    def members(self):
        points = self.grid()
        for i in range(self.comm.rank, len(points), self.comm.size):
            alpha, beta = points[i]
            yield Member(i, float(alpha), float(beta))

    def run(self):
        time = self.config["time"]
        for member in self.members():
            track = member.integrate(time["end"], time["dt"])
            self.table.append(member.summarise(track))
        log.info("rank %d: %d members", self.comm.rank, len(self.table))
        self.finish()

    def finish(self):
        parts = self.comm.gather(self.table.rows, root=0)
        if self.comm.rank == 0:
            merged = ResultTable(self.table.path)
            for part in parts:
                merged.extend(part)
            merged.write()
        self.comm.Barrier()
