"""Scan of the Lotka-Volterra parameters for the period of the cycle."""
import itertools
import time

from mpi4py import MPI


def rk4(f, y, h):
    k1 = f(y)
    k2 = f([a + h / 2 * b for a, b in zip(y, k1)])
    k3 = f([a + h / 2 * b for a, b in zip(y, k2)])
    k4 = f([a + h * b for a, b in zip(y, k3)])
    return [a + h / 6 * (p + 2 * q + 2 * r + s)
            for a, p, q, r, s in zip(y, k1, k2, k3, k4)]


def period(alpha, beta, gamma, delta, h=0.02, t_end=60.0):
    def rhs(y):
        return [alpha * y[0] - beta * y[0] * y[1],
                delta * y[0] * y[1] - gamma * y[1]]

    y = [1.5, 1.0]
    crossings = []
    t = 0.0
    level = gamma / delta
    while t < t_end:
        new = rk4(rhs, y, h)
        if y[0] < level <= new[0]:
            crossings.append(t + h * (level - y[0]) / (new[0] - y[0]))
        y = new
        t += h
    if len(crossings) < 2:
        return None
    return (crossings[-1] - crossings[0]) / (len(crossings) - 1)


def build_grid():
    alphas = [0.6, 0.8, 1.0]
    gammas = [0.5, 0.75, 1.0]
    return [dict(alpha=a, beta=1.0, gamma=g, delta=1.0)
            for a, g in itertools.product(alphas, gammas)]


def main():
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()
    start = time.perf_counter()

    if rank == 0:
        grid = build_grid()
    else:
        grid = None
    mine = comm.scatter(grid, root=0)

    found = [(p["alpha"], p["gamma"], period(**p)) for p in mine]
    table = comm.gather(found, root=0)

    if rank == 0:
        for a, g, T in sorted(row for part in table for row in part):
            print(f"{a:5.2f} {g:5.2f} {T:8.4f}")
        print(f"elapsed {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
