"""Checks of multi-process JAX programs."""
