import logging
import os
import sys

from mpi4py import MPI

from shield.config import RunConfig
from shield.driver import Driver


def load_config():
    cfg = RunConfig()
    if "SHIELD_HISTORIES" in os.environ:
        cfg.histories = int(os.environ["SHIELD_HISTORIES"])
    if "SHIELD_SEED" in os.environ:
        cfg.seed = int(os.environ["SHIELD_SEED"])
    return cfg


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(stream=sys.stdout,
                        level=logging.INFO if comm.rank == 0 else logging.ERROR,
                        format="%(message)s")
    cfg = load_config()
    driver = Driver(comm, cfg)
    p, err, total = driver.run()
    if comm.rank == 0:
        n = total[0]
        print(f"transmission {p:.5f} +- {err:.5f}")
        print(f"reflection   {total[2] / n:.5f}")
        print("absorption   " + " ".join(f"{v / n:.4f}" for v in total[3:]))


if __name__ == "__main__":
    main()
