import numpy as np


class SectorSpectra:
    """Number, sum and histogram of the hit energies of some sectors."""

    edges = np.linspace(0.0, 20.0, 41)

    def __init__(self, sectors):
        self.counts = {int(s): np.zeros(self.edges.size - 1, dtype=int) for s in sectors}
        self.hits = dict.fromkeys(self.counts, 0)
        self.energy = dict.fromkeys(self.counts, 0.0)

    def fill(self, sector, energy):
        for s in self.counts:
            mine = energy[sector == s]
            self.counts[s] += np.histogram(mine, self.edges)[0]
            self.hits[s] += mine.size
            self.energy[s] += float(mine.sum())

    def table(self):
        return {
            s: {"hits": self.hits[s], "energy": self.energy[s], "spectrum": c.tolist()}
            for s, c in self.counts.items()
        }
