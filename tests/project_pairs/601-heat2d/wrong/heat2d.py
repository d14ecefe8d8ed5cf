"""2D heat equation on a Cartesian process grid, explicit Euler.

The upper wall is held at T_HOT, the other three walls at zero.
Run:  mpirun -n 4 python heat2d.py --n 64 --tol 1e-4
"""
import argparse

import numpy as np
from mpi4py import MPI

T_HOT = 100.0


def block(n, parts, idx):
    """Start and length of the idx-th of `parts` nearly equal pieces of n cells."""
    base, extra = divmod(n, parts)
    length = base + (1 if idx < extra else 0)
    start = idx * base + min(idx, extra)
    return start, length


def make_cart(comm):
    dims = MPI.Compute_dims(comm.Get_size(), 2)
    return comm.Create_cart(dims, periods=[False, False], reorder=True)


def exchange(cart, u):
    up, down = cart.Shift(0, 1)
    left, right = cart.Shift(1, 1)
    # rows are contiguous, columns have to be packed
    cart.Sendrecv(u[-2, :].copy(), dest=down, recvbuf=u[0, :], source=up)
    cart.Sendrecv(u[1, :].copy(), dest=up, recvbuf=u[-1, :], source=down)

    buf = np.empty(u.shape[0])
    cart.Sendrecv(u[:, -2].copy(), dest=right, recvbuf=buf, source=left)
    if left != MPI.PROC_NULL:
        u[:, 0] = buf
    cart.Sendrecv(u[:, 1].copy(), dest=left, recvbuf=buf, source=right)
    if right != MPI.PROC_NULL:
        u[:, -1] = buf


def apply_walls(cart, u):
    up, _ = cart.Shift(0, 1)
    if up == MPI.PROC_NULL:
        u[0, :] = T_HOT


def step(u, r):
    new = u.copy()
    new[1:-1, 1:-1] += r * (
        u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * u[1:-1, 1:-1]
    )
    return new


def residual(new, old):
    return np.abs(new[1:-1, 1:-1] - old[1:-1, 1:-1]).max()


def collect(cart, u, n):
    coords = cart.Get_coords(cart.Get_rank())
    pieces = cart.gather((coords, u[1:-1, 1:-1].copy()), root=0)
    if cart.Get_rank() != 0:
        return None
    dims = cart.Get_topo()[0]
    full = np.zeros((n, n))
    for (ci, cj), data in pieces:
        i0, ni = block(n, dims[0], ci)
        j0, nj = block(n, dims[1], cj)
        full[i0:i0 + ni, j0:j0 + nj] = data
    return full


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--n", type=int, default=64)
    ap.add_argument("--tol", type=float, default=1e-3)
    ap.add_argument("--max-steps", type=int, default=20000)
    ap.add_argument("--check-every", type=int, default=50)
    ap.add_argument("-o", "--output", default=None)
    args = ap.parse_args()

    cart = make_cart(MPI.COMM_WORLD)
    rank = cart.Get_rank()
    dims = cart.Get_topo()[0]
    ci, cj = cart.Get_coords(rank)
    _, ni = block(args.n, dims[0], ci)
    _, nj = block(args.n, dims[1], cj)

    u = np.zeros((ni + 2, nj + 2))
    apply_walls(cart, u)
    t0 = MPI.Wtime()
    for it in range(1, args.max_steps + 1):
        exchange(cart, u)
        new = step(u, 0.2)
        if it % args.check_every == 0:
            res = residual(new, u)
            if res < args.tol:
                u = new
                break
        u = new

    full = collect(cart, u, args.n)
    if rank == 0:
        print(f"grid {dims[0]}x{dims[1]}: stopped after {it} steps, {MPI.Wtime() - t0:.2f} s")
        print(f"mean temperature {full.mean():.4f}")
        if args.output:
            np.save(args.output, full)


if __name__ == "__main__":
    main()
