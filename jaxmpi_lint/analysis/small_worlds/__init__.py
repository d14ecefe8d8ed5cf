"""Comparison of ranks of small worlds, of lengths and of orders, by heuristics; to be replaced by an interpreter."""
