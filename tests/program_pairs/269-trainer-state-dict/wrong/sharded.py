import numpy as np


class ShardedAdam:
    """Adam whose moments live in slices, one per rank (ZeRO-1 style)."""

    def __init__(self, comm, dim, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        self.comm = comm
        self.lr, self.betas, self.eps = lr, betas, eps
        bounds = np.linspace(0, dim, comm.size + 1).astype(int)
        self.counts = np.diff(bounds)
        self.sl = slice(bounds[comm.rank], bounds[comm.rank + 1])
        self.m = np.zeros(self.sl.stop - self.sl.start)
        self.v = np.zeros_like(self.m)
        self.t = 0

    def update(self, w, grad):
        g = grad[self.sl]
        b1, b2 = self.betas
        self.t += 1
        self.m = b1 * self.m + (1 - b1) * g
        self.v = b2 * self.v + (1 - b2) * g * g
        mh = self.m / (1 - b1 ** self.t)
        vh = self.v / (1 - b2 ** self.t)
        mine = w[self.sl] - self.lr * mh / (np.sqrt(vh) + self.eps)
        return self._collect(mine)

    def _collect(self, part):
        full = np.empty(self.counts.sum())
        self.comm.Allgatherv(part, [full, self.counts])
        return full

    def state_dict(self):
        return {"m": self._collect(self.m), "v": self._collect(self.v),
                "t": self.t}
