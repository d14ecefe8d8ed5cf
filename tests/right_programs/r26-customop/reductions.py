from contextlib import contextmanager

import numpy as np
from mpi4py import MPI


@contextmanager
def user_op(function, commute):
    op = MPI.Op.Create(function, commute=commute)
    try:
        yield op
    finally:
        op.Free()


def _combine_moments(inbuf, inoutbuf, datatype):
    """Chan et al.: (n, mean, M2) triples; called on the raw memory."""
    a = np.frombuffer(inbuf, dtype=float).reshape(-1, 3)
    b = np.frombuffer(inoutbuf, dtype=float).reshape(-1, 3)
    n = a[:, 0] + b[:, 0]
    delta = b[:, 1] - a[:, 1]
    weight = np.divide(b[:, 0], n, out=np.zeros_like(n), where=n > 0)
    m2 = a[:, 2] + b[:, 2] + delta ** 2 * a[:, 0] * weight
    mean = a[:, 1] + delta * weight
    b[:, 0], b[:, 1], b[:, 2] = n, mean, m2


def moments_op():
    return user_op(_combine_moments, commute=True)


@contextmanager
def moments_type():
    """A triple is one element, so that the library never cuts it."""
    triple = MPI.DOUBLE.Create_contiguous(3).Commit()
    try:
        yield triple
    finally:
        triple.Free()


def topk_op(k):
    def combine(a, b, datatype=None):
        return sorted(a + b, reverse=True)[:k]
    return user_op(combine, commute=True)
