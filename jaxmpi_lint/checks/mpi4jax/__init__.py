"""Checks of mpi4jax: tokens, results, tracing, the environment."""
