"""Terminal prices; every rank simulates its share of the paths."""
import numpy as np

from .market import BOARD


class PathEngine:
    def __init__(self, comm, paths, rate=0.03, seed=1):
        self.comm = comm
        self.rate = rate
        self.seed = seed
        self.mine = len(range(comm.rank, paths, comm.size))
        self._board = {u.name: (i, u) for i, u in enumerate(BOARD)}

    def terminal(self, name, expiry):
        index, u = self._board[name]
        rng = np.random.default_rng([self.seed, self.comm.rank, index, int(expiry * 100)])
        z = rng.standard_normal(self.mine)
        drift = (self.rate - u.carry - 0.5 * u.vol ** 2) * expiry
        return u.spot * np.exp(drift + u.vol * np.sqrt(expiry) * z)

    def forward(self, name, expiry):
        _, u = self._board[name]
        return u.spot * np.exp((self.rate - u.carry) * expiry)
