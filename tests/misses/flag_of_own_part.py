from mpi4py import MPI
class Group:
    def setup(self, comm, subsystems):
        need = False
        for s in subsystems:
            if s.rank == comm.rank:
                need = need or s.complex
        if need:
            comm.allreduce(1)  #! JM101
