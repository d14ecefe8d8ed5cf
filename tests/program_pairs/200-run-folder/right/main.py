"""Random walks with absorbing walls. Each run gets its own numbered folder."""
import json
import logging
import platform
import re
from pathlib import Path

import numpy as np
from mpi4py import MPI

BASE = Path("runs")


def next_run_name(base):
    numbers = [0]
    if base.exists():
        for child in base.iterdir():
            m = re.fullmatch(r"run_(\d+)", child.name)
            if m:
                numbers.append(int(m.group(1)))
    return f"run_{max(numbers) + 1:04d}"


def prepare(comm, settings):
    name = next_run_name(BASE) if comm.rank == 0 else None
    folder = BASE / comm.bcast(name, root=0)
    if comm.rank == 0:
        settings = dict(settings, platform=platform.platform(), ranks=comm.size)
        folder.mkdir(parents=True)
        (folder / "settings.json").write_text(json.dumps(settings, indent=2))
    comm.Barrier()
    return folder


def make_logger(folder, rank):
    logger = logging.getLogger(f"walk.{rank}")
    handler = logging.FileHandler(folder / f"rank{rank:03d}.log")
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    return logger


def exit_times(rng, walkers, wall, max_steps):
    pos = np.zeros(walkers, dtype=int)
    times = np.full(walkers, -1)
    for t in range(1, max_steps + 1):
        alive = times < 0
        pos[alive] += rng.choice([-1, 1], size=alive.sum())
        times[alive & (np.abs(pos) >= wall)] = t
    return times[times > 0]


def main():
    comm = MPI.COMM_WORLD
    settings = {"walkers": 2000, "wall": 12, "max_steps": 600, "seed": 99}
    folder = prepare(comm, settings)
    log = make_logger(folder, comm.rank)

    rng = np.random.default_rng([settings["seed"], comm.rank])
    times = exit_times(rng, settings["walkers"], settings["wall"], settings["max_steps"])
    log.info("%d walkers left the interval", len(times))

    total = comm.reduce(times.sum(), op=MPI.SUM, root=0)
    count = comm.reduce(len(times), op=MPI.SUM, root=0)
    if comm.rank == 0:
        log.info("mean exit time %.3f", total / count)
        print(f"{folder}: mean exit time {total / count:.3f} (theory {settings['wall'] ** 2})")


if __name__ == "__main__":
    main()
