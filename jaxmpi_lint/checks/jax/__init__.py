"""Checks of JAX programs of several processes."""
