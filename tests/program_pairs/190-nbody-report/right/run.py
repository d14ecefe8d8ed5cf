import argparse

from mpi4py import MPI

from simulation import Simulation


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--bodies", type=int, default=60)
    p.add_argument("--steps", type=int, default=20)
    p.add_argument("--dt", type=float, default=1e-3)
    p.add_argument("--report-every", type=int, default=5)
    return p.parse_args()


if __name__ == "__main__":
    args = parse()
    sim = Simulation(MPI.COMM_WORLD, args.bodies, args.dt)
    sim.run(args.steps, args.report_every)
    if sim.is_root:
        print("finished at t = %.4f" % sim.time)
