from contextlib import closing
from dataclasses import replace

import numpy as np
from mpi4py import MPI

from config import RodConfig
from halo import halo_exchanger
from rod import Rod, diffuse, initial


def serial(cfg, steps):
    f = initial((np.arange(cfg.points) + 0.5) / cfg.points)
    for _ in range(steps):
        f = diffuse(np.pad(f, 1, mode="edge"), cfg.alpha)
    return f


def simulate(comm, cfg):
    rod = Rod(comm, cfg)
    with closing(halo_exchanger(comm)) as halo:
        for step in range(1, cfg.max_steps + 1):
            halo.send(rod.field)
            if rod.quiet(step, rod.advance()):
                break
    return rod, step


def main():
    comm = MPI.COMM_WORLD
    base = RodConfig()
    for cfg in sorted({base, replace(base, alpha=0.4), replace(base, points=30, probes=())}):
        rod, steps = simulate(comm, cfg)
        whole = rod.profile()
        assert np.allclose(whole, serial(cfg, steps), atol=1e-12)
        start = float(initial((np.arange(cfg.points) + 0.5) / cfg.points).sum())
        assert abs(rod.heat - start) < 1e-9
        probes = {p: rod.probe(p) for p in cfg.probes}
        assert all(np.isclose(v, whole[p]) for p, v in probes.items())
        if comm.rank == 0:
            print(f"points={cfg.points} alpha={cfg.alpha} stopped at {steps}",
                  " ".join(f"u[{p}]={v:.6f}" for p, v in probes.items()))


if __name__ == "__main__":
    main()
