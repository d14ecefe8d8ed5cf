import numpy as np

from solver import CELLS


class Monitor:
    def __init__(self, world):
        self.world = world
        self.state = np.empty(CELLS)

    def collect(self, reports):
        for k in range(reports):
            mass = 0.0
            for source in range(1, self.world.size):
                self.world.Recv(self.state, source=source, tag=30)
                mass += self.state.sum()
            print(f"report {k}: mass {mass:.3f}")
