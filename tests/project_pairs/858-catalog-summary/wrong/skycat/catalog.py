"""The distributed catalogue."""
import numpy as np
from mpi4py import MPI

DTYPE = np.dtype([("id", "i8"), ("ra", "f8"), ("dec", "f8"), ("flux", "f8")])


class Catalog:
    def __init__(self, comm, rows):
        self.comm = comm
        self.rows = np.asarray(rows, dtype=DTYPE)

    def __len__(self):
        return len(self.rows)

    def select(self, mask):
        return Catalog(self.comm, self.rows[mask])

    @property
    def flux(self):
        return self.rows["flux"]

    @property
    def n_total(self):
        """Number of sources on all ranks."""
        return self.comm.allreduce(len(self))

    @property
    def mean_flux(self):
        total = self.comm.allreduce(float(self.flux.sum()))
        return total / max(self.n_total, 1)

    @property
    def brightest(self):
        peak = float(self.flux.max()) if len(self) else -np.inf
        return self.comm.allreduce(peak, op=MPI.MAX)


def simulate(comm, n_sources=3000, seed=11):
    """Each rank detects the sources of its own exposures."""
    rng = np.random.default_rng([seed, comm.rank])
    n = n_sources // comm.size + (comm.rank < n_sources % comm.size)
    rows = np.empty(n, DTYPE)
    rows["id"] = comm.rank * 1_000_000 + np.arange(n)
    rows["ra"] = rng.uniform(150.0, 152.0, n)
    rows["dec"] = rng.uniform(-1.0, 1.0, n)
    rows["flux"] = 10.0 * rng.pareto(1.8, n) + 1.0
    return Catalog(comm, rows)
