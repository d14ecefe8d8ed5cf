import json

import numpy as np

from parallel import rank_zero_only, reduce_mean, say, world


class Trainer:
    """Logistic regression with sharded optimizer state (momentum is split over ranks)."""

    def __init__(self, x, y, lr=0.3, beta=0.9):
        self.x, self.y, self.lr, self.beta = x, y, lr, beta
        self.w = np.zeros(x.shape[1])
        self.slices = np.array_split(np.arange(x.shape[1]), world.size)
        self.m = np.zeros(len(self.slices[world.rank]))

    def step(self):
        p = 1.0 / (1.0 + np.exp(-self.x @ self.w))
        grad = np.empty_like(self.w)
        world.Allreduce(self.x.T @ (p - self.y) / len(self.y), grad)
        grad /= world.size
        mine = self.slices[world.rank]
        self.m = self.beta * self.m + grad[mine]
        new = self.w[mine] - self.lr * self.m
        self.w = np.concatenate(world.allgather(new))
        eps = 1e-9
        return -np.mean(self.y * np.log(p + eps) + (1 - self.y) * np.log(1 - p + eps))

    def full_momentum(self):
        return np.concatenate(world.allgather(self.m))

    @rank_zero_only
    def write(self, path, epoch):
        momentum = self.full_momentum()
        state = {"epoch": epoch, "w": self.w.tolist(), "m": momentum.tolist()}
        with open(path, "w") as fh:
            json.dump(state, fh)

    def fit(self, epochs, save_every=10):
        for epoch in range(1, epochs + 1):
            loss = reduce_mean(float(self.step()))
            if epoch % save_every == 0:
                self.write(f"epoch{epoch}.json", epoch)
                say(f"epoch {epoch:3d} loss {loss:.5f}")
        return loss
