"""Smoothed particles in strips: boundary layers are swapped as lists of records."""
import argparse
from dataclasses import dataclass, field

import numpy as np
from mpi4py import MPI

MAX_BYTES = 1 << 24


@dataclass
class Particle:
    x: float
    y: float
    mass: float = 1.0
    history: list = field(default_factory=list)


class Strip:
    def __init__(self, comm, n, reach):
        self.comm = comm
        self.reach = reach
        rng = np.random.default_rng(100 + comm.rank)
        xs = comm.rank + rng.random(n)
        ys = rng.random(n)
        self.particles = [Particle(float(x), float(y)) for x, y in zip(xs, ys)]
        self.neighbours = [p for p in (comm.rank - 1, comm.rank + 1) if 0 <= p < comm.size]

    def layer(self, p):
        edge = max(p, self.comm.rank)
        return [q for q in self.particles if abs(q.x - edge) < self.reach]

    def swap_layers(self):
        incoming = [self.comm.irecv(bytearray(MAX_BYTES), source=p, tag=3) for p in self.neighbours]
        outgoing = [self.comm.isend(self.layer(p), dest=p, tag=3) for p in self.neighbours]
        ghosts = [q for request in incoming for q in request.wait()]
        MPI.Request.waitall(outgoing)
        return ghosts

    def densities(self, ghosts):
        everyone = self.particles + ghosts
        x = np.array([(q.x, q.y) for q in everyone])
        m = np.array([q.mass for q in everyone])
        result = []
        for q in self.particles:
            r2 = ((x - (q.x, q.y)) ** 2).sum(axis=1) / self.reach ** 2
            w = np.where(r2 < 1, (1 - r2) ** 3, 0.0)
            rho = float((m * w).sum()) * 4 / (np.pi * self.reach ** 2)
            q.history.append(rho)
            result.append(rho)
        return np.array(result)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--particles", type=int, default=6000)
    parser.add_argument("--reach", type=float, default=0.2)
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    strip = Strip(comm, args.particles, args.reach)
    for _ in range(args.rounds):
        ghosts = strip.swap_layers()
        rho = strip.densities(ghosts)
    mean = comm.allreduce(float(rho.mean())) / comm.size
    n_ghosts = comm.allreduce(len(ghosts))
    if comm.rank == 0:
        print(f"{n_ghosts} ghosts, mean density {mean:.3f}")


if __name__ == "__main__":
    main()
