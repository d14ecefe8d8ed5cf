import os
import pickle

import numpy as np
from mpi4py import MPI


class Trainer:
    def __init__(self, comm, folder):
        self.comm = comm
        self.folder = folder
        self.params = {"w": np.zeros(5), "b": 0.0}
        os.makedirs(folder, exist_ok=True)
        rng = np.random.default_rng(comm.rank + 3)
        self.x = rng.normal(size=(60, 5))
        self.y = self.x.sum(axis=1) + 1.0

    def step(self, rate):
        residual = self.x @ self.params["w"] + self.params["b"] - self.y
        grad_w = self.comm.allreduce(self.x.T @ residual / len(residual)) / self.comm.size
        grad_b = self.comm.allreduce(float(residual.mean())) / self.comm.size
        self.params["w"] = self.params["w"] - rate * grad_w
        self.params["b"] -= rate * grad_b

    def save(self, epoch):
        path = os.path.join(self.folder, f"epoch_{epoch:02d}.pkl")
        if self.comm.rank == 0:
            with open(path, "wb") as handle:
                pickle.dump({"epoch": epoch, "params": self.params}, handle)
            print("saved epoch", epoch)

    def fit(self, epochs):
        for epoch in range(1, epochs + 1):
            self.step(0.2)
            if epoch % 15 == 0:
                self.save(epoch)


trainer = Trainer(MPI.COMM_WORLD, "model_ckpt")
trainer.fit(45)
if trainer.comm.rank == 0:
    print("bias:", round(trainer.params["b"], 2))
