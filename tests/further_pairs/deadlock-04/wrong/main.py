import numpy as np
from mpi4py import MPI


def misfit(params, seed):
    rng = np.random.default_rng(seed)
    data = rng.normal(loc=2.0, size=200)
    return float(np.mean((data - params["mean"]) ** 2))


def drive(comm, rounds):
    params = {"mean": 0.0}
    for k in range(rounds):
        values = comm.gather(misfit(params, k), root=0)
        for worker in range(1, comm.size):
            comm.send(params, dest=worker, tag=k)
        params = {"mean": params["mean"] + 0.5 * (2.0 - params["mean"])}
        print(f"round {k}: misfit {np.mean(values):.4f}")


def follow(comm, rounds):
    for k in range(rounds):
        params = comm.recv(source=0, tag=k)
        comm.gather(misfit(params, 1000 * comm.rank + k), root=0)


def main():
    comm = MPI.COMM_WORLD
    rounds = 4
    if comm.rank == 0:
        drive(comm, rounds)
    else:
        follow(comm, rounds)


if __name__ == "__main__":
    main()
