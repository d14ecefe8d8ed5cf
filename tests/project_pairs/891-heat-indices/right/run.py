"""Command line entry: heat and cold indices of a gridded daily temperature record."""
import argparse
import logging

from mpi4py import MPI

from climidx.config import IndexConfig
from climidx.hooks import HookChain, ProgressHook, TimingHook
from climidx.stages import STAGES, order_stages
from climidx.table import IndexTable


def parse_args():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--nlat", type=int, default=36)
    p.add_argument("--nlon", type=int, default=24)
    p.add_argument("--years", type=int, default=3)
    p.add_argument("--hot-quantile", type=float, default=0.9)
    p.add_argument("--verbose", action="store_true")
    p.add_argument("--output", default="indices.json")
    return p.parse_args()


def setup_logging(rank, verbose):
    level = logging.INFO if rank == 0 else logging.WARNING
    if verbose:
        level = logging.DEBUG
    logging.basicConfig(level=level, format=f"[{rank}] %(name)s: %(message)s")


def main():
    args = parse_args()
    comm = MPI.COMM_WORLD
    setup_logging(comm.rank, args.verbose)
    cfg = IndexConfig.from_args(args)

    table = IndexTable(comm, cfg)
    hooks = HookChain([TimingHook(), ProgressHook(table)])
    context = {"cfg": cfg, "comm": comm, "table": table}
    for stage in order_stages(STAGES):
        hooks.fire("before", stage.name)
        stage.run(context)
        hooks.fire("after", stage.name)

    table.write(cfg.output)
    if comm.rank == 0:
        print("wrote", cfg.output, "with", ", ".join(sorted(table.columns)))


if __name__ == "__main__":
    main()
