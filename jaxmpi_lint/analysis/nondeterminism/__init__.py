"""Origins of hashes, and the values that they reach."""
