import os

import numpy as np


class CheckpointStore:
    """One npz file with the whole field, written and read by the root."""

    def __init__(self, world, path):
        self.world = world
        self.path = path

    def available(self):
        found = os.path.exists(self.path) if self.world.is_root else None
        return self.world.bcast(found)

    def clear(self):
        if self.world.is_root and os.path.exists(self.path):
            os.remove(self.path)
        self.world.comm.Barrier()

    def save(self, solver, step):
        full = self.world.gather_rows(solver.interior, solver.counts)
        if self.world.is_root:
            tmp = self.path + ".tmp.npz"
            np.savez(tmp, field=full, step=step, time=solver.time)
            os.replace(tmp, self.path)

    def load(self, solver):
        """Restore the field and the clock; returns the step to go on from."""
        field, step, time = None, 0, 0.0
        if self.world.is_root:
            with np.load(self.path) as data:
                field = np.ascontiguousarray(data["field"])
                step = int(data["step"])
                time = float(data["time"])
        self.world.scatter_rows(field, solver.interior, solver.counts)
        solver.time = self.world.bcast(time)
        return self.world.bcast(step)
