"""Checks of which collectives processes reach, and in which order."""
