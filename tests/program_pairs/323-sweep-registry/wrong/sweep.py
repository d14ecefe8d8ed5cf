"""Sweep of the forcing of a driven pendulum; finished cases are kept for a later restart."""
import argparse
import math
import os
import shutil
import tempfile

from mpi4py import MPI

from registry import Registry


def poincare_spread(forcing, steps=1500, dt=0.02):
    theta, omega, t = 0.2, 0.0, 0.0
    section = []
    period = 3 * math.pi
    for i in range(steps):
        omega += dt * (-math.sin(theta) - 0.5 * omega + forcing * math.cos(2 * t / 3))
        theta += dt * omega
        t += dt
        if i and int(t / period) != int((t - dt) / period):
            section.append(omega)
    return max(section) - min(section)


def case_name(forcing):
    return f"F={forcing:.4f}"


class Sweep:
    def __init__(self, comm, registry, values, batch):
        self.comm = comm
        self.registry = registry
        done = comm.bcast(registry.load() if comm.rank == 0 else None, root=0)
        self.todo = [v for v in values if case_name(v) not in done]
        self.batch = batch

    def run(self):
        per_round = self.batch * self.comm.size
        for begin in range(0, len(self.todo), per_round):
            chunk = self.todo[begin:begin + per_round][self.comm.rank::self.comm.size]
            results = {case_name(v): poincare_spread(v) for v in chunk}
            self.registry.update(results)
        self.comm.Barrier()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=96)
    parser.add_argument("--batch", type=int, default=2)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    folder = comm.bcast(tempfile.mkdtemp() if comm.rank == 0 else None, root=0)
    registry = Registry(os.path.join(folder, "done.json"), comm.rank)
    values = [0.9 + 0.6 * i / args.cases for i in range(args.cases)]
    Sweep(comm, registry, values, args.batch).run()
    if comm.rank == 0:
        done = registry.load()
        print(f"{len(done)} of {args.cases} cases are in the registry")
        print("widest section", max(done.items(), key=lambda kv: kv[1])[0])
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
