import numpy as np
from mpi4py import MPI


class Survey:
    def __init__(self, comm, fields):
        self.comm = comm
        self.fields = [f for f in range(fields) if f % comm.size == comm.rank]
        self.result = None

    def observe(self):
        depth, area = [], 0.0
        for f in self.fields:
            rng = np.random.default_rng(f)
            depth.append(float(24.0 + 0.3 * rng.normal()))
            area += 1.5
        self.local = {"depth": depth, "area": area}

    def combine(self):
        parts = self.comm.gather(self.local, root=0)
        if self.comm.rank == 0:
            depth = [d for part in parts for d in part["depth"]]
            area = sum(part["area"] for part in parts)
            self.result = {"depth": float(np.mean(depth)), "area": area}

    def report(self):
        if self.comm.rank != 0:
            return
        depth, area = self.result["depth"], self.result["area"]
        print(f"area {area:.1f} square degrees, mean depth {depth:.2f}")


if __name__ == "__main__":
    survey = Survey(MPI.COMM_WORLD, fields=13)
    survey.observe()
    survey.combine()
    survey.report()
