"""Logistic regression on patient data that stays with the hospitals.

Each process looks after one or more hospitals; only gradients are exchanged.
"""
import numpy as np
from mpi4py import MPI

PATIENTS = [420, 60, 150, 35, 90]      # per hospital
FEATURES = 3
ROUNDS = 300
RATE = 0.5


def load_hospital(h):
    rng = np.random.default_rng(50 + h)
    x = rng.normal(loc=0.4 * h, size=(PATIENTS[h], FEATURES))
    x = np.hstack([np.ones((len(x), 1)), x])
    truth = np.array([0.3, 1.0 - 0.5 * h, -0.7, 0.2 * h])
    y = (rng.random(len(x)) < 1 / (1 + np.exp(-x @ truth))).astype(float)
    return x, y


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


class Trainer:
    def __init__(self, comm):
        self.comm = comm
        own = range(comm.Get_rank(), len(PATIENTS), comm.Get_size())
        parts = [load_hospital(h) for h in own]
        self.x = np.vstack([p[0] for p in parts])
        self.y = np.concatenate([p[1] for p in parts])
        self.n = comm.allreduce(len(self.y), op=MPI.SUM)
        self.w = np.zeros(FEATURES + 1)

    def gradient(self):
        error = sigmoid(self.x @ self.w) - self.y
        local = self.x.T @ error
        total = np.empty_like(local)
        self.comm.Allreduce(local, total, op=MPI.SUM)
        return total / self.n

    def accuracy(self):
        right = int(((self.x @ self.w > 0) == (self.y > 0.5)).sum())
        return self.comm.allreduce(right, op=MPI.SUM) / self.n

    def fit(self):
        for _ in range(ROUNDS):
            self.w -= RATE * self.gradient()


def main():
    comm = MPI.COMM_WORLD
    t = Trainer(comm)
    t.fit()
    acc = t.accuracy()
    if comm.Get_rank() == 0:
        print("patients:", t.n)
        print("weights: ", np.round(t.w, 5))
        print("accuracy:", round(acc, 4))


if __name__ == "__main__":
    main()
