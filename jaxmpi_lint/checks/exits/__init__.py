"""Checks of exits that some processes take before a collective, for JM103."""
