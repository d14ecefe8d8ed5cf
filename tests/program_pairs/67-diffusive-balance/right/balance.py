"""Pairwise load balancing: overloaded ranks hand work to underloaded ones."""
from typing import List, Optional

from mpi4py import MPI


def choose_partner(comm: MPI.Comm, load: float) -> Optional[int]:
    """Heaviest rank is paired with the lightest, second heaviest with second lightest, ..."""
    loads = comm.allgather(load)
    order = sorted(range(comm.size), key=lambda r: (loads[r], r))
    mirror = order[comm.size - 1 - order.index(comm.rank)]
    return mirror if mirror != comm.rank else None


def exchange(comm: MPI.Comm, items: List[float], partner: Optional[int]) -> List[float]:
    if partner is None:
        return items
    theirs = comm.sendrecv(sum(items), dest=partner, source=partner, sendtag=1, recvtag=1)
    surplus = (sum(items) - theirs) / 2
    give: List[float] = []
    if surplus > 0:
        for item in sorted(items):
            if sum(give) + item > surplus:
                break
            give.append(item)
    keep = list(items)
    for item in give:
        keep.remove(item)
    got = comm.sendrecv(give, dest=partner, source=partner, sendtag=2, recvtag=2)
    return keep + got


def rebalance(comm: MPI.Comm, items: List[float], rounds: int) -> List[float]:
    for _ in range(rounds):
        items = exchange(comm, items, choose_partner(comm, sum(items)))
    return items
