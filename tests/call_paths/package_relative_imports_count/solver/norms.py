import numpy as np
from .reductions import reduce_sum


def norm(comm, x):
    return float(reduce_sum(comm, np.array([x @ x]))[0]) ** 0.5
