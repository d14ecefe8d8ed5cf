"""Data types of findings, and errors that a user can cause."""
