"""Local view of the graph: owned nodes first, then ghost nodes by global number."""
import numpy as np

from .ghosts import GhostUpdate
from .graph import assign_owners


class LocalMesh:
    def __init__(self, comm, graph):
        self.comm = comm
        owner = assign_owners(graph, comm.size)
        self.owned = np.flatnonzero(owner == comm.rank)
        a, b = graph.edges.T
        mine = (owner[a] == comm.rank) | (owner[b] == comm.rank)
        a, b = a[mine], b[mine]
        touched = np.unique(np.concatenate([a, b]))
        self.ghosts = touched[owner[touched] != comm.rank]
        lookup = {g: i for i, g in enumerate(self.owned)}
        lookup.update({g: i + len(self.owned) for i, g in enumerate(self.ghosts)})
        self.a = np.array([lookup[g] for g in a])
        self.b = np.array([lookup[g] for g in b])
        self.update = GhostUpdate(comm, lookup, self.ghosts, owner[self.ghosts])

    @property
    def num_owned(self):
        return len(self.owned)

    @property
    def num_local(self):
        return len(self.owned) + len(self.ghosts)
