"""Poisson model of call volumes; the ranks hold different call centres."""
import logging
import os
import sys

import jax
from mpi4py import MPI

from calls import CallCentre
from guard import BatchGuard, BadBatch
from optimiser import AdamState, adam_update
from poisson import PoissonModel

jax.config.update("jax_platforms", "cpu")

CONFIG = {
    "days": 90,
    "batch": 15,
    "epochs": 8,
    "lr": 0.05,
    "features": 4,
    "seed": int(os.environ.get("CALLS_SEED", "6")),
}


def train(comm, cfg, log):
    centre = CallCentre(cfg, comm.Get_rank())
    model = PoissonModel(comm, cfg["features"])
    state = AdamState.zeros_like(model.params)
    guard = BatchGuard(limit=20)
    for epoch in range(cfg["epochs"]):
        losses = []
        for number, batch in enumerate(centre.batches(cfg["batch"])):
            try:
                with guard.watch(epoch, number):
                    loss, grads = model.loss_and_grads(*batch)
            except BadBatch as err:
                log.warning("%s", err)
                continue
            model.params, state = adam_update(model.params, grads, state, cfg["lr"])
            losses.append(loss)
        log.info("epoch %d loss %.4f", epoch, sum(losses) / max(len(losses), 1))
    return model, centre, guard


def main():
    comm = MPI.COMM_WORLD
    rank = comm.Get_rank()
    logging.basicConfig(stream=sys.stdout, format=f"[{rank}] %(message)s",
                        level=logging.INFO if rank == 0 else logging.WARNING)
    logging.getLogger("jax").setLevel(logging.ERROR)
    log = logging.getLogger("calls")
    model, centre, guard = train(comm, CONFIG, log)
    skipped = comm.reduce(guard.skipped, root=0)
    if rank == 0:
        log.info("skipped %d batches, intensity %.3f", skipped, model.base_rate())
    return 0


if __name__ == "__main__":
    sys.exit(main())
