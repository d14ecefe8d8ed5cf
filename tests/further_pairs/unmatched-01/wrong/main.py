import numpy as np
from mpi4py import MPI

TASK, RESULT, STOP = 1, 2, 3
PER_WORKER = 5


def area(seed, samples=2000):
    rng = np.random.default_rng(seed)
    xy = rng.random((samples, 2))
    return float(4.0 * np.mean((xy**2).sum(axis=1) < 1.0))


def master(comm):
    estimates = []
    for k in range(PER_WORKER):
        for worker in range(1, comm.size):
            comm.send(100 * k + worker, dest=worker, tag=TASK)
        for worker in range(1, comm.size):
            estimates.append(comm.recv(source=worker, tag=RESULT))
    for worker in range(1, comm.size):
        comm.send(None, dest=worker, tag=STOP)
    print(f"pi is about {np.mean(estimates):.4f}")


def worker(comm):
    for _ in range(PER_WORKER):
        seed = comm.recv(source=0, tag=TASK)
        comm.send(area(seed), dest=0, tag=RESULT)


def main():
    comm = MPI.COMM_WORLD
    if comm.size < 2:
        raise SystemExit("start with two or more ranks")
    if comm.rank == 0:
        master(comm)
    else:
        worker(comm)


if __name__ == "__main__":
    main()
