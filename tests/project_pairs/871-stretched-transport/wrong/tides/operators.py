"""Spatial operators.  Operators can be summed: ``Advection(...) + Diffusion(...)``."""
from abc import ABC, abstractmethod

import numpy as np
from mpi4py import MPI

from .mesh import exchange


class FluxOperator(ABC):
    def __init__(self, mesh):
        self.mesh = mesh

    @abstractmethod
    def flux(self, padded):
        """Flux through the nlocal + 1 faces."""

    def __call__(self, u):
        padded = self.mesh.new_field()
        padded[1:-1] = u
        exchange(self.mesh, padded)
        f = self.flux(padded)
        if self.mesh.left == MPI.PROC_NULL:
            f[0] = 0.0
        if self.mesh.right == MPI.PROC_NULL:
            f[-1] = 0.0
        return -np.diff(f) / self.mesh.widths

    def __add__(self, other):
        return SumOperator(self.mesh, [self, other])


class SumOperator(FluxOperator):
    def __init__(self, mesh, terms):
        super().__init__(mesh)
        self.terms = terms

    def flux(self, padded):
        return sum(term.flux(padded) for term in self.terms)


class Advection(FluxOperator):
    """First-order upwind flux for a constant positive speed."""

    def __init__(self, mesh, speed):
        super().__init__(mesh)
        self.speed = speed

    def flux(self, padded):
        upstream = padded[:-1] if self.speed > 0 else padded[1:]
        return self.speed * upstream


class Diffusion(FluxOperator):
    def __init__(self, mesh, kappa):
        super().__init__(mesh)
        self.kappa = kappa
        self.spacing = np.diff(mesh.padded_centres())

    def flux(self, padded):
        return -self.kappa * np.diff(padded) / self.spacing
