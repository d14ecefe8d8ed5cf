import logging
import sys

import numpy as np
from mpi4py import MPI


def make_logger(rank: int) -> logging.Logger | None:
    if rank != 0:
        return None
    logger = logging.getLogger("sweep")
    logger.setLevel(logging.INFO)
    logger.addHandler(logging.StreamHandler(sys.stdout))
    return logger


def simulate(rate: float, steps: int) -> float:
    population = 0.1
    for _ in range(steps):
        population = rate * population * (1.0 - population)
    return population


def main() -> None:
    comm = MPI.COMM_WORLD
    logger = make_logger(comm.rank)
    rates = np.linspace(1.2, 2.8, 24)

    results = {}
    for index in range(comm.rank, len(rates), comm.size):
        results[index] = simulate(rates[index], 400)
    logger.info("rank 0 did %d rates", len(results))

    merged = {}
    for part in comm.allgather(results):
        merged.update(part)
    if logger:
        logger.info("rates: %d", len(merged))
        logger.info("fixed point ok: %s", abs(merged[23] - (1 - 1 / 2.8)) < 1e-6)


if __name__ == "__main__":
    main()
