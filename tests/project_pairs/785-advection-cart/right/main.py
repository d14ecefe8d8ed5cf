"""Advect a tracer blob across the doubly periodic unit square."""
import argparse

import numpy as np
from mpi4py import MPI

from field import Field
from scheme import upwind_update
from topology import Layout


def blob(shape):
    x, y = (np.arange(n) + 0.5 for n in shape)
    xx, yy = np.meshgrid(x / shape[0], y / shape[1], indexing="ij")
    return np.exp(-120 * ((xx - 0.3) ** 2 + (yy - 0.55) ** 2))


def reference(q, u, v, c, steps):
    for _ in range(steps):
        q = q + upwind_update(np.pad(q, 1, mode="wrap"), u, v, c, c)
    return q


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--shape", type=int, nargs=2, default=(48, 36))
    ap.add_argument("--velocity", type=float, nargs=2, default=(1.0, 0.5))
    ap.add_argument("--courant", type=float, default=0.5)
    ap.add_argument("--steps", type=int, default=80)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    shape = tuple(args.shape)
    u, v = args.velocity
    layout = Layout(comm, shape)
    start = blob(shape)
    tracer = Field(layout, start[layout.window()])

    for _ in range(args.steps):
        tracer.fill_ghosts()
        tracer.inner[...] += upwind_update(tracer.data, u, v, args.courant, args.courant)

    mass = layout.cart.allreduce(float(tracer.inner.sum()), op=MPI.SUM)
    full = tracer.collect(layout, shape)
    if full is not None:
        expected = reference(start, u, v, args.courant, args.steps)
        error = float(np.abs(full - expected).max())
        print(f"mass {mass:.8f} (initially {start.sum():.8f}), error {error:.2e}")
        print("PASS" if error < 1e-12 else "FAIL: differs from the serial run")


if __name__ == "__main__":
    main()
