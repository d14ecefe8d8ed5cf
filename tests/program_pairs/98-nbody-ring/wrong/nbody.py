"""Direct-summation gravity with a systolic ring of particle blocks."""
import logging
import time

import numpy as np
from mpi4py import MPI

log = logging.getLogger("nbody")
SOFTENING2 = 1e-4


def plummer(n, seed):
    rng = np.random.default_rng(seed)
    r = 1.0 / np.sqrt(rng.uniform(0.01, 0.99, n) ** (-2.0 / 3.0) - 1.0)
    direction = rng.standard_normal((n, 3))
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    mass = np.full((n, 1), 1.0 / n)
    return np.hstack([r[:, None] * direction, mass])


def accumulate(acc, targets, sources):
    for s in range(0, len(sources), 32):
        block = sources[s:s + 32]
        d = block[None, :, :3] - targets[:, None, :3]
        r2 = (d ** 2).sum(-1) + SOFTENING2
        acc += (d * (block[:, 3] * r2 ** -1.5)[..., None]).sum(1)


def ring_forces(comm, mine):
    right = (comm.rank + 1) % comm.size
    left = (comm.rank - 1) % comm.size
    acc = np.zeros((len(mine), 3))
    visiting = mine.copy()
    incoming = np.zeros_like(visiting)
    for hop in range(comm.size):
        last = hop == comm.size - 1
        if not last:
            recv_req = comm.Irecv(incoming, source=left, tag=hop)
            send_req = comm.Isend(visiting, dest=right, tag=hop)
        accumulate(acc, mine, visiting)
        if not last:
            send_req.Wait()
            visiting, incoming = incoming, visiting
    return acc


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    comm = MPI.COMM_WORLD
    n = 180
    everything = plummer(n, seed=5)
    per = n // comm.size
    if n % comm.size:
        raise SystemExit(f"{n} particles cannot be shared by {comm.size} ranks")
    mine = np.ascontiguousarray(everything[comm.rank * per:(comm.rank + 1) * per])

    started = time.perf_counter()
    acc = ring_forces(comm, mine)
    elapsed = comm.reduce(time.perf_counter() - started, op=MPI.MAX)

    norm = comm.reduce(float((acc ** 2).sum()))
    momentum = comm.reduce((acc * mine[:, 3:]).sum(0))
    if comm.rank == 0:
        log.info("|a|^2 = %.10e   net force %.2e   (%.2f s)",
                 norm, np.abs(momentum).max(), elapsed)


if __name__ == "__main__":
    main()
