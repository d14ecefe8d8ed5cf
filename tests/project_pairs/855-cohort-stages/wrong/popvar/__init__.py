"""Variant statistics of a cohort whose samples are spread over the ranks."""
