import numpy as np
from mpi4py import MPI


class Plasma:
    def __init__(self, world):
        self.fields = world.Dup()
        self.particles = world.Dup()
        rng = np.random.default_rng(world.rank)
        self.e = rng.normal(size=64)
        self.v = rng.normal(size=256)

    def field_energy(self):
        return self.fields.allreduce(0.5 * float(self.e @ self.e))

    def kinetic_energy(self):
        return self.particles.allreduce(0.5 * float(self.v @ self.v))

    def push(self, dt):
        self.v += dt * self.e.mean()
        self.e *= 1.0 - 0.1 * dt

    def close(self):
        self.particles.Free()
        self.fields.Free()


def diagnostics(plasma, rank, step):
    if rank == 0:
        field = plasma.field_energy()
        kinetic = plasma.kinetic_energy()
        print(f"{step:3d} {field:10.5f} {kinetic:10.5f} {field + kinetic:10.5f}")
    else:
        plasma.field_energy()
        plasma.kinetic_energy()


world = MPI.COMM_WORLD
plasma = Plasma(world)
for step in range(4):
    plasma.push(0.05)
    diagnostics(plasma, world.rank, step)
plasma.close()
