"""In each process: what else must be equal on all processes."""
