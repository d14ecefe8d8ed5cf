"""Tracer particles in a double gyre; the domain is cut into strips along x."""
import math
import random
from dataclasses import dataclass

from mpi4py import MPI


@dataclass
class Particle:
    ident: int
    x: float
    y: float
    crossings: int = 0


def velocity(x, y, t, amp=0.9, eps=0.25, omega=2 * math.pi / 10):
    a = eps * math.sin(omega * t)
    f = a * x * x + (1 - 2 * a) * x
    df = 2 * a * x + 1 - 2 * a
    u = -math.pi * amp * math.sin(math.pi * f) * math.cos(math.pi * y)
    v = math.pi * amp * math.cos(math.pi * f) * math.sin(math.pi * y) * df
    return u, v


def advance(p, t, dt):
    u, v = velocity(p.x, p.y, t)
    u2, v2 = velocity(p.x + 0.5 * dt * u, p.y + 0.5 * dt * v, t + 0.5 * dt)
    p.x = min(max(p.x + dt * u2, 0.0), 2.0 - 1e-12)
    p.y = min(max(p.y + dt * v2, 0.0), 1.0)


class Strip:
    WIDTH = 2.0

    def __init__(self, comm, total):
        self.comm = comm
        self.lo = self.WIDTH * comm.rank / comm.size
        self.hi = self.WIDTH * (comm.rank + 1) / comm.size
        rnd = random.Random(14)
        everybody = [Particle(i, rnd.uniform(0.7, 1.3), rnd.random()) for i in range(total)]
        self.particles = [p for p in everybody if self.owner(p) == comm.rank]

    def owner(self, p):
        return min(int(p.x / self.WIDTH * self.comm.size), self.comm.size - 1)

    def hand_over(self):
        """Particles may go to any strip in one (large) step."""
        comm = self.comm
        others = [r for r in range(comm.size) if r != comm.rank]
        leaving = {r: [] for r in others}
        staying = []
        for p in self.particles:
            r = self.owner(p)
            if r == comm.rank:
                staying.append(p)
            else:
                p.crossings += 1
                leaving[r].append(p)
        sends = [comm.isend(leaving[r], dest=r, tag=5) for r in others]
        for r in others:
            staying.extend(comm.recv(source=r, tag=5))
        MPI.Request.waitall(sends)
        self.particles = staying


def main(total=12000, steps=12, dt=0.1):
    comm = MPI.COMM_WORLD
    strip = Strip(comm, total)
    for n in range(steps):
        for p in strip.particles:
            advance(p, n * dt, dt)
        strip.hand_over()
    left = sum(p.x < 1.0 for p in strip.particles)
    check = sum(p.ident for p in strip.particles)
    count, left, check = (comm.reduce(v, root=0) for v in (len(strip.particles), left, check))
    if comm.rank == 0:
        print(f"{count} particles, {left} in the left gyre, checksum {check == total * (total - 1) // 2}")


if __name__ == "__main__":
    main()
