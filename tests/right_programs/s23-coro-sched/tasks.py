"""Tasks written as generators. Each one talks under its own tag."""
from enum import IntEnum, auto, unique

import numpy as np


@unique
class Tag(IntEnum):
    RELAY = 100
    TREE = auto()
    MIX = auto()
    SHARE = auto()


def relay(comm, value):
    """Running maximum handed from rank to rank, then back to the first."""
    best = value
    if comm.rank > 0:
        best = max(value, (yield comm.irecv(source=comm.rank - 1, tag=Tag.RELAY)))
    if comm.rank + 1 < comm.size:
        yield comm.isend(best, dest=comm.rank + 1, tag=Tag.RELAY)
        best = yield comm.irecv(source=comm.rank + 1, tag=Tag.RELAY)
    if comm.rank > 0:
        yield comm.isend(best, dest=comm.rank - 1, tag=Tag.RELAY)
    return best


def tree_sum(comm, values):
    """Binomial tree towards rank 0; the others return None."""
    total, step = dict(values), 1
    while step < comm.size:
        if comm.rank & step:
            yield comm.isend(total, dest=comm.rank - step, tag=Tag.TREE)
            return None
        if comm.rank + step < comm.size:
            part = yield comm.irecv(source=comm.rank + step, tag=Tag.TREE)
            for key in part:
                total[key] = total.get(key, 0) + part[key]
        step *= 2
    return total


def mix(comm, x, rounds):
    """Average with the partner at distance 1, 2, ... where there is one."""
    for k in range(rounds):
        partner = comm.rank ^ (1 << k)
        if partner >= comm.size:
            x = yield ("ready", x)
            continue
        sending = comm.isend(x, dest=partner, tag=Tag.MIX)
        other = yield comm.irecv(source=partner, tag=Tag.MIX)
        yield sending
        x = 0.5 * (x + other)
    return x


def share(comm, rows):
    """Every rank sends its rows to all others, with buffers sized beforehand."""
    counts = comm.allgather(len(rows))
    parts = [np.empty((c, 2)) for c in counts]
    parts[comm.rank][...] = rows
    for shift in range(1, comm.size):
        to, fro = (comm.rank + shift) % comm.size, (comm.rank - shift) % comm.size
        sending = comm.Isend(parts[comm.rank], dest=to, tag=Tag.SHARE)
        yield comm.Irecv(parts[fro], source=fro, tag=Tag.SHARE)
        yield sending
    return np.concatenate(parts)
