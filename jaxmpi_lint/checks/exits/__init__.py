"""Checks of exits by which some processes leave before a collective, for JM103."""
