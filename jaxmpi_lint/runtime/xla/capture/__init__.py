"""In each process: launches of JAX before they execute, and the properties of their executables."""
