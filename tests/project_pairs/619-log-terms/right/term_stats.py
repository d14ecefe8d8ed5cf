"""Document frequency of terms in machine logs, one shard of lines per process."""
import math
import random
import re
from collections import Counter

from mpi4py import MPI

WORD = re.compile(r"[a-z]{3,}")
STOP = {"the", "and", "for", "with", "from", "was"}

UNITS = ["pump", "valve", "compressor", "turbine", "boiler", "chiller"]
EVENTS = ["started", "stopped", "tripped", "overheated", "leaking", "vibrating"]
CAUSES = ["pressure", "temperature", "operator", "interlock", "maintenance", "sensor"]


def make_lines(shard, n=800):
    rnd = random.Random(shard)
    for _ in range(n):
        unit = rnd.choice(UNITS[: 3 + shard % 4])
        yield f"the {unit} was {rnd.choice(EVENTS)} for {rnd.choice(CAUSES)} and logged"


class TermIndex:
    def __init__(self, comm):
        self.comm = comm
        self.df = Counter()
        self.ndocs = 0

    def add(self, line):
        self.ndocs += 1
        self.df.update({w for w in WORD.findall(line.lower()) if w not in STOP})

    def vocabulary(self):
        """Union of the terms of all processes."""
        parts = self.comm.allgather(set(self.df))
        return sorted(set().union(*parts))

    def global_idf(self):
        ndocs = self.comm.allreduce(self.ndocs)
        idf = {}
        for term in self.vocabulary():
            df = self.comm.allreduce(self.df[term])
            idf[term] = math.log(ndocs / df)
        return ndocs, idf


def main():
    comm = MPI.COMM_WORLD
    index = TermIndex(comm)
    for line in make_lines(comm.rank):
        index.add(line)

    ndocs, idf = index.global_idf()
    rarest = sorted(idf.items(), key=lambda kv: (-kv[1], kv[0]))[:6]

    if comm.rank == 0:
        print(f"{ndocs} lines, {len(idf)} terms")
        for term, value in rarest:
            print(f"  {term:12s} {value:.4f}")


if __name__ == "__main__":
    main()
