"""Small SPMD programs as data: syntax, text, random generation, and interpretation."""
