from mpi4py import MPI
import numpy as np

TAG_HALO = 11


class Ring:
    def __init__(self, comm):
        self.cart = comm.Create_cart([comm.size], periods=[True], reorder=False)
        self.left, self.right = self.cart.Shift(0, 1)

    def exchange(self, u):
        c = self.cart
        reqs = [
            c.Irecv(u[0:1], source=self.left, tag=TAG_HALO),
            c.Irecv(u[-1:], source=self.right, tag=TAG_HALO),
            c.Isend(u[1:2], dest=self.left, tag=TAG_HALO),
            c.Isend(u[-2:-1], dest=self.right, tag=TAG_HALO),
        ]
        MPI.Request.Waitall(reqs)


def main(n_global=512, steps=400, courant=0.5):
    comm = MPI.COMM_WORLD
    ring = Ring(comm)
    size, rank = ring.cart.size, ring.cart.rank
    edges = [n_global * r // size for r in range(size + 1)]
    lo, hi = edges[rank], edges[rank + 1]
    x = np.arange(lo, hi) / n_global
    dt = courant / n_global

    def exact(t):
        return np.sin(2 * np.pi * (x - t)) + 0.3 * np.cos(6 * np.pi * (x - t))

    u_old, u, u_new = (np.zeros(hi - lo + 2) for _ in range(3))
    u_old[1:-1] = exact(-dt)
    u[1:-1] = exact(0.0)

    for step in range(steps):
        ring.exchange(u)
        lap = u[2:] - 2 * u[1:-1] + u[:-2]
        u_new[1:-1] = 2 * u[1:-1] - u_old[1:-1] + courant ** 2 * lap
        u_old, u, u_new = u, u_new, u_old

    err = np.abs(u[1:-1] - exact(steps * dt)).max()
    worst = ring.cart.allreduce(err, op=MPI.MAX)
    if rank == 0:
        verdict = "ok" if worst < 1e-2 else "LARGE"
        print(f"{size} ranks, max error {worst:.3e} ({verdict})")
    ring.cart.Free()


if __name__ == "__main__":
    main()
