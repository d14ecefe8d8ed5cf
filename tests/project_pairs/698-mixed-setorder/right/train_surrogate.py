"""Multi-task surrogate: jitted on each rank, gradients averaged through MPI."""
import argparse
import logging
import sys

from surrogate.averaging import AVERAGERS
from surrogate.config import load
from surrogate.data import make_split
from surrogate.dist import Ranks
from surrogate.network import Network
from surrogate.trainer import Trainer


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("options", nargs="*", help="key=value")
    cfg = load(ap.parse_args().options)
    ranks = Ranks()
    logging.basicConfig(stream=sys.stdout, format="%(message)s",
                        level=logging.INFO if ranks.first else logging.WARNING)
    logging.getLogger("jax").setLevel(logging.WARNING)
    net = Network(cfg)
    averager = AVERAGERS[cfg["averager"]](ranks, frozen=cfg["freeze"])
    trainer = Trainer(cfg, ranks, net, averager)
    data = make_split(cfg, ranks)
    for epoch in range(cfg["epochs"]):
        loss = trainer.epoch(epoch, data)
        if epoch % 5 == 4:
            logging.info("epoch %2d  loss %.6f  checksum %.6f", epoch, loss,
                         net.checksum(trainer.params))
    spread = trainer.replica_spread()
    logging.info("spread of the replicas %.3e", spread)
    sys.exit(0 if spread < 1e-6 else 1)


if __name__ == "__main__":
    main()
