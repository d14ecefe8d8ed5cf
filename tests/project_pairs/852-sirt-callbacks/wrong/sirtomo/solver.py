"""SIRT with the projection angles spread over the ranks."""
from dataclasses import dataclass, field

import numpy as np
from mpi4py import MPI

from .callbacks import CallbackList


@dataclass
class State:
    image: np.ndarray
    iteration: int = 0
    history: list = field(default_factory=list)
    stop: bool = False


class SirtSolver:
    def __init__(self, comm, matrix, sinogram, relax=1.0):
        self.comm = comm
        self.matrix = matrix
        self.sinogram = sinogram
        self.relax = relax
        row_sum = np.asarray(matrix.sum(axis=1)).ravel()
        self.row_weight = 1.0 / np.maximum(row_sum, 1e-6)
        col_sum = np.asarray(matrix.sum(axis=0)).ravel()
        comm.Allreduce(MPI.IN_PLACE, col_sum)
        self.col_weight = 1.0 / np.maximum(col_sum, 1e-6)

    def _record(self, state, resid):
        """Keep the root mean square residual over all angles."""
        part = np.array([resid @ resid, resid.size])
        total = self.comm.reduce(part, op=MPI.SUM, root=0)
        if total is not None:
            state.history.append(float(np.sqrt(total[0] / total[1])))

    def _update(self, state):
        resid = self.sinogram - self.matrix @ state.image
        step = self.matrix.T @ (self.row_weight * resid)
        self.comm.Allreduce(MPI.IN_PLACE, step)
        state.image += self.relax * self.col_weight * step
        self._record(state, resid)

    def solve(self, max_iter, callbacks=()):
        hooks = CallbackList(callbacks)
        state = State(image=np.zeros(self.matrix.shape[1]))
        hooks.on_start(state)
        while state.iteration < max_iter and not state.stop:
            self._update(state)
            state.iteration += 1
            hooks.on_iteration(state)
        hooks.on_finish(state)
        return state
