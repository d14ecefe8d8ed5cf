"""2-D Jacobi on a Cartesian grid: PROC_NULL at the walls, column halos by a
vector datatype, convergence by the allreduced change."""
import numpy as np
from mpi4py import MPI

from grid import Block

NY, NX = 26, 22
TOL = 1e-7


def source(y, x):
    return np.sin(np.pi * (y + 1) / (NY + 1)) * np.cos(np.pi * (x + 1) / (NX + 1))


def solve(block, rhs):
    u = np.zeros((block.ny + 2, block.nx + 2))
    sweeps = 0
    while True:
        block.exchange(u)
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - rhs)
        change = np.abs(new - u).max()
        u = new
        sweeps += 1
        if block.cart.allreduce(change, op=MPI.MAX) < TOL:
            return u, sweeps


def serial_solve():
    y, x = np.mgrid[0:NY, 0:NX]
    rhs = source(y, x)
    u = np.zeros((NY + 2, NX + 2))
    sweeps = 0
    while True:
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - rhs)
        change = np.abs(new - u).max()
        u, sweeps = new, sweeps + 1
        if change < TOL:
            return u[1:-1, 1:-1], sweeps


def main():
    comm = MPI.COMM_WORLD
    dims = MPI.Compute_dims(comm.size, 2)
    if dims[0] > NY or dims[1] > NX:
        raise SystemExit("too many ranks for this grid")
    cart = comm.Create_cart(dims, periods=[False, False], reorder=True)
    # every rank is in the grid: the product of the dims is comm.size
    with Block(cart, NY, NX) as block:
        y, x = np.mgrid[block.y0:block.y0 + block.ny, block.x0:block.x0 + block.nx]
        u, sweeps = solve(block, source(y, x))
        pieces = cart.gather(((block.y0, block.x0), u[1:-1, 1:-1].copy()), root=0)
        if cart.Get_rank() == 0:
            full = np.full((NY, NX), np.nan)
            for (y0, x0), piece in pieces:
                full[y0:y0 + piece.shape[0], x0:x0 + piece.shape[1]] = piece
            ref, ref_sweeps = serial_solve()
            assert sweeps == ref_sweeps, (sweeps, ref_sweeps)
            np.testing.assert_allclose(full, ref, atol=1e-12)
            print(f"grid {dims[0]}x{dims[1]}: {sweeps} sweeps, min {full.min():.6f}")
    cart.Free()


if __name__ == "__main__":
    main()
