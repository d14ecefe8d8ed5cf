"""Systolic all-pairs forces: blocks of particles travel around the ring."""
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
EPS = 1e-3


def particles(n, seed):
    rng = np.random.default_rng(seed)
    block = np.empty((n, 4))
    block[:, :3] = rng.uniform(-1, 1, (n, 3))
    block[:, 3] = rng.uniform(0.5, 1.5, n)
    return block


def pull(on, by):
    d = by[None, :, :3] - on[:, None, :3]
    r2 = (d ** 2).sum(-1) + EPS
    return (by[None, :, 3:] * d / r2[..., None] ** 1.5).sum(axis=1) * on[:, 3:]


def pass_on(block):
    """Move the travelling block one place along the ring."""
    nxt = (rank + 1) % size
    prv = (rank - 1) % size
    comm.Sendrecv_replace(block, dest=nxt, sendtag=3, source=nxt, recvtag=3)


def forces(mine):
    f = np.zeros((len(mine), 3))
    travel = mine.copy()
    for step in range(size):
        f += pull(mine, travel)
        if step < size - 1:
            pass_on(travel)
    return f


mine = particles(40, seed=rank)
f = forces(mine)
net = np.zeros(3)
comm.Allreduce(f.sum(axis=0), net, op=MPI.SUM)
if rank == 0:
    print("net force", np.abs(net).max())
    assert np.abs(net).max() < 1e-7
