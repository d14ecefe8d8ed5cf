import argparse
import sys

from mpi4py import MPI

from nbody.bodies import Bodies
from nbody.integrator import Leapfrog

parser = argparse.ArgumentParser(description="self-gravitating cluster")
parser.add_argument("--bodies", type=int, default=1200, help="bodies per rank")
parser.add_argument("--steps", type=int, default=4)
parser.add_argument("--dt", type=float, default=0.01)
parser.add_argument("--seed", type=int, default=2)


def main():
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    bodies = Bodies.plummer(args.bodies, args.bodies * comm.size, args.seed, comm.rank)
    integrator = Leapfrog(comm, bodies)
    worst = integrator.net_force()
    for n in range(args.steps):
        integrator.step(args.dt)
        worst = max(worst, integrator.net_force())
        kinetic = comm.reduce(bodies.kinetic())
        if comm.rank == 0:
            print(f"step {n} kinetic {kinetic:.6f} net force {worst:.2e}")
    if worst > 1e-9:
        print(f"rank {comm.rank}: forces do not cancel ({worst:.2e})", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
