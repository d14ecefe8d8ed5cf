/* Rank 0 hands out work, rank 1 computes. */
#include <mpi.h>
#include <stdio.h>

enum { WORK = 11, RESULT = 12 };

static void send_to(const double *x, int n, int dest, int tag)
{
    MPI_Send(x, n, MPI_DOUBLE, dest, tag, MPI_COMM_WORLD);
}

static void receive_from(double *x, int n, int source, int tag)
{
    MPI_Recv(x, n, MPI_DOUBLE, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    double part[3] = {1.0, 2.0, 3.0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int turn = 0; turn < 2; turn++) {
        if (rank == 0) {
            send_to(part, 3, 1, WORK);
            receive_from(part, 3, 1, RESULT);
        } else {
            receive_from(part, 3, 0, WORK);
            part[turn] *= 2.0;
            send_to(part, 3, 0, turn == 0 ? RESULT : WORK); // change
        }
    }
    printf("%d: %g %g %g\n", rank, part[0], part[1], part[2]);
    MPI_Finalize();
    return 0;
}
