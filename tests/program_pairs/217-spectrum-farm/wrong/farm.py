"""Task farm: eigenvalue statistics of random symmetric matrices."""
import sys

import numpy as np
from mpi4py import MPI

from protocol import MASTER, Tag


def level_spacing_ratio(seed, n=40):
    rng = np.random.default_rng(seed)
    a = rng.standard_normal((n, n))
    e = np.linalg.eigvalsh(a + a.T)
    gaps = np.diff(e)
    r = np.minimum(gaps[:-1], gaps[1:]) / np.maximum(gaps[:-1], gaps[1:])
    return float(r.mean())


def master(comm, seeds):
    pending = list(seeds)
    results = {}
    active = 0
    status = MPI.Status()

    for worker in range(1, comm.size):
        if pending:
            comm.send(pending.pop(), dest=worker, tag=Tag.WORK)
            active += 1
        else:
            comm.send(None, dest=worker, tag=Tag.STOP)

    while active:
        seed, value = comm.recv(source=MPI.ANY_SOURCE, tag=Tag.RESULT, status=status)
        results[seed] = value
        worker = status.Get_source()
        if pending:
            comm.send(pending.pop(), dest=worker, tag=Tag.WORK)
        else:
            comm.send(None, dest=worker, tag=Tag.STOP)
            active -= 1
    return results


def worker(comm):
    status = MPI.Status()
    done = 0
    while True:
        seed = comm.recv(source=MASTER, tag=Tag.WORK, status=status)
        if status.Get_tag() == Tag.STOP:
            break
        comm.send((seed, level_spacing_ratio(seed)), dest=MASTER, tag=Tag.RESULT)
        done += 1
    return done


def main():
    comm = MPI.COMM_WORLD
    if comm.size < 2:
        sys.exit("at least two processes are needed")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 25

    if comm.rank == MASTER:
        results = master(comm, range(count))
        ratios = np.array([results[s] for s in sorted(results)])
        print(f"{len(ratios)} matrices, <r> = {ratios.mean():.4f} +- {ratios.std() / np.sqrt(len(ratios)):.4f}")
    else:
        worker(comm)


if __name__ == "__main__":
    main()
