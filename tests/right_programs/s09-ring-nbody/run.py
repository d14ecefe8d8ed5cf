import numpy as np
from mpi4py import MPI

from bodies import Swarm, cluster
from ring import Carousel


def evolve(comm, bodies, steps=12, dt=0.02):
    swarm = Swarm(comm, bodies)
    energies = []
    with Carousel(comm, (swarm.slots, 4)) as carousel:
        for step in range(steps):
            swarm.kick(carousel, dt if step else 0.5 * dt)
            if step % 4 == 0:
                energies.append(swarm.kinetic)
            swarm.drift(dt)
    return swarm, energies


def main():
    comm = MPI.COMM_WORLD
    for n in (2, 9, 24):
        bodies = cluster(n)
        swarm, energies = evolve(comm, bodies)
        alone, reference = evolve(MPI.COMM_SELF, bodies)
        assert np.allclose(swarm.collect(), alone.collect(), atol=1e-12)
        assert np.allclose(energies, reference)
        start = (bodies[:, 6:] * bodies[:, 3:6]).sum(axis=0)
        assert np.allclose(swarm.momentum, start, atol=1e-10)
        line = f"n={n} T={swarm.kinetic:.8f} after {energies[0]:.8f}"
        if comm.rank == 0:
            print(line)


if __name__ == "__main__":
    main()
