"""Monte Carlo transmission of neutrons through a scattering slab."""
import argparse
import logging
import sys

from slabmc.batches import BatchRunner
from slabmc.config import SlabConfig
from slabmc.history import KERNELS
from slabmc.streams import make_rng
from slabmc.tally import Tally
from slabmc.team import Team


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--histories", type=int, default=40000, help="histories of all ranks")
    ap.add_argument("--batches", type=int, default=10, help="batches on each rank")
    ap.add_argument("--thickness", type=float, default=2.0)
    ap.add_argument("--albedo", type=float, default=0.8)
    ap.add_argument("--kernel", choices=sorted(KERNELS), default="implicit")
    ap.add_argument("--seed", type=int, default=2024)
    a = ap.parse_args()
    team = Team()
    logging.basicConfig(stream=sys.stdout, format="%(message)s",
                        level=logging.INFO if team.root else logging.ERROR)
    cfg = SlabConfig(a.thickness, a.albedo, a.histories, a.batches, a.seed)

    kernel = KERNELS[a.kernel](cfg, make_rng(cfg.seed, team.rank))
    tally = Tally(("transmitted", "reflected"))
    BatchRunner(cfg, team).run(kernel, tally)
    result = tally.reduce(team)
    for name, (mean, error) in result.items():
        logging.info("%-12s %.6f +- %.6f", name, mean, error)
    logging.info("%d batches of %d histories", tally.count(team), cfg.per_batch(team.size))


if __name__ == "__main__":
    main()
