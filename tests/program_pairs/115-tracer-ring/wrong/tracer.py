"""Upwind advection of a tracer on a ring of processes with mpi4jax."""
import argparse
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from mpi4py import MPI


class Topology(NamedTuple):
    comm: MPI.Comm
    rank: int
    size: int

    @property
    def left(self):
        return (self.rank - 1) % self.size

    @property
    def right(self):
        return (self.rank + 1) % self.size


def from_left(topo, edge):
    """Pass *edge* to the right neighbour and return the one of the left neighbour."""
    return mpi4jax.sendrecv(edge, jnp.zeros_like(edge),
                            source=topo.right, dest=topo.right, comm=topo.comm)


def make_step(topo, courant):
    @jax.jit
    def step(q):
        ghost = from_left(topo, q[-1:])
        upstream = jnp.concatenate([ghost, q[:-1]])
        return q - courant * (q - upstream)

    return step


def initial(topo, n):
    cells = np.array_split(np.arange(n), topo.size)[topo.rank]
    return jnp.asarray(np.exp(-((cells - n / 5) / (n / 20)) ** 2))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=int, default=120)
    parser.add_argument("--steps", type=int, default=90)
    parser.add_argument("--courant", type=float, default=0.5)
    args = parser.parse_args()
    jax.config.update("jax_enable_x64", True)

    comm = MPI.COMM_WORLD
    topo = Topology(comm, comm.Get_rank(), comm.Get_size())
    step = make_step(topo, args.courant)
    q = initial(topo, args.cells)
    for _ in range(args.steps):
        q = step(q)

    blocks = comm.gather(np.asarray(q), root=0)
    if topo.rank == 0:
        full = np.concatenate(blocks)
        print(f"tracer sum {full.sum():.10f}, maximum {full.max():.10f} in cell {full.argmax()}")


if __name__ == "__main__":
    main()
