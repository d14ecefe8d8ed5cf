"""Partition a ratings log by item and fit item factors partition by partition."""
import logging
import sys

from mpi4py import MPI

from als import ItemFactors
from exchange import PartitionWriter, read_partition
from ratings import generate
from settings import Settings
from workspace import Workspace


def main():
    comm = MPI.COMM_WORLD
    cfg = Settings.load()
    logging.basicConfig(format="%(levelname)s %(message)s",
                        level=logging.INFO if comm.rank == 0 else logging.ERROR)
    log = logging.getLogger("ratings")

    with Workspace(comm, prefix=cfg.prefix, parent=cfg.scratch) as ws:
        log.info("workspace %s", ws.root)
        with PartitionWriter(ws, comm.rank, comm.size) as out:
            for record in generate(cfg, comm.rank, comm.size):
                out.add(*record)
        comm.Barrier()

        users, items, stars = read_partition(ws, comm.rank, comm.size)
        log.info("rank 0 holds %d ratings", len(stars))
        factors = ItemFactors(cfg.rank, cfg.reg, seed=cfg.seed)
        sse, count = factors.fit(users, items, stars, sweeps=cfg.sweeps)

    sse, count = comm.allreduce(sse), comm.allreduce(count)
    log.info("rmse %.4f over %d ratings", (sse / count) ** 0.5, count)
    if count != cfg.ratings:
        log.error("expected %d ratings", cfg.ratings)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
