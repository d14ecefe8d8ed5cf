"""Small SPMD programs as data: their syntax, their text, random ones, and what happens when ranks run them."""
