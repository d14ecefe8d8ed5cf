import numpy as np
from utils import reduce_mean


def mean_of(comm, values):
    return float(reduce_mean(comm, np.array([values.mean()]))[0])


def deviation_of(comm, values):
    centre = mean_of(comm, values)
    return mean_of(comm, (values - centre) ** 2) ** 0.5
