"""Checks of orders and hashes that differ between processes."""
