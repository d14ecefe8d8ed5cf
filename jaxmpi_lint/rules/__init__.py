"""The rules, one module for each."""
