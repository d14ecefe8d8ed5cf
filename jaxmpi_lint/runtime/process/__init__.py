"""What runs in each rank besides the native core: hooks of mpi4py, mpi4jax and of the end of the program."""
