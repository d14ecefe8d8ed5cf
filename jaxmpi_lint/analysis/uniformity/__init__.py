"""Abstract interpretation: what a value is, and whether it is equal on every process."""
