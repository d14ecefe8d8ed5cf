import numpy as np
from mpi4py import MPI

DIM = 30_000


def gradient(params, target):
    return params - target


def train(comm, epochs=6, rate=0.5):
    params = np.zeros(DIM)
    target = np.full(DIM, 1.0 + comm.rank)
    total = np.zeros(DIM)
    for epoch in range(epochs):
        if comm.rank == 0:
            reqs = [comm.Isend(params, dest=d, tag=epoch) for d in range(1, comm.size)]
        else:
            reqs = [comm.Irecv(params, source=0, tag=epoch)]
        MPI.Request.Waitall(reqs)
        comm.Reduce(gradient(params, target), total, op=MPI.SUM, root=0)
        if comm.rank == 0:
            params -= rate * total / comm.size
    return params


def main():
    comm = MPI.COMM_WORLD
    params = train(comm)
    if comm.rank == 0:
        print("parameter mean", round(float(params.mean()), 8))


if __name__ == "__main__":
    main()
