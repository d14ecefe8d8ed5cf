"""Checks of the collectives that processes reach, and of their order."""
