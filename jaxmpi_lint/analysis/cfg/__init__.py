"""Control flow, exceptional flow, definitions and uses of one function."""
