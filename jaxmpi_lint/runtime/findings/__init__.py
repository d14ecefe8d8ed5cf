"""Codes, findings, and the words in which they are described."""
