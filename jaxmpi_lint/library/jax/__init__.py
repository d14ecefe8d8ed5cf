"""What functions of JAX do, by their names; written by hand."""
