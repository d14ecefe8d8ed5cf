"""Statistics over ranks, in Cython."""

cdef extern from "mpi.h":
    ctypedef void* MPI_Comm
    ctypedef void* MPI_Datatype
    ctypedef void* MPI_Op
    MPI_Comm MPI_COMM_WORLD
    MPI_Datatype MPI_DOUBLE
    MPI_Op MPI_SUM
    MPI_Op MPI_MAX
    int MPI_Allreduce(void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm)


cdef double reduced(double x, MPI_Op op):
    cdef double result
    MPI_Allreduce(&x, &result, 1, MPI_DOUBLE, op, MPI_COMM_WORLD)
    return result


cdef class Statistics:
    cdef int rank

    def __init__(self, int rank):
        self.rank = rank

    def total(self, double x):
        if self.rank == 0:
            return reduced(x, MPI_SUM)
        return reduced(x, MPI_MAX)  # change
