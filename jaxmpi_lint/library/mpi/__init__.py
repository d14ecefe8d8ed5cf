"""What functions of mpi4py and mpi4jax do beyond the generated tables, by their names; written by hand."""
