from utils import reduce_sum


def products(comm, rows, vector):
    return reduce_sum(comm, rows.T @ vector)
