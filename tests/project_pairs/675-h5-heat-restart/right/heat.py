"""2D heat equation with checkpoints in HDF5 (serial h5py, rank 0 writes).

    mpirun -n 2 python heat.py            # 100 steps, writes state.h5
    mpirun -n 2 python heat.py --restart  # goes on from state.h5

After the last step every rank reads its neighbourhood back from the file and
compares it with what it has in memory.
"""
import argparse

import h5py
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()


def my_rows(n):
    return n * rank // size, n * (rank + 1) // size


def initial(n):
    y, x = np.mgrid[0:n, 0:n] / n
    return np.exp(-80 * ((x - 0.3) ** 2 + (y - 0.55) ** 2))


def swap_ghosts(u):
    up = rank - 1 if rank > 0 else MPI.PROC_NULL
    down = rank + 1 if rank < size - 1 else MPI.PROC_NULL
    comm.Sendrecv(u[1], dest=up, recvbuf=u[-1], source=down)
    comm.Sendrecv(u[-2], dest=down, recvbuf=u[0], source=up)


def step(u, c=0.2):
    swap_ghosts(u)
    mid = u[1:-1]
    new = mid.copy()
    new[:, 1:-1] += c * (u[:-2, 1:-1] + u[2:, 1:-1] + mid[:, :-2] + mid[:, 2:]
                         - 4 * mid[:, 1:-1])
    u[1:-1] = new


def save(path, u, nstep):
    parts = comm.gather(u[1:-1], root=0)
    if rank == 0:
        with h5py.File(path, "w") as f:
            f.create_dataset("u", data=np.vstack(parts), compression="gzip")
            f.attrs["step"] = nstep
    comm.Barrier()


def load(path, rows):
    with h5py.File(path, "r") as f:
        lo, hi = rows
        return f["u"][lo:hi], int(f.attrs["step"])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--n", type=int, default=400)
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--restart", action="store_true")
    ap.add_argument("--file", default="state.h5")
    args = ap.parse_args()
    n = max(args.n, 4 * size)

    lo, hi = my_rows(n)
    u = np.zeros((hi - lo + 2, n))
    first = 0
    if args.restart:
        u[1:-1], first = load(args.file, (lo, hi))
    else:
        u[1:-1] = initial(n)[lo:hi]

    for _ in range(args.steps):
        step(u)
    save(args.file, u, first + args.steps)

    back, nstep = load(args.file, (lo, hi))
    worst = comm.allreduce(float(np.abs(back - u[1:-1]).max()), op=MPI.MAX)
    heat = comm.allreduce(float(u[1:-1].sum()), op=MPI.SUM)
    if rank == 0:
        print(f"step {nstep}: heat {heat:.6f}, file differs by {worst:.1e}")


if __name__ == "__main__":
    main()
