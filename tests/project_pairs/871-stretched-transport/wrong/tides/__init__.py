"""Explicit transport of a scalar on a stretched one-dimensional mesh."""
