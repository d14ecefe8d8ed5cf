"""Checks of orders and hashes that differ from process to process."""
