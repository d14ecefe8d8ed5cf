module training
  use mpi
  implicit none
contains
  subroutine reduce_mean(x, n)
    integer, intent(in) :: n
    double precision, intent(inout) :: x(n)
    integer :: ranks, ierror
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    call MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
    x = x / ranks
  end subroutine
end module

program train
  use training
  implicit none
  integer, parameter :: n = 4
  integer :: rank, ierror, step, i
  double precision :: gradient(n), weights(n)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  weights = 0
  do step = 1, 3
    gradient = [(weights(i) - rank - i, i = 1, n)]
    if (rank == 0) then
      call reduce_mean(gradient, n)
    else
      call reduce_mean(gradient, n)
    end if
    weights = weights - 0.5 * gradient
  end do
  print *, rank, weights
  call MPI_Finalize(ierror)
end program
