from itertools import count

import numpy as np
from mpi4py import MPI

from population import Creature, Population, TARGET
from topology import neighbourhood


class Callbacks(dict):
    """Hooks by generation period; due() gives them in the order of their names."""

    def every(self, period):
        def register(hook):
            self[hook.__name__] = (period, hook)
            return hook
        return register

    def due(self, generation):
        for name in sorted(self):
            period, hook = self[name]
            if generation % period == 0:
                yield hook


def search(comm, limit=400):
    hooks, island = Callbacks(), Population(np.random.default_rng([5, comm.rank]),
                                            12 + 4 * comm.rank, TARGET)
    with neighbourhood(comm) as (graph, sources):
        @hooks.every(4)
        def migrate(generation):
            genes = np.array(island.elite.genes, dtype="i1")
            arrived = np.empty((len(sources), TARGET), dtype="i1")
            graph.Neighbor_allgather(genes, arrived)
            island.welcome(map(Creature.of, arrived))
            return None

        @hooks.every(10)
        def observe(generation):
            table = comm.gather((island.elite.fitness, comm.rank), root=0)
            line = f"generation {generation}: best {max(table)[0]}" if table else None
            return line if generation % 20 == 0 else None

        @hooks.every(5)
        def finished(generation):
            best = comm.allreduce(island.elite.fitness, op=MPI.MAX)
            return best == 2 * TARGET or generation >= limit

        for generation in count(1):
            island.breed()
            answers = [hook(generation) for hook in hooks.due(generation)]
            if any(a is True for a in answers):
                break
    return island, generation


def main():
    comm = MPI.COMM_WORLD
    island, generation = search(comm)
    assert comm.allreduce(generation, op=MPI.MAX) == comm.allreduce(generation, op=MPI.MIN)
    best, owner = comm.allreduce((island.elite.fitness, -comm.rank), op=MPI.MAX)
    champion = comm.bcast(island.elite if comm.rank == -owner else None, root=-owner)
    assert champion.fitness == best == 2 * TARGET
    assert champion == Creature.of(champion.genes) and set(champion.genes) == {1}
    if comm.rank == 0:
        print(f"found on island {-owner} in generation {generation}")


if __name__ == "__main__":
    main()
