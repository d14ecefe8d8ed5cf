"""Two-dimensional Lennard-Jones fluid on the cores of one node."""
import argparse

import numpy as np
from mpi4py import MPI

from forces import LennardJones
from frame import SharedFrame
from integrate import Serial, Shared


def lattice(side, spacing, seed):
    rng = np.random.default_rng(seed)
    grid = np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=-1).reshape(-1, 2)
    pos = spacing * (grid + 0.5) + rng.normal(0, 0.03, grid.shape)
    vel = rng.normal(0, 0.7, grid.shape)
    return pos, vel - vel.mean(axis=0)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--side", type=int, default=14)
    ap.add_argument("--spacing", type=float, default=1.25)
    ap.add_argument("--steps", type=int, default=150)
    ap.add_argument("--dt", type=float, default=0.002)
    args = ap.parse_args()

    world = MPI.COMM_WORLD
    potential = LennardJones(args.side * args.spacing)
    pos, vel = lattice(args.side, args.spacing, seed=8)

    frame = SharedFrame(world, len(pos), 2)
    frame.fill(pos)

    def report(n, run):
        local = potential.energy(frame.pos, frame.mine) + 0.5 * float((run.vel**2).sum())
        total = world.reduce(local, op=MPI.SUM, root=0)
        frame.sync()
        if world.rank == 0:
            print(f"step {n:4d}  energy per particle {total / len(pos):.8f}", flush=True)

    md = Shared(frame, potential, vel[frame.mine].copy(), args.dt)
    md.run(args.steps, every=50, callback=report)

    if world.rank == 0:
        check = Serial(pos.copy(), potential, vel.copy(), args.dt)
        check.run(args.steps)
        error = float(np.abs(check.pos - frame.pos).max())
        print(f"deviation from the serial trajectory {error:.1e}")
        print("PASS" if error < 1e-8 else "FAIL")
    frame.free()


if __name__ == "__main__":
    main()
