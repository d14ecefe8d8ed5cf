"""Communicators of a run: the world and one pool for each group of k-points."""
from dataclasses import dataclass

from mpi4py import MPI


@dataclass(frozen=True)
class Comms:
    world: MPI.Comm
    pool: MPI.Comm
    pool_id: int
    n_pools: int

    @classmethod
    def split(cls, world, n_pools):
        if world.size % n_pools:
            raise ValueError(f"{world.size} ranks do not fill {n_pools} pools")
        per_pool = world.size // n_pools
        pool_id = world.rank // per_pool
        return cls(world, world.Split(pool_id, world.rank), pool_id, n_pools)

    @property
    def is_root(self):
        return self.world.rank == 0

    @property
    def is_pool_root(self):
        return self.pool.rank == 0

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        self.pool.Free()
        return False
