from __future__ import annotations

import contextlib
import sys

from mpi4py import MPI

from ensemble import EnsembleConfig, Member


def main() -> int:
    world = MPI.COMM_WORLD
    config = EnsembleConfig()
    with contextlib.ExitStack() as stack:
        member = Member(world, config)
        stack.callback(member.close)
        member.run(config.steps)
        mass = member.mass()
        entry = (member.number, mass) if member.is_lead else None
        entries = world.allgather(entry)
    masses = dict(e for e in entries if e is not None)
    if world.rank == 0:
        for number, value in sorted(masses.items()):
            print(f"member {number}: mass {value:.6f}")
    good = all(abs(value - 1.0) < 1e-9 for value in masses.values())
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
