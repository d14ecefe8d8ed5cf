import jax
import jax.numpy as jnp


class NormLogger:
    """Prints the norm of a field now and then from the main process."""

    def __init__(self, every):
        self.every = every
        self.is_main = jax.process_index() == 0
        self.norm = jax.jit(jnp.linalg.norm)

    def log(self, step, field):
        if step % self.every:
            return
        norm = self.norm(field)
        if self.is_main:
            print(f"step {step} norm {float(norm):.5f}")
