"""Island model: evolve, send the champion to all other islands, repeat."""
from mpi4py import MPI

import migrate
from island import Island


def search(comm, epochs=6, generations=15):
    island = Island(seed=300 + comm.rank)
    owners = []
    for _ in range(epochs):
        island.evolve(generations)
        owners.append(migrate.spread_best(island))
    return island.best, owners


def main():
    comm = MPI.COMM_WORLD
    migrate.use(comm)
    (cost, person), owners = search(comm)
    table = comm.gather((cost, person.round(4).tolist()), root=0)
    if comm.rank == 0:
        print("champions", owners)
        for rank, (value, place) in enumerate(table):
            print(f"island {rank}: {value:.3e} at {place}")


if __name__ == "__main__":
    main()
