"""Sweep of the Lorenz parameter rho; largest Lyapunov exponent per value."""
import argparse
import csv
import math
import os

from mpi4py import MPI


def lorenz(state, rho, sigma=10.0, beta=8.0 / 3.0):
    x, y, z = state
    return sigma * (y - x), x * (rho - z) - y, x * y - beta * z


def rk4(state, rho, dt):
    k1 = lorenz(state, rho)
    k2 = lorenz([s + 0.5 * dt * k for s, k in zip(state, k1)], rho)
    k3 = lorenz([s + 0.5 * dt * k for s, k in zip(state, k2)], rho)
    k4 = lorenz([s + dt * k for s, k in zip(state, k3)], rho)
    return [
        s + dt / 6.0 * (a + 2 * b + 2 * c + d)
        for s, a, b, c, d in zip(state, k1, k2, k3, k4)
    ]


def lyapunov(rho, steps, dt=0.01, eps=1e-8):
    a = [1.0, 1.0, 1.0]
    for _ in range(300):
        a = rk4(a, rho, dt)
    b = [a[0] + eps, a[1], a[2]]
    acc = 0.0
    for _ in range(steps):
        a, b = rk4(a, rho, dt), rk4(b, rho, dt)
        dist = math.dist(a, b)
        acc += math.log(dist / eps)
        b = [p + (q - p) * eps / dist for p, q in zip(a, b)]
    return acc / (steps * dt)


def append_rows(path, rows):
    fresh = not os.path.exists(path)
    with open(path, "a", newline="") as f:
        writer = csv.writer(f)
        if fresh:
            writer.writerow(["rho", "lyapunov"])
        writer.writerows(rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--points", type=int, default=9)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--out", default="lorenz.csv")
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    values = [15.0 + 20.0 * i / (args.points - 1) for i in range(args.points)]
    mine = [(rho, lyapunov(rho, args.steps)) for rho in values[comm.rank::comm.size]]

    table = sorted(row for part in comm.allgather(mine) for row in part)
    chaotic = sum(1 for _, exponent in table if exponent > 0.1)
    if comm.rank == 0:
        append_rows(args.out, table)

    comm.Barrier()
    if comm.rank == 0:
        with open(args.out) as f:
            print(f"{args.out}: {sum(1 for _ in f) - 1} rows, {chaotic} chaotic values")


if __name__ == "__main__":
    main()
