#!/usr/bin/env python
import logging
import sys
from mpi4py import MPI

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("survey")

RECORDS = ["12;3.4", "15;2.2", "n/a;9.1", "11;4.0", "18;1.9", "13;2.8", "14;3.3", "16;3.0"]


class Survey:
    def __init__(self, comm):
        self.comm = comm
        self.rows = []
        self.bad = 0

    def parse(self, lines):
        for line in lines:
            age, dose = line.split(";")
            self.rows.append((int(age), float(dose)))

    def load(self, records):
        mine = records[self.comm.rank::self.comm.size]
        self.parse(mine)

    def mean_dose(self):
        everything = self.comm.gather(self.rows, root=0)
        if self.comm.rank != 0:
            return None
        flat = [dose for rows in everything for _, dose in rows]
        return sum(flat) / len(flat)


def run(comm):
    survey = Survey(comm)
    try:
        survey.load(RECORDS)
        mean = survey.mean_dose()
        bad = comm.reduce(survey.bad, op=MPI.SUM, root=0)
    except ValueError as exc:
        log.error("rank %d: cannot parse: %s", comm.rank, exc)
        return 1
    if comm.rank == 0:
        log.info("mean dose %.4f (%d bad)", mean, bad)
    comm.Barrier()
    return 0


if __name__ == "__main__":
    sys.exit(run(MPI.COMM_WORLD))
