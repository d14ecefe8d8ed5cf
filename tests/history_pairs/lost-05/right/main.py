import numpy as np
from mpi4py import MPI

from optimiser import Momentum
from parallel import average

LIMIT = 5e-5

comm = MPI.COMM_WORLD
rng = np.random.default_rng(comm.rank + 90)
x = rng.normal(size=(100, 4))
y = x @ np.array([1.0, 2.0, 3.0, 4.0])

optimiser = Momentum(np.zeros(4), rate=0.05)
for epoch in range(60):
    residual = x @ optimiser.params - y
    grad = average(comm, x.T @ residual / len(y))
    optimiser.update(grad)

loss = average(comm, np.array([float((residual ** 2).mean())]))
if comm.rank == 0:
    print(f"loss {loss[0]:.2e}", "converged:", bool(loss[0] < LIMIT))
