"""Facts about functions of JAX, by name; handwritten."""
