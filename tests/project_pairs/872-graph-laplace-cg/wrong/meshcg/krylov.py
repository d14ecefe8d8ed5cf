import numpy as np
from mpi4py import MPI


class ConjugateGradient:
    def __init__(self, operator, preconditioner, rtol=1e-10, maxiter=500):
        self.A = operator
        self.M = preconditioner
        self.rtol = rtol
        self.maxiter = maxiter
        self.comm = operator.mesh.comm

    def dot(self, x, y):
        return self.comm.allreduce(float(x @ y), op=MPI.SUM)

    def solve(self, b):
        x = np.zeros_like(b)
        r = b.copy()
        z = self.M @ r
        p = z.copy()
        rz = self.dot(r, z)
        target = self.rtol * np.sqrt(self.dot(b, b))
        for iteration in range(1, self.maxiter + 1):
            q = self.A @ p
            alpha = rz / self.dot(p, q)
            x += alpha * p
            r -= alpha * q
            if np.sqrt(self.dot(r, r)) < target:
                return x, iteration
            z = self.M @ r
            rz, old = self.dot(r, z), rz
            p = z + (rz / old) * p
        raise RuntimeError("conjugate gradients did not converge")
