import numpy as np

from .messages import Job


def make_jobs(n, events, seed):
    """Job list, longest jobs first, so that the tail of the run is short."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(events // 2, 3 * events // 2, size=n)
    jobs = [Job(i, int(size), (seed, i)) for i, size in enumerate(sizes)]
    jobs.sort(key=lambda j: j.events, reverse=True)
    return jobs
