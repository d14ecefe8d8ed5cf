import sys

import numpy as np
from mpi4py import MPI

from bodies import plummer
from ring import RingForces

NTOTAL = 2400
NSTEPS = 6
DT = 5.0e-3


class Leapfrog:
    def __init__(self, comm, ntotal):
        if ntotal % comm.size:
            sys.exit("number of bodies must be a multiple of the number of ranks")
        n = ntotal // comm.size
        self.comm = comm
        rng = np.random.default_rng([99, comm.rank])
        self.pos, self.vel = plummer(n, rng)
        self.mass = np.full(n, 1.0 / ntotal)
        self.forces = RingForces(comm, n)
        self.acc = self.forces(self.pos, self.mass)

    def step(self, dt):
        self.vel += 0.5 * dt * self.acc
        self.pos += dt * self.vel
        self.acc = self.forces(self.pos, self.mass)
        self.vel += 0.5 * dt * self.acc

    def net_force(self):
        f = (self.mass[:, None] * self.acc).sum(axis=0)
        return self.comm.allreduce(f, op=MPI.SUM)

    def kinetic(self):
        e = 0.5 * float(np.sum(self.mass[:, None] * self.vel**2))
        return self.comm.allreduce(e, op=MPI.SUM)


comm = MPI.COMM_WORLD
sim = Leapfrog(comm, NTOTAL)
for i in range(NSTEPS):
    sim.step(DT)
    f, ekin = sim.net_force(), sim.kinetic()
    if comm.rank == 0:
        print(f"step {i + 1}  |F_net| = {np.linalg.norm(f):.3e}  E_kin = {ekin:.8f}", flush=True)
slowest = comm.reduce(sim.forces.t_comm, op=MPI.MAX, root=0)
if comm.rank == 0:
    print(f"time in the ring: {slowest:.3f} s")
