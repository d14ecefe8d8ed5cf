"""Repartition rows by key, so that equal keys meet on one rank."""
import numpy as np
from mpi4py import MPI


def displacements(counts):
    return np.concatenate([[0], np.cumsum(counts)[:-1]])


def repartition(comm, keys, values):
    """keys: int64 array, values: float64 array of the same length."""
    owner = (keys * 2654435761 % 4294967296) % comm.size
    order = np.argsort(owner, kind="stable")
    keys, values = keys[order], values[order]

    send = np.bincount(owner, minlength=comm.size)
    recv = np.empty_like(send)
    comm.Alltoall(send, recv)
    new_keys = np.empty(recv.sum(), dtype=keys.dtype)
    new_values = np.empty(recv.sum(), dtype=values.dtype)
    sdispl, rdispl = displacements(send), displacements(recv)
    comm.Alltoallv([keys, send, sdispl, MPI.INT64_T], [new_keys, recv, rdispl, MPI.INT64_T])
    comm.Alltoallv([values, send, sdispl, MPI.DOUBLE], [new_values, recv, rdispl, MPI.DOUBLE])
    return new_keys, new_values
