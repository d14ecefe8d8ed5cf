import logging
import sys
from dataclasses import dataclass

from mpi4py import MPI

from ensemble import Ensemble
from groups import team


@dataclass
class Config:
    members: int = 60
    points: int = 500
    sigma: float = 0.8
    seed: int = 77
    ranks_per_team: int = 2


def main():
    world = MPI.COMM_WORLD
    cfg = Config()
    for item in sys.argv[1:]:
        key, value = item.split("=")
        setattr(cfg, key, type(getattr(cfg, key))(value))
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")

    with team(world, cfg.ranks_per_team) as t:
        ens = Ensemble(t, cfg)

        def trace(m, value):
            if t.is_leader and m % 20 == 0:
                logging.info("team %d member %3d: K = %.5f", t.index, m, value)

        ens.hooks.append(trace)
        result = ens.run()
        if world.rank == 0:
            print(f"{result['members']} of {cfg.members} members")
            print(f"K_eff = {result['mean']:.5f} +- {result['stderr']:.5f}")
            print(f"std   = {result['std']:.5f}")


if __name__ == "__main__":
    main()
