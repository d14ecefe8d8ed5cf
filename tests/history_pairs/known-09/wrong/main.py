import numpy as np
from mpi4py import MPI


class Trainer:
    def __init__(self, comm, features=6):
        self.comm = comm
        self.features = features
        self.weights = None
        rng = np.random.default_rng(40 + comm.rank)
        self.x = rng.normal(size=(50, features))
        self.y = self.x @ np.arange(1.0, features + 1.0)

    def load(self):
        if self.comm.rank == 0:
            rng = np.random.default_rng(0)
            self.weights = 0.1 * rng.normal(size=self.features)

    def train_step(self, rate):
        residual = self.x @ self.weights - self.y
        grad = self.x.T @ residual / len(self.y)
        grad = self.comm.allreduce(grad) / self.comm.size
        self.weights = self.weights - rate * grad
        return float((residual ** 2).mean())

    def fit(self, steps):
        self.load()
        loss = 0.0
        for _ in range(steps):
            loss = self.train_step(0.1)
        return self.comm.allreduce(loss) / self.comm.size


trainer = Trainer(MPI.COMM_WORLD)
loss = trainer.fit(200)
if trainer.comm.rank == 0:
    print("converged:", loss < 1e-3, "weights:", np.round(trainer.weights, 2).tolist())
