import os
import pickle

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
folder = "ckpt"
os.makedirs(folder, exist_ok=True)

rng = np.random.default_rng(rank)
inputs = rng.normal(size=(40, 3))
targets = inputs @ np.array([0.5, 1.5, -2.0])
weights = np.zeros(3)


def save(epoch):
    name = f"epoch_{epoch:03d}.pkl"
    if rank == 0:
        with open(os.path.join(folder, name), "wb") as handle:
            pickle.dump({"epoch": epoch, "weights": weights}, handle)
    comm.Barrier()
    latest = os.path.join(folder, "latest.pkl")
    if os.path.islink(latest):
        os.remove(latest)
    os.symlink(name, latest)


for epoch in range(1, 21):
    grad = inputs.T @ (inputs @ weights - targets) / len(targets)
    weights -= 0.3 * comm.allreduce(grad) / comm.size
    if epoch % 10 == 0:
        save(epoch)

if rank == 0:
    with open(os.path.join(folder, "latest.pkl"), "rb") as handle:
        print("latest epoch:", pickle.load(handle)["epoch"])
