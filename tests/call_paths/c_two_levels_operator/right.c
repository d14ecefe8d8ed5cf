/* Limits of a distributed field. */
#include <mpi.h>
#include <stdio.h>

static double reduce_value(double value, MPI_Op op)
{
    double out;
    MPI_Allreduce(&value, &out, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
    return out;
}

static double bound(double value, int upper)
{
    return reduce_value(value, upper ? MPI_MAX : MPI_MIN);
}

static double spread(double low, double high, int rank)
{
    double lowest = bound(low, 0);
    double highest = bound(high, 1);
    return rank < 0 ? 0.0 : highest - lowest;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("%d: %g\n", rank, spread(rank, rank + 3.0, rank));
    MPI_Finalize();
    return 0;
}
