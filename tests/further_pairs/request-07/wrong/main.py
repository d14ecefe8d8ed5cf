import numpy as np
from mpi4py import MPI

ROWS = 24


def local_rows(rank: int, size: int) -> np.ndarray:
    n = ROWS * size
    i = np.arange(rank * ROWS, (rank + 1) * ROWS)[:, None]
    j = np.arange(n)[None, :]
    return 1.0 / (1.0 + np.abs(i - j))


def power_iteration(comm: MPI.Intracomm, iterations: int = 15) -> float:
    a = local_rows(comm.rank, comm.size)
    n = a.shape[1]
    mine = slice(comm.rank * ROWS, (comm.rank + 1) * ROWS)
    x = np.full(n, 1.0 / np.sqrt(n))
    y = np.empty(n)
    value = 0.0
    for k in range(iterations):
        comm.Allgather(a @ x, y)
        value = float(x @ y)
        local = np.array([np.abs(y[mine] - value * x[mine]).max()])
        worst = np.zeros(1)
        req = comm.Iallreduce(local, worst, op=MPI.MAX)
        x = y / np.linalg.norm(y)
        if comm.rank == 0:
            req.Wait()
            print(f"iteration {k} residual {worst[0]:.3e}")
    return value


if __name__ == "__main__":
    world = MPI.COMM_WORLD
    top = power_iteration(world)
    if world.rank == 0:
        print(f"largest eigenvalue {top:.8f}")
