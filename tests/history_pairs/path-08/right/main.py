import os
import tempfile

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

base = "tmp_spill"
os.makedirs(base, exist_ok=True)


def draw(n):
    rng = np.random.default_rng(rank)
    return rng.normal(loc=5.0, size=n)


def chunks_of(path, length):
    values = np.load(path, mmap_mode="r")
    for start in range(0, len(values), length):
        yield np.array(values[start:start + length])


samples = draw(4000)
with tempfile.TemporaryDirectory(dir=base) as scratch:
    spill = os.path.join(scratch, "samples.npy")
    np.save(spill, samples)
    del samples
    subtotal = 0.0
    for chunk in chunks_of(spill, 500):
        subtotal += float(chunk.sum())

total = comm.reduce(subtotal, op=MPI.SUM, root=0)
if rank == 0:
    print(f"mean {total / (4000 * size):.2f}")
