import numpy as np
from utils import reduce_values


def energy(comm, velocity):
    return float(reduce_values(comm, np.array([0.5 * velocity @ velocity]), "sum")[0])


def time_step(comm, velocity, spacing):
    fastest = np.array([np.abs(velocity).max()])
    limit = reduce_values(comm, fastest, "max")
    return 0.5 * spacing / limit[0]
