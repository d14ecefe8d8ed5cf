"""Running moments of an ensemble of energy balance models."""
import argparse
import logging

import numpy as np
from mpi4py import MPI

from ensemble.driver import EnsembleDriver
from ensemble.events import EventBus
from ensemble.members import MemberConfig
from ensemble.monitor import Monitor, SnapshotWriter

log = logging.getLogger("ensemble")


def parse_args():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--members", type=int, default=30)
    ap.add_argument("--years", type=int, default=60)
    ap.add_argument("--report-every", type=int, default=20)
    ap.add_argument("--warming", type=float, default=4.0, help="forcing at the end, W/m2")
    ap.add_argument("--out", default="moments.npz")
    return ap.parse_args()


def main():
    args = parse_args()
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO if comm.rank == 0 else logging.ERROR,
                        format="%(name)s: %(message)s")
    cfg = MemberConfig(members=args.members, years=args.years, warming=args.warming)

    bus = EventBus()
    monitor = Monitor(comm, cfg, every=args.report_every)
    monitor.attach(bus)
    driver = EnsembleDriver(cfg, bus, range(comm.rank, cfg.members, comm.size))
    driver.run()

    final = monitor.totals()
    if comm.rank == 0:
        SnapshotWriter(args.out).write(final)
        for name, mom in final.items():
            print(f"{name:<9s} n={mom.count:<6.0f} mean={np.mean(mom.mean):9.4f} "
                  f"sd={np.mean(mom.std()):8.4f}")


if __name__ == "__main__":
    main()
