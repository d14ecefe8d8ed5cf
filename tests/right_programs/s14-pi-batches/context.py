"""The communicator and the random stream travel in context variables."""
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import lru_cache

import numpy as np
from mpi4py import MPI

active_comm = ContextVar("active_comm", default=MPI.COMM_WORLD)
stream = ContextVar("stream")


@contextmanager
def on(comm, seed):
    tokens = [active_comm.set(comm), stream.set(own_stream(comm, seed))]
    try:
        yield comm
    finally:
        stream.reset(tokens.pop())
        active_comm.reset(tokens.pop())


@lru_cache(maxsize=None)
def agreed_entropy(comm_handle, seed):
    """The root turns the seed into entropy once; later calls are served locally."""
    comm = active_comm.get()
    words = None
    if comm.rank == 0:
        words = np.random.SeedSequence(seed).generate_state(4).tolist()
    return tuple(comm.bcast(words, root=0))


def own_stream(comm, seed):
    token = active_comm.set(comm)
    try:
        entropy = agreed_entropy(comm.name, seed)
    finally:
        active_comm.reset(token)
    children = np.random.SeedSequence(entropy).spawn(comm.size)
    return np.random.default_rng(children[comm.rank])


def isolated(function, *args, **kwargs):
    """Call function in a copy of the current context."""
    return copy_context().run(function, *args, **kwargs)
