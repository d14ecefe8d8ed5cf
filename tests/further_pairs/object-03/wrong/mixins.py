from mpi4py import MPI


class Conserved:
    """Totals over all ranks of what the local parts hold."""

    comm: MPI.Comm
    parts: list

    @property
    def total_mass(self):
        return self.comm.allreduce(sum(p.mass for p in self.parts))

    @property
    def local_count(self):
        return len(self.parts)
