"""Grid search: rank 0 hands out trials, the other ranks train.

    mpirun -n 4 python sweep.py --out sweep.csv
"""
import argparse
import csv
import logging
import sys

from mpi4py import MPI

from objective import fit, make_data
from space import make_trials

TAG_TRIAL = 10
TAG_RESULT = 11
TAG_STOP = 12

log = logging.getLogger("sweep")


def manager(comm, trials):
    """Returns a list of (trial, error), error is None for failed trials."""
    status = MPI.Status()
    todo = list(reversed(trials))
    by_uid = {t.uid: t for t in trials}
    results = []
    busy = 0
    for worker in range(1, comm.size):
        if todo:
            comm.send(todo.pop(), dest=worker, tag=TAG_TRIAL)
            busy += 1
        else:
            comm.send(None, dest=worker, tag=TAG_STOP)

    while busy:
        uid, error = comm.recv(source=MPI.ANY_SOURCE, tag=TAG_RESULT, status=status)
        results.append((by_uid[uid], error))
        worker = status.Get_source()
        if todo:
            comm.send(todo.pop(), dest=worker, tag=TAG_TRIAL)
        else:
            comm.send(None, dest=worker, tag=TAG_STOP)
            busy -= 1
    return results


def worker(comm):
    train, valid = make_data()
    status = MPI.Status()
    n_done = 0
    while True:
        trial = comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
        if status.Get_tag() == TAG_STOP:
            return n_done
        try:
            error = fit(trial, train, valid)
        except FloatingPointError as exc:
            log.warning("rank %d: trial %d diverged: %s", comm.rank, trial.uid, exc)
            continue
        comm.send((trial.uid, error), dest=0, tag=TAG_RESULT)
        n_done += 1


def write_table(path, results):
    ranking = sorted(results, key=lambda r: (r[1] is None, r[1] or 0.0, r[0].uid))
    with open(path, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(["uid", "lr", "l2", "momentum", "mse"])
        for t, error in ranking:
            w.writerow([t.uid, t.lr, t.l2, t.momentum, "" if error is None else f"{error:.6g}"])
    return ranking


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default="sweep.csv")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")

    comm = MPI.COMM_WORLD
    if comm.size < 2:
        sys.exit("need at least two processes")

    if comm.rank == 0:
        results = manager(comm, make_trials())
        ranking = write_table(args.out, results)
        best, error = ranking[0]
        print(f"best: {best} with mse {error:.5f}")
        done = 0
    else:
        done = worker(comm)

    counts = comm.gather(done, root=0)
    if comm.rank == 0:
        print("trials per worker:", counts[1:])


if __name__ == "__main__":
    main()
