import numpy as np
from mpi4py import MPI

from .generate import HIT
from .packer import Packer

TAG_HITS = 40


class HitShuffle:
    def __init__(self, comm, sectors):
        self.comm = comm
        self.sectors = sectors
        self.packer = Packer()

    def _start_sends(self, hits, owner):
        pending = []
        for shift in range(1, self.comm.size):
            dest = (self.comm.rank + shift) % self.comm.size
            block = self.packer.pack(hits, owner == dest)
            request = self.comm.Isend([block, MPI.BYTE], dest=dest, tag=TAG_HITS)
            pending.append((request, block))
        return pending

    def _receive(self, source):
        status = MPI.Status()
        self.comm.Probe(source=source, tag=TAG_HITS, status=status)
        block = np.empty(status.Get_count(MPI.BYTE) // HIT.itemsize, dtype=HIT)
        self.comm.Recv([block, MPI.BYTE], source=source, tag=TAG_HITS)
        return block

    def exchange(self, hits):
        """Blocks of hits of the own sectors, one per rank of origin."""
        owner = self.sectors.owner[self.sectors.sector(hits["phi"])]
        pending = self._start_sends(hits, owner)
        blocks = [hits[owner == self.comm.rank]]
        for shift in range(1, self.comm.size):
            blocks.append(self._receive((self.comm.rank - shift) % self.comm.size))
        MPI.Request.Waitall([request for request, _ in pending])
        return blocks
