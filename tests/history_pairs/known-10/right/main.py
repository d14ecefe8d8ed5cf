import os

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
is_root = comm.rank == 0
out_dir = "ising_out"
os.makedirs(out_dir, exist_ok=True)

rng = np.random.default_rng(100 + comm.rank)
spins = rng.choice([-1, 1], size=(16, 16))
beta = 0.6


def sweep(spins):
    for _ in range(spins.size):
        i, j = rng.integers(0, 16, size=2)
        around = spins[i - 1, j] + spins[i, j - 1] + spins[(i + 1) % 16, j] + spins[i, (j + 1) % 16]
        delta = 2 * spins[i, j] * around
        if delta <= 0 or rng.random() < np.exp(-beta * delta):
            spins[i, j] *= -1


if is_root:
    out = open(os.path.join(out_dir, "magnetisation.dat"), "w")
    out.write("# sweep magnetisation\n")

for number in range(12):
    sweep(spins)
    m = comm.reduce(abs(float(spins.mean())), op=MPI.SUM, root=0)
    if is_root:
        out.write(f"{number} {m / comm.size:.5f}\n")

if is_root:
    out.close()
    with open(os.path.join(out_dir, "magnetisation.dat")) as back:
        print("lines:", len(back.readlines()))
