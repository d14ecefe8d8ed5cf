"""Global extreme value of a signed charge density."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
r = np.linspace(0.1, 4.0, 60)
sign = 1.0 if comm.rank % 2 == 0 else -1.0
rho = sign * np.exp(-r) * (1.0 + 0.1 * comm.rank)


def integrate(values, spacing):
    return float(spacing * (values.sum() - 0.5 * (values[0] + values[-1])))


charge = integrate(rho, r[1] - r[0])
total = comm.allreduce(charge, op=MPI.SUM)
op = MPI.MAX if total >= 0.0 else MPI.MIN
extreme = comm.allreduce(charge, op=op)

rho /= abs(extreme)
scaled = comm.gather(float(np.abs(rho).max()), root=0)
if comm.rank == 0:
    print(f"extreme charge {extreme:.5f}")
    print("scaled", [f"{s:.4f}" for s in scaled])
