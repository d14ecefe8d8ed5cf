from mpi4py import MPI

from forces import pair_forces
from reader import load_positions


def main():
    world = MPI.COMM_WORLD
    positions = load_positions(world)
    mine = positions[world.rank::world.size]
    forces = pair_forces(mine, positions)
    net = world.reduce(forces.sum(axis=0), op=MPI.SUM, root=0)
    if world.rank == 0:
        print("particles:", len(positions))
        print("net force vanishes:", bool(abs(net).max() < 1e-8))


if __name__ == "__main__":
    main()
