import argparse

from mpi4py import MPI

import runfiles
from lattice import Strip


def parse():
    p = argparse.ArgumentParser(description="Ising model on a periodic square lattice")
    p.add_argument("--size", type=int, default=32)
    p.add_argument("--beta", type=float, default=0.6)
    p.add_argument("--sweeps", type=int, default=60)
    p.add_argument("--every", type=int, default=20)
    p.add_argument("--seed", type=int, default=12)
    p.add_argument("--run", default="run_ising")
    return p.parse_args()


def main():
    args = parse()
    comm = MPI.COMM_WORLD
    strip = Strip(comm, args.size, args.beta, args.seed)
    run = runfiles.prepare(comm, args.run)

    series = []
    for sweep in range(1, args.sweeps + 1):
        strip.sweep()
        if sweep % args.every == 0:
            series.append((sweep, strip.magnetisation()))
            runfiles.save_spins(comm, run, sweep, strip)

    if comm.rank == 0:
        runfiles.save_series(run, series)
        for sweep, m in series:
            print(f"sweep {sweep:5d}  m = {m:+.4f}")


if __name__ == "__main__":
    main()
