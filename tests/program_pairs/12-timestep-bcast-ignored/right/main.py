"""Ensemble of stochastic oscillators; settings may be tuned by rank 0."""
import math
import random
import sys
from dataclasses import dataclass, replace

from mpi4py import MPI


@dataclass
class Settings:
    omega: float = 2.0
    damping: float = 0.1
    noise: float = 0.3
    dt: float = 0.05
    t_end: float = 4.0
    members: int = 64


def tune(settings):
    """Halve dt until one deterministic period is accurate enough."""
    dt = settings.dt
    while True:
        x, v = 1.0, 0.0
        t = 0.0
        while t < 2 * math.pi / settings.omega:
            v -= dt * settings.omega ** 2 * x
            x += dt * v
            t += dt
        if abs(x - 1.0) < 2e-4:
            return replace(settings, dt=dt)
        dt /= 2


def simulate(s, rng):
    x, v = 1.0, 0.0
    root_dt = math.sqrt(s.dt)
    n = int(round(s.t_end / s.dt))
    for _ in range(n):
        kick = s.noise * root_dt * rng.gauss(0.0, 1.0)
        v += s.dt * (-s.omega ** 2 * x - s.damping * v) + kick
        x += s.dt * v
    return x, n


def main():
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()

    settings = Settings()
    if rank == 0:
        if len(sys.argv) > 1:
            settings = replace(settings, omega=float(sys.argv[1]))
        settings = tune(settings)
    settings = comm.bcast(settings, root=0)

    rng = random.Random(1000 + rank)
    mine = range(rank, settings.members, size)
    ends = []
    nsteps = 0
    for _ in mine:
        x, nsteps = simulate(settings, rng)
        ends.append(x)

    pool = comm.gather((settings.dt, nsteps, ends), root=0)
    if rank == 0:
        allx = [x for _, _, part in pool for x in part]
        mean = sum(allx) / len(allx)
        var = sum((x - mean) ** 2 for x in allx) / len(allx)
        print(f"<x> = {mean:.4f}  var = {var:.4f}  over {len(allx)} members")
        print("dt used:", sorted({dt for dt, _, _ in pool}))


main()
