"""Which functions JAX traces, and which names hold tracers."""
