import numpy as np


class Tally:
    """Batch means; the error is the standard error over all batches of all ranks."""

    def __init__(self, names):
        self.names = names
        self.values = []

    def add(self, row):
        self.values.append(np.asarray(row, dtype=float))

    def count(self, team):
        return int(team.sum([len(self.values)])[0])

    def reduce(self, team):
        local = np.array(self.values)
        n = self.count(team)
        mean = team.sum(local.sum(axis=0)) / n
        spread = team.sum(((local - mean) ** 2).sum(axis=0))
        error = np.sqrt(spread / (max(n - 1, 1) * n))
        return {k: (mean[i], error[i]) for i, k in enumerate(self.names)}
