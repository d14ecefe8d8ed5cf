"""A particle code: energy and time step."""
import numpy as np
from mpi4py import MPI
import physics_right as physics

comm = MPI.COMM_WORLD
velocity = np.random.default_rng(comm.Get_rank()).normal(size=50)
time = 0.0
for _ in range(3):
    time += physics.time_step(comm, velocity, 0.1)
    energy = physics.energy(comm, velocity)
    velocity *= 0.9
print(comm.Get_rank(), round(time, 4), round(energy, 4))
