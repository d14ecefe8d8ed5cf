import numpy as np

TAG_FOLD, TAG_SWAP, TAG_UNFOLD, TAG_SCAN = 21, 22, 23, 24


def allreduce(comm, value, combine):
    """Recursive doubling.  Order of the ranks is kept, so `combine` needs to
    be associative only."""
    rank, size = comm.rank, comm.size
    acc = np.array(value, dtype=float)
    other = np.empty_like(acc)

    core = 1 << (size.bit_length() - 1)     # largest power of two <= size
    excess = size - core

    # the first 2*excess ranks pair up, the odd one of each pair steps aside
    if rank < 2 * excess:
        if rank % 2:
            comm.Send(acc, dest=rank - 1, tag=TAG_FOLD)
            comm.Recv(acc, source=rank - 1, tag=TAG_UNFOLD)
            return acc
        comm.Recv(other, source=rank + 1, tag=TAG_FOLD)
        acc = combine(acc, other)
        vrank = rank // 2
    else:
        vrank = rank - excess

    bit = 1
    while bit < core:
        vpartner = vrank ^ bit
        partner = 2 * vpartner if vpartner < excess else vpartner + excess
        comm.Sendrecv(acc, dest=partner, sendtag=TAG_SWAP,
                      recvbuf=other, source=partner, recvtag=TAG_SWAP)
        acc = combine(acc, other) if vrank < vpartner else combine(other, acc)
        bit <<= 1

    if rank < 2 * excess:
        comm.Send(acc, dest=rank + 1, tag=TAG_UNFOLD)
    return acc


def exscan(comm, value, combine):
    """Hillis-Steele over the values of the left neighbours; None on rank 0."""
    rank, size = comm.rank, comm.size
    inclusive = np.array(value, dtype=float)
    prefix = None
    distance = 1
    while distance < size:
        request = None
        outgoing = inclusive.copy()
        if rank + distance < size:
            request = comm.Isend(outgoing, dest=rank + distance, tag=TAG_SCAN)
        if rank - distance >= 0:
            incoming = np.empty_like(inclusive)
            comm.Recv(incoming, source=rank - distance, tag=TAG_SCAN)
            inclusive = combine(incoming, inclusive)
            prefix = incoming if prefix is None else combine(incoming, prefix)
        if request is not None:
            request.Wait()
        distance *= 2
    return prefix
