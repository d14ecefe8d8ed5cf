"""Island-model genetic algorithm: independent groups, best result wins."""
import argparse

from mpi4py import MPI

from island import Island
from problems import REGISTRY


def evolve(island, objective, generations, keep):
    for g in range(generations):
        elite = island.select(objective(island.people), keep)
        island.breed(elite, sigma=0.6 * 0.93**g)
    return island.best(objective)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("problem", nargs="?", default="sphere", choices=sorted(REGISTRY))
    ap.add_argument("--islands", type=int, default=2)
    ap.add_argument("--dim", type=int, default=6)
    ap.add_argument("--people", type=int, default=60, help="individuals per rank")
    ap.add_argument("--generations", type=int, default=60)
    ap.add_argument("--keep", type=int, default=8)
    ap.add_argument("--seed", type=int, default=3)
    args = ap.parse_args()

    world = MPI.COMM_WORLD
    objective = REGISTRY[args.problem]
    count = min(args.islands, world.size)
    island = Island(world, count, args.dim, args.people, args.seed)
    value = evolve(island, objective, args.generations, args.keep)

    results = world.gather((island.number, value), root=0)
    if world.rank == 0:
        for number, best in sorted(set(results)):
            print(f"island {number}: best {best:.6f}")
        print(f"overall distance to optimum {min(results, key=lambda r: r[1])[1] - objective.optimum:.6f}")
    island.close()


if __name__ == "__main__":
    main()
