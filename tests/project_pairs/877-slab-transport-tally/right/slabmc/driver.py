import numpy as np

from .transport import Walker


class Batches:
    """Source batches: one source layer per batch, dealt out in turn."""

    def __init__(self, slab, per_layer, histories):
        self.histories = histories
        self.sources = [layer for _ in range(per_layer) for layer in range(len(slab))]

    def of_rank(self, rank, size):
        return list(enumerate(self.sources))[rank::size]

    @property
    def total(self):
        return self.histories * len(self.sources)


class Campaign:
    def __init__(self, slab, batches, tally, seed):
        self.slab = slab
        self.batches = batches
        self.tally = tally
        self.seed = seed

    def run(self, comm):
        for number, source in self.batches.of_rank(comm.rank, comm.size):
            walker = Walker(self.slab, np.random.default_rng([self.seed, number]))
            for _ in range(self.batches.histories):
                self.tally.score(*walker.follow(source))
            self.tally.flush()
        return self.tally.result()
