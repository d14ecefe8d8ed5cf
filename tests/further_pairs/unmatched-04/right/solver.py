import numpy as np

NSTEPS, EVERY = 40, 10
CELLS = 80_000


class Solver:
    def __init__(self, world):
        self.world = world
        self.u = np.exp(-(np.linspace(-3, 3, CELLS) ** 2)) * world.rank

    def advance(self):
        self.u = 0.5 * (np.roll(self.u, 1) + np.roll(self.u, -1))

    def report(self):
        self.world.Send(self.u, dest=0, tag=30)
