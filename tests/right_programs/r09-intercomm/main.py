"""Ocean and atmosphere on disjoint groups, coupled by an intercommunicator.
Needs two ranks; the groups have different numbers of inner time steps."""
import sys

import numpy as np
from mpi4py import MPI

OCEAN, ATMOS = "ocean", "atmos"
COUPLING_STEPS = 6


class Component:
    substeps = 1
    rate = 0.0
    n = 0

    def __init__(self, comm):
        self.comm = comm
        rank, size = comm.Get_rank(), comm.Get_size()
        self.index = np.arange(rank, self.n, size)
        self.temp = self.initial(self.index)

    @staticmethod
    def initial(index):
        raise NotImplementedError

    def mean(self):
        total = self.comm.allreduce(float(self.temp.sum()), op=MPI.SUM)
        return total / self.n

    def advance(self, forcing):
        for _ in range(self.substeps):
            # mean over the own group, so as many collectives as own substeps
            drift = self.mean()
            self.temp += self.rate * (forcing - self.temp) + 0.01 * (drift - self.temp)


class Ocean(Component):
    substeps, rate, n = 1, 0.05, 30

    @staticmethod
    def initial(index):
        return 10.0 + 0.1 * index


class Atmosphere(Component):
    substeps, rate, n = 4, 0.2, 48

    @staticmethod
    def initial(index):
        return -5.0 + 0.3 * index


def exchange(inter, local, value):
    """Leaders swap their means, each tells its group."""
    other = None
    if local.rank == 0:
        other = inter.sendrecv(value, dest=0, sendtag=1, source=0, recvtag=1)
    return local.bcast(other, root=0)


def serial_run():
    o, a = Ocean(MPI.COMM_SELF), Atmosphere(MPI.COMM_SELF)
    for _ in range(COUPLING_STEPS):
        om, am = o.mean(), a.mean()
        o.advance(am)
        a.advance(om)
    return o.mean(), a.mean()


def main():
    world = MPI.COMM_WORLD
    if world.size < 2:
        print("this coupled model needs at least 2 ranks")
        return 0
    n_ocean = max(1, world.size // 3)
    kind = OCEAN if world.rank < n_ocean else ATMOS
    local = world.Split(0 if kind == OCEAN else 1, world.rank)
    remote_leader = n_ocean if kind == OCEAN else 0
    inter = local.Create_intercomm(0, world, remote_leader, tag=42)
    assert inter.Get_remote_size() + local.size == world.size

    model = (Ocean if kind == OCEAN else Atmosphere)(local)
    for _ in range(COUPLING_STEPS):
        forcing = exchange(inter, local, model.mean())
        model.advance(forcing)

    # rooted broadcast across the groups: ocean leader announces its result
    mine = model.mean()
    if kind == OCEAN:
        inter.bcast(mine, root=MPI.ROOT if local.rank == 0 else MPI.PROC_NULL)
        theirs = None
    else:
        theirs = inter.bcast(None, root=0)

    ref_ocean, ref_atmos = serial_run()
    if kind == ATMOS:
        assert abs(theirs - ref_ocean) < 1e-10 and abs(mine - ref_atmos) < 1e-10
    else:
        assert abs(mine - ref_ocean) < 1e-10

    merged = inter.Merge(high=(kind == ATMOS))
    kinds = merged.allgather(kind)
    assert kinds == [OCEAN] * n_ocean + [ATMOS] * (world.size - n_ocean)
    if merged.rank == 0:
        print(f"ocean {mine:.4f} on {n_ocean}, atmosphere reference {ref_atmos:.4f}")
    merged.Free()
    inter.Free()
    local.Free()
    return 0


if __name__ == "__main__":
    sys.exit(main())
