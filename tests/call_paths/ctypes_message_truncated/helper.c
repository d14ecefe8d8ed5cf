#include <mpi.h>

void send_to(int fortran_comm, const double *x, int n, int dest)
{
    MPI_Send(x, n, MPI_DOUBLE, dest, 6, MPI_Comm_f2c(fortran_comm));
}

void receive_from(int fortran_comm, double *x, int n, int source)
{
    MPI_Recv(x, n, MPI_DOUBLE, source, 6, MPI_Comm_f2c(fortran_comm), MPI_STATUS_IGNORE);
}
