#include <mpi.h>

static void broadcast(MPI_Comm comm, double *x, int n, int root)
{
    MPI_Bcast(x, n, MPI_DOUBLE, root, comm);
}

void share(int fortran_comm, double *x, int n, int root)
{
    broadcast(MPI_Comm_f2c(fortran_comm), x, n, root);
}
