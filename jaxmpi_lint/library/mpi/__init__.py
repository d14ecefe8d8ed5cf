"""Facts about functions of mpi4py and mpi4jax beyond the generated tables, by name; handwritten."""
