"""Kernel regression with random features, rows spread over processes."""
