import numpy as np
from mpi4py import MPI

COURANT = 0.4


def exchange(comm, u, left, right):
    comm.Sendrecv(u[1:2], dest=left, recvbuf=u[-1:], source=right)
    comm.Sendrecv(u[-2:-1], dest=right, recvbuf=u[:1], source=left)


def main():
    comm = MPI.COMM_WORLD
    rank, size = comm.rank, comm.size
    left, right = (rank - 1) % size, (rank + 1) % size

    n = 60 // size
    dx = 1.0 / (n * size)
    x = (np.arange(n) + 0.5 + rank * n) * dx
    u = np.zeros(n + 2)
    u[1:-1] = np.exp(-200.0 * (x - 0.5) ** 2)
    speed = 1.5

    dt = 1e-3
    if rank == 0:
        dt = COURANT * dx / speed
        print(f"time step {dt:.5f}")

    for _ in range(100):
        exchange(comm, u, left, right)
        u[1:-1] -= speed * dt / dx * (u[1:-1] - u[:-2])

    mass = comm.reduce(float(u[1:-1].sum() * dx), op=MPI.SUM, root=0)
    if rank == 0:
        print(f"mass {mass:.6f}")


if __name__ == "__main__":
    main()
