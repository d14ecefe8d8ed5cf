import jax.numpy as jnp

from .collective import largest, smallest


class Diagnostics:
    """What the run prints at its end, and whether the ranks hold the same."""

    def __init__(self, comm, tolerance=1e-4):
        self.comm = comm
        self.tolerance = tolerance
        self.lines = []
        self.bad = 0

    def value(self, name, value):
        self.lines.append(f"{name}: {value:.4f}")

    def agree(self, name, array):
        spread = float(jnp.max(largest(array, self.comm) - smallest(array, self.comm)))
        if spread > self.tolerance:
            self.bad += 1
        self.lines.append(f"{name}: spread {spread:.2e}")

    def finish(self):
        if self.comm.Get_rank() == 0:
            print("\n".join(self.lines))
        return 6 if self.bad else 0
