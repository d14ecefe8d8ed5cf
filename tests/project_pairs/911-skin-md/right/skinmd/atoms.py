"""Storage of the atoms of one slab."""
import numpy as np


class Atoms:
    _names = ("ids", "pos", "vel")

    def __init__(self, ids, pos, vel):
        self.ids, self.pos, self.vel = ids, pos, vel

    def __len__(self):
        return len(self.ids)

    def take(self, mask):
        return {n: getattr(self, n)[mask] for n in self._names}

    def assign(self, parcels):
        for n in self._names:
            setattr(self, n, np.concatenate([p[n] for p in parcels]))


def lattice(settings, slab):
    """Square lattice; the velocity scale rises along the channel."""
    rng = np.random.default_rng(settings.seed)
    n = settings.per_side
    a = settings.box / n
    grid = np.stack(np.meshgrid(np.arange(n), np.arange(n), indexing="ij"), -1)
    pos = (grid.reshape(-1, 2) + 0.5) * a
    temp = settings.t_cold + (settings.t_hot - settings.t_cold) * pos[:, :1] / settings.box
    vel = rng.standard_normal(pos.shape) * np.sqrt(temp)
    vel -= vel.mean(axis=0)
    mine = slab.owner(pos[:, 0]) == slab.comm.rank
    return Atoms(np.arange(n * n)[mine], pos[mine], vel[mine])
