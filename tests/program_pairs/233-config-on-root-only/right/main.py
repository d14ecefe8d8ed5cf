import json
import os
import sys
from dataclasses import dataclass, asdict

import numpy as np
from mpi4py import MPI


@dataclass
class Settings:
    steps: int = 200
    dt: float = 0.01
    temperature: float = 1.5
    walkers: int = 64


def read_settings(path):
    if not os.path.exists(path):
        with open(path, "w") as fh:
            json.dump(asdict(Settings(steps=100)), fh)
    with open(path) as fh:
        return Settings(**json.load(fh))


def get_settings(comm, path):
    settings = None
    if comm.rank == 0:
        settings = read_settings(path)
        print("settings:", asdict(settings))
    settings = comm.bcast(settings, root=0)
    return settings


def langevin(cfg, seed):
    rng = np.random.default_rng(seed)
    x = np.zeros(cfg.walkers)
    sigma = np.sqrt(2 * cfg.temperature * cfg.dt)
    for _ in range(cfg.steps):
        x += -x * cfg.dt + sigma * rng.normal(size=x.size)
    return (x ** 2).mean()


def main(argv):
    comm = MPI.COMM_WORLD
    cfg = get_settings(comm, argv[1] if len(argv) > 1 else "settings.json")
    msd = langevin(cfg, seed=comm.rank)
    mean = comm.allreduce(msd, op=MPI.SUM) / comm.size
    if comm.rank == 0:
        print(f"<x^2> = {mean:.3f}")


main(sys.argv)
