"""Blocks of an adaptively refined domain, and moving them between processes."""
