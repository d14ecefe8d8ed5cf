"""Route water through the cascade and report the balance now and then."""
from __future__ import annotations

import logging
from typing import Callable

from mpi4py import MPI

from balance import Cascade
from logsetup import LogOptions, configure

Hook = Callable[[int, Cascade], None]


class Reporter:
    def __init__(self, logger: logging.Logger, every: int = 4) -> None:
        self.logger = logger
        self.every = every

    def __call__(self, step: int, cascade: Cascade) -> None:
        if step % self.every == 0:
            self.logger.info("step %d: %s", step, cascade)


def run(cascade: Cascade, steps: int, dt: float, hooks: list[Hook]) -> None:
    inflow = 0.0
    for step in range(1, steps + 1):
        outflow = cascade.route(inflow, dt)
        inflow = cascade.exchange(outflow)
        for hook in hooks:
            hook(step, cascade)
    cascade.members[0].volume += inflow


def main() -> int:
    comm = MPI.COMM_WORLD
    logger = configure(comm, LogOptions())
    cascade = Cascade.build(comm, per_rank=3)
    before = cascade.balance
    run(cascade, steps=12, dt=0.1, hooks=[Reporter(logger)])
    after = cascade.balance
    if comm.rank == 0:
        print(f"balance {before:.6f} -> {after:.6f}")
    return 0 if abs(before - after) < 1e-9 else 1


if __name__ == "__main__":
    raise SystemExit(main())
