"""Fit an emulator of a response surface; JAX on each rank, MPI between them."""
import argparse
import logging
import sys

from mpi4py import MPI

from emulator.config import EmulatorConfig
from emulator.design import make_design
from emulator.history import History
from emulator.optimiser import Momentum
from emulator.steps import STEPS
from emulator.sync import TreeSync


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--points", type=int, default=250)
    ap.add_argument("--iterations", type=int, default=120)
    ap.add_argument("--step", choices=sorted(STEPS), default="weighted")
    ap.add_argument("--rate", type=float, default=0.05)
    ap.add_argument("--history", default="", help="file for the loss of each iteration")
    a = ap.parse_args()
    comm = MPI.COMM_WORLD
    logging.basicConfig(stream=sys.stdout, format="%(message)s",
                        level=logging.INFO if comm.rank == 0 else logging.WARNING)
    logging.getLogger("jax").setLevel(logging.WARNING)
    cfg = EmulatorConfig(points=a.points, iterations=a.iterations, rate=a.rate)

    sync = TreeSync(comm)
    design = make_design(cfg, comm)
    step = STEPS[a.step](cfg, sync, design)
    optimiser = Momentum(cfg.rate, cfg.momentum)
    params = step.start()
    with History(a.history if comm.rank == 0 else "") as history:
        for it in range(cfg.iterations):
            loss, grads = step.evaluate(params)
            params = optimiser.apply(params, grads)
            history.add(it, loss)
            if it % 30 == 0 or it == cfg.iterations - 1:
                logging.info("iteration %4d  loss %.6f", it, loss)


if __name__ == "__main__":
    main()
