from utils import reduce_mean


def normalise(comm, batch):
    mean = reduce_mean(comm, batch.mean(axis=0))
    square = reduce_mean(comm, (batch**2).mean(axis=0))
    return (batch - mean) / (square - mean**2 + 1e-6) ** 0.5


def regularise(comm, weights):
    return weights - 0.01 * reduce_mean(comm, weights).mean()
