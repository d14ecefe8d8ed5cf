from collections import defaultdict

import numpy as np


class TrackRecorder:
    """Keeps the radius of tracked bodies; each rank records its own."""

    def __init__(self, sim):
        self.sim = sim
        self.radii = defaultdict(list)
        self.times = []

    def record(self):
        sim = self.sim
        self.times.append(sim.t)
        for i, label in sim.tracked_here():
            self.radii[label].append(float(np.linalg.norm(sim.x[i])))

    def collect(self):
        parts = self.sim.comm.gather(dict(self.radii), root=0)
        merged = {}
        for part in parts or ():
            merged.update(part)
        return merged
