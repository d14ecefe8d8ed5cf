"""Diffusion and drift of several tracers in a periodic box."""
import numpy as np
from mpi4py import MPI

from .config import parse
from .halo import FaceExchange


class TracerModel:
    diffusivity = {"heat": 0.8, "salt": 0.3, "dye": 0.1}

    def __init__(self, comm, options):
        self.comm = comm
        self.o = options
        cuts = np.linspace(0, options.nx, comm.size + 1).astype(int)
        self.x = np.arange(cuts[comm.rank], cuts[comm.rank + 1])
        self.fields = {name: self._initial(i) for i, name in enumerate(options.names)}
        self.faces = FaceExchange(comm)

    def _initial(self, mode):
        y = np.arange(self.o.ny)[:, None, None] / self.o.ny
        z = np.arange(self.o.nz)[None, :, None] / self.o.nz
        x = self.x[None, None, :] / self.o.nx
        a = np.zeros((self.o.ny, self.o.nz, self.x.size + 2))
        a[..., 1:-1] = 10.0 ** mode * (1.5 + np.sin(2 * np.pi * (mode + 1) * x)
                                       * np.cos(2 * np.pi * y) * np.cos(2 * np.pi * z))
        return a

    def _tendency(self, name, a):
        c = a[..., 1:-1]
        lap = a[..., 2:] + a[..., :-2] - 6 * c
        for axis in (0, 1):
            lap = lap + np.roll(c, 1, axis) + np.roll(c, -1, axis)
        return self.diffusivity[name] * lap - 0.5 * (c - a[..., :-2])

    def step(self):
        self.faces.update(self.fields)
        for name, a in self.fields.items():
            a[..., 1:-1] += self.o.dt * self._tendency(name, a)

    def totals(self):
        for name, a in self.fields.items():
            own = a[..., 1:-1]
            yield (name, self.comm.allreduce(float(own.sum())),
                   self.comm.allreduce(float(own.max()), op=MPI.MAX))


def main(argv=None):
    comm = MPI.COMM_WORLD
    model = TracerModel(comm, parse(argv))
    for _ in range(model.o.steps):
        model.step()
    for name, total, top in model.totals():
        if comm.rank == 0:
            print(f"{name:6s} total {total:16.6f}  max {top:12.6f}")
