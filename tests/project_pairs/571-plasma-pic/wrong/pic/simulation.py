import logging
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

from .grid import Grid
from .guard import StepGuard
from .species import Electrons

log = logging.getLogger("pic")


@dataclass
class Settings:
    cells: int = 64
    length: float = 12.6
    particles: int = 900
    dt: float = 0.052
    steps: int = 150
    report: int = 50
    seed: int = 11


class Simulation:
    def __init__(self, comm, settings):
        self.comm = comm
        self.settings = settings
        self.grid = Grid(settings.cells, settings.length)
        base, extra = divmod(settings.particles, comm.size)
        mine = base + (1 if comm.rank < extra else 0)
        rng = np.random.default_rng([settings.seed, comm.rank])
        self.electrons = Electrons(mine, self.grid, rng)
        self.weight = settings.length / settings.particles
        self.guard = StepGuard(comm)
        self.dt = settings.dt
        self.time = 0.0

    def step(self):
        self.grid.deposit(self.comm, self.electrons.x, self.weight)
        self.grid.solve()
        self.dt = self.guard.adapt(self.electrons, self.dt)
        self.electrons.push(self.dt)
        self.time += self.dt

    def energies(self):
        kinetic = self.comm.allreduce(self.electrons.kinetic(), op=MPI.SUM)
        return kinetic * self.weight, self.grid.energy()

    def run(self):
        for n in range(self.settings.steps):
            self.step()
            if n % self.settings.report == 0:
                kinetic, field = self.energies()
                if self.comm.rank == 0:
                    log.info("t=%.3f kinetic=%.4f field=%.6f", self.time, kinetic, field)
        return self.energies()
