"""Relaxes many small clusters with a manager and workers."""
