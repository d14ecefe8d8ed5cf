"""Edits of source text."""
