import numpy as np


class Storage:
    """Large arrays live on one rank and are handed out when needed."""

    @staticmethod
    def fetch(comm, x, owner):
        out = np.array(x)
        comm.Bcast(out, root=owner)
        return out
