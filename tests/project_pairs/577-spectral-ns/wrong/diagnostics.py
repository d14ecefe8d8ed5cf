import numpy as np


class EnstrophyLog:
    def __init__(self, comm):
        self.comm = comm
        self.values = []

    def __call__(self, step, solver):
        value = solver.enstrophy()
        self.values.append(value)
        if self.comm.rank == 0:
            print(f"step {step:4d} enstrophy {value:.5f}")

    def verdict(self):
        """Enstrophy can only decay in unforced flow."""
        v = np.array(self.values)
        return bool(np.isfinite(v).all() and (np.diff(v) <= 1e-3 * v[:-1]).all() and v[-1] > 0.3 * v[0])
