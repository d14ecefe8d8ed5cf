"""Detectors of files that several ranks change, or use while one of them changes them."""
