"""Period search in light curves; rank 0 hands out stars, the others work."""
import argparse
import logging
from collections import deque

import numpy as np
from mpi4py import MPI

WORK, RESULT, STOP = 11, 12, 13
log = logging.getLogger("periods")


def make_star(ident):
    rng = np.random.default_rng(1000 + ident)
    period = 0.4 + 0.37 * ident
    t = np.sort(rng.uniform(0, 30, 240))
    flux = np.sin(2 * np.pi * t / period) + 0.2 * rng.standard_normal(t.size)
    return {"id": ident, "t": t, "flux": flux}


def best_period(star, grid):
    f = star["flux"] - star["flux"].mean()
    phase = 2 * np.pi * star["t"][None, :] / grid[:, None]
    power = (np.cos(phase) @ f) ** 2 + (np.sin(phase) @ f) ** 2
    return float(grid[np.argmax(power)])


def analyse(star):
    coarse = best_period(star, np.linspace(0.3, 4.0, 2000))
    fine = best_period(star, np.linspace(0.98 * coarse, 1.02 * coarse, 400))
    return star["id"], fine


def manager(comm, stars):
    queue = deque(stars)
    found = {}
    busy = 0
    for worker in range(1, min(comm.size, len(queue) + 1)):
        comm.send(queue.popleft(), dest=worker, tag=WORK)
        busy += 1
    status = MPI.Status()
    while busy:
        ident, period = comm.recv(source=MPI.ANY_SOURCE, tag=RESULT, status=status)
        found[ident] = period
        worker = status.Get_source()
        log.info("star %d done by %d", ident, worker)
        if queue:
            comm.send(queue.popleft(), dest=worker, tag=WORK)
        else:
            comm.send(None, dest=worker, tag=STOP)
            busy -= 1
    return found


def worker(comm):
    status = MPI.Status()
    done = 0
    while True:
        star = comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
        if status.Get_tag() == STOP:
            return done
        comm.send(analyse(star), dest=0, tag=RESULT)
        done += 1


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--stars", type=int, default=3)
    ap.add_argument("--verbose", action="store_true")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO if args.verbose else logging.WARNING)

    comm = MPI.COMM_WORLD
    found = None
    if comm.size == 1:
        found = dict(analyse(make_star(i)) for i in range(args.stars))
    elif comm.rank == 0:
        found = manager(comm, [make_star(i) for i in range(args.stars)])
    else:
        worker(comm)
    if found is not None:
        for ident in sorted(found):
            print(f"star {ident}: P = {found[ident]:.4f} d")


if __name__ == "__main__":
    main()
