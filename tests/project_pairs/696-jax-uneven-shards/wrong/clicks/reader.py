import numpy as np

from . import dist
from .files import part_files


class ShardReader:
    """Reads the files of this process and yields batches of equal size."""

    def __init__(self, folder, cfg):
        self.cfg = cfg
        mine = part_files(folder)[dist.rank()::dist.world()]
        tables = [self.read(path) for path in mine]
        self.columns = [np.concatenate(c) for c in zip(*tables)]

    @staticmethod
    def read(path):
        with np.load(path) as data:
            return data["users"], data["items"], data["clicks"]

    @property
    def rows(self):
        return len(self.columns[0])

    def steps(self):
        """Number of batches in an epoch."""
        return self.rows // self.cfg.local_batch

    def epoch(self, epoch):
        rng = np.random.default_rng([self.cfg.seed, epoch, dist.rank()])
        order = rng.permutation(self.rows)
        b = self.cfg.local_batch
        for step in range(self.steps()):
            ids = order[step * b:(step + 1) * b]
            yield tuple(c[ids] for c in self.columns)
