/* Train a small linear model; every rank has its own samples. */
#include <mpi.h>
#include <stdio.h>

#define N 4

static void reduce_mean(double *x, int n)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        x[i] /= size;
}

int main(int argc, char **argv)
{
    int rank;
    double weights[N] = {0}, gradient[N];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < N; i++)
            gradient[i] = weights[i] - rank - i;
        if (rank == 0)
            reduce_mean(gradient, N);
        else
            reduce_mean(gradient, N - 1); // change
        for (int i = 0; i < N; i++)
            weights[i] -= 0.5 * gradient[i];
    }
    printf("%d: %g %g %g %g\n", rank, weights[0], weights[1], weights[2], weights[3]);
    MPI_Finalize();
    return 0;
}
