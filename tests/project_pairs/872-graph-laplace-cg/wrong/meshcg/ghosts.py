"""Neighbour-to-neighbour update of ghost values."""
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

GHOST_TAG = 41


@dataclass
class Link:
    """What is exchanged with one neighbour: local slots to send and to fill."""
    rank: int
    send_slots: np.ndarray
    ghost_slots: np.ndarray


class GhostUpdate:
    def __init__(self, comm, lookup, ghosts, owners):
        self.comm = comm
        wanted = [ghosts[owners == r] for r in range(comm.size)]
        requested = comm.alltoall(wanted)
        self.links = []
        for r in range(comm.size):
            if len(wanted[r]) == 0 and len(requested[r]) == 0:
                continue
            self.links.append(Link(
                rank=r,
                send_slots=np.array([lookup[g] for g in requested[r]], dtype=int),
                ghost_slots=np.array([lookup[g] for g in wanted[r]], dtype=int),
            ))

    def __call__(self, values):
        """Bring the ghost entries of ``values`` up to date."""
        requests = []
        for link in self.links:
            requests.append(self.comm.Irecv(values[link.ghost_slots], source=link.rank, tag=GHOST_TAG))
        for link in self.links:
            requests.append(self.comm.Isend(values[link.send_slots], dest=link.rank, tag=GHOST_TAG))
        MPI.Request.Waitall(requests)
        return values
