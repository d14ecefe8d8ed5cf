"""Ensemble of Lorenz runs: groups of ranks each integrate several members;
groups have different numbers of members and members different lengths."""
import numpy as np
from mpi4py import MPI

from diagnostics import REGISTRY, diagnostic, run_diagnostics
from member import integrate, member_steps

N_MEMBERS = 7


@diagnostic("spread", every=1)
def spread(comm, xs):
    s = np.array([len(xs), xs.sum(), (xs ** 2).sum()])
    comm.Allreduce(MPI.IN_PLACE, s)
    return s[2] / s[0] - (s[1] / s[0]) ** 2


@diagnostic("extreme", every=2)
def extreme(comm, xs):
    value, where = comm.allreduce((float(xs.max()), comm.rank), op=MPI.MAXLOC)
    return value


def make_groups(comm, n_groups):
    """Contiguous blocks of ranks by Create_group; each rank is in one."""
    color = comm.rank * n_groups // comm.size
    members = [r for r in range(comm.size) if r * n_groups // comm.size == color]
    world_group = comm.Get_group()
    group = world_group.Incl(members)
    sub = comm.Create_group(group, tag=color)
    group.Free()
    world_group.Free()
    return color, sub


def main():
    comm = MPI.COMM_WORLD
    n_groups = max(1, comm.size // 2)
    color, sub = make_groups(comm, n_groups)
    leaders = comm.Split(0 if sub.rank == 0 else MPI.UNDEFINED, comm.rank)

    mine = {}
    for member in range(color, N_MEMBERS, n_groups):
        for step, xs in integrate(sub, member):
            # diagnostics communicate within the group; every rank of the
            # group runs the same steps of the same member
            values = run_diagnostics(sub, step, xs)
        mine[member] = {"steps": step, **values}

    # merge of the dictionaries: leaders gather, then everybody gets them
    table = None
    if leaders != MPI.COMM_NULL:
        parts = leaders.gather(mine, root=0)
        if leaders.rank == 0:
            table = {}
            for part in parts:
                table.update(part)
        leaders.Free()
    table = comm.bcast(table, root=0)       # world rank 0 leads the leaders
    assert sorted(table) == list(range(N_MEMBERS))

    # reference on one rank each, in turn
    for member in range(comm.rank, N_MEMBERS, comm.size):
        for step, xs in integrate(MPI.COMM_SELF, member):
            pass
        assert step == table[member]["steps"] == member_steps(member)
        assert abs(xs.var() - table[member]["spread"]) < 1e-9
        if "extreme" in table[member]:
            assert abs(xs.max() - table[member]["extreme"]) < 1e-9

    # all ranks go through the names in the same order
    for name in sorted(REGISTRY):
        have = comm.allreduce(sum(name in row for row in mine.values()) if sub.rank == 0 else 0)
        assert have == sum(name in row for row in table.values())
    sub.Free()
    if comm.rank == 0:
        print(f"{N_MEMBERS} members in {n_groups} groups: "
              + ", ".join(f"{table[m]['spread']:.3f}" for m in sorted(table)))


if __name__ == "__main__":
    main()
