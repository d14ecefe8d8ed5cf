# stack synthetic shot gathers: each rank makes some shots, rank 0 stacks them
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

NSHOTS = 24
NT = 500
NX = 48
DT = 0.004
V = 2200.0


def ricker(t, f=18.0):
    a = (np.pi * f * t) ** 2
    return (1 - 2 * a) * np.exp(-a)


def shot_gather(ishot):
    t = np.arange(NT) * DT
    offsets = np.linspace(0, 1500, NX)
    gather = np.zeros((NT, NX))
    for depth in (400.0, 900.0, 1300.0):
        t0 = 2 * depth / V
        for ix, off in enumerate(offsets):
            tx = np.sqrt(t0**2 + (off / V) ** 2)
            gather[:, ix] += ricker(t - tx)
    noise = np.random.default_rng(ishot).normal(0, 0.4, gather.shape)
    return gather + noise


def nmo(gather):
    out = np.zeros_like(gather)
    t = np.arange(NT) * DT
    for ix, off in enumerate(np.linspace(0, 1500, NX)):
        tx = np.sqrt(t**2 + (off / V) ** 2)
        out[:, ix] = np.interp(tx, t, gather[:, ix], right=0.0)
    return out


partial = np.zeros(NT)
for ishot in range(rank, NSHOTS, size):
    partial += nmo(shot_gather(ishot)).mean(axis=1)

if rank == 0:
    stack = partial.copy()
    buf = np.empty(NT)
    for source in range(1, size):
        comm.Recv(buf, source=source, tag=3)
        stack += buf
    stack /= NSHOTS
    picks = [int(np.argmax(stack[int(a / DT):int(b / DT)]) + a / DT)
             for a, b in ((0.25, 0.5), (0.7, 0.95), (1.05, 1.3))]
    for p in picks:
        print("event at t0 = %.3f s, depth = %.0f m" % (p * DT, p * DT * V / 2))
else:
    comm.Send(partial, dest=0, tag=3)
