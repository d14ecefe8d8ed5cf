"""Dynamic scheduling with a shared counter (Fetch_and_op) and a histogram
that is accumulated one-sidedly; no process plays the manager."""
import numpy as np
from mpi4py import MPI

from counter import SharedCounter

N_TASKS = 60
N_BINS = 16


def collatz_length(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def task_values(task):
    return [collatz_length(k) for k in range(1 + task * 20, 1 + (task + 1) * 20)]


def histogram_add(win, bins):
    """Accumulate is atomic per element, so a shared lock is enough."""
    win.Lock(0, MPI.LOCK_SHARED)
    win.Accumulate([bins, MPI.INT64_T], 0, op=MPI.SUM)
    win.Unlock(0)


def main():
    comm = MPI.COMM_WORLD
    mine = N_BINS if comm.rank == 0 else 0
    itemsize = MPI.INT64_T.Get_size()
    win = MPI.Win.Allocate(mine * itemsize, itemsize, comm=comm)
    if comm.rank == 0:
        table = np.frombuffer(win.tomemory(), dtype=np.int64)
        win.Lock(0, MPI.LOCK_EXCLUSIVE)
        table[:] = 0
        win.Unlock(0)
    comm.Barrier()          # nobody adds before the table is cleared

    done = []
    with SharedCounter(comm) as counter:
        while (task := counter.next()) < N_TASKS:
            values = np.minimum(np.array(task_values(task)) // 10, N_BINS - 1)
            histogram_add(win, np.bincount(values, minlength=N_BINS).astype(np.int64))
            done.append(task)

    comm.Barrier()          # all accumulations have been unlocked
    result = np.empty(N_BINS, dtype=np.int64)
    win.Lock(0, MPI.LOCK_SHARED)
    win.Get([result, MPI.INT64_T], 0)
    win.Unlock(0)

    tasks = sorted(t for part in comm.allgather(done) for t in part)
    assert tasks == list(range(N_TASKS)), "a task was lost or done twice"
    reference = np.zeros(N_BINS, dtype=np.int64)
    for t in range(N_TASKS):
        reference += np.bincount(np.minimum(np.array(task_values(t)) // 10, N_BINS - 1),
                                 minlength=N_BINS)
    assert np.array_equal(result, reference)
    if comm.rank == 0:
        print(f"{N_TASKS} tasks, {int(result.sum())} numbers, mode bin {int(result.argmax())}")
        table = None
    win.Free()


if __name__ == "__main__":
    main()
