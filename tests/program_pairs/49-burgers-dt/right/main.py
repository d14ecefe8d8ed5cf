import argparse

import numpy as np
from mpi4py import MPI

from burgers import Slab, rusanov_update, stable_dt


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--cells", type=int, default=600)
    p.add_argument("--t-end", type=float, default=0.2)
    p.add_argument("--cfl", type=float, default=0.45)
    p.add_argument("--report", type=int, default=50)
    return p.parse_args()


def main():
    args = parse()
    comm = MPI.COMM_WORLD
    slab = Slab(comm, args.cells)
    slab.interior[:] = 0.3 + 0.9 * np.exp(-200 * (slab.x - 0.3) ** 2)

    t, step = 0.0, 0
    while t < args.t_end:
        dt = min(stable_dt(slab, args.cfl), args.t_end - t)
        slab.fill_ghosts()
        rusanov_update(slab, dt)
        t += dt
        step += 1
        if step % args.report == 0:
            mass = slab.total_mass()
            if comm.rank == 0:
                print(f"step {step:5d}  t={t:.4f}  mass={mass:.8f}", flush=True)

    pieces = comm.gather(slab.interior.copy(), root=0)
    if comm.rank == 0:
        u = np.concatenate(pieces)
        print(f"done: {step} steps, max {u.max():.6f} at x={(u.argmax() + 0.5) / len(u):.4f}")


if __name__ == "__main__":
    main()
