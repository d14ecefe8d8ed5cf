! Smooth a field; every rank has a part of it, and rank 0 writes a summary.
module fields
  use mpi_f08
  implicit none
contains
  function total(x) result(everywhere)
    double precision, intent(in) :: x(:)
    double precision :: here, everywhere
    here = sum(x)
    call MPI_Allreduce(here, everywhere, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  end function

  subroutine share(x)
    double precision, intent(inout) :: x
    call MPI_Bcast(x, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
  end subroutine

  subroutine smooth(x)
    double precision, intent(inout) :: x(:)
    double precision :: weight
    weight = 0.5
    call share(weight)
    x(2:) = weight * (x(2:) + x(:size(x) - 1))
  end subroutine
end module

program heat
  use fields
  implicit none
  double precision :: x(8)
  integer :: rank, step
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = rank
  do step = 1, 3
    call smooth(x)
    if (rank == 0) then
      print *, step, total(x) ! change
    end if
  end do
  call MPI_Finalize()
end program
