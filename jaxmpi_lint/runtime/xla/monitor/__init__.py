"""The monitor of JAX jobs: ``python -m jaxmpi_lint.runtime.xla.monitor``."""
