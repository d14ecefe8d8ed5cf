import numpy as np
from mpi4py import MPI


class Jacobi:
    def __init__(self, comm: MPI.Comm, n: int = 36):
        self.comm = comm
        self.rows = np.arange(comm.rank, n, comm.size)
        rng = np.random.default_rng(2)
        self.a = rng.random((n, n)) + n * np.eye(n)
        self.b = self.a @ np.ones(n)
        self.x = np.zeros(n)

    def squared_residual(self) -> float:
        mine = self.b[self.rows] - self.a[self.rows] @ self.x
        return self.comm.allreduce(float(mine @ mine), op=MPI.SUM)

    def step(self) -> None:
        part = np.zeros_like(self.x)
        diag = self.a[self.rows, self.rows]
        mine = self.b[self.rows] - self.a[self.rows] @ self.x
        part[self.rows] = self.x[self.rows] + mine / diag
        self.comm.Allreduce(part, self.x, op=MPI.SUM)

    def solve(self, tolerance: float, limit: int = 500) -> tuple[int, float]:
        for iteration in range(limit):
            norm = np.sqrt(self.comm.allreduce(self.squared_residual(), op=MPI.SUM))
            if norm < tolerance:
                break
            self.step()
        return iteration, norm


comm = MPI.COMM_WORLD
solver = Jacobi(comm)
first = np.linalg.norm(solver.b)
iterations, norm = solver.solve(tolerance=1e-6 * first)
if comm.rank == 0:
    print(f"iterations {iterations}, relative residual {norm / first:.1e}")
