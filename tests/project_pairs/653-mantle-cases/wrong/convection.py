import numpy as np
from mpi4py import MPI


class ColumnModel:
    """Mixing-length convection; columns are spread over the ranks."""

    COLUMNS = 24

    def __init__(self, case, comm):
        self.case, self.comm = case, comm
        self.mine = np.arange(comm.rank, self.COLUMNS, comm.size)
        z = np.linspace(0, 1, case.nz)
        self.dz = z[1] - z[0]
        tilt = 0.05 * np.sin(2 * np.pi * self.mine / self.COLUMNS)
        self.T = 1.0 - z[None, :] + tilt[:, None] * np.sin(np.pi * z)[None, :]

    def diffusivity(self):
        grad = np.diff(self.T, axis=1) / self.dz
        depth = (np.arange(self.case.nz - 1) + 0.5) * self.dz
        length = np.minimum(depth, 1 - depth)
        visc = self.case.contrast ** -(0.5 * (self.T[:, 1:] + self.T[:, :-1]))
        return 1.0 + self.case.rayleigh * length**4 * np.clip(-grad, 0, None) / visc / 18.0

    def step(self):
        k = self.diffusivity()
        kmax = self.comm.allreduce(float(k.max()), op=MPI.MAX)
        dt = 0.4 * self.dz**2 / kmax
        flux = -k * np.diff(self.T, axis=1) / self.dz
        self.T[:, 1:-1] -= dt * np.diff(flux, axis=1) / self.dz
        self.flux = flux
        return dt

    def nusselt(self):
        return self.comm.allreduce(float(self.flux[:, 0].sum()), op=MPI.SUM) / self.COLUMNS


def run_case(case, comm):
    model = ColumnModel(case, comm)
    t = 0.0
    for _ in range(case.steps):
        t += model.step()
    return t, model.nusselt()
