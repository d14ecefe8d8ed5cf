"""Matrix-free operators that act with ``A @ x`` on owned values."""
from abc import ABC, abstractmethod

import numpy as np


class Operator(ABC):
    def __init__(self, mesh):
        self.mesh = mesh

    @abstractmethod
    def apply(self, x):
        ...

    def __matmul__(self, x):
        return self.apply(x)


class ShiftedLaplacian(Operator):
    """Graph Laplacian plus a mass term."""

    def __init__(self, mesh, shift):
        super().__init__(mesh)
        self.shift = shift
        self._work = np.zeros(mesh.num_local)

    def apply(self, x):
        mesh = self.mesh
        full = self._work
        full[:mesh.num_owned] = x
        mesh.update(full)
        out = np.zeros(mesh.num_local)
        jump = full[mesh.a] - full[mesh.b]
        np.add.at(out, mesh.a, jump)
        np.subtract.at(out, mesh.b, jump)
        return out[:mesh.num_owned] + self.shift * x

    def diagonal(self):
        degree = np.bincount(self.mesh.a, minlength=self.mesh.num_local)
        degree = degree + np.bincount(self.mesh.b, minlength=self.mesh.num_local)
        return degree[:self.mesh.num_owned] + self.shift


class JacobiPreconditioner(Operator):
    def __init__(self, operator):
        super().__init__(operator.mesh)
        self.inverse = 1.0 / operator.diagonal()

    def apply(self, x):
        return self.inverse * x
