"""Dealing the rows of an image to ranks and collecting them again."""
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI


@dataclass(frozen=True)
class RowPlan:
    height: int
    width: int
    parts: int

    @property
    def heights(self):
        base, extra = divmod(self.height, self.parts)
        return [base + 1 if r < extra else base for r in range(self.parts)]

    def first_row(self, rank):
        return sum(self.heights[:rank])

    def counts(self):
        return [h * self.width for h in self.heights]

    def displacements(self):
        return [r * (self.height // self.parts) * self.width for r in range(self.parts)]


def collect(comm, plan, block, root=0):
    """The whole image on the root, None elsewhere."""
    image = None
    recv = None
    if comm.rank == root:
        image = np.zeros((plan.height, plan.width), dtype=np.int32)
        recv = [image, plan.counts(), plan.displacements(), MPI.INT32_T]
    comm.Gatherv([block, MPI.INT32_T], recv, root=root)
    return image
