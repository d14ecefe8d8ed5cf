"""JAX jobs of several processes with the sanitizer: what it must report, and what it must be silent about."""
