"""Tight-binding bands with pools of ranks over the k-points."""
