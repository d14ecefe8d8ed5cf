import numpy as np


class RadiusOfGyration:
    def __init__(self):
        self.samples = []

    def __call__(self, i, chain):
        x = chain.x - chain.x.mean(axis=0)
        self.samples.append(float(np.sqrt((x * x).sum() / len(x))))

    def mean(self, burn=0.25):
        tail = self.samples[int(burn * len(self.samples)):]
        return float(np.mean(tail))


def energy_error(chain, polymer):
    """Difference between the running energy and one computed from scratch here."""
    x = chain.x
    direct = (polymer.bond_energy(x) + polymer.wall_energy(x)
              + polymer.pair_energy(x, range(polymer.beads)))
    return abs(direct - chain.e)
