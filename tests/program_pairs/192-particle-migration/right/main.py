# Particles drifting through slabs of a periodic box. Each rank owns one slab.
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.rank
nprocs = comm.size

BOX = 1.0
SLAB = BOX / nprocs
DT = 0.02
NSTEPS = 60
NPART = 900


def initial_cloud():
    """The cloud starts in the first tenth of the box."""
    rng = np.random.default_rng(12)
    x = rng.uniform(0.0, 0.1, NPART)
    v = rng.normal(0.6, 0.05, NPART)
    keep = (x // SLAB).astype(int) == rank
    return x[keep], v[keep]


def owner(x):
    return np.minimum((x // SLAB).astype(int), nprocs - 1)


def pack(x, v):
    who = owner(x)
    return [np.column_stack([x[who == r], v[who == r]]) for r in range(nprocs)]


x, v = initial_cloud()
occupancy = []

for step in range(NSTEPS):

    x = (x + DT * v) % BOX

    outgoing = pack(x, v)
    incoming = comm.alltoall(outgoing)
    merged = np.vstack(incoming)
    x, v = merged[:, 0], merged[:, 1]
    occupancy.append(len(x))

history = comm.gather(occupancy, root=0)
total = comm.allreduce(len(x))

if rank == 0:
    history = np.array(history)
    print("particles in total:", total)
    for step in range(0, NSTEPS, 10):
        print(f"step {step:3d}", " ".join(f"{c:5d}" for c in history[:, step]))
    np.save("occupancy.npy", history)
