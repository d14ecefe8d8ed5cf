"""Step-size limiters.  The integrator asks each of them for its opinion."""
from abc import ABC, abstractmethod

import numpy as np
from mpi4py import MPI


class StepLimiter(ABC):
    @abstractmethod
    def limit(self, dt):
        """Return a step not larger than this limiter permits."""

    def observe(self, dt, error):
        """Hear about the outcome of an attempted step."""


class ErrorLimiter(StepLimiter):
    """Elementary controller on the embedded error estimate."""

    def __init__(self, order, safety=0.9, growth=3.0):
        self.order = order
        self.safety = safety
        self.growth = growth
        self.suggestion = np.inf

    def observe(self, dt, error):
        factor = self.safety * max(error, 1e-10) ** (-1.0 / (self.order + 1))
        self.suggestion = dt * min(self.growth, max(0.2, factor))

    def limit(self, dt):
        return min(dt, self.suggestion)


class CourantLimiter(StepLimiter):
    def __init__(self, mesh, speed, kappa, courant=0.8):
        h = mesh.comm.allreduce(mesh.widths.min(), op=MPI.MIN)
        self.ceiling = courant / (abs(speed) / h + 2.0 * kappa / h ** 2)

    def limit(self, dt):
        return min(dt, self.ceiling)


class HorizonLimiter(StepLimiter):
    """Land exactly on the end of the run."""

    def __init__(self, clock, t_end):
        self.clock = clock
        self.t_end = t_end

    def limit(self, dt):
        return min(dt, self.t_end - self.clock.time)


def scaled_error(mesh, error, u, rtol=1e-4, atol=1e-7):
    """Root mean square of the error relative to the tolerances, over all cells."""
    part = np.sum((error / (atol + rtol * np.abs(u))) ** 2)
    return float(np.sqrt(mesh.comm.allreduce(part, op=MPI.SUM) / mesh.ncells))
