"""The start of a JAX job: processes that call `jax.distributed.initialize`, and those that should and do not."""
