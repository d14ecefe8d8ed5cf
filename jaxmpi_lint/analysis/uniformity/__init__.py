"""Abstract interpretation: abstract values, and whether they are equal on all processes."""
