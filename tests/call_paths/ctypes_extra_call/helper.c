#include <mpi.h>

double square_norm(int fortran_comm, const double *x, int n)
{
    double local = 0.0, total = 0.0;
    for (int i = 0; i < n; i++)
        local += x[i] * x[i];
    MPI_Allreduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_Comm_f2c(fortran_comm));
    return total;
}
