"""Lifetimes of test particles near a planet, results go to a SQLite data base."""
import argparse
import math
import os
import random

from mpi4py import MPI

import store


def acceleration(x, y, px, py, mass):
    r3 = (x * x + y * y) ** 1.5
    dx, dy = x - px, y - py
    d3 = (dx * dx + dy * dy + 1e-4) ** 1.5
    return -x / r3 - mass * dx / d3, -y / r3 - mass * dy / d3


def integrate(a, e, steps, dt=0.02, mass=0.02):
    x, y = a * (1 - e), 0.0
    vx, vy = 0.0, math.sqrt((1 + e) / (a * (1 - e)))
    t = 0.0
    ax, ay = acceleration(x, y, 1.0, 0.0, mass)
    for _ in range(steps):
        vx += 0.5 * dt * ax
        vy += 0.5 * dt * ay
        x += dt * vx
        y += dt * vy
        t += dt
        ax, ay = acceleration(x, y, math.cos(t), math.sin(t), mass)
        vx += 0.5 * dt * ax
        vy += 0.5 * dt * ay
        if x * x + y * y > 25.0:
            return t, 1
    return t, 0


def candidates(n, seed=3):
    rnd = random.Random(seed)
    return [(i, rnd.uniform(0.7, 1.6), rnd.uniform(0.0, 0.4)) for i in range(n)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--db", default="orbits.sqlite")
    parser.add_argument("-n", type=int, default=120)
    parser.add_argument("--steps", type=int, default=12000)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    if comm.rank == 0:
        if os.path.exists(args.db):
            os.remove(args.db)
        store.connect(args.db).close()
    comm.Barrier()

    particles = candidates(args.n)[comm.rank::comm.size]
    rows = []
    for number, a, e in particles:
        lifetime, ejected = integrate(a, e, args.steps)
        rows.append((number, a, e, lifetime, ejected))
    gathered = comm.gather(rows, root=0)

    if comm.rank == 0:
        db = store.connect(args.db)
        for part in gathered:
            for row in part:
                store.insert(db, row)
        db.commit()
        count, mean, ejected = store.summary(db)
        db.close()
        print(f"{count} particles, mean lifetime {mean:.4f}, {ejected} ejected")


if __name__ == "__main__":
    main()
