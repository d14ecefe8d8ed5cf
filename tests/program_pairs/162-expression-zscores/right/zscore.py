"""Standardise gene expression over samples that are spread over the ranks."""
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI


@dataclass
class GeneStats:
    mean: np.ndarray
    std: np.ndarray
    samples: int


def gene_stats(comm, expr):
    """expr: the (samples, genes) block of this rank. Ranks may hold no sample."""
    genes = expr.shape[1]
    n = comm.allreduce(len(expr))
    total = np.empty(genes)
    comm.Allreduce(expr.sum(axis=0), total)
    mean = total / n

    deviation = expr - mean
    squares = np.empty(genes)
    comm.Allreduce((deviation**2).sum(axis=0), squares)
    return GeneStats(mean, np.sqrt(squares / (n - 1)), n)


def standardise(expr, stats, floor=1e-8):
    return (expr - stats.mean) / np.maximum(stats.std, floor)
