"""Customer churn model, trained data-parallel over the regional extracts."""
import sys

from churn.config import from_env
from churn.data import BatchLoader, read_region
from churn.log import get_logger
from churn.model import LogisticModel
from churn.train import Trainer
from mpi4py import MPI


def main():
    comm = MPI.COMM_WORLD
    cfg = from_env()
    log = get_logger("churn", comm)

    x, y = read_region(cfg, comm.Get_rank())
    total = comm.allreduce(len(y), op=MPI.SUM)
    log.info("%d rows over %d regions", total, comm.Get_size())

    loader = BatchLoader(x, y, cfg.batch_size, seed=cfg.seed + comm.Get_rank())
    model = LogisticModel(cfg.features, l2=cfg.l2)
    trainer = Trainer(comm, model, cfg, log)
    history = trainer.fit(loader)

    acc = trainer.score(x, y)
    log.info("loss %.4f -> %.4f, accuracy %.3f", history[0], history[-1], acc)
    return 0 if history[-1] < history[0] else 1


if __name__ == "__main__":
    sys.exit(main())
