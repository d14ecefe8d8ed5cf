"""Replica exchange Monte Carlo for the 2D Ising model."""
import argparse

import numpy as np
from mpi4py import MPI

from ising import Ising
from ladder import Ladder


def observables(model, ladder, sweeps, burn):
    """Yield one (energy, |m|) sample per sweep after burn-in."""
    for sweep in range(sweeps):
        model.sweep(ladder.beta)
        ladder.exchange(model, sweep)
        if sweep >= burn:
            yield model.energy / model.spins.size, model.magnetisation


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("-L", type=int, default=12)
    ap.add_argument("--sweeps", type=int, default=300)
    ap.add_argument("--burn", type=int, default=100)
    ap.add_argument("--t-min", type=float, default=1.6)
    ap.add_argument("--t-max", type=float, default=3.2)
    ap.add_argument("--seed", type=int, default=2718)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    model = Ising(args.L, np.random.default_rng((args.seed, comm.rank)))
    ladder = Ladder(comm, args.t_min, args.t_max, args.seed)

    samples = np.array(list(observables(model, ladder, args.sweeps, args.burn)))
    energy, magnet = samples.mean(axis=0)
    assert abs(model.energy - model.total_energy()) < 1e-9

    rows = comm.gather((1 / ladder.beta, energy, magnet, ladder.accepted, ladder.tried), root=0)
    if comm.rank == 0:
        print("    T       E/N     |m|   exchanges")
        for t, e, m, acc, tried in rows:
            print(f"{t:6.3f}  {e:8.4f}  {m:6.3f}  {acc}/{tried}")


if __name__ == "__main__":
    main()
