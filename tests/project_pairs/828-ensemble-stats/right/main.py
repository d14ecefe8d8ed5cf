"""Print the statistics of each ensemble member."""
from __future__ import annotations

import logging
from typing import Optional

from mpi4py import MPI

from ensemble import EnsembleConfig, team_member

log = logging.getLogger("ensemble")
Line = Optional[tuple[int, dict[str, float]]]


def show(lines: list[Line]) -> None:
    for line in lines:
        if line is None:
            continue
        index, summary = line
        numbers = ", ".join(f"{k} {v:.3f}" for k, v in summary.items())
        print(f"member {index}: {numbers}")


def main() -> int:
    logging.basicConfig(level=logging.WARNING)
    world = MPI.COMM_WORLD
    cfg = EnsembleConfig()
    with team_member(world, cfg) as member:
        summary = member.summary()
        line: Line = (member.index, summary) if member.team.rank == 0 else None
        log.info("member %d has %d ranks", member.index, member.team.size)
        error = abs(summary["mean"] - member.offset)
    lines = world.gather(line, root=0)
    if world.rank == 0:
        show(lines)
    return 0 if error < 1.0 else 1


if __name__ == "__main__":
    raise SystemExit(main())
