import numpy as np
from mpi4py import MPI

from groups import ReplicaGroup

CONFIG = {"replicas": 2, "t_min": 0.5, "t_max": 2.0, "rounds": 6, "steps": 400}


def energy(x):
    return (x ** 2 - 1.0) ** 2


class Walker:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.x = 1.0

    def sweep(self, temperature, steps):
        total = 0.0
        for _ in range(steps):
            prop = self.x + self.rng.normal(0.0, 0.6)
            if np.log(self.rng.random()) < (energy(self.x) - energy(prop)) / temperature:
                self.x = prop
            total += energy(self.x)
        return total


def ladder(config, count):
    return np.geomspace(config["t_min"], config["t_max"], count)


def new_order(order, means, temps, rng):
    """Exchange neighbouring temperatures by the Metropolis rule."""
    order = list(order)
    for i in range(len(order) - 1):
        a, b = order[i], order[i + 1]
        delta = (1 / temps[i] - 1 / temps[i + 1]) * (means[a] - means[b])
        if np.log(rng.random()) < delta:
            order[i], order[i + 1] = b, a
    return order


def main():
    world = MPI.COMM_WORLD
    group = ReplicaGroup(world, CONFIG["replicas"])
    temps = ladder(CONFIG, group.count)
    walker = Walker([3, world.rank])
    swaps = np.random.default_rng(17)
    order = list(range(group.count))

    for _ in range(CONFIG["rounds"]):
        order = group.share(order)
        temperature = temps[order.index(group.index)]
        total = walker.sweep(temperature, CONFIG["steps"])
        mean = group.average(total, CONFIG["steps"])
        means = group.collect(mean)
        if means is not None:
            order = new_order(order, means, temps, swaps)

    if world.rank == 0:
        print("groups", group.count, "order", order, "mean energies", np.round(means, 3))
    group.free()


if __name__ == "__main__":
    main()
