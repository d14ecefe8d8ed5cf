"""Stream a sorted collection of log vectors chunk by chunk."""
import numpy as np


def make_collection(n_samples, n_features, n_clusters, seed):
    rng = np.random.default_rng(seed)
    centres = rng.uniform(-10, 10, size=(n_clusters, n_features))
    labels = np.sort(rng.choice(n_clusters, size=n_samples, p=skewed(n_clusters)))
    return centres[labels] + rng.normal(size=(n_samples, n_features))


def skewed(n):
    p = 1.0 / np.arange(1, n + 1)
    return p / p.sum()


def block_of(n, rank, size):
    edges = np.linspace(0, n, size + 1).astype(int)
    return int(edges[rank]), int(edges[rank + 1])


def chunk_reader(data, start, stop, chunk):
    """Returns a function that opens a fresh pass over rows [start, stop)."""

    def one_pass():
        for lo in range(start, stop, chunk):
            yield data[lo : min(lo + chunk, stop)]

    return one_pass
