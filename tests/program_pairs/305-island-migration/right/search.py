"""Minimise the Rastrigin function with one island per process."""
from mpi4py import MPI

from config import SearchConfig
from islands import Island


def run(comm, cfg):
    island = Island(comm, cfg)
    history = []
    for generation in range(cfg.generations):
        island.evolve()
        if island.migration_due():
            island.migrate()
        history.append(float(island.cost[0]))
    return island, history


def main():
    comm = MPI.COMM_WORLD
    cfg = SearchConfig()
    island, history = run(comm, cfg)
    results = comm.gather((history[-1], island.moves, comm.rank), root=0)
    if comm.rank == 0:
        for cost, moves, rank in results:
            print(f"island {rank}: best {cost:8.4f} after {moves} migrations")
        print(f"best of all {min(results)[0]:.4f}")


if __name__ == "__main__":
    main()
