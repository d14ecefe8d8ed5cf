#include <mpi.h>

void reduce_mean(int fortran_comm, double *x, int n)
{
    int size;
    MPI_Comm comm = MPI_Comm_f2c(fortran_comm);
    MPI_Comm_size(comm, &size);
    MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_SUM, comm);
    for (int i = 0; i < n; i++)
        x[i] /= size;
}
