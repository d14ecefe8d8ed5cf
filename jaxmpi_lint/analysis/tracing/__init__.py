"""Functions traced by JAX, and names that hold tracers."""
