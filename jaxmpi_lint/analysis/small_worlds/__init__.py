"""Ranks of small worlds, lengths and orders compared, by rules of thumb; an interpreter is to replace them."""
