"""Ring migration: every member offers its weights to the next one."""
import numpy as np

TAG_WEIGHTS = 31
TAG_CARD = 32


def ring_neighbours(comm):
    return (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size


def shift(comm, array):
    """Pass an array one place along the ring; returns the one that came in."""
    nxt, prev = ring_neighbours(comm)
    incoming = np.empty_like(array)
    comm.Send(array, dest=nxt, tag=TAG_WEIGHTS)
    comm.Recv(incoming, source=prev, tag=TAG_WEIGHTS)
    return incoming


def exploit(comm, member, score, margin, explore_rng):
    """Adopt the neighbour's weights where they are clearly better, and perturb."""
    nxt, prev = ring_neighbours(comm)
    card = comm.sendrecv((score, member.hparams), dest=nxt, sendtag=TAG_CARD, source=prev, recvtag=TAG_CARD)
    weights = shift(comm, member.w)
    their_score, their_hparams = card
    if their_score > score + margin:
        member.w[...] = weights
        member.hparams = their_hparams.perturbed(explore_rng)
        return True
    return False
