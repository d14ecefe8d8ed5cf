"""A thin adapter around the communicator with the few calls the package needs."""
import numpy as np


class Team:
    def __init__(self, comm, lead=0):
        self.comm = comm
        self.lead = lead

    @property
    def leads(self):
        return self.comm.rank == self.lead

    def say(self, text):
        if self.leads:
            print(text, flush=True)

    def mine(self, items):
        """Every size-th item, from the own rank on."""
        return list(items)[self.comm.rank :: self.comm.size]

    def total(self, value):
        if np.isscalar(value):
            return self.comm.allreduce(value)
        value = np.ascontiguousarray(value)
        out = np.empty_like(value)
        self.comm.Allreduce(value, out)
        return out

    def agree(self, flag):
        """The lead rank decides for all."""
        return self.comm.bcast(flag, root=self.lead)

    def share(self, array):
        """The array of the lead rank on all ranks; the others pass None."""
        if self.leads:
            array = np.ascontiguousarray(array)
        shape, dtype = self.comm.bcast(
            (array.shape, array.dtype.str) if self.leads else None, root=self.lead
        )
        if not self.leads:
            array = np.empty(shape, dtype=dtype)
        self.comm.Bcast(array, root=self.lead)
        return array
