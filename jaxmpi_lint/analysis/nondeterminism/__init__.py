"""Where hashes come from, and which values they reach."""
