"""The forms in which `pairs.py` shows a program to the linter: other layouts and other ways to start the same code."""
