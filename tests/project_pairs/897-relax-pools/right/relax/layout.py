"""Pools of ranks, and the communicator of their leaders."""
from dataclasses import dataclass
from typing import Optional

from mpi4py import MPI


@dataclass
class PoolLayout:
    world: MPI.Comm
    pool: MPI.Comm
    leaders: Optional[MPI.Comm]
    index: int
    count: int

    @classmethod
    def build(cls, world, settings):
        if world.size % settings.pools:
            raise SystemExit(f"{world.size} ranks do not make {settings.pools} equal pools")
        width = world.size // settings.pools
        index = world.rank // width
        # within a pool the fastest slot comes first and gets the longest jobs
        key = -int(1000 * settings.rating(world.rank))
        pool = world.Split(index, key)
        leading = pool.rank == 0
        leaders = world.Split(0 if leading else MPI.UNDEFINED, index)
        if leaders == MPI.COMM_NULL:
            leaders = None
        return cls(world, pool, leaders, index, settings.pools)
