"""Checks of JAX programs: the collectives of each executable, and what else must be equal in all processes."""
