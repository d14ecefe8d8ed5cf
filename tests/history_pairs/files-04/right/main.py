import os
import shutil

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.rank
run_dir = "nbody_run"


def fresh_folder(path):
    if rank == 0 and os.path.isdir(path):
        shutil.rmtree(path)
    comm.Barrier()
    os.makedirs(path, exist_ok=True)


def integrate(x, v, steps, dt=0.01):
    for _ in range(steps):
        v -= dt * x
        x += dt * v
    return x, v


def one_run(label):
    fresh_folder(run_dir)
    rng = np.random.default_rng(rank)
    x, v = integrate(rng.normal(size=(20, 2)), rng.normal(size=(20, 2)), 100)
    np.savez(os.path.join(run_dir, f"{label}_{rank}.npz"), x=x, v=v)
    energy = comm.reduce(float((x ** 2 + v ** 2).sum()), op=MPI.SUM, root=0)
    comm.Barrier()
    return energy


first = one_run("a")
second = one_run("b")
if rank == 0:
    print("files:", len(os.listdir(run_dir)) == comm.size, "same energy:", first == second)
