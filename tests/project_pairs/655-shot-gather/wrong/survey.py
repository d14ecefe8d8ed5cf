import numpy as np
from mpi4py import MPI

from wavesim import layered_model, shot_record


class Survey:
    def __init__(self, comm, nshots=14, nz=60, nx=90, nt=240):
        self.comm = comm
        self.nshots, self.nt = nshots, nt
        self.dt, self.dx = 1.2e-3, 8.0
        self.model = layered_model(nz, nx)
        self.positions = np.linspace(5, nx - 6, nshots).astype(int)
        per, extra = divmod(nshots, comm.size)
        self.nmine = np.array([per + (r < extra) for r in range(comm.size)])
        self.first = int(self.nmine[:comm.rank].sum())

    @property
    def local_shots(self):
        return range(self.first, self.first + self.nmine[self.comm.rank])

    def simulate(self):
        rec = [shot_record(self.model, self.positions[s], self.nt, self.dt, self.dx)
               for s in self.local_shots]
        return np.array(rec, dtype=np.float32).reshape(-1, self.nt)

    def gather(self, traces):
        """Section of all shots (nshots, nt) on rank 0."""
        counts = self.nmine * self.nt
        section = None
        if self.comm.rank == 0:
            section = np.empty((self.nshots, self.nt))
        self.comm.Gatherv(traces, [section, counts], root=0)
        return section

    def rms(self, traces):
        ss = self.comm.allreduce(float(np.sum(traces.astype(float) ** 2)), op=MPI.SUM)
        return np.sqrt(ss / (self.nshots * self.nt))
