"""Findings as text, as JSON and as a folder."""
