from mpi4py import MPI
shm = MPI.COMM_WORLD.Split(color=MPI.COMM_TYPE_SHARED, key=0)  #! JM416
win = MPI.Win.Allocate_shared(8, 8, MPI.INFO_NULL, shm)
