import functools
import numpy as np


def reduced(comm, op):
    """Reduce what the function returns with the operator."""

    def decorate(function):
        @functools.wraps(function)
        def wrapper(*arguments, **keywords):
            local = np.atleast_1d(function(*arguments, **keywords)).astype(float)
            out = np.zeros_like(local)
            comm.Allreduce(local, out, op=op)
            return out

        return wrapper

    return decorate
