/* The ranks agree upon a step length. */
#include <mpi.h>
#include <stdio.h>

static double reduce_mean(double x)
{
    int size;
    double out;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&x, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return out / size;
}

static double share(double x, int root)
{
    MPI_Bcast(&x, 1, MPI_DOUBLE, root, MPI_COMM_WORLD);
    return x;
}

int main(int argc, char **argv)
{
    int rank;
    double length = 0.1, position = 0.0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    length = share(length * (rank + 1), 0);
    if (rank == 0)
        position = reduce_mean(2.0 * length);
    else
        position = reduce_mean(3.0 * length);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d: %g %g\n", rank, length, position);
    MPI_Finalize();
    return 0;
}
