"""Global least squares with the parameters of each exposure eliminated."""
import logging

import numpy as np
from mpi4py import MPI

log = logging.getLogger("photfit")


class GlobalFit:
    size = 3

    def __init__(self, comm, exposures, weight):
        self.comm = comm
        self.exposures = exposures
        self.weight = weight
        self.theta = np.zeros(self.size)

    def _eliminate(self, exposure):
        """Schur complement of one exposure; its own terms drop out."""
        a, z = exposure.shared_design, exposure.own_design
        r = exposure.residual - a @ self.theta
        chol = np.linalg.cholesky(z.T @ z)
        own = np.linalg.solve(chol.T, np.linalg.solve(chol, z.T @ r))
        w = self.weight(r - z @ own)[:, None]
        chol = np.linalg.cholesky(z.T @ (w * z))
        u = np.linalg.solve(chol, z.T @ (w * a))
        s = np.linalg.solve(chol, z.T @ (w[:, 0] * r))
        return a.T @ (w * a) - u.T @ u, a.T @ (w[:, 0] * r) - u.T @ s

    def _normal_equations(self):
        """Summed matrix and right-hand side, or None if there is nothing to fit."""
        local = np.zeros((self.size, self.size + 1))
        used = 0
        for exposure in self.exposures:
            try:
                matrix, rhs = self._eliminate(exposure)
            except np.linalg.LinAlgError:
                log.warning("exposure %d is unusable", exposure.number)
                continue
            local[:, :-1] += matrix
            local[:, -1] += rhs
            used += 1
        if self.comm.allreduce(used, op=MPI.SUM) == 0:
            return None
        total = np.empty_like(local)
        self.comm.Allreduce(local, total, op=MPI.SUM)
        return total[:, :-1], total[:, -1]

    def solve(self, iterations, tolerance):
        for n in range(1, iterations + 1):
            system = self._normal_equations()
            if system is None:
                break
            step = np.linalg.solve(*system)
            self.theta += step
            if np.abs(step).max() < tolerance:
                break
        return self.theta, n
