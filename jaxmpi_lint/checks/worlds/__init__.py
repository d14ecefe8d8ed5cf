"""Findings of the interpreter: faults of small worlds as defects with codes, messages and steps."""
